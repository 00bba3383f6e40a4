"""Options that every command which trains has."""

from pathlib import Path
from typing import Annotated

import typer

from nerbridge.errors import ConfigError

OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Run folder.  [default: runs/NAME]", show_default=False)
]
SeedsOption = Annotated[
    str | None,
    typer.Option(
        "--seeds",
        metavar="N,N,...",
        help="Several seeds, such as 1,2,3: one run each, scores aggregated.",
        show_default=False,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override a setting: training.target.epochs=5 (repeatable).",
        show_default=False,
    ),
]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        envvar="NERBRIDGE_CACHE",
        help="Where finished source stages, corpora, names and encoders are kept.  [default: ~/.cache/nerbridge]",
        show_default=False,
    ),
]


def parse_seeds(text: str) -> list[int]:
    """'1,2,3' -> [1, 2, 3]. Raises ConfigError."""
    from nerbridge.config.base import HIGHEST_SEED

    parts = [part.strip() for part in text.split(",")]
    sound = all(part.isascii() and part.isdigit() and len(part) <= len(str(HIGHEST_SEED)) for part in parts)
    if not sound or len({int(part) for part in parts}) < len(parts) or max(map(int, parts)) > HIGHEST_SEED:
        raise ConfigError(
            f"seeds '{text}' cannot be read",
            where="--seeds",
            expected=f"different whole numbers from 0 to {HIGHEST_SEED}, separated by commas",
            hint="--seeds 1,2,3",
        )
    return [int(part) for part in parts]
