"""Points of words as a picture, a panel for each run: colours and shapes tell labels and domains."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from nerbridge.pipeline.plotting.drawing import PANEL, colours_of, plain, write_picture
from nerbridge.pipeline.plotting.words import OUTSIDE

By = Literal["both", "label", "domain"]
MARKERS = ("o", "*", "^", "s", "D", "v", "P", "X")
KEYS = 28  # of a legend, one below the other beside a panel; more stand in columns
COLUMN = 1.3  # inches, of one more column of keys


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a picture."""

    x: float
    y: float
    group: str
    domain: str


@dataclass(frozen=True)
class Legend:
    """What colours and shapes tell, the same in every picture that is drawn with it.

    groups: labels by name, O last; domains: as they come. Both take colours and shapes in their order.
    """

    by: By
    groups: Sequence[str]
    domains: Sequence[str]

    @classmethod
    def of(cls, dots: Collection[Dot], by: By) -> "Legend":
        """For the points of one or more pictures. by: both: labels have colours, domains shapes; else colours alone."""
        groups = sorted({dot.group for dot in dots}, key=lambda group: (group == OUTSIDE, group))
        return cls(by, groups, list(dict.fromkeys(dot.domain for dot in dots)))

    def told(self, dot: Dot) -> str:
        """What the colour of a point tells."""
        return dot.domain if self.by == "domain" else dot.group

    def colours(self) -> dict[str, Any]:
        """By label, or by domain."""
        return colours_of(self.domains if self.by == "domain" else self.groups)

    def shapes(self) -> dict[str, str]:
        """By domain; empty where shapes tell nothing."""
        several = self.by == "both" and len(self.domains) > 1
        return {domain: MARKERS[number % len(MARKERS)] for number, domain in enumerate(self.domains) if several}


def draw_dots(panels: Mapping[str, Sequence[Dot]], paths: Sequence[Path], *, title: str, legend: Legend) -> str:
    """The points of one picture, beside them the keys of those labels and domains that it has.

    panels: title -> points; each has axes of its own, since t-SNE places every run anew. Returns the characters
    that the font lacks.
    """
    keys = _keys([dot for dots in panels.values() for dot in dots], legend)
    columns = -(-len(keys) // KEYS)

    def draw(figure: Any) -> None:
        grid = figure.subplots(1, len(panels), squeeze=False)
        for axes, (name, dots) in zip(grid[0], panels.items(), strict=True):
            _draw_panel(axes, dots, legend)
            axes.set_title(plain(name), fontsize=9)
        figure.legend(handles=keys, loc="outside right upper", fontsize=8, frameon=False, ncols=columns)

    size = PANEL * len(panels) + 1.5 + COLUMN * (columns - 1), PANEL + 0.5
    return write_picture(draw, paths, title=title, size=size, middle=PANEL * len(panels) / size[0] / 2)


def _draw_panel(axes: Any, dots: Sequence[Dot], legend: Legend) -> None:
    colours, shapes = legend.colours(), legend.shapes()
    for domain in legend.domains:
        chosen = [dot for dot in dots if dot.domain == domain]
        marker = shapes.get(domain, "o")
        axes.scatter(
            [dot.x for dot in chosen],
            [dot.y for dot in chosen],
            c=[colours[legend.told(dot)] for dot in chosen],
            marker=marker,
            s=22 if marker == "*" else 9,
            linewidths=0,
            alpha=0.75,
        )
    axes.set_xticks([])
    axes.set_yticks([])


def _keys(dots: Iterable[Dot], legend: Legend) -> list[Any]:
    """Of the colours and shapes that `dots` have."""
    from matplotlib.lines import Line2D

    shown = {name for dot in dots for name in (("colour", legend.told(dot)), ("shape", dot.domain))}
    looks = [("o", colour, name) for name, colour in legend.colours().items() if ("colour", name) in shown]
    looks += [(shape, "black", name) for name, shape in legend.shapes().items() if ("shape", name) in shown]
    return [
        Line2D([], [], linestyle="", markersize=5, marker=marker, color=colour, label=plain(name))
        for marker, colour, name in looks
    ]
