"""How much stands behind a label, label by label: support, differences of two systems, seeds together, many systems."""

import pytest

from nerbridge.data.sentence import Span
from nerbridge.evaluation.comparison import compare_runs
from nerbridge.evaluation.label_differences import compare_labels
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.report_tables import label_bars, label_intervals, label_rows
from nerbridge.evaluation.scoring import score
from nerbridge.evaluation.seed_summary import summarize_seeds
from nerbridge.evaluation.several import adjust, compare_all
from nerbridge.evaluation.summary import aggregate
from nerbridge.evaluation.support import ENOUGH_SENTENCES, Support, count_support
from nerbridge.evaluation.uncertainty import bootstrap_mean_f1, count_sentences

PERSON, CITY, SHIP = Span(0, 1, "person"), Span(2, 3, "city"), Span(1, 2, "ship")


def sentences(number: int, *gold: Span, right: int = 0) -> list[Prediction]:
    """`number` sentences with these gold spans; the first `right` are answered right, the others not at all."""
    return [Prediction(("a", "b", "c"), gold, gold if place < right else ()) for place in range(number)]


def test_sentences_decide_whether_there_is_enough_not_entities() -> None:
    many_in_few = [
        Prediction(tuple("abcdefgh"), tuple(Span(place, place + 1, "person") for place in range(8)), (CITY,))
        for _ in range(ENOUGH_SENTENCES - 1)
    ]
    support = count_support(many_in_few)
    assert support == {"city": Support(0, 0), "person": Support(8 * 9, 9)}
    assert not support["person"].is_enough
    assert count_support(sentences(10, PERSON))["person"] == Support(10, 10)
    assert count_support(sentences(10, PERSON))["person"].is_enough


def test_support_follows_the_reading() -> None:
    malformed = Prediction(("a", "b"), (Span(1, 2, "person"),), (), gold_tags=("O", "I-person"))
    assert count_support([malformed]) == {"person": Support(1, 1)}
    assert count_support([malformed], reading="strict") == {}


def test_labels_with_too_little_support_have_no_interval_and_stand_last() -> None:
    run = [*sentences(12, PERSON, right=6), *sentences(2, SHIP, right=2)]
    rows = label_rows([score(run)])
    intervals = label_intervals(rows, [run])
    assert intervals["ship"] is None
    assert intervals["person"] is not None
    assert 0.1 < intervals["person"].low < 2 / 3 < intervals["person"].high < 1
    bars = label_bars(rows, intervals)
    assert [(bar.name, bar.note) for bar in bars] == [
        ("person", "66.67  (12 gold)"),
        ("ship", "100.00  (2 gold, too few)"),
    ]


def test_the_difference_of_a_label_has_an_interval_where_there_is_enough() -> None:
    first = [*sentences(40, PERSON, right=10), *sentences(3, CITY, right=3)]
    second = [*sentences(40, PERSON, right=40), *sentences(3, CITY, right=0)]
    person, city = sorted(compare_labels([(first, second)]), key=lambda one: one.label, reverse=True)
    assert (person.label, person.support, person.second) == ("person", Support(40, 40), 1.0)
    assert person.first == pytest.approx(2 * 10 / 50)
    assert person.difference == pytest.approx(0.6)
    assert person.interval is not None
    assert 0.4 < person.interval.low < 0.6 < person.interval.high < 0.8
    assert (city.first, city.second, city.interval) == (1.0, 0.0, None)
    assert compare_labels([(first, first)])[1].to_json()["interval"] == {"low": 0.0, "high": 0.0, "level": 0.95}


def test_differences_of_labels_are_means_over_pairs_and_know_labels_of_one_side() -> None:
    gold = sentences(10, PERSON, right=10)
    spurious = [Prediction(one.words, one.gold, (*one.gold, SHIP)) for one in gold]
    nothing = sentences(10, PERSON)
    person, ship = compare_labels([(nothing, gold), (gold, spurious)])
    assert (person.first, person.second, person.difference) == (0.5, 1.0, 0.5)
    assert (ship.support, ship.first, ship.second, ship.interval) == (Support(0, 0), 0.0, 0.0, None)
    assert compare_labels([([Prediction(("a",), (), ())],) * 2]) == []


def test_a_comparison_has_its_labels() -> None:
    runs = {"seed-1": sentences(12, PERSON, right=6)}
    content = compare_runs(runs, {"seed-1": sentences(12, PERSON, right=12)}, rounds=10).to_json()
    assert content["per_label"]["person"]["difference"] == pytest.approx(1 / 3)
    assert set(content["per_label"]["person"]) == {"gold", "sentences", "first", "second", "difference", "interval"}


def test_seeds_together() -> None:
    runs = {"seed-3": sentences(12, PERSON, right=6), "seed-10": sentences(12, PERSON, right=12)}
    together = summarize_seeds(runs)
    assert together.seeds == (3, 10)
    assert together.scores["f1"] == aggregate([score(run) for run in runs.values()])["f1"]
    assert together.scores["f1"].mean == pytest.approx(5 / 6)
    assert together.scores["f1"].deviation == pytest.approx((1 / 3) / 2**0.5)
    assert together.scores["strict_f1"].values == together.scores["f1"].values
    assert together.interval == bootstrap_mean_f1([count_sentences(run) for run in runs.values()])
    assert (together.per_label["person"].gold, together.per_label["person"].recall) == (12, 0.75)


def test_a_label_that_one_seed_never_predicts_counts_as_zero_there() -> None:
    spurious = [Prediction(one.words, one.gold, (SHIP,)) for one in sentences(3, PERSON)]
    together = summarize_seeds({"seed-1": sentences(3, PERSON), "seed-2": spurious})
    assert together.per_label["ship"].f1.values == (0.0, 0.0)
    assert together.per_label["ship"].gold == 0


def test_every_pair_of_several_systems_is_tested() -> None:
    systems = {name: {"": sentences(30, PERSON, right=right)} for name, right in (("a", 10), ("b", 10), ("c", 30))}
    comparisons = compare_all(systems, rounds=200)
    assert [pair.names for pair in comparisons.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    alone = [pair.test.p_value for pair in comparisons.pairs]
    assert alone[0] == 1.0
    assert comparisons.adjusted == pytest.approx((1.0, 3 * alone[1], 3 * alone[1]))
    content = comparisons.to_json()
    assert content["systems"] == ["a", "b", "c"]
    assert [pair["adjusted_p_value"] for pair in content["pairs"]] == list(comparisons.adjusted)
    assert not any("differing" in pair for pair in content["pairs"])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.6], [1.0, 1.0]),
        ([0.001], [0.001]),
        ([0.02, 0.011, 0.02, 0.8], [0.06, 0.044, 0.06, 0.8]),
        ([], []),
    ],
)
def test_p_values_after_holm(given: list[float], expected: list[float]) -> None:
    assert adjust(given) == pytest.approx(expected)
