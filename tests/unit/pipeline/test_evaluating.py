"""A finished model is scored on other data: spellings matched, what cannot match counted, both readings given."""

import json
import shutil
from pathlib import Path

import pytest
from running import Runner

from nerbridge.assembly.bundle import read_metadata
from nerbridge.config.reading import ReadSettings
from nerbridge.data.registry import load_dataset, load_files
from nerbridge.errors import BundleError, ConfigError, DataError
from nerbridge.pipeline.evaluating import (
    EvaluationResult,
    evaluate_run,
    read_labelled,
    refuse_output,
    summarize_all,
    write_evaluation,
)
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


def test_sentences_that_take_long_are_said_once_for_all_seeds(
    runner: Runner, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger = {"kind": "label_aware", "label_width": 4}
    runner.run("slow", tagger=tagger, source=[], transfer={"kind": "direct"})
    several = runner.project / "slow-seeds"
    several.mkdir()
    for seed in (1, 2):
        (several / f"seed-{seed}").symlink_to(runner.project / "slow", target_is_directory=True)
    data = read_labelled(str(runner.project / "test.txt"), None)
    longest = max(data.splits["test"], key=len)
    monkeypatch.setattr("nerbridge.assembly.long_sentences.LONG", len(longest) - 1)
    caplog.clear()
    assert len(evaluate_run(several, data, "test")) == 2
    (said,) = [message for message in caplog.messages if message.startswith("warning: ")]
    assert f"the longest {len(longest)} ({longest.origin}); the time of a label-aware tagger" in said


def test_sentences_without_any_entity_are_said(runner: Runner) -> None:
    write_columns(runner.project / "rain.txt", [[("it", "O"), ("rained", "O")]])
    assert evaluate(runner, "rain.txt").notes[0] == (
        "rain.txt: no test sentence has an entity; an F1 of 0.00 there says nothing, for nothing can be found"
    )


def test_a_file_is_read_as_the_options_say(runner: Runner) -> None:
    lines = (runner.project / "test.txt").read_text(encoding="utf-8").splitlines()
    swapped = "\n".join("\t".join(reversed(line.split("\t"))) for line in lines)
    path = runner.project / "swapped.txt"
    path.write_text(swapped + "\n", encoding="utf-8")
    data = read_labelled(str(path), None, ReadSettings(word_column=1, tag_column=0))
    (result,) = evaluate_run(runner.project / "run", data, "test")
    assert result.summary == runner.run().summaries["test"]


def test_a_registered_data_set_takes_no_options_of_reading() -> None:
    with pytest.raises(ConfigError) as caught:
        read_labelled("crossner/ai", None, ReadSettings(tag_column=1, borders="snap"))
    assert str(caught.value) == (
        "tag_column, borders set for the registered data set 'crossner/ai'\n"
        "  where: --format, --scheme, --encoding, --read\n"
        "  expected: options of reading for files of your own; a registered data set knows how it is read\n"
        "  hint: leave the options out, or name the file itself"
    )


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
    assert result.notes[0].endswith("malformed.txt: 2 malformed tag places read by the policy 'conlleval'")
    assert result.predictions[0].gold_tags == ("I-person", "O", "O", "B-location", "I-person")


def test_every_seed_is_scored(runner: Runner) -> None:
    run_seeds(runner.experiment(), [1, 2], runner.project / "seeds", runner.surroundings)
    results = evaluate_run(runner.project / "seeds", read_labelled(str(runner.project / "test.txt"), None), "test")
    assert [result.name for result in results] == ["seed-1", "seed-2"]
    scored = runner.project / "scored"
    assert write_evaluation(scored, results, "test") == scored / "report.html"
    assert (scored / "seed-2" / "predictions" / "test.jsonl").exists()
    assert (scored / "report.html").exists()
    together = summarize_all(results)
    assert together is not None
    assert together.scores["f1"].values == tuple(result.summary.f1 for result in results)
    assert json.loads((scored / "scores.json").read_text())["test"] == together.to_json()
    assert json.loads((runner.project / "seeds" / "scores.json").read_text())["test"] == together.to_json()
    assert summarize_all(results[:1]) is None


def test_an_evaluation_of_another_split_leaves_the_first_in_place(runner: Runner) -> None:
    scored = runner.project / "splits"
    data = load_files(dev=runner.project / "dev.txt", test=runner.project / "test.txt")
    dev, test = (evaluate_run(runner.project / "run", data, split) for split in ("dev", "test"))
    assert write_evaluation(scored, dev, "dev") == scored / "report.html"  # the only one there
    assert write_evaluation(scored, test, "test") == scored / "report.html"
    assert "split dev" in (scored / "report-dev.html").read_text(encoding="utf-8")
    assert "split test" in (scored / "report.html").read_text(encoding="utf-8")
    scores = json.loads((scored / "scores.json").read_text())
    assert scores == {"dev": dev[0].summary.to_json(), "test": test[0].summary.to_json()}


def test_an_evaluation_of_train_alone_has_a_report(runner: Runner) -> None:
    data = load_files(train=runner.project / "train.txt")
    results = evaluate_run(runner.project / "run", data, "train")
    assert write_evaluation(runner.project / "of-train", results, "train").name == "report.html"


def test_the_bundle_remembers_spellings_and_evaluation_reads_by_them(runner: Runner) -> None:
    """The sources say PER and LOC. What a bundle equates holds even where the table of spellings knows nothing."""
    model = runner.project / "run" / "model"
    assert read_metadata(model).aliases == {"LOC": "location", "PER": "person"}
    taught = runner.project / "taught"
    shutil.copytree(model, taught)
    path = taught / "bundle.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "aliases": {"Kapelle": "band", "Stadt": "no label of it"}}))
    rows = [[("the", "O"), ("band", "B-Kapelle"), ("sang", "O"), ("in", "O"), ("london", "B-Stadt")]]
    write_columns(runner.project / "german.txt", rows)
    (result,) = evaluate_run(taught, load_files(test=runner.project / "german.txt"), "test")
    assert result.notes[:2] == (
        "label 'Kapelle' is read as 'band'",
        "the model does not know Stadt: 1 gold entity can only be missed",
    )
    assert [span.label for span in result.predictions[0].gold] == ["band", "Stadt"]


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
        "  hint: the file was read as one column; `nerbridge predict` tags raw text"
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
            refuse_output(output, tmp_path / "model")
        assert str(caught.value) == (
            f"'{output}' is the folder of a run or sweep, whose own scores would be replaced\n"
            "  where: --output\n  expected: a folder for this evaluation\n  hint: choose another --output"
        )
    refuse_output(tmp_path / "new", tmp_path / "model")


def test_one_folder_holds_evaluations_of_the_same_runs(tmp_path: Path) -> None:
    """Predictions of a single run beside those of seeds would be reported as one or the other."""
    for seed in (1, 2):
        (tmp_path / "seeds" / f"seed-{seed}" / "model").mkdir(parents=True)
        predictions = tmp_path / "scored" / f"seed-{seed}" / "predictions"
        predictions.mkdir(parents=True)
        (predictions / "test.jsonl").write_text("")
    (tmp_path / "one" / "model").mkdir(parents=True)
    refuse_output(tmp_path / "scored", tmp_path / "seeds")
    with pytest.raises(ConfigError) as caught:
        refuse_output(tmp_path / "scored", tmp_path / "one")
    assert str(caught.value) == (
        f"'{tmp_path}/scored' holds an evaluation of seed-1, seed-2, not of the runs in '{tmp_path}/one'\n"
        "  where: --output\n"
        "  expected: a new folder, or one of an earlier evaluation of the same runs\n"
        "  hint: choose another --output"
    )
