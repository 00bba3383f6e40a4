"""Our scores beside seqeval's and seqscore's, on well-formed, random and malformed tag sequences.

What agrees: conlleval reading = seqeval's default mode (BIO, BIOES) = seqscore's repair "conlleval" (BIO);
strict reading = seqeval's mode "strict" (IOB2, IOBES) = seqscore's repair "discard" (BIO).

Where the others differ, so that it is not tested:
- seqscore cannot repair BIOES at all; there it is compared on well-formed tags only.
- seqeval's macro averages are not a number where there is no entity at all; ours are 0.0, as seqscore's F1.
- seqeval glues sentences with an O between them, which scores as sentence by sentence; CrossNER's script does not.
"""

import random
import warnings

import pytest
from seqeval.metrics import classification_report
from seqeval.scheme import IOB2, IOBES
from seqscore.scoring import score_label_sequences

from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import PREFIXES, TagVocabulary
from nerbridge.evaluation.predictions import Prediction
from nerbridge.evaluation.readings import Reading, count_malformed, read_tags
from nerbridge.evaluation.scoring import Scores, score

LABELS = LabelSet.of(["band", "city", "person"])
SEQEVAL_SCHEMES = {"BIO": IOB2, "BIOES": IOBES}
Tags = list[list[str]]


def random_tags(chance: random.Random, scheme: str, num_sentences: int) -> Tags:
    """Tags drawn without any grammar: about half of them are malformed."""
    tags = [f"{prefix}-{label}" for prefix in PREFIXES[scheme] for label in LABELS.names] + ["O"] * 4
    return [[chance.choice(tags) for _ in range(chance.randint(1, 9))] for _ in range(num_sentences)]


def noisy(chance: random.Random, gold: Tags, share: float, scheme: str) -> Tags:
    """`gold` with a share of its tags replaced by any other: wrong in part, malformed in places."""
    other = [tag for tags in random_tags(chance, scheme, 40) for tag in tags]
    return [[chance.choice(other) if chance.random() < share else tag for tag in tags] for tags in gold]


def well_formed(tags: Tags, scheme: str) -> Tags:
    vocabulary = TagVocabulary(LABELS, scheme)
    return [
        [vocabulary.tags[number] for number in vocabulary.encode(read_tags(one, scheme=scheme), len(one))]
        for one in tags
    ]


def ours(gold: Tags, predicted: Tags, scheme: str, reading: Reading) -> Scores:
    predictions = [
        Prediction(
            tuple("w" * len(one)),
            read_tags(one, scheme=scheme),
            read_tags(other, scheme=scheme),
            gold_tags=tuple(one),
            predicted_tags=tuple(other),
            gold_scheme=scheme,
            predicted_scheme=scheme,
        )
        for one, other in zip(gold, predicted, strict=True)
    ]
    return score(predictions, reading=reading)


def seqeval(gold: Tags, predicted: Tags, scheme: str, reading: Reading) -> dict[str, dict[str, float]]:
    strict = {"mode": "strict", "scheme": SEQEVAL_SCHEMES[scheme]} if reading == "strict" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy's and seqeval's, for samples without entities
        return classification_report(gold, predicted, output_dict=True, zero_division=0, **strict)  # type: ignore[no-any-return]


def assert_equal(scores: Scores, report: dict[str, dict[str, float]]) -> None:
    micro, macro = report.pop("micro avg"), report.pop("macro avg")
    report.pop("weighted avg")
    assert (scores.precision, scores.recall, scores.f1) == pytest.approx(
        (micro["precision"], micro["recall"], micro["f1-score"])
    )
    assert scores.exact.gold == micro["support"]
    assert set(scores.per_label) == set(report)
    for label, tally in scores.per_label.items():
        theirs = report[label]
        assert (tally.precision, tally.recall, tally.f1, tally.gold) == pytest.approx(
            (theirs["precision"], theirs["recall"], theirs["f1-score"], theirs["support"])
        )
    assert scores.macro_f1 == pytest.approx(macro["f1-score"])


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("reading", ["conlleval", "strict"])
@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
def test_seqeval(scheme: str, reading: Reading, seed: int) -> None:
    chance = random.Random(seed)
    drawn = random_tags(chance, scheme, 40)
    for gold in (drawn, well_formed(drawn, scheme)):
        predicted = noisy(chance, gold, 0.3, scheme)
        assert sum(count_malformed(tags, scheme) for tags in predicted) > 0
        assert_equal(ours(gold, predicted, scheme, reading), seqeval(gold, predicted, scheme, reading))


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize(("reading", "repair"), [("conlleval", "conlleval"), ("strict", "discard")])
def test_seqscore_with_repair(reading: Reading, repair: str, seed: int) -> None:
    chance = random.Random(seed)
    gold = random_tags(chance, "BIO", 40)
    predicted = noisy(chance, gold, 0.3, "BIO")
    theirs, _ = score_label_sequences(predicted, gold, "BIO", repair=repair)
    scores = ours(gold, predicted, "BIO", reading)
    assert (scores.exact.correct, scores.exact.predicted, scores.exact.gold) == (
        theirs.true_pos,
        theirs.total_pos,
        theirs.total_ref,
    )
    assert scores.f1 == pytest.approx(theirs.f1)
    for label, tally in scores.per_label.items():
        assert tally.f1 == pytest.approx(theirs.type_scores[label].f1)


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
def test_seqscore_on_well_formed_tags(scheme: str, seed: int) -> None:
    chance = random.Random(seed)
    drawn = random_tags(chance, scheme, 40)
    gold, predicted = (well_formed(tags, scheme) for tags in (drawn, noisy(chance, drawn, 0.3, scheme)))
    theirs, _ = score_label_sequences(predicted, gold, scheme, repair=None)
    for reading in ("conlleval", "strict"):
        scores = ours(gold, predicted, scheme, reading)
        assert (scores.exact.correct, scores.f1) == (theirs.true_pos, pytest.approx(theirs.f1))


def test_the_two_readings_really_differ_here() -> None:
    """Otherwise the comparisons above would prove nothing about malformed tags."""
    chance = random.Random(0)
    gold = random_tags(chance, "BIOES", 40)
    predicted = noisy(chance, gold, 0.3, "BIOES")
    assert ours(gold, predicted, "BIOES", "conlleval").exact != ours(gold, predicted, "BIOES", "strict").exact


def test_sentences_without_any_entity() -> None:
    nothing = [["O", "O"], ["O"]]
    scores = ours(nothing, nothing, "BIO", "conlleval")
    theirs, _ = score_label_sequences(nothing, nothing, "BIO", repair=None)
    assert scores.f1 == theirs.f1 == 0.0
