"""The folder of `nerbridge plot`: what cannot take pictures is refused before anything is loaded."""

import json
import os
from pathlib import Path

import pytest

from nerbridge.cli import main
from nerbridge.errors import ConfigError
from nerbridge.pipeline.plotting.output import check_output

FORMS = ("png", "svg", "csv")


@pytest.fixture(autouse=True)
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refusal(folder: str) -> str:
    before = sorted(Path.cwd().rglob("*"))
    with pytest.raises(ConfigError) as caught:
        check_output(Path(folder), [], FORMS)
    assert sorted(Path.cwd().rglob("*")) == before
    return str(caught.value)


@pytest.mark.parametrize("folder", ["new", "new/and/deeper", "there", ".", "there.png", "version-1.2"])
def test_a_folder_that_is_there_or_can_be_made_is_taken_and_not_made(folder: str) -> None:
    for name in ("there", "there.png"):
        Path(name).mkdir()
    check_output(Path(folder), [], FORMS)
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["there", "there.png"]


@pytest.mark.parametrize("folder", ["notes", "notes/plots/of-a-run"])
def test_a_file_in_the_place_of_the_folder_or_above_it(folder: str) -> None:
    Path("notes").write_text("mine")
    assert refusal(folder) == (
        "'notes' is no folder\n"
        "  where: --output\n"
        "  expected: a folder, or the path of one that can be made\n"
        "  hint: --output ANOTHER_FOLDER"
    )


def test_a_link_that_leads_nowhere_is_no_folder() -> None:
    Path("link").symlink_to("nowhere")
    assert refusal("link/plots").startswith("'link' is no folder\n")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("pictures/states.PNG", "--output pictures/states --formats png"),
        ("cells.jsonl", "--output cells --coordinates jsonl"),
    ],
)
def test_the_name_of_a_picture_is_none_of_a_folder(name: str, hint: str) -> None:
    assert refusal(name) == (
        f"'{name}' has the name of a file\n"
        "  where: --output\n"
        "  expected: a folder: the files in it are called states, cells and curves\n"
        f"  hint: {hint}"
    )


def test_a_folder_in_the_place_of_a_picture_that_is_wanted() -> None:
    Path("plots/cells.svg").mkdir(parents=True)
    assert refusal("plots").startswith("'plots/cells.svg' is a folder, where a file is to be written\n")
    check_output(Path("plots"), ["states"], FORMS)
    check_output(Path("plots"), [], ["png", "csv"])


@pytest.mark.parametrize("folder", ["plots", "plots/new"])
def test_a_folder_that_cannot_be_written_to(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("plots").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != "plots")  # the superuser may write everywhere
    assert refusal(folder) == (
        "you may not write to 'plots'\n"
        "  where: --output\n"
        "  expected: a folder that can be written to\n"
        "  hint: --output ANOTHER_FOLDER, or change the permissions of this one"
    )


def test_the_command_looks_at_it_before_data_and_model(capsys: pytest.CaptureFixture[str]) -> None:
    run = Path("run")
    run.mkdir()
    (run / "bundle.json").write_text(json.dumps("damaged"))
    Path("notes").write_text("mine")
    assert main(["plot", "run", "--data", "nowhere.txt", "--output", "notes"]) == 2
    assert capsys.readouterr().err.startswith("error: 'notes' is no folder\n")
    assert main(["plot", "run", "--data", "nowhere.txt", "--output", "plots"]) == 2
    assert capsys.readouterr().err.startswith("error: 'nowhere.txt' does not exist\n")
