"""Building, reheading and predicting."""

import pytest
import torch

from builders import four_sentences, sentence, tiny_encoder, tiny_tagger, vocabulary
from nerbridge.assembly.build import rehead
from nerbridge.assembly.parameters import parameter_count, parameter_counts
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.config.tagger import CrfSettings, LinearSettings
from nerbridge.data.sentence import Span
from nerbridge.errors import ConfigError
from nerbridge.models.heads.base import Decoded
from nerbridge.models.heads.linear import LinearHead


def output(model: Tagger, domain: str) -> torch.Tensor:
    head = model.head(domain)
    assert isinstance(head, LinearHead)
    return head.output.weight


def test_a_new_head_takes_the_rows_it_is_told_and_the_encoder_stays() -> None:
    model = tiny_tagger(domains=("news", "sport"))
    space = vocabulary("person", "politician")
    sources = {"O": "O", "B-person": "B-person", "I-person": "I-person"}
    new = rehead(model, "politics", space, LinearSettings(), sources_from="news", tag_sources=sources, seed=5)
    assert new.domains == ("politics",)
    assert new.encoder is model.encoder
    old_rows = [model.head("news").vocabulary.index[tag] for tag in sources]
    assert torch.equal(output(new, "politics")[:3], output(model, "news")[old_rows])
    fresh = rehead(model, "politics", space, LinearSettings(), sources_from=None, tag_sources={}, seed=5)
    assert not torch.equal(output(fresh, "politics")[:3], output(model, "news")[old_rows])
    assert torch.equal(output(fresh, "politics")[3:], output(new, "politics")[3:])


def test_building_leaves_the_random_state_alone() -> None:
    torch.manual_seed(1)
    expected = torch.rand(1)
    torch.manual_seed(1)
    tiny_tagger(seed=7)
    assert torch.rand(1) == expected


def test_rows_of_another_kind_of_head_are_refused() -> None:
    with pytest.raises(ConfigError, match="a crf head cannot take rows from a linear head"):
        rehead(tiny_tagger(), "x", vocabulary(), CrfSettings(), sources_from="news", tag_sources={"O": "O"}, seed=1)


def test_parameters_are_counted() -> None:
    model = tiny_tagger()
    head = 16 * 7 + 7
    assert parameter_count(model.head("news")) == head
    assert parameter_count(model) > head
    model.encoder.requires_grad_(False)
    assert parameter_count(model, trainable_only=True) == head
    counts = parameter_counts(model)
    assert (counts["trainable"], counts["heads"], counts["context"]) == (head, head, 0)
    assert counts["all"] == counts["encoder"] + head == parameter_count(model)


class Says(LinearHead):
    """A head that says what it is told, with confidence 0.9, 0.8, 0.7, ..."""

    tags = ("O",)

    def decode(self, states: torch.Tensor, batch: object) -> Decoded:
        ids = torch.tensor([[self.vocabulary.index[tag] for tag in self.tags]])
        return Decoded(ids, 0.9 - 0.1 * torch.arange(len(self.tags)).unsqueeze(0))


def told(*tags: str, scheme: str = "BIO") -> Tagger:
    head = Says(LinearSettings(), vocabulary(scheme=scheme), 16)
    head.tags = tags
    return Tagger(tiny_encoder(), tiny_tagger().context, {"news": head})


@pytest.mark.parametrize(
    ("scheme", "tags", "lenient", "strict"),
    [
        ("BIO", "O B-person I-person", [(1, 3, "person")], None),
        ("BIO", "O I-person I-person", [(1, 3, "person")], []),
        ("BIO", "B-person I-location O", [(0, 1, "person"), (1, 2, "location")], [(0, 1, "person")]),
        (
            "BIO",
            "B-person B-person I-person",
            [(0, 1, "person"), (1, 3, "person")],
            [(0, 1, "person"), (1, 3, "person")],
        ),
        (
            "BIOES",
            "S-person B-location E-location",
            [(0, 1, "person"), (1, 3, "location")],
            [(0, 1, "person"), (1, 3, "location")],
        ),
        ("BIOES", "B-person O E-location", [(0, 1, "person"), (2, 3, "location")], []),
    ],
)
def test_malformed_tags_are_read_both_ways(
    scheme: str, tags: str, lenient: list[tuple[int, int, str]], strict: list[tuple[int, int, str]] | None
) -> None:
    strict = lenient if strict is None else strict  # None: well-formed, read the same
    model = told(*tags.split(), scheme=scheme)
    for reading, expected in (("conlleval", lenient), ("strict", strict)):
        (found,) = predict(model, [sentence("ada to bob")], "news", reading=reading)  # type: ignore[arg-type]
        assert found.spans == tuple(Span(*span) for span in expected)
        assert found.tags == tuple(tags.split())


def test_a_span_is_as_sure_as_its_least_sure_word() -> None:
    (found,) = predict(told("B-person", "I-person", "O", "B-location"), [sentence("a b c d")], "news")
    assert found.scores == pytest.approx((0.8, 0.6))
    assert found.confidences == pytest.approx((0.9, 0.8, 0.7, 0.6))


def test_predictions_keep_the_order_of_the_sentences_whatever_the_batches() -> None:
    model = tiny_tagger().eval()
    sentences = [sentence(" ".join(["ada", "sang", "to"] * (1 + number % 7))) for number in range(40)]
    whole = predict(model, sentences, "news")
    for max_pieces in (1, 40, 100):
        parts = predict(model, sentences, "news", max_pieces=max_pieces)
        assert [p.tags for p in parts] == [p.tags for p in whole]
        for part, other in zip(parts, whole, strict=True):
            assert part.confidences == pytest.approx(other.confidences, abs=1e-5)
    assert [len(p.tags) for p in whole] == [len(s) for s in sentences]


@pytest.mark.parametrize(("max_pieces", "expected"), [(None, 1024), (50, 50)])
def test_batches_fit_the_processor_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, max_pieces: int | None, expected: int
) -> None:
    budgets = []

    def batches(costs: list[int], budget: int) -> list[list[int]]:
        budgets.append(budget)
        return [list(range(len(costs)))]

    monkeypatch.setattr("nerbridge.assembly.prediction.inference_batches", batches)
    model = tiny_tagger()
    assert len(predict(model, four_sentences(), model.domains[0], max_pieces=max_pieces)) == 4
    assert budgets == [expected]


def test_predicting_nothing_gives_nothing() -> None:
    assert predict(tiny_tagger(), [], "news") == []


def test_predicting_leaves_training_mode_and_gradients_as_they_were() -> None:
    model = tiny_tagger()
    model.train()
    predict(model, four_sentences(), "news")
    assert model.training
    assert model.head("news").training
    assert torch.is_grad_enabled()
    model.eval()
    predict(model, four_sentences(), "news")
    assert not model.training


def test_an_unknown_domain_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        tiny_tagger().head("opera")
