"""Runs and data -> pictures and the coordinates behind them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from nerbridge.errors import BundleError
from nerbridge.pipeline.plotting.album import Album, Drawn
from nerbridge.pipeline.plotting.curve_pictures import add_curves
from nerbridge.pipeline.plotting.drawing import check_drawing
from nerbridge.pipeline.plotting.projection import check_projection
from nerbridge.pipeline.plotting.request import PlotRequest, PlottedRun
from nerbridge.pipeline.plotting.state_pictures import add_states


def draw_plots(runs: Mapping[str, PlottedRun], folder: Path, request: PlotRequest, say: Callable[[str], None]) -> Drawn:
    """Write to `folder` states.png, states.csv and so on for every picture that is wanted and can be drawn.

    say: is told what was left out, what the pictures lack and what was chosen. Raises MissingExtraError before anything
    is loaded when a package is missing, ConfigError, BundleError or DataError when something that was asked for cannot
    be drawn.
    """
    check_drawing()
    album = Album(folder, request, say)
    if request.wants("states") or request.wants("cells"):
        check_projection()
        add_states(runs, album)
    if request.wants("curves"):
        add_curves(runs, album)
    if not album.drawn.files:
        raise BundleError(
            f"there is nothing to draw of {', '.join(runs)}",
            where=", ".join(str(run.folder or run.model) for run in runs.values()),
            expected="a tagger and labelled sentences, or a journal with evaluations",
            hint="name data with --data; `nerbridge train` leaves a journal in its run folder",
        )
    return album.drawn
