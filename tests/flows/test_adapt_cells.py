"""`nerbridge adapt --context multi_cell`: with labels, with raw text and lists, and without labels."""

import json
from pathlib import Path

import pytest

import nerbridge
from nerbridge.cli import main


@pytest.fixture
def project(project_with_text: Path) -> Path:
    """With lists of names."""
    (project_with_text / "names").mkdir()
    for label, names in {"person": "Ada\nBob\n", "location": "London\n"}.items():
        (project_with_text / "names" / f"{label}.txt").write_text(names, encoding="utf-8")
    return project_with_text


SMALL = ("context.hidden=8", "training.joint.epochs=2")
ADAPT = (
    *("adapt", "--context", "multi_cell", "--source", "news.txt", "--output", "run", "--json"),
    *(part for one in SMALL for part in ("--set", one)),
)
LIGHT = ("--vectors", "none")
LABELS = ("--target-train", "train.txt", "--target-test", "test.txt")
TEXT = ("--raw", "chess.txt", "--gazetteer", "names")


@pytest.mark.parametrize(
    ("more", "streams"),
    [
        (LIGHT, "news/tags (40 sentences), project/tags (14 sentences), at most"),
        (
            (*LIGHT, *TEXT),
            "news/tags (40 sentences), project/tags (14 sentences), project/words (8 sentences), at most",
        ),
        (("--encoder", "encoder"), "news/tags (40 sentences), project/tags (14 sentences), at most"),
    ],
    ids=["labels", "labels, raw text and lists", "over a transformer"],
)
def test_with_labels(more: tuple[str, ...], streams: str, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main((*ADAPT, *LABELS, *more)) == 0
    out, err = capsys.readouterr()
    assert f"plan     1. multi-task: {streams} 2 epochs" in err
    assert ("the dictionary finds 12 names in raw text, location 4, person 8" in err) == ("--raw" in more)
    assert list(json.loads(out)["scores"]) == ["dev", "test"]
    assert main(("predict", "run", "chess.txt")) == 0


def test_without_labels_names_of_lists_teach_the_labels_of_the_source(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main((*ADAPT, *LIGHT, *TEXT)) == 0
    _, err = capsys.readouterr()
    assert "plan     1. multi-task: news/tags (36 sentences), chess/words (8 sentences), at most 2 epochs" in err
    assert "note     chess: label 'person' of the dictionary is read as 'PER'\n" in err
    assert "the dictionary finds 12 names in raw text, LOC 4, PER 8; 12 of 44 words are known by them\n" in err
    assert "note     zero-shot: no labelled sentence of chess is learnt" in err


def test_lists_without_raw_text_are_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main((*ADAPT, *LABELS, "--gazetteer", "names")) == 2
    assert capsys.readouterr().err == (
        "error: --gazetteer has no effect without raw text, in which its names would be looked up\n"
        "  where: --gazetteer with --context multi_cell\n"
        "  expected: --raw FILE with raw text of the new domain\n"
        "  hint: add --raw, or drop --gazetteer: cells learn their labels from labelled sentences\n"
    )


def test_from_python(project: Path) -> None:
    result = nerbridge.adapt(
        context="multi_cell", source="news.txt", raw="chess.txt", gazetteer="names", vectors="none", overrides=SMALL
    )
    assert result.found is not None
    assert result.found.sentences == 8
