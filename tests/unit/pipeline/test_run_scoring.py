import json
from collections.abc import Callable
from pathlib import Path

import pytest
from running import Runner

from nerbridge.evaluation.kept_answers import SCORED, answers_changed
from nerbridge.pipeline import scoring


@pytest.fixture
def tagged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many sentences each split had that a tagger was asked about for scores."""
    counts: list[int] = []
    original = scoring.predict_gold

    def counting(model, sentences, domain):  # type: ignore[no-untyped-def]
        counts.append(len(sentences))
        return original(model, sentences, domain)

    monkeypatch.setattr(scoring, "predict_gold", counting)
    return counts


@pytest.fixture
def runner(project: Path) -> Runner:
    return Runner(project)


def test_what_was_tagged_by_the_same_tagger_is_not_tagged_again(runner: Runner, tagged: list[int]) -> None:
    first = runner.run()
    files = {path: path.read_bytes() for path in first.folder.glob("predictions/*")}
    scores = (first.folder / "scores.json").read_bytes()
    assert len(tagged) == 2
    second = runner.run()
    assert len(tagged) == 2
    assert second.summaries == first.summaries
    assert {path: path.read_bytes() for path in first.folder.glob("predictions/*")} == files
    assert (first.folder / "scores.json").read_bytes() == scores


def _change_an_answer(folder: Path) -> None:
    path = folder / "predictions" / "test.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[0]["predicted"] = []
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _remove_a_split(folder: Path) -> None:
    (folder / "predictions" / "dev.jsonl").unlink()


def _cut_the_record(folder: Path) -> None:
    path = folder / "stage" / SCORED
    path.write_bytes(path.read_bytes()[:20])


def _record_of_another_form(folder: Path) -> None:
    (folder / "stage" / SCORED).write_text('{"key": 3, "sha256": []}', encoding="utf-8")


def _of_an_older_version(folder: Path) -> None:
    (folder / "stage" / SCORED).unlink()


@pytest.mark.parametrize(
    "damage",
    [_change_an_answer, _remove_a_split, _cut_the_record, _record_of_another_form, _of_an_older_version],
)
def test_changed_or_missing_answers_are_made_again(
    runner: Runner, tagged: list[int], damage: Callable[[Path], None]
) -> None:
    folder = runner.run().folder
    files = {path: path.read_bytes() for path in folder.glob("predictions/*")}
    damage(folder)
    runner.run()
    assert len(tagged) == 4
    assert {path: path.read_bytes() for path in folder.glob("predictions/*")} == files


def test_another_tagger_in_the_folder_is_asked_afresh(runner: Runner, tagged: list[int]) -> None:
    folder = runner.run().folder
    result = json.loads((folder / "stage" / "stage.json").read_text(encoding="utf-8"))
    record = folder / "stage" / SCORED
    assert json.loads(record.read_text(encoding="utf-8"))["key"] == result["key"]
    record.write_text(record.read_text(encoding="utf-8").replace(result["key"], "0" * 64), encoding="utf-8")
    runner.run()
    assert len(tagged) == 4


def test_moved_files_are_tagged_again_since_answers_name_their_lines(runner: Runner, tagged: list[int]) -> None:
    folder = runner.run().folder
    path = folder / "predictions" / "dev.jsonl"
    assert '"origin"' in path.read_text(encoding="utf-8")
    moved = path.read_text(encoding="utf-8").replace('"origin": "', '"origin": "elsewhere/')
    path.write_text(moved, encoding="utf-8")
    record = folder / "stage" / SCORED
    known = json.loads(record.read_text(encoding="utf-8"))
    known["sha256"]["dev"] = scoring.file_sha256(path)
    record.write_text(json.dumps(known), encoding="utf-8")
    runner.run()
    assert len(tagged) == 4
    assert "elsewhere" not in path.read_text(encoding="utf-8")


def test_changed_answers_are_told(runner: Runner) -> None:
    folder = runner.run().folder
    assert not answers_changed(folder)
    _change_an_answer(folder)
    assert answers_changed(folder)
    _of_an_older_version(folder)
    assert not answers_changed(folder)
    _record_of_another_form(folder)
    assert answers_changed(folder)
