"""A tiny project with raw text and lists of names."""

import random
from pathlib import Path
from typing import Any

from builders import WORDS

# So small that a step is a blink; the tiny encoder needs a new head.
PRETRAINING: dict[str, Any] = {
    "length": 32,
    "batch_rows": 4,
    "max_steps": 4,
    "head_steps": 1,
    "evaluate_every": 2,
    "held_out_pieces": 60,
    "checkpoint_seconds": 0.0,
}
NAMES = {"band": "band\nsociety band\n", "person": "ada lovelace\nbob\n", "location": "london\nthe royal society\n"}
SENTENCES = ("the band sang with ada lovelace .", "bob wrote to the royal society in london .", "they sang in london .")


def write_raw(folder: Path, *, seed: int = 1, number: int = 60) -> Path:
    """raw.txt: paragraphs, each with names and with words in an order of its own; and lists/<label>.txt."""
    chance = random.Random(seed)
    lines = [f"{' '.join(chance.choices(WORDS, k=12))} . {SENTENCES[n % 3]}" for n in range(number)]
    (folder / "raw.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "lists").mkdir(exist_ok=True)
    for label, names in NAMES.items():
        (folder / "lists" / f"{label}.txt").write_text(names, encoding="utf-8")
    return folder


def raw_tables(folder: Path, **tables: Any) -> dict[str, Any]:
    """The tables of raw text; `tables` replace keys inside them."""
    default: dict[str, dict[str, Any]] = {
        "corpus": {"files": [str(folder / "raw.txt")], "filters": {"similarity": "none"}},
        "gazetteer": {"files": [str(folder / "lists")], "case": "lower", "ordinary": "keep"},
        "selection": {"level": "integrated", "min_words": 50},
        "pretraining": PRETRAINING,
    }
    return {name: {**table, **tables.get(name, {})} for name, table in default.items()}
