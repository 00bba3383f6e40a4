"""What can be wrong with the sources of an adaptation, said in the options of `nerbridge adapt`."""

from difflib import get_close_matches
from pathlib import Path

from nerbridge.config.missing import nearest_file
from nerbridge.data.registry import card_names
from nerbridge.errors import ConfigError


def check_sources(transfer: str | None, source: tuple[str, ...]) -> None:
    """Raises ConfigError for sources that the transfer does not use, and for a transfer that lacks one."""
    if transfer == "direct" and source:
        raise ConfigError(
            f"direct transfer has no source, but --source names {', '.join(source)}",
            where="--transfer with --source",
            expected="--transfer direct alone, or another transfer with a source",
            hint="leave --source out, or choose --transfer sequential",
        )
    if transfer in ("sequential", "joint") and not source:
        raise ConfigError(
            f"{transfer} transfer needs a source, but --source '' names none",
            where="--transfer with --source",
            expected="a registered data set or a labelled file to learn from first",
            hint="name a --source, or choose --transfer direct",
        )


def no_source(name: str) -> ConfigError:
    """The error of a source that is nothing, with the nearest file or registered name."""
    near: str | Path | None = nearest_file(Path(name))
    if near is None:
        near = next(iter(get_close_matches(name, card_names(), n=1)), None)
    listed = "`nerbridge data list` describes the registered ones; --source '' trains on the target alone"
    return ConfigError(
        f"source '{name}' is neither a registered data set nor a file",
        where="--source",
        expected=f"one of {', '.join(card_names())}, or the path of a labelled file",
        hint=listed if near is None else f"nearest is '{near}'; {listed}",
    )
