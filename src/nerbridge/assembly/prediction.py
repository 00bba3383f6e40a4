"""Sentences -> spans, fast: sorted by length, padded little, one copy from the device per batch."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import torch

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.batch import Vectorized
from nerbridge.batching.buckets import inference_batches
from nerbridge.batching.streams import make_batch
from nerbridge.data.sentence import Sentence, Span
from nerbridge.data.tags import TagVocabulary

PIECES_PER_BATCH = {"cpu": 1024, "other": 8192}  # a processor is fastest while a layer's values stay in its cache

Reading = Literal["conlleval", "strict"]


@dataclass(frozen=True, slots=True)
class Predicted:
    """What the model says about one sentence.

    spans: sorted, not overlapping. scores: of each span, the lowest confidence of its words.
    tags, confidences: of each word.
    """

    spans: tuple[Span, ...]
    scores: tuple[float, ...]
    tags: tuple[str, ...]
    confidences: tuple[float, ...]


def predict(
    model: Tagger,
    sentences: Sequence[Sentence],
    domain: str,
    *,
    max_pieces: int | None = None,
    reading: Reading = "conlleval",
) -> list[Predicted]:
    """One prediction per sentence, in order, by the head of `domain`; the sentences' own spans are not looked at.

    max_pieces: padded pieces per batch; bounds memory; None takes what is fast on the model's device.
    reading: of malformed tag sequences, which only an unconstrained head makes: conlleval opens a span at an I- without
    beginning, strict drops it.
    """
    items = model.encoder.vectorizer.vectorize(list(sentences))
    results: list[Predicted | None] = [None] * len(sentences)
    budget = max_pieces or PIECES_PER_BATCH["cpu" if _device(model).type == "cpu" else "other"]
    training = model.training
    model.eval()
    try:
        with torch.inference_mode():
            for indices in inference_batches([item.num_pieces for item in items], budget):
                chosen = [sentences[index] for index in indices]
                predicted = _predict_batch(model, chosen, [items[index] for index in indices], domain, reading)
                for index, prediction in zip(indices, predicted, strict=True):
                    results[index] = prediction
    finally:
        model.train(training)
    return [result for result in results if result is not None]


def _predict_batch(
    model: Tagger, sentences: list[Sentence], items: list[Vectorized], domain: str, reading: Reading
) -> list[Predicted]:
    device = _device(model)
    batch = make_batch(tuple(sentences), items, model.encoder.vectorizer, domain, {}).to(device)
    with torch.autocast(device.type, enabled=False):
        decoded = model.decode(batch)
    tags, confidences = decoded.tags.tolist(), decoded.confidence.tolist()
    vocabulary = model.head(domain).vocabulary
    return [
        _predicted(row[: len(sentence)], sure[: len(sentence)], vocabulary, reading)
        for sentence, row, sure in zip(sentences, tags, confidences, strict=True)
    ]


def _device(model: Tagger) -> torch.device:
    return next(model.parameters()).device


def _predicted(ids: list[int], confidences: list[float], vocabulary: TagVocabulary, reading: Reading) -> Predicted:
    spans = vocabulary.decode(ids) if any(ids) else ()
    tags = tuple([vocabulary.tags[number] for number in ids])
    if reading == "strict":
        spans = tuple(span for span in spans if _well_formed(tags[span.start : span.end], vocabulary.scheme))
    scores = tuple(min(confidences[span.start : span.end]) for span in spans)
    return Predicted(spans, scores, tags, tuple(confidences))


def _well_formed(tags: tuple[str, ...], scheme: str) -> bool:
    """Is this span, as conlleval reads it, a complete one of the scheme?"""
    if scheme == "BIO":
        return tags[0][0] == "B"
    return (tags[0][0], tags[-1][0]) == ("B", "E") or (len(tags) == 1 and tags[0][0] == "S")
