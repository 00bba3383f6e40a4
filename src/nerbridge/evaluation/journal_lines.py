"""What a line of a run's journal can be, and what it cannot: no training writes a share of 7.5 or a step below 0."""

import json
import sys
from collections.abc import Mapping
from typing import Any

_PERPLEXITY = "perplexity"  # how the names of perplexities begin
_SHARES = ("f1", "precision", "recall", "accuracy", "share")  # words in the names of numbers from 0 to 1

_LARGEST = sys.float_info.max  # what JSON writes beyond it is no number that can be drawn


def read_line(line: bytes | str) -> dict[str, Any] | None:
    """The event of a line; None for a damaged one, which is no JSON object or holds what cannot be."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):  # no JSON, no UTF-8, or nested without end
        return None
    return event if isinstance(event, dict) and not impossible(event) else None


def impossible(event: Mapping[str, Any]) -> str:
    """The first thing in an event that cannot be, such as 'f1 7.5'; empty where all can.

    A step is a whole number from 0. Of an evaluation all numbers are finite, shares from 0 to 1 and perplexities above
    0; null stands for a number that JSON lacks.
    """
    step = event.get("step", 0)
    if isinstance(step, bool) or not isinstance(step, int) or step < 0:
        return f"step {step}"
    numbers = event if event.get("event") == "evaluation" else {}
    return next((f"{name} {value}" for name, value in numbers.items() if not _can_be(name, value)), "")


def _can_be(name: str, value: object) -> bool:
    is_perplexity, is_share = name.startswith(_PERPLEXITY), _is_share(name)
    if value is None:
        return True
    if isinstance(value, bool) or not isinstance(value, int | float):
        return not is_perplexity and not is_share
    lowest, highest = (0.0, 1.0) if is_share else (-_LARGEST, _LARGEST)
    return lowest <= value <= highest and not (is_perplexity and value <= 0)


def _is_share(name: str) -> bool:
    """'f1 DOMAIN', 'boundary_f1', 'share_of_most_common_tag': before the domain one word is of a share."""
    return any(word in _SHARES for word in name.partition(" ")[0].split("_"))
