"""Build corpora of raw text, choose sentences from them."""

from collections.abc import Callable, Mapping

from nerbridge.cli import corpus_build, corpus_select, corpus_stats

COMMANDS: Mapping[str, Callable[..., None]] = {
    "build": corpus_build.command,
    "select": corpus_select.command,
    "stats": corpus_stats.command,
}
