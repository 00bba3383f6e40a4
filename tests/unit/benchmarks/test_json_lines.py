"""Lines that benches add to their files: what ends one, what is damaged, and that nothing is written twice."""

import json
import sys
from pathlib import Path

import crossner_bench
import dapt_bench
import keep_cells
import pytest
from cell_lines import read_cells
from crossner_bench import finished
from dapt_cells import damaged_encoders, encoder_lines
from grid_results import read_results
from json_lines import append_lines, read_lines
from label_aware_grid import Row
from light_journals import evaluations
from result_rows import rows_of_lines

from nerbridge.errors import DataError

ENDINGS = "\u2028 \u2029 \x85 \x0b \x1c"  # end lines for str.splitlines, and no line of JSON
CELL = {"row": "a", "recipe": "direct-crf", "domain": "ai", "seed": 1, "settings": [], "test": {"f1": 0.5}}
DAMAGED = (
    b"5",
    b"[1]",
    b'{"row": 1}',
    b'{"row": "a", "domain": "ai", "seed": "x"}',
    b'{"row": "a", "domain": "ai", "seed": 1, "recipe": "x", "settings": 7}',
    b'{"row": "a", "domain": "ai", "seed": 1, "recipe": "x", "test": {"f1": "high"}}',
    b'{"row": "\xff", "domain": "ai", "seed": 1}',
    b'{"row": "half',
)


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    """Every damaged line, and a good one that holds what looks like ends of lines."""
    path = tmp_path / "cells.jsonl"
    good = json.dumps({**CELL, "stages": {ENDINGS: {}}}, ensure_ascii=False).encode()
    path.write_bytes(b"\n".join((*DAMAGED[:-1], good, DAMAGED[-1])))
    return path


def test_damaged_lines_of_cells_are_counted_and_the_others_read(cells: Path) -> None:
    found = read_cells([cells])
    assert (list(found.finished), found.damaged) == ([("a", "ai", 1)], len(DAMAGED))


def test_every_reader_of_cells_passes_them_over_and_says_so(
    cells: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(finished(tmp_path)) == [("a", "ai", 1)]
    assert capsys.readouterr().err == f"{cells}: damaged lines, passed over: {len(DAMAGED)}\n"
    assert [row.name for row in rows_of_lines([cells])] == ["a"]
    results = read_results([cells], [tmp_path], [1], [Row("a", "direct-crf")])
    assert list(results.lines) == [("a", "ai", 1)]
    assert results.notes == [f"lines left out, damaged: {len(DAMAGED)}"]
    _, _, counted = keep_cells.gather([tmp_path])
    assert counted["damaged lines of cells, left out"] == len(DAMAGED)


def test_damaged_lines_of_encoders_are_counted_and_the_others_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "encoders.jsonl"
    good = json.dumps({"domain": "ai", "level": "task", "masking": "span", "log": ENDINGS}, ensure_ascii=False)
    others = (b"5", b'{"domain": 1, "level": "task", "masking": "span"}', b'{"domain": "\xff"}', b'{"domain": "ai"}')
    path.write_bytes(b"\n".join((*others, good.encode(), b'{"dom')))
    assert [cell.name for cell, _ in encoder_lines([path])] == ["ai-task-span"]
    assert damaged_encoders([path]) == 5
    assert [cell.name for cell in dapt_bench.written_lines(tmp_path)] == ["ai-task-span"]
    assert capsys.readouterr().err == f"{path}: damaged lines, passed over: 5\n"


def test_lines_are_added_and_what_is_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "cells.jsonl"
    append_lines(path, [CELL])
    first = path.stat().st_ino
    with path.open("a") as file:
        file.write('{"half')
    append_lines(path, [{"text": ENDINGS}, CELL])
    assert path.read_text().split("\n")[1] == '{"half'
    assert read_lines(path) == [CELL, None, {"text": ENDINGS}, CELL]
    assert path.stat().st_ino == first


def test_looking_at_a_file_does_not_write_it(cells: Path, tmp_path: Path) -> None:
    before = cells.read_bytes()
    cells.rename(tmp_path / "encoders.jsonl")
    dapt_bench.written_lines(tmp_path)
    (tmp_path / "encoders.jsonl").rename(cells)
    finished(tmp_path)
    assert cells.read_bytes() == before


def test_a_folder_in_the_place_of_a_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_results([tmp_path], [], [1], [])
    assert str(caught.value) == (
        "lines of JSON cannot be read: Is a directory\n"
        f"  where: {tmp_path}\n"
        "  expected: a file that a bench wrote\n"
        f"  hint: `ls -ld {tmp_path}` shows what is there, and who may read it"
    )
    with pytest.raises(DataError, match="there is no such file of cells"):
        read_results([tmp_path / "absent"], [], [1], [])


def test_a_journal_is_read_line_by_line_too(cells: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "ai" / "seed-1"
    folder.mkdir(parents=True)
    event = {"event": "evaluation", "stage": "target", "step": 1, "f1": 0.5, ENDINGS: 1}
    (folder / "journal.jsonl").write_text(json.dumps(event, ensure_ascii=False) + "\n{torn\n", encoding="utf-8")
    row = Row("a", "direct-crf")
    results = read_results([cells], [tmp_path], [1], [row])
    assert evaluations(results, row, "ai", 1) == [event]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (crossner_bench, ["FILE/runs", "--recipes", "direct-crf"]),
        (dapt_bench, ["FILE/runs", "pretrain", "--devices", "0"]),
        (keep_cells, ["pack", "RUNS", "--output", "FILE/kept.jsonl.gz"]),
    ],
)
def test_what_cannot_be_written_ends_a_script_without_a_traceback(
    script: object, words: list[str], cells: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    places = {"FILE": str(tmp_path / "file"), "RUNS": str(tmp_path)}
    named = [word.replace("FILE", places["FILE"]).replace("RUNS", places["RUNS"]) for word in words]
    monkeypatch.setattr(sys, "argv", ["script", *named])
    with pytest.raises(SystemExit, match=r"error: .*(Not a directory|File exists)"):
        script.main()  # type: ignore[attr-defined]
