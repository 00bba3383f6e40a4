"""A tiny project with raw text and lists of names, and what a run of it did step by step."""

import random
from pathlib import Path
from typing import Any

from running import Runner

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
RAW_STEPS = ("corpus", "level", "pre-training")


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


def steps(runner: Runner) -> dict[str, str]:
    """Step -> 'made' or 'reused', as the last run said; stages of training too."""
    found: dict[str, str] = {}
    for line in runner.said:
        if line.startswith("corpus   ") and "words" in line:
            found["corpus"] = "reused" if "already built" in line else "made"
        elif line.startswith("level    ") and "times the corpus" in line:
            found["level"] = "reused" if "already chosen" in line else "made"
        elif line.startswith("already pre-trained"):
            found["pre-training"] = "reused"
        elif line.startswith("pre-training: "):
            found.setdefault("pre-training", "made")
    trained = {"trained": "made", "reused": "reused"}
    return {**found, **{name: trained[word] for name, word in runner.stages().items()}}
