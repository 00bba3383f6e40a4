"""Next commands are printed as the user can type them."""

import sys
from pathlib import Path

import pytest

from nerbridge.cli.program import command_line, program


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the programs nerbridge and python, not on PATH; the current folder is the one above."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("nerbridge", "python"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")
    return folder


def test_a_program_on_the_path_is_called_by_its_name(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [str(installed / "nerbridge"), "adapt"])
    monkeypatch.setenv("PATH", str(installed))
    assert program() == "nerbridge"


def test_one_that_is_not_is_called_as_it_was(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["bin/nerbridge", "adapt"])
    assert command_line("predict", "runs/a b", "-") == "bin/nerbridge predict 'runs/a b' -"


def test_another_nerbridge_on_the_path_is_not_this_one(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").mkdir()
    (installed / "nerbridge").rename(tmp_path / "old" / "nerbridge")
    (installed / "nerbridge").write_text("#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(tmp_path / "old"))
    monkeypatch.setattr(sys, "argv", ["bin/nerbridge"])
    assert program() == "bin/nerbridge"


def test_a_module_is_called_as_a_module(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["/somewhere/nerbridge/__main__.py"])
    monkeypatch.setattr(sys, "executable", str(installed / "python"))
    assert program() == f"{installed / 'python'} -m nerbridge"
    monkeypatch.setenv("PATH", str(installed))
    assert program() == "python -m nerbridge"


@pytest.mark.parametrize("caller", ["/usr/bin/pytest", "/somewhere/pytest/__main__.py", "-c", ""])
def test_who_imports_it_gets_the_plain_name(caller: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [caller])
    assert program() == "nerbridge"
