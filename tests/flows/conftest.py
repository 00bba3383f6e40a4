"""What the flows share: a model that is trained in seconds, and the command that uses it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from predicting import Outcome, Predict, in_process
from tagged_runs import make_run

from tiny_project import write_project


@pytest.fixture(scope="session")
def tagged_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder whose tiny model knows `builders.four_sentences` by heart."""
    return make_run(tmp_path_factory.mktemp("tagged") / "run")


@pytest.fixture
def project_with_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder: a tiny project with raw text of its own, chess.txt; one thread, a cache of its own."""
    folder = write_project(tmp_path / "project")
    (folder / "chess.txt").write_text("Ada sang in London. Bob wrote to the band.\n" * 4, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(folder / "cache"))
    monkeypatch.delenv("NERBRIDGE_DATA", raising=False)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield folder
    torch.set_num_threads(threads)


@pytest.fixture
def predict(tagged_run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Predict:
    """Calls `nerbridge predict` with the tagged run (or another `model`) in this process."""

    def call(*arguments: object, stdin: bytes = b"", model: Path = tagged_run) -> Outcome:
        return in_process(model, capsys, monkeypatch, *arguments, stdin=stdin)

    return call
