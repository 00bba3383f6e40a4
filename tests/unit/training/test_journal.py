"""The journal: what stays of it when a stage goes on from a checkpoint."""

from pathlib import Path

import pytest

from nerbridge.training.journal import Journal, read_journal


def write_two_stages(path: Path) -> None:
    source, target = Journal(path, "source"), Journal(path, "target")
    for step in (0, 4, 9):
        source.write("evaluation", step=step)
    source.write("finished", step=9)
    for step in (0, 2, 4):
        target.write("evaluation", step=step)


def steps(path: Path) -> list[tuple[str, int]]:
    return [(event["stage"], event["step"]) for event in read_journal(path)]


def test_lines_after_the_checkpoint_are_cut_from_this_stage_only(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write_two_stages(path)
    Journal(path, "target").cut(2)
    assert steps(path) == [("source", 0), ("source", 4), ("source", 9), ("source", 9), ("target", 0), ("target", 2)]


def test_a_fresh_start_forgets_the_whole_stage(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write_two_stages(path)
    Journal(path, "source").cut(-1)
    assert steps(path) == [("target", 0), ("target", 2), ("target", 4)]


def test_a_stage_that_goes_on_has_not_finished(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write_two_stages(path)
    Journal(path, "source").cut(9)
    assert [event["event"] for event in read_journal(path)] == ["evaluation"] * 6


def test_a_torn_last_line_is_not_read_and_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write_two_stages(path)
    whole = path.read_bytes()
    for length in range(1, 40):
        torn = whole + b'{"stage": "target", "event": "\xc3\xa4valuation", "step": 5}\n'[:length]
        path.write_bytes(torn)
        assert len(read_journal(path)) == 7
        Journal(path, "target").cut(4)
        journal = Journal(path, "target")
        journal.write("evaluation", step=6)
        assert steps(path)[-1] == ("target", 6)
        assert len(steps(path)) == 8


def test_a_line_without_a_number_of_steps_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    write_two_stages(path)
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"stage": "target", "event": "evaluation", "step": "a"}\n')
    assert len(read_journal(path)) == 7
    Journal(path, "target").cut(4)
    assert len(path.read_bytes().splitlines()) == 7


def test_a_journal_that_does_not_exist_is_empty(tmp_path: Path) -> None:
    Journal(tmp_path / "journal.jsonl").cut(3)
    assert read_journal(tmp_path / "journal.jsonl") == []
    assert not (tmp_path / "journal.jsonl").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_a_full_disk_names_the_journal(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as caught:
        Journal(tmp_path / "journal.jsonl").write("started", step=0)
    assert caught.value.filename == str(tmp_path / "journal.jsonl")
