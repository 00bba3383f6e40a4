"""The pictures, through matplotlib: points of words, a panel for each run; lines of scores, a panel for each run."""

import io
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from nerbridge.errors import MissingExtraError
from nerbridge.evaluation.files import write_bytes
from nerbridge.pipeline.plotting.curves import PERPLEXITY, Curves
from nerbridge.pipeline.plotting.words import OUTSIDE

By = Literal["both", "label", "domain"]
MARKERS = ("o", "*", "^", "s", "D", "v", "P", "X")
PANEL = 4.5  # inches, wide and high
KEYS = 28  # of a legend, one below the other beside a panel; more stand in columns
COLUMN = 1.3  # inches, of one more column of keys
LONGEST = 40  # characters of a name in a picture; the coordinates have it whole
NO_GLYPH = re.compile(r"Glyph (\d+) .*missing from")  # how matplotlib's warning begins
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


def draw_dots(panels: Mapping[str, Sequence[Dot]], paths: Sequence[Path], *, title: str, by: By) -> str:
    """Points by label in colours, by domain in shapes; `by` one of them alone: the colours tell that one.

    panels: title -> points; each has axes of its own, since t-SNE places every run anew. Returns the characters
    that the font lacks.
    """
    every = [dot for dots in panels.values() for dot in dots]
    domains = list(dict.fromkeys(dot.domain for dot in every))
    groups = domains if by == "domain" else _ordered({dot.group for dot in every})
    shapes = dict(zip(domains, (MARKERS * len(domains))[: len(domains)], strict=True)) if by == "both" else {}
    columns = -(-(len(groups) + len(shapes)) // KEYS)

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
        figure.legend(
            handles=_keys(colours, shapes), loc="outside right upper", fontsize=8, frameon=False, ncols=columns
        )

    size = PANEL * len(panels) + 1.5 + COLUMN * (columns - 1), PANEL + 0.5
    return _write(draw, paths, title=title, size=size, middle=PANEL * len(panels) / size[0] / 2)


def draw_curves(panels: Mapping[str, Curves], paths: Sequence[Path], *, title: str) -> str:
    """Scores over training steps, in percent; below them perplexities, where a language model was learnt too.

    Returns the characters that the font lacks.
    """
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

    return _write(draw, paths, title=title, size=(PANEL * len(panels) + 1.5, PANEL * len(shown) + 0.5))


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


def _write(
    draw: Callable[[Any], None], paths: Sequence[Path], *, title: str, size: tuple[float, float], middle: float = 0.5
) -> str:
    """Write each of the pictures whole or not at all; the characters that the font lacks.

    middle: of the title, as a share of the width.
    """
    check_drawing()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    # the same points, the same file
    with rc_context({"svg.hashsalt": "nerbridge", "svg.fonttype": "none"}), _missing_glyphs() as missing:
        draw(figure)
        figure.suptitle(_plain(title), fontsize=10, x=middle)
        for path in paths:
            form, content = path.suffix[1:], io.BytesIO()
            figure.savefig(content, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
            write_bytes(path, content.getvalue())
    return "".join(sorted(missing))


@contextmanager
def _missing_glyphs() -> Iterator[set[str]]:
    """The characters that the font turns out to lack, instead of a warning for each of them and each file."""
    missing: set[str] = set()
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", message=NO_GLYPH.pattern)
        yield missing
    for one in caught:
        if found := NO_GLYPH.match(str(one.message)):
            missing.add(chr(int(found[1])))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)


def _plain(text: str) -> str:
    """`text` as it is, though not longer than a legend bears: a dollar would begin a formula."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
    shown = shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
    return shown.replace("$", r"\$")
