"""The command line as a whole: speed of help, streams, exit codes, and errors in four parts."""

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nerbridge
from nerbridge.cli import app, main
from nerbridge.cli.console import console, format_table, visible
from nerbridge.cli.train_options import parse_seeds
from nerbridge.errors import ConfigError, DataError

OWN = ("adapt", "--target-train", "train.txt", "--source", "train.txt")
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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            ["adapt", "--target-train", "train.txt"],
            "error: no data root was given, and 'conll2003'",
        ),
        (["adapt", "--target-train", "tain.txt", "--source", ""], "does not exist\n"),
        (["adapt", "--target-train", "train.txt", "--set", "training.key=1"], "training.key: there is no such key"),
        ([*OWN, "--raw", "tex.txt"], "/tex.txt' does not exist\n"),
        ([*OWN, "--raw", "a*.txt"], "/a*.txt'\n  where: "),
        ([*OWN, "--raw", "text.txt", "--gazetteer", "lists"], "error: there are no lists of names at 'lists'\n"),
        ([*OWN, "--encoder", "word_char", "--vectors", "v.txt"], "/v.txt'\n  where: encoder.vectors\n"),
        (
            [*OWN, "--context", "parameter_generation", "--raw", "text.txt", "--raw-source", "tex.txt"],
            "/tex.txt' does not exist\n",
        ),
        (["pretrain", "tain.txt", "-o", "out"], "error: 'tain.txt' is not there\n"),
        (["pretrain", "text.txt", "-o", "out", "--set", "key=1"], "key: there is no such key"),
    ],
)
def test_wrong_keys_and_paths_are_found_before_anything_heavy_is_imported(
    line: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NERBRIDGE_DATA", raising=False)
    (tmp_path / "train.txt").write_text("Ada B-person\nsang O\n", encoding="utf-8")
    (tmp_path / "text.txt").write_text("Ada sang.\n", encoding="utf-8")
    program = f"import sys\nfrom nerbridge.cli import main\nassert main({line!r}) == 2\n"
    program += "print([name for name in ('torch', 'transformers') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    assert message in done.stderr


@pytest.mark.parametrize("path", command_paths(), ids=" ".join)
def test_every_help_is_there(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*path, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: {' '.join(['nerbridge', *path])} ")


def test_help_loads_only_what_the_command_line_is_made_of() -> None:
    program = "import sys; from nerbridge.cli import main; main(['data', '--help'])\n"
    program += "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stderr.split()
    assert {"nerbridge", "typer"} <= set(loaded)
    assert not {"torch", "transformers", "tokenizers", "datasets", "numpy", "pandas", "sklearn"} & set(loaded)


def test_help_is_fast() -> None:
    """In the processor time of a child that only imports the libraries, so that the machine does not matter."""
    libraries, help_ = "import pydantic, typer, rich.table", "from nerbridge.cli import main; main(['data', '--help'])"
    assert min(seconds(help_) for _ in range(3)) < 4 * min(seconds(libraries) for _ in range(3))


def seconds(program: str) -> float:
    before = os.times()
    subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system)


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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("predict bundle --output a --output=b", "--output is given 2 times"),
        ("adapt --target-dev a --json --target-dev b --target-dev c", "--target-dev is given 3 times"),
        ("corpus build text --field a --field b", "--field is given 2 times"),
    ],
)
def test_no_value_of_an_option_is_lost_to_another(line: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(line.split()) == 2
    err = capsys.readouterr().err
    assert f"error: {said}, and would be read from the last alone" in err
    assert "hint: leave all but one out" in err


def test_flags_and_options_of_several_values_may_be_repeated(capsys: pytest.CaptureFixture[str]) -> None:
    app.run(["predict", "nowhere", "--whole-file", "--whole-file", "--read", "a=1", "--read", "b=2"])
    assert "times" not in capsys.readouterr().err


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


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def command() -> None:
        """Fail."""
        raise error

    monkeypatch.setattr(app, "COMMANDS", {"fail": command})


def test_a_path_that_cannot_be_made_has_a_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, FileNotFoundError(errno.ENOENT, "No such file or directory", "/proc/run"))
    assert main(["fail"]) == 2
    assert capsys.readouterr().err.endswith(
        "  hint: a part of this path is not there and cannot be made there: check it, or choose another place\n"
    )


