"""`nerbridge plot` with data of several domains: each is read as the domain that training knew it by."""

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from running import Runner

from builders import batch, four_sentences, tiny_tagger
from nerbridge.assembly.bundle import load_bundle
from nerbridge.cli import main
from nerbridge.config.context import MultiCellSettings
from nerbridge.pipeline.plotting import state_pictures
from nerbridge.pipeline.plotting.states import cell_states, hidden_states
from nerbridge.pipeline.plotting.words import Choice, Labelled, choose_words
from tiny_project import write_project

SMALL = {"kind": "word_char", "vectors": "none", "word_width": 8, "character_width": 4, "character_hidden": 4}
AS_MUSIC = (
    "the tagger knows the domains news, music, but not 'project': "
    "the sentences of test.txt are read as those of music\n"
)


def run_of(project: Path, kind: str, **context: Any) -> Path:
    """A run that learns news and music at once over a context of this kind."""
    news = str(project / "news.txt")
    tables: dict[str, Any] = {
        "source": [{"files": [{"train": news, "dev": news, "domain": "news"}]}],
        "encoder": SMALL,
        "context": {"kind": kind, "hidden": 8, **context},
        "tagger": {"kind": "crf"},
        "transfer": {"kind": "multi_task", "streams": ["source/tags", "target/tags"]},
        "training": {"epochs": 1, "learning_rate": 0.01, "head_learning_rate": 0.01, "batch_sentences": 8},
    }
    return Runner(project).run(kind, **tables).folder


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the finished runs `multi_cell` and `parameter_generation`."""
    project = write_project(tmp_path_factory.mktemp("domains") / "project")
    run_of(project, "multi_cell")
    run_of(project, "parameter_generation")
    return project


@pytest.fixture
def project(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "project"))


def plot(project: Path, run: str, what: str) -> list[dict[str, str]]:
    """The coordinates of both domains' words."""
    data = ["--data", str(project / "news.txt"), "--data", str(project / "test.txt")]
    asked = ["plot", str(project / run), *data, "--what", what, "--formats", "svg", "--perplexity", "4"]
    assert main([*asked, "--words", "12"]) == 0
    with (project / run / "plots" / f"{what}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_words_of_the_source_are_read_at_its_own_cells(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = plot(project, "multi_cell", "cells")
    cells = {name: {row["cell"] for row in rows if row["domain"] == name} for name in ("news.txt", "test.txt")}
    assert cells == {
        "news.txt": {"O", "location", "person"},
        "test.txt": {"O", "band", "location", "person"},
    }
    said = capsys.readouterr().err
    assert said.count(" are read as ") == 1  # a file is known by its name, or by the folder of a train.txt
    assert f"\nmulti_cell: {AS_MUSIC}" in said


def test_a_tagger_of_one_domain_reads_all_files_as_that_one(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = {"kind": "multi_cell", "hidden": 8}
    Runner(project).run("alone", context=cells, encoder=SMALL, source=[], transfer={"kind": "direct"})
    capsys.readouterr()
    plot(project, "alone", "states")
    said = [line for line in capsys.readouterr().err.splitlines() if " are read as " in line]
    assert said == [
        f"alone: the tagger knows one domain only, music: the sentences of {name} are read as those of music"
        for name in ("news.txt", "test.txt")
    ]


@pytest.mark.parametrize("run", ["multi_cell", "parameter_generation"])
def test_states_are_those_of_each_domain(
    project: Path, run: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []

    def reading(*given: Any) -> Any:
        read.append((given[-1], hidden_states(*given)))
        return read[-1][1]

    monkeypatch.setattr(state_pictures, "hidden_states", reading)
    plot(project, run, "states")
    assert [place for place, _ in read] == ["news", "music"]
    assert f"\n{run}: {AS_MUSIC}" in capsys.readouterr().err
    model = load_bundle(project / run / "model").model
    assert model.domains == ("music",)
    words = choose_words(Labelled("four", four_sentences()), Choice(), model.head("music").vocabulary.labels, {})
    mine, other = (hidden_states(model, four_sentences(), words, domain) for domain in ("news", "music"))
    assert not (mine.vectors == other.vectors).all()


@pytest.mark.parametrize("context", [{"kind": "bilstm"}, {"kind": "multi_cell", "one_cell": True}])
def test_where_all_domains_have_the_same_states_nothing_is_said(
    project: Path, context: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    kind = context.pop("kind")
    shutil.rmtree(project / kind, ignore_errors=True)
    run_of(project, kind, **context)
    capsys.readouterr()
    plot(project, kind, "states")
    assert "are read as" not in capsys.readouterr().err


def test_cells_of_a_domain_are_read_without_a_head() -> None:
    labels = {"news": ("location", "person"), "music": ("organisation", "person")}
    model = tiny_tagger(context=MultiCellSettings(hidden=8, labels=labels), domains=("music",)).eval()
    (sentences, known) = four_sentences(), model.head("music").vocabulary.labels
    words = choose_words(Labelled("four", sentences), Choice(words=3), known, {})
    states = cell_states(model, sentences, words, "news")
    assert states.groups[:3] == ["O", "location", "person"]
    with torch.inference_mode():
        made = batch(model, sentences, "music")
        expected = model.context.reading(model.encoder(made.inputs), made.mask, ("news", "tags")).cells  # type: ignore[operator]
    first = expected[words[0].sentence, words[0].place]
    assert torch.allclose(torch.from_numpy(states.vectors[:3]), first, atol=1e-5)
