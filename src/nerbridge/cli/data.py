"""Look at data sets and files, convert them."""

from collections.abc import Callable, Mapping

from nerbridge.cli import data_check, data_convert, data_fetch, data_list, data_overlap, data_sample, data_stats

COMMANDS: Mapping[str, Callable[..., None]] = {
    "list": data_list.command,
    "fetch": data_fetch.command,
    "check": data_check.command,
    "stats": data_stats.command,
    "overlap": data_overlap.command,
    "convert": data_convert.command,
    "sample": data_sample.command,
}
