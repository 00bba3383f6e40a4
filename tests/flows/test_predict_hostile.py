"""`nerbridge predict` and hostile input: a right result, or a message of four parts and exit code 2; no traceback.

What is sound is tagged all the same. Every case runs in this process, and as a slow test in one of its own.
"""

import gzip
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from predicting import Predict, found, in_its_own_process, installed, records

pytestmark = pytest.mark.xdist_group("predict")  # one process trains the tiny model


def lines_of(*lines: bytes) -> bytes:
    return b"\n".join(lines) + b"\n"


GOOD = b"Bob sang"
HOSTILE_TEXT: dict[str, tuple[str, bytes, list[list[str]], str]] = {
    "latin-1": (
        "a.txt",
        lines_of(GOOD, b"Beyonc\xe9 sang", b"Ada Lovelace wrote"),
        [["Bob"], ["Ada Lovelace"]],
        "error: 1 input was left out, 2 tagged\n"
        "  the bytes at offset 15 are not utf-8\n"
        "    at {path}:2\n"
        "  where: {path}:2\n"
        "  expected: text encoded in utf-8\n"
        "  hint: if the file is latin-1, read it with `--encoding latin-1` or convert it with iconv\n",
    ),
    "nul": (
        "a.txt",
        lines_of(b"b\0b", GOOD, b"b\0b"),
        [["Bob"]],
        "error: 2 inputs were left out, 1 tagged\n"
        "  character 2 of the line is NUL\n"
        "    at {path}:1\n"
        "  character 2 of the line is NUL\n"
        "    at {path}:3\n"
        "  where: {path}:1\n"
        "  expected: text without NUL characters\n"
        "  hint: the file is binary, damaged, or UTF-16; the last reads with `--encoding utf-16`\n",
    ),
    "truncated gzip": (
        "a.txt.gz",
        gzip.compress(lines_of(GOOD, GOOD))[:-4],
        [["Bob"], ["Bob"]],
        "error: 1 input was left out, 2 tagged\n"
        "  the gzip file is damaged: Compressed file ended before the end-of-stream marker was reached\n"
        "    at {path}\n"
        "  where: {path}\n"
        "  expected: a whole gzip file\n"
        "  hint: fetch or compress the file again; `gzip -t` checks it\n",
    ),
    "broken json": (
        "a.jsonl",
        lines_of(b'{"text": "Bob sang"}', b'{"text": "Bob'),
        [["Bob"]],
        "error: 1 input was left out, 1 tagged\n"
        "  the line is not JSON: Unterminated string starting at\n"
        "    at {path}:2\n"
        "  where: {path}:2\n"
        '  expected: an object with a string "text" or a list "words"\n'
        '  hint: a line looks like {{"text": "Ada Lovelace wrote."}} or '
        '{{"words": ["Ada", "Lovelace", "wrote", "."]}}\n',
    ),
    "3,000 words": ("a.txt", b"Bob sang " * 1500, [["Bob"] * 1500], ""),
    "100,000 characters": ("a.txt", b"x" * 100_000 + b" and Bob sang", [["Bob"]], ""),
    "invisible words": ("a.txt", "\u200b \u2060 \ufeff\x07 Bob sang".encode(), [["Bob"]], ""),
    "emoji and accents": ("a.txt", "🙂👩‍👧 Bo\u0301b sang".encode(), [["Bo\u0301b"]], ""),
    "empty": ("a.txt", b"", [], "warning: there was nothing to tag in '{path}'\n"),
    "empty whole": ("a.jsonl", b"\n \n", [], "warning: there was nothing to tag in '{path}'\n"),
}


def check_hostile_text(call: Callable[..., tuple[int, str, str]], folder: Path, name: str) -> None:
    file, content, entities, message = HOSTILE_TEXT[name]
    path = folder / file
    path.write_bytes(content)
    code, out, err = call(path)
    summary, _, said = err.partition("\n")
    assert re.match(r"\d+ texts?, [\d,]+ words?, [\d,]+ entit(y|ies), [\d,]+ words per second, \d+ words? ", summary)
    assert said == message.format(path=path)
    assert code == (2 if message.startswith("error: ") else 0)
    if name == "3,000 words":  # the last entity of a sentence of many windows is there
        assert records(out)[0]["entities"][-1]["start"] > 13_000
    elif name in ("latin-1", "nul", "truncated gzip", "broken json", "empty", "empty whole"):
        assert found(out) == entities
    else:
        assert "Traceback" not in err
        assert [record["text"] for record in records(out)] == [content.decode()]
        found(out)


