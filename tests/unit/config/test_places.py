"""Relative paths of a recipe start from its folder, those of overrides from the current one."""

import os
from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.files import FilesSettings, domain_of
from nerbridge.config.loading import load_experiment, read_recipe
from nerbridge.config.places import anchored, portable
from nerbridge.errors import DataError
from nerbridge.pipeline.data import load_data

RECIPE = """
name = "moved"
[[source]]
datasets = ["conll2003"]
files = [{ train = "data/news.txt" }]
[target.files]
train = "data/chess.txt"
dev = "/elsewhere/dev.txt"
test = "../test.txt"
[encoder]
kind = "transformer"
checkpoint = "org/model"
"""


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recipe in project/; the current folder is another one."""
    (tmp_path / "project").mkdir()
    (tmp_path / "here").mkdir()
    path = tmp_path / "project" / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    return path


def test_paths_start_from_the_folder_of_the_recipe(recipe: Path, tmp_path: Path) -> None:
    experiment = load_experiment(Path("../project/recipe.toml"))
    assert experiment.source[0].files[0].train == str(tmp_path / "project/data/news.txt")
    files = experiment.target.files
    assert files is not None
    assert (files.train, files.dev, files.test) == (
        str(tmp_path / "project/data/chess.txt"),
        "/elsewhere/dev.txt",
        str(tmp_path / "test.txt"),
    )


def test_paths_of_overrides_start_from_the_current_folder(recipe: Path, tmp_path: Path) -> None:
    overrides = ["target.files.train=mine.txt", 'source.0.files=[{train = "../news.txt"}]', "target.files.dev=none"]
    experiment = load_experiment(recipe, overrides)
    files = experiment.target.files
    assert files is not None
    assert (files.train, files.dev) == (str(tmp_path / "here/mine.txt"), None)
    assert experiment.source[0].files[0].train == str(tmp_path / "news.txt")


def test_a_file_that_is_not_there_is_named_with_its_whole_path(recipe: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        load_data(load_experiment(recipe, ["source=[]", "transfer.kind=direct"]), None)
    assert caught.value.what == f"'{tmp_path / 'project/data/chess.txt'}' does not exist"


@pytest.mark.parametrize(
    ("checkpoint", "expected"),
    [
        ("org/model", "org/model"),
        ("encoders/mpnet", "{project}/encoders/mpnet"),
        ("./encoders/absent", "{project}/encoders/absent"),
        ("minilm", "minilm"),
        ("~/mpnet", "/home/somebody/mpnet"),
    ],
)
def test_an_encoder_is_a_folder_of_the_recipe_or_a_hub_name(
    recipe: Path, monkeypatch: pytest.MonkeyPatch, checkpoint: str, expected: str
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    for name in ("encoders/mpnet", "minilm"):
        (recipe.parent / name).mkdir(parents=True)
    recipe.write_text(RECIPE.replace("org/model", checkpoint), encoding="utf-8")
    assert load_experiment(recipe).encoder.checkpoint == expected.format(project=recipe.parent)


def test_a_recipe_from_a_pipe_lies_in_the_current_folder(recipe: Path, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.write(write, RECIPE.encode())
    os.close(write)
    assert read_recipe(Path(f"/dev/fd/{read}"))["target"]["files"]["train"] == str(tmp_path / "here/data/chess.txt")
    os.close(read)


def test_what_has_not_the_form_of_a_recipe_stays(tmp_path: Path) -> None:
    tables: dict[str, Any] = {"target": {"files": 3}, "source": "x", "encoder": {"checkpoint": 4}, "train": "a.txt"}
    assert anchored(tables, tmp_path) == tables


def test_a_recipe_that_lies_beside_its_data_can_be_moved_with_them(tmp_path: Path) -> None:
    tables = {
        "target": {"files": {"train": f"{tmp_path}/demo/data/a.txt", "test": "/elsewhere/b.txt"}},
        "encoder": {"checkpoint": f"{tmp_path}/demo/encoder"},
    }
    moved = portable(tables, tmp_path / "demo" / "run")
    assert moved == {
        "target": {"files": {"train": "../data/a.txt", "test": "/elsewhere/b.txt"}},
        "encoder": {"checkpoint": "../encoder"},
    }
    assert anchored(moved, tmp_path / "demo" / "run") == tables


@pytest.mark.parametrize(
    ("start", "place", "expected"),
    [
        ("/home/ada/chess/runs/a", "/home/ada/chess/train.txt", "../../train.txt"),
        ("/home/ada/chess/runs/a/seed-1", "/home/ada/chess/data/*.gz", "../../../data/*.gz"),
        ("/home/ada/chess/runs/a", "/home/ada/news.txt", "/home/ada/news.txt"),  # home is not moved as a whole
        ("/home/ada/runs/a", "/home/bob/news.txt", "/home/bob/news.txt"),
        ("/data/runs/a", "/data/news.txt", "/data/news.txt"),  # nor is a top folder
        ("/data/run", "/data/news.txt", "../news.txt"),  # but beside the run folder
        ("/here/runs/a", "/here/train.txt", "../../train.txt"),  # below the current folder
        ("/elsewhere/a", "/news.txt", "/news.txt"),
        ("/here/runs/a", "minilm", "minilm"),
    ],
)
def test_files_of_the_same_project_are_named_from_the_recipe(
    monkeypatch: pytest.MonkeyPatch, start: str, place: str, expected: str
) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    monkeypatch.setattr(Path, "cwd", lambda: Path("/here"))
    tables = {"corpus": {"files": [place]}}
    written = portable(tables, Path(start))
    assert written == {"corpus": {"files": [expected]}}
    if expected != "minilm":
        assert anchored(written, Path(start)) == tables


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/chess.txt", "chess"),
        ("chess/train.txt", "chess"),
        ("chess.v2.jsonl", "chess"),
        ("schön.txt", "schon"),
        ("Übung 1/train.txt", "Ubung-1"),
        ("Straße.txt", "Strasse"),
        ("啤酒.txt", "target"),
    ],
)
def test_a_domain_is_named_after_its_file(path: str, name: str) -> None:
    assert domain_of(path) == name
    assert FilesSettings(train=path).name == name
    assert FilesSettings(train=path, domain="given").name == "given"


def test_word_vectors_are_a_file_unless_they_are_the_packaged_ones(tmp_path: Path) -> None:
    def found(vectors: str) -> str:
        tables = {"encoder": {"kind": "word_char", "vectors": vectors}}
        text: str = anchored(tables, tmp_path)["encoder"]["vectors"]
        return text

    assert [found(name) for name in ("glove", "none")] == ["glove", "none"]
    assert found("vectors/words.txt") == str(tmp_path / "vectors" / "words.txt")
    (tmp_path / "minilm").mkdir()
    assert anchored({"encoder": {"checkpoint": "minilm"}}, tmp_path)["encoder"]["checkpoint"] == "minilm"
