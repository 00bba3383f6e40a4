"""The README's examples, executed: a user's own files, a tiny encoder in the place of the packaged one."""

import contextlib
import io
import shlex
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import documents
import pytest

from builders import tiny_folder

SAMPLE = {"train.txt": "target_train.txt", "test.txt": "target_test.txt", "news.txt": "source_train.txt"}


@pytest.fixture(scope="module")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a random transformer."""
    return tiny_folder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture
def user_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of a user with train.txt, test.txt and news.txt."""
    sample = files("nerbridge.pipeline") / "sample"
    for name, packaged in SAMPLE.items():
        (tmp_path / name).write_text((sample / packaged).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(tmp_path / "cache"))
    return tmp_path


def readme_blocks(language: str) -> list[str]:
    return [block.text for block in documents.blocks(language) if block.page.name == "README.md"]


@pytest.mark.slow
def test_the_python_example_runs(user_folder: Path, tiny_encoder: Path) -> None:
    (example,) = readme_blocks("python")
    assert 'encoder="minilm"' in example
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(example.replace('"minilm"', repr(str(tiny_encoder))), {})
    assert printed.getvalue().splitlines()[-1] == "0.5 1.0 0.6666666666666666"
    assert (user_folder / "runs" / "chess" / "report.html").is_file()


@pytest.mark.slow
def test_the_commands_for_own_files_run(user_folder: Path, tiny_encoder: Path) -> None:
    _, fetch, adapt, predict, with_raw_text = (block.strip() for block in readme_blocks("sh"))
    assert fetch == "nerbridge data fetch conll2003 --data-root data"
    short = f"--encoder {tiny_encoder} --set training.target.epochs=2 --set training.source.epochs=1"
    adapted = run_shell(f"{with_own_source(adapt)} {short}")
    assert adapted.stdout.splitlines()[0].split()[:2] == ["split", "F1"]
    assert (user_folder / "runs" / "chess" / "report.html").is_file()
    predicted = run_shell(predict)
    assert '"text": "Garry Kasparov opened with the Sicilian Defence in Linares."' in predicted.stdout
    write_raw_text(user_folder)
    keys = ("epochs=1", "batch_rows=8", "head_steps=1", "length=64")
    small = " ".join(f"--set pretraining.{key}" for key in keys)
    adapted = run_shell(f"{with_own_source(with_raw_text)} {short} {small} --set selection.min_words=100")
    assert adapted.stdout.splitlines()[0].split()[:2] == ["split", "F1"]
    assert "at most 1 epoch of 512 pieces" in adapted.stderr
    assert (user_folder / "runs" / "chess-raw" / "raw_text.json").is_file()


def with_own_source(command: str) -> str:
    """The command with a file of the user's in the place of the public data set."""
    assert command.count("--source conll2003 --data-root data") == 1
    return command.replace("--source conll2003 --data-root data", "--source news.txt")


def write_raw_text(folder: Path) -> None:
    """papers/ and lists/, made of the words and the names of train.txt and news.txt."""
    sentences = [
        [line.split("\t") for line in block.splitlines()]
        for name in ("train.txt", "news.txt")
        for block in (folder / name).read_text(encoding="utf-8").strip().split("\n\n")
    ]
    (folder / "papers").mkdir()
    (folder / "lists").mkdir()
    paragraphs = "\n".join(" ".join(word for word, *_ in sentence) for sentence in sentences)
    (folder / "papers" / "text.txt").write_text(paragraphs, encoding="utf-8")
    names: dict[str, list[str]] = {}
    for word, tag in (pair for sentence in sentences for pair in sentence):
        if tag.startswith("B-"):
            names.setdefault(tag[2:], []).append(word)
    for label, found in names.items():
        (folder / "lists" / f"{label}.txt").write_text("\n".join(dict.fromkeys(found)), encoding="utf-8")


def run_shell(line: str) -> subprocess.CompletedProcess[str]:
    """What a README line does in bash, with the program of this environment; it must succeed."""
    program = f"{shlex.quote(sys.executable)} -m nerbridge"
    done = subprocess.run(
        [shutil.which("bash") or "bash", "-c", line.replace("nerbridge", program, 1)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done
