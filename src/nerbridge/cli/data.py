"""Data sets and your own files: list, fetch, check, count, compare, convert, sample."""

from collections.abc import Callable, Mapping

from nerbridge.cli import data_check, data_fetch, data_list

COMMANDS: Mapping[str, Callable[..., None]] = {
    "list": data_list.command,
    "fetch": data_fetch.command,
    "check": data_check.command,
}
