"""`nerbridge report`: the HTML report of a run folder or of a sweep, built again."""

from pathlib import Path
from typing import Annotated

import typer

from nerbridge.cli.console import console


def command(
    run: Annotated[Path, typer.Argument(help="Run folder, with or without seed-* folders, or the folder of a sweep.")],
    split: Annotated[
        str | None, typer.Option(help="Split to report on (default: test, or dev without test).", show_default=False)
    ] = None,
) -> None:
    """Rebuild the report of a run, or the page of a sweep.

    Writes report.html from the files of the folder and prints its path; the report of a split that is not the default
    one is report-SPLIT.html. Of a sweep the page holds its table.
    """
    from nerbridge.evaluation.run_folder import SWEEP

    if (run / SWEEP).is_file():
        from nerbridge.pipeline.sweep.page import write_sweep_page

        console.result(str(write_sweep_page(run, metric=split)))
        return
    from nerbridge.evaluation.run_report import write_run_report

    console.result(str(write_run_report(run, split=split)))
