"""Predictions are held against what else their folder tells: sentences, scores, and the checksum of answers."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nerbridge.data.fingerprint import file_sha256, fingerprint
from nerbridge.data.sentence import Sentence, Span
from nerbridge.errors import BundleError, DataError, NerbridgeError
from nerbridge.evaluation.kept_answers import scored_path
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.run_predictions import read_runs
from nerbridge.evaluation.run_records import was_scored
from nerbridge.evaluation.summary import summarize, write_scores

PERSON, CITY, WRONG = Span(0, 1, "person"), Span(2, 3, "city"), Span(1, 2, "city")
WORDS = ("Ada", "in", "Oslo")
ANSWERS = [Prediction(WORDS, (PERSON, CITY), (PERSON, WRONG)), Prediction(WORDS, (PERSON,), ())]
AGAIN = "run the training command again: it makes anew what is missing or does not fit"


def write_test(run: Path, predictions: list[Prediction]) -> None:
    write_predictions(predictions_path(run, "test"), predictions)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run as training leaves it, as far as predictions are concerned."""
    run = tmp_path / "run"
    write_test(run, ANSWERS)
    write_scores(run / "scores.json", {"test": summarize(ANSWERS, rounds=10)})
    print_of_data = fingerprint([Sentence(WORDS, (PERSON, CITY)), Sentence(WORDS, (PERSON,))])
    target = {"domain": "ai", "splits": {"test": {"sentences": 2, "fingerprint": print_of_data}}}
    (run / "data.json").write_text(json.dumps({"domains": [target]}), encoding="utf-8")
    (run / "experiment.json").write_text("{}", encoding="utf-8")
    scored_path(run).parent.mkdir()
    sums = {"test": file_sha256(predictions_path(run, "test"))}
    scored_path(run).write_text(json.dumps({"key": "0", "sha256": sums}), encoding="utf-8")
    return run


def refusal(run: Path) -> str:
    with pytest.raises(NerbridgeError) as caught:
        read_runs(run, "test")
    return str(caught.value)


def test_what_fits_is_read_without_a_word(run: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert read_runs(run, "test") == {"": ANSWERS}
    assert caplog.text == ""


def test_predictions_with_other_scores_are_refused(run: Path) -> None:
    write_test(run, [Prediction(one.words, one.gold, one.gold) for one in ANSWERS])
    assert refusal(run) == (
        "the predictions of split 'test' give F1 100.00 (3 gold, 3 predicted, 3 right); "
        "'scores.json' of the run says F1 40.00 (3 gold, 2 predicted, 1 right)\n"
        f"  where: {predictions_path(run, 'test')}\n"
        f"  expected: those whose scores {run / 'scores.json'} holds\n"
        f"  hint: {AGAIN}"
    )


def test_other_gold_entities_are_refused(run: Path) -> None:
    write_test(run, [Prediction(WORDS, (PERSON, Span(2, 3, "town")), (PERSON, WRONG)), ANSWERS[1]])
    what, where, expected, hint = refusal(run).splitlines()
    assert what == (
        "the predictions of split 'test' are about other sentences or gold entities than the run was scored on"
    )
    assert where == f"  where: {predictions_path(run, 'test')}"
    assert expected.startswith("  expected: those with the fingerprint ")
    assert f" in {run / 'data.json'}, not " in expected
    assert hint == f"  hint: {AGAIN}"


def test_gold_entities_that_no_sentence_has_are_refused(run: Path) -> None:
    write_test(run, [Prediction(WORDS, (PERSON, Span(0, 3, "city")), (PERSON, WRONG)), ANSWERS[1]])
    assert refusal(run).splitlines()[2].endswith("data.json, not none")


def test_answers_that_score_alike_are_refused_by_their_checksum(run: Path) -> None:
    write_test(run, [Prediction(WORDS, (PERSON, CITY), (PERSON, Span(1, 3, "city"))), ANSWERS[1]])
    assert refusal(run) == (
        "the predictions of split 'test' were changed since the tagger gave them\n"
        f"  where: {predictions_path(run, 'test')}\n"
        "  expected: the file as the run wrote it\n"
        f"  hint: {AGAIN}"
    )


def test_tags_that_only_the_strict_reading_tells_apart_are_refused(run: Path) -> None:
    first = Prediction(WORDS, (PERSON, CITY), (PERSON, WRONG), predicted_tags=("I-person", "B-city", "O"))
    write_test(run, [first, ANSWERS[1]])
    assert "(3 gold, 1 predicted, 0 right, strict reading)" in refusal(run)


def _headline(scores: dict[str, dict[str, object]]) -> None:
    scores["test"]["f1"] = 0.9


def _other_split(scores: dict[str, dict[str, object]]) -> None:
    scores["dev"] = scores.pop("test")


def _no_number(scores: dict[str, dict[str, object]]) -> None:
    scores["test"]["f1"] = "high"


def _no_table(scores: dict[str, object]) -> None:
    scores["test"] = []


@pytest.mark.parametrize(
    ("damage", "kind", "what"),
    [
        (_headline, DataError, "the predictions of split 'test' give F1 40; 'scores.json' of the run says 90"),
        (
            dict.clear,
            BundleError,
            "'scores.json' of the run has no scores of split 'test', whose predictions are there",
        ),
        (
            _other_split,
            BundleError,
            "'scores.json' of the run has no scores of split 'test', whose predictions are there",
        ),
        (_no_number, BundleError, "'scores.json' of the run is damaged: it has another form (could not convert"),
        (_no_table, BundleError, "'scores.json' of the run is damaged: it has another form ("),
    ],
)
def test_scores_of_other_predictions_are_refused(
    run: Path, damage: Callable[[dict[str, object]], None], kind: type[NerbridgeError], what: str
) -> None:
    scores = json.loads((run / "scores.json").read_text(encoding="utf-8"))
    damage(scores)
    (run / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    with pytest.raises(kind) as caught:
        read_runs(run, "test")
    assert str(caught.value).startswith(what)


def test_scores_that_are_no_json_are_refused(run: Path) -> None:
    (run / "scores.json").write_text("{", encoding="utf-8")
    assert refusal(run).startswith("'scores.json' of the run is damaged: ")


def test_what_an_older_version_has_left_is_read_and_said(run: Path, caplog: pytest.LogCaptureFixture) -> None:
    for path in (run / "scores.json", run / "data.json", scored_path(run)):
        path.unlink()
    assert read_runs(run, "test") == {"": ANSWERS}
    assert [record.message for record in caplog.records] == [
        f"{run}: no {name} tells of split 'test', whose predictions are taken as they are; {AGAIN}"
        for name in ("data.json", "scores.json")
    ]
    assert not was_scored(run)


def test_a_folder_of_predictions_alone_has_no_records_to_lack(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write_test(tmp_path / "bare", ANSWERS)
    assert read_runs(tmp_path / "bare", "test") == {"": ANSWERS}
    assert caplog.text == ""


def test_scores_of_an_evaluation_lead_back_to_evaluate(tmp_path: Path) -> None:
    write_test(tmp_path, ANSWERS)
    write_scores(tmp_path / "scores.json", {"test": summarize(ANSWERS[:1], rounds=10)})
    assert refusal(tmp_path).splitlines()[-1] == (
        "  hint: give the `nerbridge evaluate` that wrote the folder again: it replaces both"
    )


def test_a_run_whose_predictions_are_gone_was_scored_all_the_same(run: Path) -> None:
    assert was_scored(run)
    (run / "scores.json").unlink()
    assert was_scored(run)
    (run / "data.json").write_text("{", encoding="utf-8")
    assert not was_scored(run)
