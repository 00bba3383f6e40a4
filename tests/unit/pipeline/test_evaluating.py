"""A finished model is scored on other data: spellings matched, what cannot match counted, both readings given."""

from pathlib import Path

import pytest
from running import Runner

from nerbridge.data.registry import load_dataset, load_files
from nerbridge.errors import BundleError, ConfigError, DataError
from nerbridge.pipeline.evaluating import EvaluationResult, evaluate_run, read_labelled, refuse_run, write_evaluation
from nerbridge.pipeline.seeds import run_seeds
from tiny_project import NEWS, draw, write_columns


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A project with the finished run `run`."""
    from tiny_project import write_project

    runner = Runner(write_project(tmp_path_factory.mktemp("evaluating")))
    runner.run()
    return runner


def evaluate(runner: Runner, file: str) -> EvaluationResult:
    (result,) = evaluate_run(runner.project / "run", read_labelled(str(runner.project / file), None), "test")
    return result


def test_the_scores_of_the_runs_own_test_file_are_those_of_the_run(runner: Runner) -> None:
    result = evaluate(runner, "test.txt")
    assert result.summary == runner.run().summaries["test"]
    assert (result.name, result.notes) == ("", ())


def test_spellings_are_matched_and_labels_of_one_side_counted(runner: Runner) -> None:
    write_columns(runner.project / "other.txt", draw(30, {**NEWS, "award": ("band", "ada band")}, seed=7))
    result = evaluate(runner, "other.txt")
    tallies = result.summary.conlleval.per_label
    assert {"person", "location", "award"} <= set(tallies)
    assert not {"PER", "LOC"} & set(tallies)
    assert result.notes[:3] == (
        "label 'LOC' is read as 'location'",
        "label 'PER' is read as 'person'",
        f"the model does not know award: {tallies['award'].gold} gold entities can only be missed",
    )
    foreign = f"no gold entity is band: {tallies['band'].predicted} predicted entities can only be wrong"
    assert result.notes[3:] == (foreign,)


def test_malformed_gold_is_scored_in_both_readings(runner: Runner) -> None:
    rows = [[("ada", "I-PER"), ("sang", "O"), ("in", "O"), ("london", "B-LOC"), ("band", "I-PER")]]
    write_columns(runner.project / "malformed.txt", [*rows, *draw(3, NEWS, seed=3)])
    result = evaluate(runner, "malformed.txt")
    lenient, strict = result.summary.conlleval, result.summary.strict
    assert lenient.exact.gold - strict.exact.gold == 2
    assert lenient.malformed_gold == 2
    assert result.notes[0].endswith("malformed.txt: 2 malformed tag places were read by the policy 'conlleval'")
    assert result.predictions[0].gold_tags == ("I-person", "O", "O", "B-location", "I-person")


def test_every_seed_is_scored(runner: Runner) -> None:
    run_seeds(runner.experiment(), [1, 2], runner.project / "seeds", runner.surroundings)
    results = evaluate_run(runner.project / "seeds", read_labelled(str(runner.project / "test.txt"), None), "test")
    assert [result.name for result in results] == ["seed-1", "seed-2"]
    write_evaluation(runner.project / "scored", results, "test")
    assert (runner.project / "scored" / "seed-2" / "predictions" / "test.jsonl").exists()
    assert (runner.project / "scored" / "report.html").exists()


def test_the_bundle_itself_can_be_scored(runner: Runner) -> None:
    data = load_files(test=runner.project / "test.txt")
    (result,) = evaluate_run(runner.project / "run" / "model", data, "test")
    assert result.summary == evaluate(runner, "test.txt").summary


def test_a_split_that_is_not_there_is_refused(runner: Runner) -> None:
    with pytest.raises(DataError) as caught:
        evaluate_run(runner.project / "run", read_labelled(str(runner.project / "test.txt"), None), "dev")
    assert str(caught.value) == (
        "the data has no split 'dev'\n  where: test.txt\n  expected: one of test\n  hint: choose another --split"
    )


def test_raw_text_cannot_be_scored(runner: Runner) -> None:
    (runner.project / "raw.txt").write_text("ada\nsang\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        evaluate(runner, "raw.txt")
    assert str(caught.value) == (
        "no sentence of the split 'test' is annotated\n"
        f"  where: {runner.project / 'raw.txt'}:1\n"
        "  expected: a tag beside every word, or spans beside every text\n"
        "  hint: `nerbridge predict` tags raw text"
    )


def test_a_folder_without_a_model_is_refused(runner: Runner, tmp_path: Path) -> None:
    data = read_labelled(str(runner.project / "test.txt"), None)
    with pytest.raises(BundleError) as caught:
        evaluate_run(tmp_path, data, "test")
    assert [line.split(":")[0].strip() for line in str(caught.value).splitlines()[1:]] == ["where", "expected", "hint"]
    with pytest.raises(BundleError, match="there is no run folder"):
        evaluate_run(tmp_path / "nowhere", data, "test")


@pytest.mark.data
def test_the_scitech_file_has_both_its_counts(runner: Runner, data_root: Path) -> None:
    data = load_dataset("cbs_scitech", data_root)
    (result,) = evaluate_run(runner.project / "run", data, "test")
    assert (result.summary.conlleval.exact.gold, result.summary.strict.exact.gold) == (3412, 3405)
    assert result.summary.conlleval.malformed_gold == 6
    assert result.summary.to_json()["strict"]["micro"]["gold"] == 3405


def test_the_folder_of_a_run_is_no_place_for_another_evaluation(tmp_path: Path) -> None:
    """Scores and predictions of the run itself would be replaced."""
    for run in (tmp_path / "one", tmp_path / "many" / "seed-1"):
        run.mkdir(parents=True)
        (run / "experiment.json").write_text("{}")
    for output in (tmp_path / "one", tmp_path / "many"):
        with pytest.raises(ConfigError) as caught:
            refuse_run(output)
        assert str(caught.value) == (
            f"'{output}' is the folder of a run, whose own scores would be replaced\n"
            "  where: --output\n  expected: a folder for this evaluation\n  hint: choose another --output"
        )
    refuse_run(tmp_path / "new")
