"""A tagger small enough to train in a blink, with dropout, a frozen part and tags in two domains; for tests only."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.batch import Batch
from nerbridge.batching.streams import Stream
from nerbridge.config.tagger import LinearSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence, Span
from nerbridge.data.tags import TagVocabulary
from nerbridge.encoders.base import Encoder
from nerbridge.models.context.none import Identity
from nerbridge.models.heads.linear import LinearHead
from nerbridge.training.evaluation import MOST_COMMON_TAG, Evaluation
from nerbridge.training.fit import FitResult, fit
from nerbridge.training.journal import Journal

TAGS = TagVocabulary(LabelSet.of(["person", "place"]))
NAMES = {"person": ("Ada", "Alan", "Grace", "Kurt"), "place": ("London", "Bonn", "Vienna", "Turin")}
PLAIN = ("met", "in", "with", "saw", "near", "and", "left", "today")


@dataclass(frozen=True)
class TinyItem:
    ids: list[int]

    @property
    def num_pieces(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class TinyInputs:
    ids: Tensor

    def to(self, device: torch.device, *, non_blocking: bool = False) -> "TinyInputs":
        return TinyInputs(self.ids.to(device, non_blocking=non_blocking))

    def pin_memory(self) -> "TinyInputs":
        return TinyInputs(self.ids.pin_memory())


class TinyVectorizer:
    def vectorize(self, sentences: list[Sentence]) -> list[TinyItem]:
        return [TinyItem([1 + zlib.crc32(word.encode()) % 61 for word in s.words]) for s in sentences]

    def collate(self, items: list[TinyItem]) -> TinyInputs:
        longest = max(item.num_pieces for item in items)
        return TinyInputs(torch.tensor([[*item.ids, *[0] * (longest - item.num_pieces)] for item in items]))


class TinyEncoder(Encoder):
    """Embeddings, dropout, and a layer that sees the neighbour on the left."""

    def __init__(self, width: int = 12, dropout: float = 0.1) -> None:
        super().__init__()
        self.width = width
        self.vectorizer = TinyVectorizer()
        self.embeddings = nn.Embedding(62, width, padding_idx=0)
        self.norm = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)
        self.mix = nn.Linear(2 * width, width)

    def forward(self, inputs: TinyInputs) -> Tensor:
        vectors = self.norm(self.embeddings(inputs.ids))
        left = nn.functional.pad(vectors, (0, 0, 1, 0))[:, :-1]
        return torch.tanh(self.mix(self.dropout(torch.cat([vectors, left], dim=2))))

    def save_architecture(self, folder: Path) -> None:
        raise NotImplementedError


def make_model(*, dropout: float = 0.1, domains: Sequence[str] = ("news",), seed: int = 5) -> Tagger:
    """A tiny tagger, drawn with `seed`."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        encoder = TinyEncoder(dropout=dropout)
        heads = {domain: LinearHead(LinearSettings(dropout=dropout), TAGS, encoder.width) for domain in domains}
        return Tagger(encoder, Identity(encoder.width), heads)


def make_sentences(count: int, *, domain: str = "news", first: int = 0) -> list[Sentence]:
    """Sentences with a person and a place, of different lengths, none like the other."""
    sentences = []
    for number in range(first, first + count):
        person = NAMES["person"][number % 4]
        place = NAMES["place"][number // 4 % 4]
        plain = [PLAIN[(number + k) % len(PLAIN)] for k in range(2 + number % 3)]
        words = (person, *plain, place)
        spans = (Span(0, 1, "person"), Span(len(words) - 1, len(words), "place"))
        sentences.append(Sentence(words, spans, domain=domain))
    return sentences


def make_stream(model: Tagger, count: int = 10, *, domain: str = "news", weight: float = 1.0) -> Stream:
    """`count` sentences for the head of `domain`."""
    return Stream(domain, domain, make_sentences(count, domain=domain), model.encoder.vectorizer, TAGS, weight)


def evaluate(model: Tagger) -> Evaluation:
    """Word accuracy as if it were F1, on sentences that are not in the streams."""
    domain = model.domains[0]
    batch: Batch = Stream("dev", domain, make_sentences(6, first=100), model.encoder.vectorizer, TAGS).batch(range(6))
    tags = model.decode(batch.to(next(model.parameters()).device)).tags.cpu()[batch.mask]
    share = float(torch.bincount(tags).max() / len(tags))
    return Evaluation(float((tags == batch.targets["tags"][batch.mask]).float().mean()), {MOST_COMMON_TAG: share})


def make_settings(**values: Any) -> TrainingSettings:
    """Settings for a run of 9 steps in 3 epochs over 10 sentences, with 6 evaluations, and every kind of state."""
    defaults: dict[str, Any] = {
        "learning_rate": 0.02,
        "head_learning_rate": 0.05,
        "schedule": "linear",
        "warmup": 0.2,
        "epochs": 3,
        "batch_sentences": 4,
        "evaluate_every": 0.5,
        "checkpoint_seconds": 3600.0,
    }
    return TrainingSettings(**{**defaults, **values})


def train(folder: Path, settings: TrainingSettings | None = None, **options: Any) -> tuple[Tagger, FitResult]:
    """Train a tiny model in `folder`; options: model, streams, evaluate, seed, progress."""
    model = options.get("model") or make_model()
    result = fit(
        model,
        options.get("streams") or [make_stream(model)],
        settings or make_settings(),
        seed=options.get("seed", 3),
        evaluate=options.get("evaluate", evaluate),
        workdir=folder / "work",
        journal=Journal(folder / "journal.jsonl", "target"),
        progress=options.get("progress"),
    )
    return model, result
