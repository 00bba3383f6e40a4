"""Which format `nerbridge predict` writes, and whether its options fit that."""

from pathlib import Path
from types import MappingProxyType

from nerbridge.cli.console import console
from nerbridge.errors import ConfigError

SUFFIXES = MappingProxyType(
    {
        **dict.fromkeys((".jsonl", ".ndjson", ".json"), "jsonl"),
        **dict.fromkeys((".conll", ".bio", ".iob", ".iob2", ".tsv", ".txt"), "conll"),
        **dict.fromkeys((".html", ".htm"), "html"),
    }
)
FOR_EVERYTHING = ".txt"  # a suffix that contradicts no format


def choose_format(wanted: str | None, output: Path | None) -> str:
    """The format to write: as `wanted`, else by the suffix of `output`, else JSON lines; a contradiction is said."""
    suffix = output.suffix.lower() if output is not None else ""
    named = SUFFIXES.get(suffix)
    if wanted is None:
        if named is None and suffix:
            console.warning(f"'{output}' is written as JSON lines: no format goes with '{suffix}'; --format names one")
        return named or "jsonl"
    if named not in (None, wanted) and suffix != FOR_EVERYTHING:
        console.warning(f"'{output}' is written as {wanted}, as --format says; its suffix means {named}")
    return wanted


def refuse_idle_options(format: str, *, scheme: str | None, offsets: str | None) -> None:
    """Raises ConfigError for an option that has no effect on `format`."""
    for option, value, needed in (("--scheme", scheme, "conll"), ("--offsets", offsets, "jsonl")):
        if value is not None and format != needed:
            raise ConfigError(
                f"{option} {value} has no effect on {format}",
                where=option,
                expected=f"{option} with the format {needed} only",
                hint=f"leave {option} out, or write {needed}: --format {needed}",
            )
