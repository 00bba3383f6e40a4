"""What a file of kept cells holds and leaves out, how it is written back, and what is said of damaged ones."""

import gzip
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import keep_cells
import kept_runs
import pytest
from crossner_bench import finished
from grid_results import read_results
from kept_cells import opened
from kept_file import read_kept
from kept_later import counts_of, is_there
from kept_runs import without_paths
from label_aware_grid import Row
from whole_runs import ENVIRONMENT, WholeRuns, answers

from nerbridge.errors import DataError
from nerbridge.evaluation.predictions import Prediction, write_predictions
from nerbridge.evaluation.uncertainty import count_sentences

LINEAR = Row("sequential-linear", "sequential-linear", ("training.precision=bf16",))
KEY = ("sequential-linear", "ai", 1)


@pytest.fixture
def runs(tmp_path: Path) -> WholeRuns:
    return WholeRuns(tmp_path / "runs")


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    def keep(*words: object) -> int:
        monkeypatch.setattr(sys, "argv", ["keep", *map(str, words)])
        return keep_cells.main()

    return keep


@pytest.fixture
def kept(runs: WholeRuns, keep: Callable[..., int], tmp_path: Path) -> Path:
    """A file of two cells."""
    for seed in (1, 2):
        runs.add(LINEAR, "ai", seed)
    assert keep("pack", runs.folder, "--output", tmp_path / "kept.jsonl.gz") == 0
    return tmp_path / "kept.jsonl.gz"


