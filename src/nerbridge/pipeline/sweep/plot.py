"""The picture of a sweep, through matplotlib: lines with error bars over numbers, bars over categories."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nerbridge.errors import MissingExtraError
from nerbridge.pipeline.sweep.lines import Picture, Point, picture
from nerbridge.pipeline.sweep.outcome import SweepResult

FILES = ("plot.png", "plot.svg")
CROWDED = 24  # bars; numbers on more would cover each other, a legend would cover them
LEGEND_INSIDE = 6  # lines; the legend of more stands beside the picture


def draw_plot(result: SweepResult, folder: Path) -> list[Path]:
    """Writes plot.png and plot.svg to `folder` and returns their paths; none where there is nothing to draw.

    Raises MissingExtraError without matplotlib.
    """
    drawn = picture(result)
    if drawn is None:
        return []
    paths = [folder / name for name in FILES]
    draw_picture(drawn, paths, title=_title(drawn, result), unit=f"{result.metric} F1")
    return paths


def draw_picture(drawn: Picture, paths: Sequence[Path], *, title: str, unit: str, width: float = 7.0) -> None:
    """Writes the picture to every path, in the form that its suffix names.

    unit: what the vertical axis shows. width: inches. Raises MissingExtraError without matplotlib.
    """
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 4.5), layout="constrained")
    axes = figure.subplots()
    _draw_numbers(axes, drawn) if drawn.numeric else _draw_categories(axes, drawn)
    _label(axes, drawn, title, unit)
    with rc_context({"svg.hashsalt": "nerbridge", "svg.fonttype": "none"}):  # the same sweep, the same file
        for path in paths:
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


def _draw_numbers(axes: Any, drawn: Picture) -> None:
    for name, points in drawn.lines.items():
        places = [point.x for point in points]
        axes.errorbar(
            places, [point.y for point in points], yerr=_errors(points), marker="o", capsize=3, label=_plain(name)
        )
    if drawn.logarithmic:
        axes.set_xscale("log")
    ticks = {point.x: point.name for points in drawn.lines.values() for point in points}
    axes.set_xticks(list(ticks), [_plain(name) if name != "none" else f"all ({x:.0f})" for x, name in ticks.items()])
    axes.minorticks_off()


def _draw_categories(axes: Any, drawn: Picture) -> None:
    width = 0.8 / len(drawn.lines)
    for number, (name, points) in enumerate(drawn.lines.items()):
        shift = width * (number - (len(drawn.lines) - 1) / 2)
        bars = axes.bar(
            [point.x + shift for point in points],
            [point.y for point in points],
            width,
            yerr=_errors(points),
            capsize=3,
            label=_plain(name),
        )
        if not _is_crowded(drawn):
            axes.bar_label(bars, fmt="%.1f", padding=2, fontsize=8)
    names = {point.x: point.name for points in drawn.lines.values() for point in points}
    axes.set_xticks(list(names), [_plain(name) for name in names.values()])
    if sum(map(len, names.values())) > 60:
        axes.tick_params(axis="x", rotation=30)
    axes.set_ylim(bottom=0, top=axes.get_ylim()[1] * 1.05)


def _is_crowded(drawn: Picture) -> bool:
    return not drawn.numeric and sum(len(points) for points in drawn.lines.values()) > CROWDED


def _errors(points: Sequence[Point]) -> list[float] | None:
    """Deviations over seeds; none for single runs."""
    found = [point.deviation for point in points]
    return [deviation or 0.0 for deviation in found] if any(one is not None for one in found) else None


def _title(drawn: Picture, result: SweepResult) -> str:
    average = "average over targets, " if drawn.averaged else ""
    seeds = len(result.plan.seeds)
    spread = f", mean and deviation over {seeds} seeds" if seeds > 1 else ""
    return f"{result.plan.cells[0].experiment.name}: {average}{result.metric} F1{spread}"


def _label(axes: Any, drawn: Picture, title: str, unit: str) -> None:
    axes.set_title(_plain(title), fontsize=10)
    axes.set_xlabel(_plain(drawn.axis))
    axes.set_ylabel(unit)
    axes.grid(axis="y", alpha=0.3)
    if list(drawn.lines) != [""]:
        outside = len(drawn.lines) > LEGEND_INSIDE or _is_crowded(drawn)
        axes.legend(fontsize=8, **({"loc": "center left", "bbox_to_anchor": (1.0, 0.5)} if outside else {}))


def _plain(text: str) -> str:
    """`text` as it is: a dollar would begin a formula."""
    return text.replace("$", r"\$")