@pytest.mark.parametrize("name", HOSTILE_TEXT)
def test_hostile_text(predict: Predict, tmp_path: Path, name: str) -> None:
    check_hostile_text(predict, tmp_path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_TEXT)
def test_hostile_text_in_a_process(tagged_run: Path, tmp_path: Path, name: str) -> None:
    check_hostile_text(lambda path: in_its_own_process(tagged_run, path), tmp_path, name)


@pytest.mark.parametrize("through", ["process", pytest.param("installed", marks=pytest.mark.slow)])
def test_a_folder_and_a_missing_file(tagged_run: Path, predict: Predict, tmp_path: Path, through: str) -> None:
    call = predict if through == "process" else lambda *arguments: installed(tagged_run, *arguments)
    assert call(tmp_path) == (
        2,
        "",
        f"error: '{tmp_path}' is a folder\n"
        f"  where: {tmp_path}\n  expected: a file\n  hint: name one of the files in it\n",
    )
    (tmp_path / "text.txt").write_bytes(GOOD)
    code, out, err = call(tmp_path / "test.txt", tmp_path / "text.txt")
    assert (code, found(out)) == (2, [["Bob"]])
    assert err.partition("\n")[2] == (
        "error: 1 input was left out, 1 tagged\n"
        f"  '{tmp_path}/test.txt' does not exist\n    at {tmp_path}/test.txt\n"
        f"  where: {tmp_path}/test.txt\n  expected: a file\n  hint: nearest is '{tmp_path}/text.txt'\n"
    )


DAMAGE: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no bundle.json": (lambda model: (model / "bundle.json").unlink(), "there is no model in '{run}'", "{model}"),
    "no weights": (
        lambda model: (model / "model.safetensors").unlink(),
        "the bundle has no readable model.safetensors",
        "{model}/model.safetensors",
    ),
    "short weights": (
        lambda model: (model / "model.safetensors").write_bytes((model / "model.safetensors").read_bytes()[:-9]),
        "",
        "{model}/model.safetensors",
    ),
    "half bundle.json": (
        lambda model: (model / "bundle.json").write_text((model / "bundle.json").read_text()[:99]),
        "bundle.json is damaged: ",
        "{model}/bundle.json",
    ),
    "no encoder": (lambda model: shutil.rmtree(model / "encoder"), "the bundle has no ", "{model}/encoder"),
    "no tokenizer": (lambda model: (model / "encoder" / "tokenizer.json").unlink(), "", "{model}/encoder"),
    "half tokenizer": (
        lambda model: (model / "encoder" / "tokenizer.json").write_text("{"),
        "",
        "{model}/encoder",
    ),
    "half encoder": (lambda model: (model / "encoder" / "config.json").write_text("{"), "", "{model}/encoder"),
    "no encoder config": (lambda model: (model / "encoder" / "config.json").unlink(), "", "{model}/encoder"),
}


def check_damage(call: Callable[..., tuple[int, str, str]], tagged_run: Path, folder: Path, name: str) -> None:
    damage, what, where = DAMAGE[name]
    damaged = Path(shutil.copytree(tagged_run, folder / "run"))
    model = damaged / "stage" / "model"
    damage(model)
    code, out, err = call(damaged)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert lines[0].startswith("error: " + what.format(run=damaged))
    for part, start in (("where", where.format(model=model)), ("expected", ""), ("hint", "")):
        (line,) = [line for line in lines if line.startswith(f"  {part}: ")]
        assert re.match(rf"  {part}: {re.escape(start)}", line)
        assert len(line) > len(f"  {part}: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_run_is_named(tagged_run: Path, predict: Predict, tmp_path: Path, name: str) -> None:
    check_damage(lambda folder: predict(model=folder, stdin=GOOD), tagged_run, tmp_path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_run_is_named_in_a_process(tagged_run: Path, tmp_path: Path, name: str) -> None:
    check_damage(lambda folder: in_its_own_process(folder, stdin=GOOD), tagged_run, tmp_path, name)


def test_an_input_is_never_replaced_by_the_output(predict: Predict, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(GOOD)
    (tmp_path / "link.txt").symlink_to("a.txt")
    for output in (path, tmp_path / "link.txt"):
        code, out, err = predict(path, "-o", output)
        assert (code, out) == (2, "")
        assert err == (
            f"error: '{output}' is a file that is read\n"
            "  where: --output\n  expected: another path\n  hint: write to a new file, then move it\n"
        )
        assert path.read_bytes() == GOOD


@pytest.mark.parametrize("encoding", ["rot13", "utf-16", "undefined"])
def test_encodings_that_do_not_fit(predict: Predict, encoding: str) -> None:
    code, out, err = predict("--encoding", encoding, stdin=GOOD)
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert "  hint: " in err
