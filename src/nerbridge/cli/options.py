"""Options that mean the same in every command that has them."""

from pathlib import Path
from typing import Annotated

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of every random choice.")]
DataRootOption = Annotated[
    Path | None,
    typer.Option("--data-root", envvar="NERBRIDGE_DATA", help="Folder of the public data sets.", show_default=False),
]
