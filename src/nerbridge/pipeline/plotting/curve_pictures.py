"""Runs -> the picture of their scores over training."""

from collections.abc import Mapping
from typing import Any

from nerbridge.errors import BundleError
from nerbridge.pipeline.plotting.album import Album
from nerbridge.pipeline.plotting.curves import Curves, Mark, read_curves
from nerbridge.pipeline.plotting.lines import draw_curves
from nerbridge.pipeline.plotting.request import PlottedRun

TITLE = "scores on dev while training"


def add_curves(runs: Mapping[str, PlottedRun], album: Album) -> None:
    """Add the picture where a run has curves; of runs without any that is said.

    Raises BundleError for such a run when the picture was asked for.
    """
    panels: dict[str, Curves] = {}
    for name, run in runs.items():
        try:
            panels[name] = read_curves(run.folder or run.model)
        except BundleError as fault:
            if album.request.insists("curves"):
                raise
            album.say(f"{name}: no curves, {fault.what}")
    if panels:
        album.add(
            "curves",
            lambda paths: draw_curves(panels, paths, title=TITLE),
            [_record(name, mark) for name, curves in panels.items() for mark in curves.marks],
            {name: len(curves.marks) for name, curves in panels.items()},
        )


def _record(run: str, mark: Mark) -> dict[str, Any]:
    return {
        "run": run,
        "stage": mark.stage,
        "step": mark.step,
        "total": mark.total,
        "name": mark.name,
        "value": mark.value,
    }
