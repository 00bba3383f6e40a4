"""What a line of a run's journal can be, and what it cannot: no training writes a share of 7.5 or a step below 0."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.wording import counted

_PERPLEXITY = "perplexity"  # how the names of perplexities begin
_SHARES = ("f1", "precision", "recall", "accuracy", "share")  # words in the names of numbers from 0 to 1

_LARGEST = sys.float_info.max  # what JSON writes beyond it is no number that can be drawn


def read_line(line: bytes | str) -> dict[str, Any] | None:
    """The event of a line; None for a damaged one, which is no JSON object or holds what cannot be."""
    try:
        return _event(line)
    except (ValueError, RecursionError):
        return None


def whole_lines(path: Path) -> tuple[list[bytes], str]:
    """The lines of a journal that hold what a run can have written, and what is said of the others: '2 damaged lines
    left out, the first is line 7: no JSON'; '' where there is none."""
    if not path.is_file():
        return [], ""
    lines = path.read_bytes().splitlines(keepends=True)
    faults = {number: fault for number, line in enumerate(lines, start=1) if (fault := _fault(line))}
    if not faults:
        return lines, ""
    number, fault = next(iter(faults.items()))
    first = "line" if len(faults) == 1 else "the first is line"
    said = f"{counted(len(faults), 'damaged line')} left out, {first} {number}: {fault}"
    return [line for number, line in enumerate(lines, start=1) if number not in faults], said


def _fault(line: bytes) -> str:
    """What is wrong with a line; empty where nothing is."""
    try:
        _event(line)
    except UnicodeDecodeError:
        return "no UTF-8"
    except json.JSONDecodeError:
        return "no JSON" if line.endswith(b"\n") else "cut off"
    except RecursionError:
        return "nested too deeply"
    except ValueError as fault:
        return str(fault)
    return "" if line.endswith(b"\n") else "cut off"


def _event(line: bytes | str) -> dict[str, Any]:
    """The event of a line. Raises ValueError, or RecursionError, for a damaged one."""
    event = json.loads(line if isinstance(line, str) else line.decode())  # as bytes, JSON guesses at UTF-16 and UTF-32
    if not isinstance(event, dict):
        raise ValueError("no JSON object")
    if wrong := impossible(event):
        raise ValueError(f"{wrong} cannot be")
    return event


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
