"""A project that trains in a blink: column files of a news and a music domain, a tiny encoder folder, a recipe."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from builders import tiny_folder

PEOPLE = ("ada", "bob", "lovelace", "ada lovelace")
PLACES = ("london", "the royal society")
PLAIN = ("sang", "wrote", "to", "in", "with", "the band sang")
NEWS = {"PER": PEOPLE, "LOC": PLACES}
MUSIC = {"person": PEOPLE, "location": PLACES, "band": ("band", "society band")}


def write_project(folder: Path) -> Path:
    """Writes news.txt, bands.txt, train.txt, dev.txt, test.txt and the encoder `encoder`; returns `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_columns(folder / "news.txt", draw(40, NEWS, seed=1))
    write_columns(folder / "bands.txt", draw(20, MUSIC, seed=2))
    write_columns(folder / "train.txt", draw(16, MUSIC, seed=3))
    write_columns(folder / "dev.txt", draw(8, MUSIC, seed=4))
    write_columns(folder / "test.txt", draw(10, MUSIC, seed=5))
    tiny_folder(folder / "encoder")
    return folder


Rows = Sequence[tuple[str, str]]  # word and tag


def draw(number: int, names: Mapping[str, Sequence[str]], *, seed: int) -> list[Rows]:
    """Sentences in which every label of `names` occurs, tagged BIO."""
    chance = random.Random(seed)
    sentences = []
    for count in range(number):
        labels = chance.sample(sorted(names), 2)
        rows = [("the", "O"), (f"{chance.choice('abcdefghijklmnopqrstuvwxyz')}{count}", "O")]
        for label in labels:
            rows += [(word, "O") for word in chance.choice(PLAIN).split()]
            words = chance.choice(names[label]).split()
            rows += [(word, f"{'I' if place else 'B'}-{label}") for place, word in enumerate(words)]
        sentences.append(rows)
    return sentences


def write_columns(path: Path, sentences: Sequence[Rows]) -> None:
    path.write_text(
        "\n".join("".join(f"{word}\t{tag}\n" for word, tag in rows) for rows in sentences), encoding="utf-8"
    )


def recipe(folder: Path, **tables: Any) -> dict[str, Any]:
    """The tables of a sequential recipe with two source stages; `tables` replace whole tables."""
    default: dict[str, Any] = {
        "name": "tiny",
        "source": [
            {"files": [{"train": str(folder / "news.txt"), "domain": "news"}]},
            {"files": [{"train": str(folder / "bands.txt"), "domain": "bands"}]},
        ],
        "target": {
            "files": {split: str(folder / f"{split}.txt") for split in ("train", "dev", "test")} | {"domain": "music"}
        },
        "encoder": {"kind": "transformer", "checkpoint": str(folder / "encoder")},
        "training": {
            "learning_rate": 1e-3,
            "batch_sentences": 4,
            "source": {"epochs": 1},
            "target": {"epochs": 3, "evaluate_every": 1.0},
        },
    }
    return {**default, **tables}


def write_recipe_file(folder: Path, **tables: Any) -> Path:
    """`recipe` as a file in `folder`."""
    path = folder / "recipe.toml"
    path.write_text(tomli_w.dumps(recipe(folder, **tables)), encoding="utf-8")
    return path
