"""`nerbridge report`: the HTML report of a run folder, built again."""

from pathlib import Path
from typing import Annotated

import typer

from nerbridge.cli.console import console


def command(
    run: Annotated[Path, typer.Argument(help="Run folder; seed-* folders inside it become one report.")],
    split: Annotated[
        str | None, typer.Option(help="Split to report on (default: test, or dev without test).", show_default=False)
    ] = None,
) -> None:
    """Rebuild the report of a run.

    Writes report.html from the files of the run folder and prints its path.
    """
    from nerbridge.evaluation.run_report import write_run_report

    console.result(str(write_run_report(run, split=split)))
