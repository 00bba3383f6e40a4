"""Options that mean the same in every command that has them."""

from pathlib import Path
from typing import Annotated

import typer

from nerbridge.errors import ConfigError

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of every random choice.")]
DataRootOption = Annotated[
    Path | None,
    typer.Option("--data-root", envvar="NERBRIDGE_DATA", help="Folder of the public data sets.", show_default=False),
]


def required_root(data_root: Path | None) -> Path:
    """`data_root`, which must have been given and must be a folder; raises ConfigError otherwise."""
    if data_root is None:
        raise ConfigError(
            "no data root was given",
            where="--data-root and the environment variable NERBRIDGE_DATA",
            expected="the folder that holds the public data sets",
            hint="nerbridge data fetch NAME --data-root FOLDER",
        )
    if not data_root.is_dir():
        raise ConfigError(
            f"the data root '{data_root}' is not a folder",
            where="--data-root or the environment variable NERBRIDGE_DATA",
            expected="the folder that holds the public data sets",
            hint=f"nerbridge data fetch NAME --data-root {data_root}",
        )
    return data_root
