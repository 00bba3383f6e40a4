"""Data sets and your own files: list, fetch, check, count, compare, convert, sample."""

from collections.abc import Callable, Mapping

COMMANDS: Mapping[str, Callable[..., None]] = {}