def test_what_the_machine_refuses_has_four_parts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, OSError(errno.ENOSPC, "No space left on device", ".partial", None, "run/scores.json"))
    assert main(["fail"]) == 2
    assert capsys.readouterr() == (
        "",
        "error: the disk is full: No space left on device\n"
        "  where: run/scores.json\n"
        "  expected: files and folders that can be read and written, and room on the disk\n"
        "  hint: make room, or choose another place; then run the same command again: where it keeps finished steps, "
        "it goes on\n",
    )
    assert main(["--verbose", "fail"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_too_little_memory_has_four_parts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    raising(monkeypatch, MemoryError("Unable to allocate 947. GiB"))
    assert main(["fail"]) == 2
    assert capsys.readouterr() == (
        "",
        "error: there is not enough memory: Unable to allocate 947. GiB\n"
        "  where: this process\n"
        "  expected: settings and files whose work fits into the memory of the machine\n"
        "  hint: lower the setting that asks for so much, give the machine more, or end what else runs on it\n",
    )


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (
            "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to "
            "allocate 1600000000 bytes. Error code 12 (Cannot allocate memory)",
            "can't allocate memory: you tried to allocate 1600000000 bytes. Error code 12 (Cannot allocate memory)",
        ),
        ("CUDA out of memory. Tried to allocate 20.00 GiB.\nmore", "CUDA out of memory. Tried to allocate 20.00 GiB."),
    ],
)
def test_too_little_memory_for_torch_is_said_the_same_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str, shown: str
) -> None:
    raising(monkeypatch, RuntimeError(said))
    assert main(["fail"]) == 2
    captured = capsys.readouterr()
    assert captured.err.splitlines()[0] == f"error: there is not enough memory: {shown}"
    assert len(captured.err.splitlines()) == 4


def test_ctrl_c_ends_every_command_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, KeyboardInterrupt())
    assert main(["fail"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_a_name_that_is_not_utf_8_has_four_parts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, UnicodeEncodeError("utf-8", '"caf\udce9.txt"', 4, 5, "surrogates not allowed"))
    assert main(["fail"]) == 2
    assert capsys.readouterr().err.startswith("error: a name holds bytes that are not UTF-8: '\"caf\\udce9.txt\"'\n")


def test_a_reader_that_has_seen_enough_ends_every_command_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdout", "stderr"):  # they are wrapped, which must not reach other tests
        monkeypatch.setattr(sys, stream, io.StringIO())
    raising(monkeypatch, BrokenPipeError(errno.EPIPE, "Broken pipe"))
    assert main(["fail"]) == 141


def test_closed_streams_are_replaced_before_a_file_takes_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, stream, None)
    console.prepare_streams()
    assert sys.stdin.read() == ""
    print("nowhere")
    for opened in (sys.stdin, sys.stdout, sys.stderr):
        opened.close()


def test_notes_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    console.note("report  runs/\x1b[31mred/report.html\n")
    assert capsys.readouterr().err == "report  runs/\\x1b[31mred/report.html\n\n"


def test_json_is_json_in_every_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in for letters that a stream cannot take, such as \\xe9, is no JSON."""
    value = {"word": "Zoë 🙂 \udce9"}
    for encoding in ("ascii", "latin-1", "utf-8"):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
        monkeypatch.setattr(sys, "stdout", stream)
        console.json(value)
        stream.flush()
        assert json.loads(stream.buffer.getvalue()) == value  # type: ignore[attr-defined]


def test_ctrl_c_while_the_program_starts_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(app, "run", interrupted)
    assert main(["--help"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


def test_work_goes_on_where_stderr_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sys, "stderr", Full())
    console.note("report  run/report.html")
    raising(monkeypatch, OSError(errno.ENOSPC, "No space left on device", "run/scores.json"))
    assert main(["fail"]) == 2


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("adapt --epochs 5", "--set training.target.epochs=5"),
        ("adapt --transfer joint --epochs=5", "--set training.joint.epochs=5"),
        ("train recipe.toml --lr 1e-4", "--set training.target.learning_rate=1e-4"),
        ("adapt --batch-size", "--set training.target.batch_sentences=..."),
        ("adapt --seed 3", "--set seed=3"),
        ("sweep recipe.toml --dropout 0.2", "--set tagger.dropout=0.2"),
        ("pretrain own.txt --max-steps 5", "--set max_steps=5"),
        ("pretrain own.txt --batch-size=5", "--set batch_rows=5"),
        ("pretrain own.txt --model elmo --lr 1e-4", "--set learning_rate=1e-4"),
        ("pretrain own.txt --model elmo --max-words 9", "--set max_words=9"),
        ("pretrain own.txt --max-words 9", "`nerbridge pretrain --help` lists its arguments and options"),
        ("pretrain own.txt --dropout 0.2", "`nerbridge pretrain --help` lists its arguments and options"),
        ("adapt --pretrain-nothing 3", "`nerbridge adapt --help` lists its arguments and options"),
        ("predict --epochs 3", "`nerbridge predict --help` lists its arguments and options"),
        (
            "train --device cpu",
            "a GPU is used where torch finds one; "
            "the variable CUDA_VISIBLE_DEVICES chooses, and empty it leaves the CPU",
        ),
    ],
)
def test_an_option_that_is_a_setting_is_said_as_one(line: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"  hint: {hint}"
