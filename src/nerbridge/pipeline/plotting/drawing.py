"""The pictures, through matplotlib: points of words, a panel for each run; lines of scores, a panel for each run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from nerbridge.errors import MissingExtraError
from nerbridge.pipeline.plotting.curves import PERPLEXITY, Curves
from nerbridge.pipeline.plotting.words import OUTSIDE

By = Literal["both", "label", "domain"]
MARKERS = ("o", "*", "^", "s", "D", "v", "P", "X")
PANEL = 4.5  # inches, wide and high
SEVERAL_COLOURS, MANY_COLOURS = 10, 20  # of the two palettes; more labels take theirs from a circle of hues


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a picture."""

    x: float
    y: float
    group: str
    domain: str


def check_drawing() -> None:
    """Raises MissingExtraError without matplotlib."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot")


def draw_dots(panels: Mapping[str, Sequence[Dot]], paths: Sequence[Path], *, title: str, by: By) -> None:
    """Points by label in colours, by domain in shapes; `by` one of them alone: the colours tell that one.

    panels: title -> points; each has axes of its own, since t-SNE places every run anew.
    """
    every = [dot for dots in panels.values() for dot in dots]
    domains = list(dict.fromkeys(dot.domain for dot in every))
    groups = domains if by == "domain" else _ordered({dot.group for dot in every})
    shapes = dict(zip(domains, (MARKERS * len(domains))[: len(domains)], strict=True)) if by == "both" else {}

    def draw(figure: Any) -> None:
        colours = _colours(groups)
        axes = figure.subplots(1, len(panels), squeeze=False)[0]
        for one, (name, dots) in zip(axes, panels.items(), strict=True):
            for domain in domains:
                chosen = [dot for dot in dots if dot.domain == domain]
                told = [dot.domain if by == "domain" else dot.group for dot in chosen]
                marks = {"marker": shapes.get(domain, "o"), "s": 22 if shapes.get(domain) == "*" else 9}
                places = [dot.x for dot in chosen], [dot.y for dot in chosen]
                one.scatter(*places, c=[colours[group] for group in told], linewidths=0, alpha=0.75, **marks)
            one.set_title(_plain(name), fontsize=9)
            one.set_xticks([])
            one.set_yticks([])
        figure.legend(handles=_keys(colours, shapes), loc="outside right upper", fontsize=8, frameon=False)

    _write(draw, paths, title=title, columns=len(panels), rows=1)


def draw_curves(panels: Mapping[str, Curves], paths: Sequence[Path], *, title: str) -> None:
    """Scores over training steps, in percent; below them perplexities, where a language model was learnt too."""
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves.names))
    rows = [[name for name in names if name.startswith(PERPLEXITY) is below] for below in (False, True)]
    shown = [row for row in rows if row]

    def draw(figure: Any) -> None:
        colours = _colours(names)
        grid = figure.subplots(len(shown), len(panels), squeeze=False, sharey="row")
        for number, (name, curves) in enumerate(panels.items()):
            grid[0][number].set_title(_plain(name), fontsize=9)
            for axes, wanted in zip((line[number] for line in grid), shown, strict=True):
                _draw_lines(axes, curves, {name: colours[name] for name in wanted})
            grid[-1][number].set_xlabel("training steps")
        for line, wanted in zip(grid, shown, strict=True):
            below = wanted[0].startswith(PERPLEXITY)
            line[0].set_ylabel("perplexity" if below else "score on dev, percent")
            if below:
                line[0].set_yscale("log")

    _write(draw, paths, title=title, columns=len(panels), rows=len(shown))


def _draw_lines(axes: Any, curves: Curves, colours: Mapping[str, Any]) -> None:
    for name, colour in colours.items():
        marks = [mark for mark in curves.marks if mark.name == name]
        scale = 1 if name.startswith(PERPLEXITY) else 100
        for stage in dict.fromkeys(mark.stage for mark in marks):
            points = [(mark.total, scale * mark.value) for mark in marks if mark.stage == stage]
            first = stage == marks[0].stage
            axes.plot(*zip(*points, strict=True), marker=".", color=colour, label=_plain(name) if first else None)
    for stage, start in curves.borders.items():
        axes.axvline(start, color="grey", linewidth=0.8, linestyle=":")
        named = {"xytext": (3, -3), "textcoords": "offset points", "va": "top", "fontsize": 7, "color": "grey"}
        axes.annotate(_plain(stage), (start, 1), xycoords=("data", "axes fraction"), **named)
    axes.grid(axis="y", alpha=0.3)
    if axes.lines:
        axes.legend(fontsize=8)


def _ordered(groups: set[str]) -> list[str]:
    """By name, O last."""
    return sorted(groups, key=lambda group: (group == OUTSIDE, group))


def _colours(groups: Sequence[str]) -> dict[str, Any]:
    from matplotlib import colormaps

    named = [group for group in groups if group != OUTSIDE]
    if len(named) <= MANY_COLOURS:
        palette = colormaps["tab10" if len(named) <= SEVERAL_COLOURS else "tab20"]
        colours = {group: palette(number) for number, group in enumerate(named)}
    else:
        colours = {group: colormaps["hsv"](number / len(named)) for number, group in enumerate(named)}
    return colours | ({OUTSIDE: (0.75, 0.75, 0.75, 1.0)} if OUTSIDE in groups else {})


def _keys(colours: Mapping[str, Any], shapes: Mapping[str, str]) -> list[Any]:
    from matplotlib.lines import Line2D

    told = shapes if len(shapes) > 1 else {}  # a single domain needs no shape

    def key(marker: str, colour: Any, name: str) -> Any:
        return Line2D([], [], linestyle="", markersize=5, marker=marker, color=colour, label=_plain(name))

    colour_keys = [key("o", colour, name) for name, colour in colours.items()]
    return [*colour_keys, *(key(shape, "black", name) for name, shape in told.items())]


def _write(draw: Callable[[Any], None], paths: Sequence[Path], *, title: str, columns: int, rows: int) -> None:
    check_drawing()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=(PANEL * columns + 1.5, PANEL * rows + 0.5), layout="constrained")
    with rc_context({"svg.hashsalt": "nerbridge", "svg.fonttype": "none"}):  # the same points, the same file
        draw(figure)
        figure.suptitle(_plain(title), fontsize=10)
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


def _plain(text: str) -> str:
    """`text` as it is: a dollar would begin a formula."""
    return text.replace("$", r"\$")
