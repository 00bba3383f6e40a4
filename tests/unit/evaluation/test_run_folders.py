"""Which runs a folder means: itself, its seeds, or none, and then what lies inside is named."""

import json
from pathlib import Path

import pytest

from nerbridge.data.sentence import Span
from nerbridge.errors import BundleError, DataError
from nerbridge.evaluation.predictions import Prediction, write_predictions
from nerbridge.evaluation.run_folder import predictions_path, run_folders, splits_of
from nerbridge.evaluation.run_predictions import read_runs

SENTENCE = Prediction(("Ada",), (Span(0, 1, "person"),), ())


def make_run(folder: Path, *splits: str) -> None:
    for split in splits or ("test",):
        write_predictions(predictions_path(folder, split), [SENTENCE])


def refusal(folder: Path) -> list[str]:
    with pytest.raises(BundleError) as caught:
        run_folders(folder)
    return str(caught.value).splitlines()


def test_seeds_stand_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for seed in (10, 9, 1):
        make_run(tmp_path / f"seed-{seed}")
    (tmp_path / "seed-2.log").write_text("said")
    assert list(run_folders(tmp_path)) == ["seed-1", "seed-9", "seed-10"]
    assert list(read_runs(tmp_path, "test")) == ["seed-1", "seed-9", "seed-10"]


def test_predictions_are_as_many_as_the_sentences_that_were_scored(tmp_path: Path) -> None:
    make_run(tmp_path, "test", "dev", "other")
    splits = {"test": {"sentences": 2}, "dev": {"sentences": 1}, "other": {"sentences": 5}}
    text = json.dumps({"domains": [{"splits": {"test": {"sentences": 9}}}, {"splits": splits}]})
    (tmp_path / "data.json").write_text(text, encoding="utf-8")
    for split in ("dev", "other"):  # others than dev and test are of other data
        assert read_runs(tmp_path, split) == {"": [SENTENCE]}
    with pytest.raises(DataError) as caught:
        read_runs(tmp_path, "test")
    assert str(caught.value) == (
        "the file holds 1 prediction, the run was scored on 2 sentences\n"
        f"  where: {predictions_path(tmp_path, 'test')}\n"
        f"  expected: a prediction for each sentence that {tmp_path / 'data.json'} tells of\n"
        "  hint: remove the file and run the training command again: it restores what is missing"
    )
    (tmp_path / "data.json").write_text("{", encoding="utf-8")
    assert read_runs(tmp_path, "test") == {"": [SENTENCE]}


def test_a_single_run_is_itself_also_before_it_has_predictions(tmp_path: Path) -> None:
    make_run(tmp_path / "finished")
    (tmp_path / "begun" / "stage" / "work").mkdir(parents=True)
    (tmp_path / "begun" / "experiment.json").write_text("{}")
    for name in ("finished", "begun"):
        assert run_folders(tmp_path / name) == {"": tmp_path / name}


def test_a_sweep_names_its_settings(tmp_path: Path) -> None:
    sweep = tmp_path / "curve"
    for number in range(10, 20):
        make_run(sweep / f"num_train={number}" / "seed-1")
    (sweep / "sweep.json").write_text("{}")
    shown = ", ".join(f"'{sweep}/num_train={number}'" for number in range(10, 18))
    assert refusal(sweep) == [
        f"'{sweep}' is the folder of a sweep, no run",
        f"  where: {sweep}",
        f"  expected: one of its settings: {shown}, 2 more",
        "  hint: name one of them; `nerbridge report` on the sweep's folder shows its table",
    ]


def test_a_folder_above_runs_names_them_two_folders_deep(tmp_path: Path) -> None:
    make_run(tmp_path / "chess")
    make_run(tmp_path / "grid" / "ai" / "seed-1")
    (tmp_path / "grid" / "music" / "model").mkdir(parents=True)
    (tmp_path / ".hidden" / "model").mkdir(parents=True)
    (tmp_path / "notes").mkdir()
    assert refusal(tmp_path) == [
        f"'{tmp_path}' is no run folder, but lies above some",
        f"  where: {tmp_path}",
        f"  expected: one of the runs inside: '{tmp_path}/chess', '{tmp_path}/grid/ai', '{tmp_path}/grid/music'",
        "  hint: name one of them; `nerbridge compare` takes two or more",
    ]


def test_splits_of_a_run(tmp_path: Path) -> None:
    make_run(tmp_path, "blind", "train", "dev")
    assert splits_of(tmp_path) == ["dev", "train", "blind"]
    make_run(tmp_path, "test")
    assert splits_of(tmp_path)[0] == "test"
    (tmp_path / "empty").mkdir()
    assert splits_of(tmp_path / "empty") == []
