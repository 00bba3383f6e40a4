"""Text of our own for pre-training: paragraphs that the tiny tokenizers can spell."""

import random
from pathlib import Path
from typing import Any

from builders import WORDS
from nerbridge.config.pretraining import PretrainingSettings

SMALL: dict[str, Any] = {
    "length": 32,
    "batch_rows": 4,
    "max_steps": 6,
    "head_steps": 2,
    "evaluate_every": 3,
    "held_out_pieces": 60,
    "learning_rate": 1e-3,
}


def small_settings(**changes: Any) -> PretrainingSettings:
    """A pre-training of seconds."""
    return PretrainingSettings(**{**SMALL, **changes})


def paragraphs(number: int = 60, *, seed: int = 3, longest: int = 50) -> list[str]:
    """`number` paragraphs of 1 to `longest` words."""
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, longest))) for _ in range(number)]


def text_file(path: Path, number: int = 60, **options: Any) -> Path:
    """A text file with one paragraph per line."""
    path.write_text("\n".join(paragraphs(number, **options)) + "\n", encoding="utf-8")
    return path
