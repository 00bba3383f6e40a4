"""What every encoder x context x head must do. A new one is one row in one of the three tables."""

import math
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
import torch

from builders import (
    TINY_KINDS,
    batch,
    four_sentences,
    partial,
    sentence,
    stream,
    tiny_encoder,
    tiny_language_model,
    tiny_tagger,
    tiny_word_char,
)
from nerbridge.assembly.bundle import load_bundle, save_bundle
from nerbridge.assembly.metadata import ModelSettings
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.config.context import (
    BiLstmSettings,
    ContextSettings,
    MultiCellSettings,
    NoContext,
    ParameterGenerationSettings,
)
from nerbridge.config.encoder import ConcatenatedSettings, EncoderSettings, TransformerSettings
from nerbridge.config.tagger import CoachSettings, CrfSettings, LabelAwareSettings, LinearSettings, TaggerSettings
from nerbridge.data.sentence import Annotation
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.concatenated import ConcatenatedEncoder
from nerbridge.encoders.language_model import LanguageModelEncoder
from nerbridge.encoders.transformer import TransformerEncoder
from nerbridge.encoders.word_char import WordCharEncoder

ENCODERS: dict[str, Callable[[], Encoder]] = {
    **{kind: lambda kind=kind: tiny_encoder(kind) for kind in TINY_KINDS},  # type: ignore[misc]
    "bert-mean": lambda: tiny_encoder("bert", pooling="mean"),
    "roberta-windows": lambda: tiny_encoder("roberta", pooling="mean", max_pieces=16, window_overlap=3),
    "word": lambda: tiny_word_char(characters="none"),
    "word-char-cnn": lambda: tiny_word_char(),
    "word-char-lstm": lambda: tiny_word_char(characters="lstm"),
    "elmo": lambda: tiny_language_model("elmo"),
    "elmo-learns": lambda: tiny_language_model("elmo", fine_tune=True),
    "elmo-top": lambda: tiny_language_model("elmo", mix="top", fine_tune=True),
    "flair": lambda: tiny_language_model("flair"),
    "flair-learns": lambda: tiny_language_model("flair", fine_tune=True),
    "word-char-and-elmo": lambda: ConcatenatedEncoder([tiny_word_char(), tiny_language_model("elmo")]),
    "bert-and-flair": lambda: ConcatenatedEncoder([tiny_encoder(), tiny_language_model("flair", fine_tune=True)]),
}
CONTEXTS: dict[str, ContextSettings] = {
    "none": NoContext(),
    "bilstm": BiLstmSettings(hidden=16),
    "bilstm-deep": BiLstmSettings(hidden=16, layers=2),
    "bilstm-apart": BiLstmSettings(hidden=16, layers=2, apart=True),
    "parameter-generation": ParameterGenerationSettings(
        hidden=16, domain_width=3, task_width=2, domains=("news", "mus.ic"), tasks=("tags", "words")
    ),
    "multi-cell": MultiCellSettings(hidden=16),
    "multi-cell-one": MultiCellSettings(hidden=16, one_cell=True),
}
HEADS: dict[str, TaggerSettings] = {
    "linear": LinearSettings(),
    "linear-bioes": LinearSettings(scheme="BIOES"),
    "linear-unconstrained": LinearSettings(constrained=False),
    "crf": CrfSettings(),
    "crf-bioes": CrfSettings(scheme="BIOES"),
    "crf-legal-sequences": CrfSettings(constrained_training=True),
    "coach": CoachSettings(label_width=12),
    "coach-bioes": CoachSettings(label_width=12, scheme="BIOES", learn_labels=True),
    "coach-random": CoachSettings(label_width=12, initialise="random"),
    "label-aware": LabelAwareSettings(label_width=12),
    "label-aware-bioes": LabelAwareSettings(label_width=12, scheme="BIOES"),
    "label-aware-background": LabelAwareSettings(label_width=12, context=False),
    "label-aware-context": LabelAwareSettings(label_width=12, background=False),
    "label-aware-legal": LabelAwareSettings(label_width=12, constrained_training=True),
    "label-aware-neither": LabelAwareSettings(background=False, context=False),
    "label-aware-options": LabelAwareSettings(
        label_width=12, initialise="names", label_noise=0.1, scheduled_sampling=0.1, beam=3
    ),
}
KINDS = ("linear", "crf", "coach-random", "label-aware")  # a head of each kind; the others are variants

SLOW_ENCODERS = ("word", "elmo", "elmo-top", "flair")  # near to others


def is_tested(encoder: str, context: str, head: str) -> bool:
    """Every encoder with each kind of head, every variant of a head with one encoder; every context with an encoder of
    each kind and the head that it is made for.
    """
    if context == "none":
        return encoder == "bert" or head in KINDS
    return encoder in ("bert", "word-char-cnn", "word-char-and-elmo") and head == "crf"


def is_quick(encoder: str, context: str, head: str) -> bool:
    """The fast suite has every encoder with one head, every head with one encoder, and every kind of context once."""
    if context == "none":
        return encoder not in SLOW_ENCODERS and (encoder == "bert" or head == "linear")
    return encoder == "word-char-cnn" and context not in ("bilstm-deep", "bilstm-apart", "multi-cell-one")


COMBINATIONS = [
    pytest.param(names, id="-".join(names), marks=[] if is_quick(*names) else [pytest.mark.slow])
    for names in product(ENCODERS, CONTEXTS, HEADS)
    if is_tested(*names)
]

Build = Callable[..., Tagger]


