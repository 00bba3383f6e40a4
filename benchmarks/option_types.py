"""What options of benches may be: each type reads a text, or says in one line what is wrong with it."""

import argparse
from collections.abc import Callable, Collection
from typing import TypeVar

from crossner_cells import gpus

Item = TypeVar("Item")


def positive(text: str) -> int:
    """A whole number above 0."""
    number = _number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not above 0")
    return number


def some_gpus(text: str) -> tuple[int, ...]:
    """At least one GPU: '4' -> the first four, '2,3' -> those with these numbers."""
    found = gpus(text)
    if not found or min(found) < 0:
        raise argparse.ArgumentTypeError(f"'{text}' names no GPU")
    return found


def seeds(text: str) -> tuple[int, ...]:
    """'1,2,3', each one once, none below 0."""
    numbers = _once([_number(part) for part in text.split(",")], text)
    if min(numbers) < 0:
        raise argparse.ArgumentTypeError(f"a seed of '{text}' is below 0")
    return numbers


def percents(text: str) -> tuple[int, ...]:
    """'1,25,100', each one once, from 1 to 100."""
    numbers = _once([_number(part) for part in text.split(",")], text)
    if min(numbers) < 1 or max(numbers) > 100:
        raise argparse.ArgumentTypeError(f"a share of '{text}' is not from 1 to 100 percent")
    return numbers


def names(*known: str) -> Callable[[str], tuple[str, ...]]:
    """Names separated by ',', each one once; of `known` ones where there are any."""

    def read(text: str) -> tuple[str, ...]:
        found = _once([part.strip() for part in text.split(",") if part.strip()], text)
        for name in (name for name in found if known and name not in known):
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(known)}")
        return found

    return read


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number") from None


def _once(items: Collection[Item], text: str) -> tuple[Item, ...]:
    if len(set(items)) < len(items):
        raise argparse.ArgumentTypeError(f"'{text}' names one twice")
    return tuple(items)
