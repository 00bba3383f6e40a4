"""A command that several processes run (`accelerate launch`) says a mistake once."""

import logging
import time

import pytest

from nerbridge.cli import app, main
from nerbridge.cli.console import PATIENCE, LogHandler, speaks
from nerbridge.cli.running import continuable
from nerbridge.errors import DataError


@pytest.fixture
def failing_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def command(refused: bool = False, stopped: bool = False) -> None:
        """Fail."""
        logging.getLogger("nerbridge.training").warning("a warning")
        if refused:
            raise PermissionError(13, "Permission denied", "/there")
        if stopped:
            with continuable():
                raise KeyboardInterrupt
        raise DataError("a fault", where="file.txt:3", expected="black", hint="paint it")

    monkeypatch.setattr(app, "COMMANDS", {"fail": command, "other": lambda: None})


@pytest.mark.usefixtures("failing_command")
@pytest.mark.parametrize(
    ("arguments", "code", "last"),
    [
        ([], 2, "  hint: paint it"),
        (["--refused"], 2, "  hint: choose a place that you may write to, or change its permissions"),
        (["--wrong"], 2, "  hint: `nerbridge fail --help` lists its arguments and options"),
        (["--stopped"], 130, "stopped; the same command continues"),
    ],
)
def test_the_first_process_of_a_machine_speaks_for_all(
    arguments: list[str], code: int, last: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RANK", "8")  # the first of the second machine
    monkeypatch.setenv("LOCAL_RANK", "0")
    assert main(["fail", *arguments]) == code
    said = capsys.readouterr().err
    assert said.splitlines()[-1] == last
    assert said.count(last) == 1
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setattr(time, "sleep", ended)
    if code == 2:  # in the time in which it waits for the first to fail too
        with pytest.raises(Ended):
            main(["fail", *arguments])
    else:
        assert main(["fail", *arguments]) == code
    assert capsys.readouterr() == ("", "")


class Ended(Exception):
    """The launcher has ended this process."""


def ended(seconds: float) -> None:
    raise Ended


@pytest.mark.usefixtures("failing_command")
def test_a_process_that_fails_alone_says_so_after_a_while(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    waits: list[float] = []
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setattr(time, "sleep", waits.append)
    assert main(["fail"]) == 2
    assert capsys.readouterr().err == "error: a fault\n  where: file.txt:3\n  expected: black\n  hint: paint it\n"
    assert waits == [PATIENCE]


def test_a_single_process_speaks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert speaks()
    LogHandler().emit(logging.LogRecord("nerbridge", logging.WARNING, "", 0, "heard", None, None))
    assert capsys.readouterr().err == "heard\n"
