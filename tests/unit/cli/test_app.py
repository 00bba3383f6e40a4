"""The command line as a whole: speed of help, streams, exit codes, and errors in four parts."""

import os
import subprocess
import sys

import pytest

import nerbridge
from nerbridge.cli import app, main
from nerbridge.cli.console import console, format_table, visible
from nerbridge.cli.train_options import parse_seeds
from nerbridge.errors import ConfigError, DataError

HEAVY = ("torch", "transformers", "pydantic", "numpy", "matplotlib", "tokenizers", "accelerate", "jinja2", "rich")


def command_paths() -> list[tuple[str, ...]]:
    grouped = [(group, name) for group, module in app.GROUPS.items() for name in module.COMMANDS]
    return [(), *((group,) for group in app.GROUPS), *((name,) for name in app.COMMANDS), *grouped]


@pytest.fixture
def failing_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def command(bug: bool = False) -> None:
        """Fail."""
        if bug:
            raise RuntimeError("a bug")
        raise DataError("a \x1b[31mred\u200b fault", where="file.txt:3", expected="black", hint="paint it")

    monkeypatch.setattr(app, "COMMANDS", {"fail": command})


def test_no_command_imports_anything_heavy() -> None:
    program = f"import sys, nerbridge.cli.app as a; a.build_app(); print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("path", command_paths(), ids=" ".join)
def test_every_help_is_there(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*path, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: {' '.join(['nerbridge', *path])} ")


def test_help_is_fast() -> None:
    """Processor time of the child, because the machine of a test run has other things to do."""
    program = "import sys; from nerbridge.cli import main; sys.exit(main(['data', '--help']))"
    before = os.times()
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    after = os.times()
    assert (after.children_user - before.children_user) + (after.children_system - before.children_system) < 0.5


def test_version_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr() == (f"nerbridge {nerbridge.__version__}\n", "")


def test_an_unknown_command_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "no-such-thing"]) == 2
    assert capsys.readouterr() == (
        "",
        "error: no such command 'no-such-thing'\n"
        "  where: the command line of `nerbridge data`\n"
        "  expected: nerbridge data [OPTIONS] COMMAND [ARGS]...\n"
        "  hint: `nerbridge data --help` lists its arguments and options\n",
    )


def test_no_command_shows_the_help_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("Usage: nerbridge [OPTIONS] COMMAND")


def test_a_users_fault_has_four_parts_and_cannot_steer_the_terminal(
    failing_command: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fail"]) == 2
    assert capsys.readouterr() == (
        "",
        "error: a \\x1b[31mred\\u200b fault\n  where: file.txt:3\n  expected: black\n  hint: paint it\n",
    )


def test_a_bug_is_not_hidden(failing_command: None) -> None:
    with pytest.raises(RuntimeError, match="a bug"):
        main(["fail", "--bug"])


def test_table_aligns_numbers_right_and_text_left() -> None:
    rows = [("train", 1234, 0.5, None), ("dev", 7, 12.0, 3)]
    assert format_table(["split", "words", "share", "x"], rows) == (
        "split  words  share  x\n"
        "train  1,234   0.50  -\n"
        "dev        7  12.00  3"
    )  # fmt: skip


def test_visible_keeps_letters_and_line_ends() -> None:
    assert visible("né\n\t\x00\u200e😀") == "né\n\\t\\x00\\u200e😀"


def test_json_keeps_key_order_and_letters(capsys: pytest.CaptureFixture[str]) -> None:
    console.json({"b": "é", "a": [1]})
    assert capsys.readouterr().out == '{\n  "b": "é",\n  "a": [\n    1\n  ]\n}\n'


@pytest.mark.parametrize("text", ["4294967296", "9" * 5_000, "1,1", "-1", "1.5", "", "\u00b2"])
def test_seeds_that_cannot_be_used_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        parse_seeds(text)