def content(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def test_no_words_and_no_paths_are_kept_and_gold_is_kept_once(kept: Path) -> None:
    text = content(kept)
    assert "secret" not in text.replace('"e1"', "")
    assert "unspoken" not in text
    kinds = [json.loads(line).get("kind") for line in text.splitlines()]
    assert kinds == [None, "data", "environment", "experiment", "gold", "gold", None, None]  # dev and test of two seeds
    (line, run) = read_kept(kept).cells[KEY]
    assert line["settings"] == ["encoder.checkpoint=mpnet", "training.precision=bf16"]
    assert line["stages"]["target"]["parameters"] == {"all": 7, "context": 5}
    assert run is not None
    assert set(run) == {"environment", "experiment", "data", "scores", "journal", "splits"}


def test_spans_and_records_come_back(kept: Path, keep: Callable[..., int], tmp_path: Path) -> None:
    assert keep("unpack", kept, tmp_path / "back") == 0
    results = read_results([tmp_path / "back" / "cells.jsonl"], [tmp_path / "back"], [1, 2], [LINEAR])
    back = results.predictions(KEY, "dev")
    made = answers(*KEY, "dev")
    assert back is not None
    assert [(one.gold, one.predicted, len(one.words)) for one in back] == [
        (one.gold, one.predicted, len(one.words)) for one in made
    ]
    assert {word for one in back for word in one.words} == {"_"}
    assert results.counts(KEY, "test") is not None  # its scores are those of its line
    folder = results.run_folder(KEY)
    assert folder is not None
    del (expected := dict(ENVIRONMENT))["platform"]
    assert json.loads((folder / "environment.json").read_text()) == expected
    experiment = json.loads((folder / "experiment.json").read_text())
    assert (experiment["seed"], experiment["encoder"]["checkpoint"]) == (1, "sequential-linear")


def test_the_same_cells_give_the_same_bytes(
    runs: WholeRuns, kept: Path, keep: Callable[..., int], tmp_path: Path
) -> None:
    again = tmp_path / "again.jsonl.gz"
    keep("pack", runs.folder, "--output", again)
    assert again.read_bytes() == kept.read_bytes()
    assert kept.read_bytes()[3:8] == bytes(5)  # neither a name nor a time
    keep("unpack", kept, tmp_path / "back")
    keep("pack", tmp_path / "back", "--output", again)
    assert again.read_bytes() == kept.read_bytes()


def test_a_file_grows_by_new_runs(kept: Path, keep: Callable[..., int], tmp_path: Path) -> None:
    more = WholeRuns(tmp_path / "more")
    more.add(LINEAR, "music", 1)
    more.add(LINEAR, "ai", 2)
    assert keep("pack", kept, more.folder, "--output", kept) == 0
    assert sorted(read_kept(kept).cells) == [KEY, ("sequential-linear", "ai", 2), ("sequential-linear", "music", 1)]


def test_rows_are_chosen_by_name(
    runs: WholeRuns, keep: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("sequential-linear", "multicell-bionlp", "multicell-twitter"):
        runs.add(Row(name, "sequential-linear", LINEAR.settings), "ai", 1)
    path = tmp_path / "kept.jsonl.gz"
    assert keep("pack", runs.folder, "--rows", "multicell-*,absent", "--output", path) == 0
    assert {row for row, _, _ in read_kept(path).cells} == {"multicell-bionlp", "multicell-twitter"}
    assert "cells of other rows, not asked for: 1\n" in capsys.readouterr().err


def test_a_bench_goes_on_behind_kept_cells(
    kept: Path, keep: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = WholeRuns(tmp_path / "there")
    there.add(LINEAR, "ai", 2)
    with there.path.open("a") as file:
        file.write('{"row": "half')
    keep("unpack", kept, there.folder)
    keep("unpack", kept, there.folder)
    assert set(finished(there.folder)) == {KEY, ("sequential-linear", "ai", 2)}
    said = capsys.readouterr().out.splitlines()[-2:]
    assert said == [
        f"{there.folder}: {what}" for what in ("1 cells written, 1 were there", "0 cells written, 2 were there")
    ]


def test_a_run_that_was_begun_is_set_aside(
    kept: Path, keep: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "there" / "sequential-linear" / "ai"
    (place / "seed-1").mkdir(parents=True)
    (place / "seed-2").mkdir()
    (place / "seed-2" / "journal.jsonl").write_text("begun")
    capsys.readouterr()
    assert keep("unpack", kept, tmp_path / "there") == 0
    assert capsys.readouterr() == (
        f"{tmp_path / 'there'}: 2 cells written, 0 were there\n",
        f"{tmp_path / 'there'}: begun runs without a line, now .seed-N.begun-1 beside it: 1\n",
    )
    assert sorted(path.name for path in place.iterdir()) == [".seed-2.begun-1", "seed-1", "seed-2"]
    assert (place / ".seed-2.begun-1" / "journal.jsonl").read_text() == "begun"


@pytest.mark.parametrize("calls", [1, 2])
def test_writing_back_goes_on_where_it_was_killed(
    calls: int, kept: Path, keep: Callable[..., int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []

    def write(path: Path, predictions: Iterable[Prediction]) -> None:
        written.append(path)
        if len(written) == 2 * calls:  # dev is there, test is not
            raise KeyboardInterrupt
        write_predictions(path, predictions)

    with monkeypatch.context() as patched:
        patched.setattr(kept_runs, "write_predictions", write)
        with pytest.raises(KeyboardInterrupt):
            keep("unpack", kept, tmp_path / "back")
    assert len(list((tmp_path / "back").glob("*/*/seed-*"))) == calls - 1
    assert keep("unpack", kept, tmp_path / "back") == 0
    keep("pack", tmp_path / "back", "--output", tmp_path / "again.jsonl.gz")
    assert (tmp_path / "again.jsonl.gz").read_bytes() == kept.read_bytes()
    assert not list((tmp_path / "back").glob("*/*/.*"))


def test_predictions_and_scores_are_made_when_they_are_asked_for(kept: Path, runs: WholeRuns) -> None:
    with opened([kept]) as found:
        results = read_results(found.lines, found.folders, [1, 2], [LINEAR])
        folder = results.run_folder(KEY)
        assert folder is not None
        counts = results.counts(KEY, "test")
        assert sorted(path.name for path in folder.iterdir()) == [
            *("data.json", "environment.json", "experiment.json", "journal.jsonl")
        ]
        assert is_there(folder / "scores.json")
        predictions = results.predictions(KEY, "test")
        assert predictions is not None
        assert counts is not None
        assert counts.tolist() == count_sentences(predictions).tolist()
        assert [path.name for path in folder.glob("predictions/*")] == ["test.jsonl"]
    assert counts_of(folder / "predictions" / "test.jsonl") is None


def test_damage_that_is_found_late_has_its_line_too(kept: Path) -> None:
    cell = json.loads(content(kept).splitlines()[-1])
    cell["run"]["splits"]["test"]["sentences"][0] = [[0, 1, 99]]
    rewrite(kept, 8, json.dumps(cell))
    with opened([kept]) as found:
        results = read_results(found.lines, found.folders, [1, 2], [LINEAR])
        with pytest.raises(DataError) as caught:
            results.predictions((*KEY[:2], cell["cell"]["seed"]), "test")
    assert caught.value.where == f"{kept}:8"


def test_a_run_goes_before_a_kept_cell(kept: Path, tmp_path: Path) -> None:
    newer = WholeRuns(tmp_path / "newer")
    place = newer.add(Row("sequential-linear", "sequential-linear", ("a=1",)), "ai", 1)
    (newer.folder / "sequential-linear" / "ai" / "seed-2").mkdir()  # begun, has no line
    with opened([newer.folder, kept]) as found:
        results = read_results(found.lines, found.folders, [1, 2], [Row("sequential-linear", "sequential-linear")])
        assert results.run_folder(KEY) == place
        assert results.lines[KEY]["settings"][-1] == "a=1"
        assert results.predictions(("sequential-linear", "ai", 2), "test") is not None
        assert found.notes == ["cells that both runs and kept files have, taken from the runs: 1"]


def test_what_is_not_kept_is_said(
    runs: WholeRuns, keep: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for domain, seed in (("ai", 1), ("ai", 2), ("ai", 3), ("music", 1)):
        runs.add(LINEAR, domain, seed)
    place = runs.folder / "sequential-linear"
    runs.write({"row": "sequential-linear", "recipe": "x", "domain": "ai", "seed": 1, "dev": {"f1": 0.5}})
    (place / "ai" / "seed-2" / "data.json").write_text('{"domains"')
    (place / "ai" / "seed-3").rename(tmp_path / "gone")
    runs.write({"row": "broken", "recipe": "x", "domain": "ai", "seed": 1, "failed": 1, "stderr": "a word"})
    (runs.folder / "broken" / "ai" / "seed-1").mkdir(parents=True)
    assert keep("pack", runs.folder, "--output", tmp_path / "k.jsonl.gz") == 1
    said = capsys.readouterr()
    first = f"{runs.path}: sequential-linear ai seed"
    f1 = json.loads(runs.path.read_text().splitlines()[0])["dev"]["f1"]
    assert said.err.splitlines() == [
        "run folders without a good line, not kept: 1",
        "cells without a run folder, their line alone kept: 1",
        f"{first} 1 is left out: its dev predictions have F1 {f1:.6f}, its line says 0.500000: not the same run",
        f"{first} 2 is left out: Expecting ':' delimiter: line 1 column 11 (char 10)",
    ]
    cells = read_kept(tmp_path / "k.jsonl.gz").cells
    assert [(*key[1:], run is None) for key, (_, run) in sorted(cells.items())] == [
        ("ai", 3, True),
        ("music", 1, False),
    ]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("encoder.checkpoint=/home/somebody/My Models/mpnet", "encoder.checkpoint=mpnet"),
        ("encoder.checkpoint=/runs/encoders/{domain}-task-span", "encoder.checkpoint={domain}-task-span"),
        ('transfer.source_raw=["/texts/newswire", "~/b"]', 'transfer.source_raw=["newswire", "b"]'),
        ('transfer.source_raw=["corpora/newswire"]', 'transfer.source_raw=["corpora/newswire"]'),
        ("target.dataset=crossner/ai", "target.dataset=crossner/ai"),
        ("training.target.evaluate_every=0.5", "training.target.evaluate_every=0.5"),
        ("missing:/texts/lm-ai", "missing:lm-ai"),
        (
            {"folder": ["../up/x", "C:\\models\\y", "film / series", 1, None]},
            {"folder": ["x", "y", "film / series", 1, None]},
        ),
    ],
)
def test_paths_of_a_machine_become_names(value: object, kept: object) -> None:
    assert without_paths(value) == kept


def rewrite(path: Path, number: int, text: str) -> None:
    lines = content(path).splitlines()
    lines[number - 1] = text
    path.write_bytes(gzip.compress("\n".join(lines).encode()))


def fault(path: Path) -> DataError:
    with pytest.raises(DataError) as caught:
        read_kept(path)
    return caught.value


def test_damage_is_told_with_its_line(kept: Path) -> None:
    rewrite(kept, 3, '{"shared": "ab')
    assert (fault(kept).what, fault(kept).where) == (
        "kept cells cannot be read: Unterminated string starting at: line 1 column 12 (char 11)",
        f"{kept}:3",
    )
    rewrite(kept, 3, '{"shared": "ab"}')
    assert (fault(kept).what, fault(kept).where) == (
        "kept cells cannot be read: 'kind' is missing, or is not in the file",
        f"{kept}:3",
    )
    rewrite(kept, 1, '{"kept": "other"}')
    assert fault(kept).where == f"{kept}:1"


def test_a_file_of_a_newer_schema_or_none_is_refused(kept: Path, tmp_path: Path) -> None:
    rewrite(kept, 1, '{"kept": "cells", "schema": 2}')
    assert str(fault(kept)) == (
        "kept cells of schema 2 are newer than these scripts\n"
        f"  where: {kept}:1\n"
        "  expected: schema 1 or older\n"
        "  hint: take the scripts of the commit that the file came with, or a later one"
    )
    assert fault(tmp_path / "none.jsonl.gz").what == "there is no such file of kept cells"
    kept.write_bytes(gzip.compress(b""))
    assert fault(kept).what == "kept cells cannot be read: the file is empty"


def test_a_file_that_is_cut_or_no_gzip_is_told(kept: Path) -> None:
    kept.write_bytes(kept.read_bytes()[:-200])
    assert fault(kept).what.startswith("kept cells cannot be read: Compressed file ended before")
    kept.write_text("{}")
    assert (fault(kept).what, fault(kept).where) == (
        "kept cells cannot be read: Not a gzipped file (b'{}')",
        f"{kept}:1",
    )


def test_scripts_end_with_the_line_of_a_damaged_cell(kept: Path) -> None:
    cell = json.loads(content(kept).splitlines()[-1])
    cell["run"]["splits"]["dev"]["gold"] = "gone"
    rewrite(kept, 8, json.dumps(cell))
    with pytest.raises(SystemExit) as ended, opened([kept]):
        pass
    assert str(ended.value).startswith(
        f"error: kept cells cannot be read: 'gone' is missing, or is not in the file\n  where: {kept}:8\n"
    )


def test_rows_that_lead_out_of_the_folder_are_refused(kept: Path) -> None:
    cell = json.loads(content(kept).splitlines()[-1])
    cell["cell"]["row"] = "../../elsewhere"
    rewrite(kept, 8, json.dumps(cell))
    assert fault(kept).what.endswith("'../../elsewhere' and 'ai' are no names of folders")
