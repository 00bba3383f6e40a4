"""The discriminator of domains: its losses, its gradient reversed, and what it makes of features that learn too."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from builders import four_sentences, sentence, tiny_tagger, tiny_word_char
from nerbridge.assembly.build import compose
from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.batching.streams import Stream
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.config.adversary import DannSettings, GradSettings
from nerbridge.config.context import BiLstmSettings
from nerbridge.config.tagger import CrfSettings
from nerbridge.config.words import WordsSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.heads.domain import DomainHead, domain_losses
from nerbridge.models.layers.reversal import reverse_gradient, rising_scale

Settings = DannSettings | GradSettings
WIDTH = 6


class Nothing:
    """What this head's batches have as inputs: it reads features alone."""

    def to(self, device: torch.device) -> "Nothing":
        return self


def batch(lengths: tuple[int, ...], side: int) -> Batch:
    mask = torch.arange(max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    sides = torch.full(mask.shape, side).masked_fill(~mask, UNKNOWN)
    sentences = tuple(sentence(" ".join(["w"] * length)) for length in lengths)
    return Batch(sentences, Nothing(), mask, "news", {"domain": sides})


def head(settings: Settings, streams: tuple[int, int] = (1, 1)) -> DomainHead:
    torch.manual_seed(3)
    return DomainHead(settings, WIDTH, streams)


def test_reversal_keeps_values_and_turns_gradients() -> None:
    values = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    out = reverse_gradient(values, 0.25)
    assert torch.equal(out, values)
    (out * torch.tensor([1.0, 10.0, -4.0])).sum().backward()
    assert values.grad is not None
    assert values.grad.tolist() == [-0.25, -2.5, 1.0]


@pytest.mark.parametrize(("done", "expected"), [(0.0, 0.0), (0.1, 0.4621), (0.5, 0.9866), (1.0, 0.9999)])
def test_lambda_rises_as_in_the_paper(done: float, expected: float) -> None:
    assert rising_scale(done, end=1.0, steepness=10.0) == pytest.approx(expected, abs=1e-4)
    assert rising_scale(done, end=0.5, steepness=10.0) == pytest.approx(expected / 2, abs=1e-4)


def test_lambda_follows_the_training_or_is_constant() -> None:
    rising = head(DannSettings(reversal=2.0))
    assert rising.scale == 0
    rising.done = 0.5
    assert rising.scale == pytest.approx(2 * (2 / (1 + math.exp(-5)) - 1))
    constant = head(GradSettings())
    assert constant.scale == 0.7
    constant.done = 1.0
    assert constant.scale == 0.7


@pytest.mark.parametrize("side", [0, 1])
def test_gradients_against_those_derived_by_hand(side: int) -> None:
    """One sentence of three words, so a third of its loss: dl/dscore = r - side; features get -lambda / 3 of it."""
    model = head(DannSettings(hidden=0, schedule="constant", reversal=0.7))
    features = torch.randn(1, 3, WIDTH, requires_grad=True)
    model.loss(features, batch((3,), side)).total().backward()
    mean = features.detach().mean(dim=1)
    weights = model.output.weight.detach()
    slope = torch.sigmoid(mean @ weights.T + model.output.bias.detach()) - side
    assert features.grad is not None
    assert model.output.weight.grad is not None
    torch.testing.assert_close(features.grad, (-0.7 / 3 * slope / 3 * weights).expand(1, 3, WIDTH))
    torch.testing.assert_close(model.output.weight.grad, slope / 3 * mean)


def slow_loss(model: DomainHead, features: Tensor, lengths: tuple[int, ...], side: int) -> float:
    """The equations, sentence by sentence and word by word."""
    settings, losses = model.settings, []
    for row, length in enumerate(lengths):
        words = [features[row, place] for place in range(length)]
        if settings.pooling == "attention":
            raw = [float(model.attend(torch.tanh(model.project(word)))) for word in words]
            total = sum(math.exp(one) for one in raw)
            pooled = [
                sum((math.exp(one) / total * word for one, word in zip(raw, words, strict=True)), torch.zeros(()))
            ]
        elif settings.pooling == "mean":
            pooled = [torch.stack(words).sum(dim=0) / length]
        else:
            pooled = words
        for one in pooled:
            inner = torch.relu(model.hidden(one)) if model.hidden is not None else one
            r = 1 / (1 + math.exp(-float(model.output(inner))))
            right, wrong = (r, 1 - r) if side == 1 else (1 - r, r)
            loss = -math.log(right)
            if isinstance(settings, GradSettings):
                loss *= (settings.alpha if side == 1 else 1 - settings.alpha) * wrong**settings.gamma
            losses.append(loss)
    return sum(losses) / sum(lengths)


@pytest.mark.parametrize("pooling", ["mean", "attention", "words"])
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("make", [DannSettings, GradSettings])
@pytest.mark.parametrize("hidden", [0, 5])
def test_the_loss_is_its_formula(make: Callable[..., Settings], side: int, pooling: str, hidden: int) -> None:
    model = head(make(pooling=pooling, hidden=hidden, weight=2.0))
    lengths = (4, 1, 3)
    features = torch.randn(3, 4, WIDTH)
    with torch.no_grad():
        found = model.loss(features, batch(lengths, side))
        assert float(found.terms["domain"]) == pytest.approx(slow_loss(model, features, lengths, side), rel=1e-5)
    torch.testing.assert_close(found.total(), 2 * found.terms["domain"])


def test_grad_weighs_sides_and_difficulty() -> None:
    scores = torch.tensor([2.0, 2.0, -1.0, -1.0])
    sides = torch.tensor([1, 0, 1, 0])
    half = GradSettings(alpha=0.5, gamma=0.0)
    torch.testing.assert_close(domain_losses(scores, sides, half), domain_losses(scores, sides, DannSettings()) / 2)
    weighted = domain_losses(scores, sides, GradSettings(alpha=0.25, gamma=2.0))
    r = torch.sigmoid(scores)
    expected = torch.where(sides == 1, -0.25 * (1 - r) ** 2 * torch.log(r), -0.75 * r**2 * torch.log(1 - r))
    torch.testing.assert_close(weighted, expected)
    far = domain_losses(torch.tensor([80.0, -80.0]), torch.tensor([0, 1]), GradSettings())
    assert torch.isfinite(far).all()


def test_both_sides_count_the_same_however_many_streams_they_have() -> None:
    features = torch.randn(2, 3, WIDTH)
    alone, beside = head(DannSettings()), head(DannSettings(), streams=(1, 2))
    source, target = batch((3, 2), 1), batch((3, 2), 0)
    with torch.no_grad():
        halved, whole = (model.loss(features, source).total() for model in (beside, alone))
        torch.testing.assert_close(halved, whole / 2)
        same, again = (model.loss(features, target).total() for model in (beside, alone))
        torch.testing.assert_close(same, again)


def test_what_streams_weigh_does_not_tilt_the_sides() -> None:
    """A words stream counts a tenth beside the tags; its text counts whole as text of its side."""
    encoder, sentences = tiny_word_char(), four_sentences()
    vocabulary = WordVocabulary.of(sentences)
    predicted, opposed = (WordsSettings(negatives=10**6), vocabulary), (DannSettings(), (1, 1))
    tags = {"news": TagVocabulary(LabelSet.of(("person",)), "BIO")}
    parts = BiLstmSettings(hidden=WIDTH), CrfSettings(), tags, 1
    model = compose(encoder, *parts, predicted=predicted, opposed=opposed).eval()
    terms = []
    for weight in (1.0, 0.1):
        words = Stream("raw", "music", sentences, encoder.vectorizer, None, weight, vocabulary, of_source=False)
        found = model.loss_terms(words.batch(range(4)))
        terms.append({name: found.weights.get(name, 1.0) * term.item() for name, term in found.terms.items()})
    assert terms[1]["words"] == pytest.approx(0.1 * terms[0]["words"])
    assert terms[1]["domain"] == pytest.approx(terms[0]["domain"])


@pytest.mark.parametrize("pooling", ["mean", "attention", "words"])
def test_padding_is_not_read(pooling: str) -> None:
    model = head(DannSettings(pooling=pooling))
    features = torch.randn(1, 2, WIDTH)
    padded = torch.cat([features, 100 * torch.randn(1, 3, WIDTH)], dim=1)
    longer = torch.cat([padded, torch.randn(1, 5, WIDTH)])
    one = model.loss(features, batch((2,), 1)).total()
    alone = model.loss(longer[:1, :2], batch((2,), 1)).total()
    mask = batch((2, 5), 1)
    hidden = Batch(mask.sentences[:1], Nothing(), mask.mask[:1], "news", {"domain": mask.targets["domain"][:1]})
    torch.testing.assert_close(model.loss(padded, hidden).total(), one)
    torch.testing.assert_close(alone, one)


def drawn(side: int, number: int = 64) -> tuple[Tensor, Tensor]:
    """Features of sentences of one word: the first number tells the side, the second a label."""
    labels = torch.randint(0, 2, (number,))
    features = 0.3 * torch.randn(number, 1, WIDTH)
    features[:, 0, 0] += 2.0 * side - 1
    features[:, 0, 1] += 2.0 * labels - 1
    return features, labels


def accuracy(model: DomainHead, read: Callable[[Tensor], Tensor]) -> float:
    told = [model.accuracy(read(drawn(side, 200)[0]), batch((1,) * 200, side)) for side in (0, 1)]
    return sum(right / number for right, number in told) / 2


def learn_to_tell(model: DomainHead, read: Callable[[Tensor], Tensor]) -> float:
    """The accuracy of `model` once it alone has learnt to tell what `read` gives."""
    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    for _ in range(100):
        optimizer.zero_grad()
        for side in (0, 1):
            with torch.no_grad():
                features = read(drawn(side)[0])
            model.loss(features, batch((1,) * 64, side)).total().backward()
        optimizer.step()
    return accuracy(model, read)


@pytest.mark.parametrize("settings", [DannSettings(), GradSettings()], ids=["dann", "grad"])
def test_it_learns_to_tell_what_can_be_told(settings: Settings) -> None:
    model = head(settings)
    assert learn_to_tell(model, lambda features: features) > 0.95


@pytest.mark.parametrize(("reversal", "least", "most"), [(0.0, 0.95, 1.0), (1.0, 0.4, 0.7)])
def test_features_become_alike_with_the_reversal_and_keep_what_labels_need(
    reversal: float, least: float, most: float
) -> None:
    """An encoder learns labels of the source against the discriminator; then a new discriminator tries its best."""
    model = head(DannSettings(schedule="constant", reversal=reversal, hidden=0))
    encoder, tagger = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2)
    rest = {"params": [*encoder.parameters(), *tagger.parameters()], "lr": 0.02}
    # decay damps the circles that two opponents run around each other
    optimizer = torch.optim.SGD([{"params": model.parameters(), "lr": 0.5, "weight_decay": 0.05}, rest])
    for _ in range(250):
        optimizer.zero_grad()
        for side in (0, 1):
            features, labels = drawn(side)
            read = encoder(features)
            loss = model.loss(read, batch((1,) * 64, side)).total()
            if side == 1:
                loss = loss + nn.functional.cross_entropy(tagger(read[:, 0]), labels)
            loss.backward()
        optimizer.step()
    fresh = learn_to_tell(DomainHead(DannSettings(hidden=0), WIDTH, (1, 1)), encoder)
    assert least <= fresh <= most
    features, labels = drawn(0, 400)
    assert float((tagger(encoder(features))[:, 0].argmax(dim=1) == labels).float().mean()) > 0.9


def test_a_model_without_discriminator_has_none() -> None:
    model = tiny_tagger()
    assert model.discriminator is None
    model.at_share(0.5)  # nothing depends on it
