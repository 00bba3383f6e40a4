"""What the flows share: a model that is trained in seconds, and the command that uses it."""

from pathlib import Path

import pytest
from predicting import Outcome, Predict, in_process
from tagged_runs import make_run


@pytest.fixture(scope="session")
def tagged_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run folder whose tiny model knows `builders.four_sentences` by heart."""
    return make_run(tmp_path_factory.mktemp("tagged") / "run")


@pytest.fixture
def predict(tagged_run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Predict:
    """Calls `nerbridge predict` with the tagged run (or another `model`) in this process."""

    def call(*arguments: object, stdin: bytes = b"", model: Path = tagged_run) -> Outcome:
        return in_process(model, capsys, monkeypatch, *arguments, stdin=stdin)

    return call
