"""Which of its own answers a tagger keeps: thresholds, whole sentences and spans, shares, counts."""

from collections.abc import Sequence
from typing import Any

import pytest

from builders import sentence
from nerbridge.assembly.prediction import Predicted
from nerbridge.config.transfer import KeepSettings
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.transfer.own_labels import Kept, describe_counts, describe_nothing, keep_sure, plain_share


def answer(sure: Sequence[float], *spans: tuple[int, int, str]) -> Predicted:
    found = tuple(Span(*span) for span in spans)
    return Predicted(found, tuple(min(sure[one.start : one.end]) for one in found), ("O",) * len(sure), tuple(sure))


def raw(text: str) -> Sentence:
    return sentence(text, annotation=Annotation.NONE)


ANSWERS = [
    (raw("ada sang"), answer([0.99, 0.95], (0, 1, "person"))),
    (raw("bob met ada"), answer([0.7, 0.99, 0.99], (0, 1, "person"), (2, 3, "place"))),
    (raw("it rained"), answer([0.99, 0.99])),
    (raw("it snowed"), answer([0.99, 0.98])),
    (raw("who knows"), answer([0.5, 0.99])),
]


def keep(share: float = 1.0, **settings: Any) -> Kept:
    return keep_sure(ANSWERS, KeepSettings(**settings), share=share, seed=1)


def words(kept: Kept) -> list[str]:
    return [" ".join(one.words) for one in kept.sentences]


def test_a_sentence_is_as_sure_as_its_least_sure_word() -> None:
    kept = keep(threshold=0.9)
    assert words(kept) == ["ada sang", "it rained", "it snowed"]
    assert kept.sentences[0] == sentence("ada sang", (0, 1, "person"))
    assert words(keep(threshold=0.98)) == ["it rained"]


def test_or_as_sure_as_its_words_on_average() -> None:
    assert words(keep(threshold=0.89, confidence="mean")) == ["ada sang", "bob met ada", "it rained", "it snowed"]


def test_the_threshold_itself_is_not_enough_so_that_1_keeps_nothing() -> None:
    certain = [(raw("ada sang"), answer([1.0, 1.0], (0, 1, "person")))]
    for unit in ("sentences", "spans"):
        kept = keep_sure(certain, KeepSettings(threshold=1.0, keep=unit), share=1.0, seed=1)
        assert kept.sentences == ()
        assert kept.counts()["labels"] == {"person": {"kept": 0, "dropped": 1}}
    assert len(keep(threshold=0.0).sentences) == len(ANSWERS)


def test_of_spans_the_sure_ones_are_known_and_unsure_words_are_not() -> None:
    kept = keep(threshold=0.9, keep="spans")
    assert words(kept) == ["ada sang", "bob met ada", "it rained", "it snowed", "who knows"]
    first, second, third, _, last = kept.sentences
    assert first == sentence("ada sang", (0, 1, "person"))
    assert (second.annotation, second.known, second.spans) == (
        Annotation.PARTIAL,
        (False, True, True),
        (Span(2, 3, "place"),),
    )
    assert third.annotation is Annotation.COMPLETE
    assert last.known == (False, True)
    assert kept.counts()["labels"] == {"person": {"kept": 1, "dropped": 1}, "place": {"kept": 1, "dropped": 0}}


def test_a_span_is_unknown_as_a_whole() -> None:
    answers = [(raw("ada lovelace sang"), answer([0.99, 0.6, 0.99], (0, 2, "person")))]
    (least,) = keep_sure(answers, KeepSettings(threshold=0.7, keep="spans"), share=1.0, seed=1).sentences
    assert least.known == (False, False, True)
    mean = KeepSettings(threshold=0.7, keep="spans", confidence="mean")
    (found,) = keep_sure(answers, mean, share=1.0, seed=1).sentences
    assert found == sentence("ada lovelace sang", (0, 2, "person"))


@pytest.mark.parametrize(
    ("share", "own", "plain"),
    [(0.0, None, 0), (0.5, None, 1), (0.67, None, 2), (1.0, None, 2), (1.0, 0.5, 1), (0.0, 1.0, 2), (1.0, 0.0, 0)],
)
def test_the_share_of_sentences_without_entity_is_bounded(share: float, own: float | None, plain: int) -> None:
    kept = keep(share, threshold=0.9, without_entity=own)
    assert (kept.plain, kept.plain_sure, len(kept.sentences)) == (plain, 2, 1 + plain)
    assert kept.counts()["dropped"] == 4 - plain


def test_at_most_so_many_are_drawn_in_order_the_same_with_the_same_seed() -> None:
    kept = keep(threshold=0.1, most=3)
    assert len(kept.sentences) == 3
    assert kept == keep(threshold=0.1, most=3)
    order = [" ".join(one.words) for one, _ in ANSWERS]
    assert words(kept) == [one for one in order if one in words(kept)]


def test_counts_are_told_in_words() -> None:
    counts = keep(threshold=0.9).counts()
    assert counts == {
        "read": 5,
        "kept": 3,
        "dropped": 2,
        "kept_without_entity": 2,
        "sure_without_entity": 2,
        "surest": 0.95,
        "labels": {"person": {"kept": 1, "dropped": 1}, "place": {"kept": 0, "dropped": 1}},
    }
    assert describe_counts(counts) == [
        "3 of 5 sentences kept, 2 dropped; without entity 2 of 2 that are sure enough",
        "entities kept and dropped: person 1 and 1, place 0 and 1",
    ]
    nothing = keep_sure([], KeepSettings(), share=0.2, seed=1)
    assert describe_counts(nothing.counts())[1] == "entities kept and dropped: none"


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"threshold": 0.95}, "no sentence with an entity is surer than 0.95, the surest is 0.95"),
        ({"threshold": 0.999, "keep": "spans"}, "no entity is surer than 0.999, the surest is 0.99"),
        (
            {"threshold": 0.99, "confidence": "mean"},
            "no sentence with an entity is surer than 0.99, the surest is 0.97",
        ),
    ],
)
def test_that_nothing_is_kept_is_told_with_the_surest(settings: dict[str, Any], reason: str) -> None:
    kept = keep(0.0, **settings)
    said = describe_nothing(kept.counts(), KeepSettings(**settings))
    assert not kept.sentences
    assert said == f"{reason} (--set transfer.threshold=... decides)"


def test_without_entities_the_threshold_decides_nothing_and_older_counts_know_no_surest() -> None:
    nothing = keep_sure(ANSWERS[2:4], KeepSettings(), share=0.0, seed=1).counts()
    assert describe_nothing(nothing, KeepSettings()) == "no entity is found in the raw text"
    older = {"labels": {"person": {"kept": 0, "dropped": 1}}}
    assert describe_nothing(older, KeepSettings()) == (
        "no sentence with an entity is surer than 0.9 (--set transfer.threshold=... decides)"
    )


def test_the_share_of_labelled_sentences() -> None:
    assert plain_share([sentence("ada", (0, 1, "person")), sentence("it rained")]) == 0.5
    assert plain_share([]) == 0.0