@pytest.fixture(params=COMBINATIONS)
def build(request: pytest.FixtureRequest) -> Build:
    """Makes an untrained model of one combination; keyword arguments are those of `tiny_tagger`."""
    encoder, context, head = request.param

    def make(**options: object) -> Tagger:
        return tiny_tagger(ENCODERS[encoder](), HEADS[head], CONTEXTS[context], **options)  # type: ignore[arg-type]

    make.context = CONTEXTS[context]  # type: ignore[attr-defined]
    return make


def encoder_settings(encoder: Encoder) -> EncoderSettings:
    """What `encoder` was built from, as a bundle keeps it."""
    if isinstance(encoder, WordCharEncoder | LanguageModelEncoder):
        return encoder.settings
    if isinstance(encoder, ConcatenatedEncoder):
        return ConcatenatedSettings(parts=tuple(encoder_settings(part) for part in encoder.encoders))
    assert isinstance(encoder, TransformerEncoder)
    vectorizer = encoder.vectorizer
    return TransformerSettings(
        pooling=encoder.pooling, max_pieces=vectorizer.max_pieces, window_overlap=vectorizer._overlap
    )


def train(model: Tagger, steps: int, *, enough: float = 0.0) -> float:
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-2, weight_decay=0)
    together = batch(model, four_sentences())
    model.eval()  # no dropout: fewer steps do
    loss = math.inf
    for _ in range(steps):
        optimizer.zero_grad()
        value = model(together)
        value.backward()
        optimizer.step()
        loss = value.item()
        if loss < enough:
            break
    return loss


def test_overfits_four_sentences(build: Build) -> None:
    torch.manual_seed(1)
    model = build()
    assert train(model, 400, enough=0.02) < 0.1
    predicted = predict(model, four_sentences(), "news")
    assert [p.spans for p in predicted] == [s.spans for s in four_sentences()]
    assert all(score > 0.8 for p in predicted for score in p.scores)


def test_every_parameter_gets_a_gradient(build: Build) -> None:
    model = build()
    model.eval()
    model(batch(model, four_sentences())).backward()
    learning = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
    assert not [name for name, p in learning if p.grad is None or not p.grad.any()]
    assert not [name for name, p in model.named_parameters() if not p.requires_grad and p.grad is not None]


def test_saved_and_loaded_it_says_the_same(build: Build, tmp_path: Path) -> None:
    model = build()
    train(model, 5)
    settings = ModelSettings(
        encoder=encoder_settings(model.encoder), context=build.context, tagger=model.head("news").settings
    )
    save_bundle(model, tmp_path / "model", settings=settings)
    loaded = load_bundle(tmp_path / "model").model
    assert predict(loaded, four_sentences(), "news") == predict(model, four_sentences(), "news")
    weights = model.state_dict()
    assert all(torch.equal(tensor, weights[name]) for name, tensor in loaded.state_dict().items())


def test_a_batch_says_what_its_sentences_say_one_by_one(build: Build) -> None:
    model = build()
    train(model, 5)
    model.eval()
    sentences = [*four_sentences(), sentence("bob"), sentence(" ".join(["ada wrote"] * 20))]
    together = predict(model, sentences, "news")
    for alone, inside in zip([predict(model, [s], "news")[0] for s in sentences], together, strict=True):
        assert inside.tags == alone.tags
        assert inside.confidences == pytest.approx(alone.confidences, abs=1e-4)
    with torch.no_grad():
        parts = stream(model, sentences)
        losses = [model(parts.batch([index])).item() * len(s) for index, s in enumerate(sentences)]
        whole = model(parts.batch(range(len(sentences)))).item()
    assert whole == pytest.approx(sum(losses) / sum(map(len, sentences)), abs=1e-4)


@pytest.mark.parametrize("text", ["ada", "ada sang"])
def test_learns_from_a_single_short_sentence(build: Build, text: str) -> None:
    model = build()
    loss = model(batch(model, [sentence(text, (0, 1, "person"))]))
    loss.backward()
    assert loss.item() > 0
    (predicted,) = predict(model, [sentence(text)], "news")
    assert len(predicted.tags) == len(predicted.confidences) == len(text.split())
    assert all(0 < confidence <= 1 + 1e-5 for confidence in predicted.confidences)


def test_an_unlabelled_sentence_costs_nothing(build: Build) -> None:
    model = build()
    model.eval()
    raw = sentence("ada wrote", annotation=Annotation.NONE)
    loss = model(batch(model, [raw]))
    loss.backward()
    assert loss.item() == 0
    labelled = four_sentences()[1:2]
    assert model(batch(model, [raw, *labelled])).item() == pytest.approx(model(batch(model, labelled)).item(), abs=1e-5)


def test_unknown_words_do_not_count(build: Build) -> None:
    model = build()
    model.eval()
    known_alone = model(batch(model, [partial("ada sang", (0,), (0, 1, "person"))])).item()
    as_if_outside = model(batch(model, [sentence("ada sang", (0, 1, "person"))])).item()
    assert known_alone > 0
    assert known_alone != pytest.approx(as_if_outside)


def test_two_domains_do_not_touch_each_other(build: Build) -> None:
    model = build(domains=("news", "mus.ic"))
    model.eval()
    model(batch(model, four_sentences(), "news")).backward()
    touched = [p.grad is not None for p in model.head("mus.ic").parameters()]
    assert not any(touched)
    assert all(p.grad is not None for p in model.head("news").parameters())
    assert model.domains == ("news", "mus.ic")
    assert predict(model, four_sentences(), "mus.ic") != predict(model, four_sentences(), "news")


def test_the_same_seed_gives_the_same_loss(build: Build) -> None:
    losses = []
    for seed in (3, 3, 4):
        torch.manual_seed(seed)
        losses.append(train(build(seed=seed), 3))
    assert losses[0] == losses[1]
    assert losses[0] != losses[2]
