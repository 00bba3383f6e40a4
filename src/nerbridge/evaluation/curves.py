"""The learning curve of a report: values of a journal over training steps, as inline SVG."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

from nerbridge.evaluation.charts import WIDTH, cut, open_svg

_MAX_POINTS = 400  # per stage: more points than pixels only make the page heavy
_MAX_MARKED = 60  # up to here every point gets a circle
_LARGEST, _SMALLEST = 1e300, 1e-300  # beyond, scales of four quarters leave the range of numbers
_LEFT, _RIGHT, _TOP, _BOTTOM, _HEIGHT = 56, WIDTH - 16, 44, 184, 210

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StageCurve:
    """One stage's points (step, value), steps rising over all stages; it begins behind step `start`."""

    name: str
    start: float
    points: list[Point]


@dataclass(frozen=True, slots=True)
class Curve:
    """The stages of one run, laid end to end; `end` is its last step."""

    name: str
    stages: tuple[StageCurve, ...]
    end: float

    @property
    def values(self) -> list[float]:
        return [value for stage in self.stages for _, value in stage.points]


def read_curve(name: str, journal: Iterable[Mapping[str, object]], key: str) -> Curve:
    """The values of `key` in a journal.

    journal: rows with step, stage and some of loss, dev_f1; rows without a finite number under `key` are passed over.
    A stage whose steps start again at 0 is laid behind the one before.
    """
    stages: list[StageCurve] = []
    offset = end = 0.0
    for row in journal:
        step, stage, value = _finite(row.get("step")), str(row.get("stage") or ""), _finite(row.get(key))
        if step is None:
            continue
        if not stages or stages[-1].name != stage:
            offset = end if step + offset < end else offset
            stages.append(StageCurve(stage, end, []))
        end = max(end, step + offset)
        if value is not None:
            stages[-1].points.append((step + offset, value))
    return Curve(name, tuple(stages), end)


def _finite(value: object) -> float | None:
    """`value` as a number that can be drawn; None for anything else, such as the huge integers that JSON may hold."""
    try:
        number = float(value) if isinstance(value, int | float) else math.inf
    except OverflowError:
        return None
    return number if abs(number) < _LARGEST else None


def draw_curves(curves: Sequence[Curve], *, title: str, percent: bool = False) -> Markup:
    """The curves of several runs in one panel, a line per stage; "" where there is nothing to draw.

    percent: the values are fractions, shown times 100 on an axis from 0 to 100.
    """
    values = [value for curve in curves for value in curve.values]
    if not values:
        return Markup("")
    last = max(max(curve.end for curve in curves), 1.0)
    low, high = (0.0, 1.0) if percent else (-_round_up(-min(values)), _round_up(max(values)))
    scale = _Scale(last, low, high if high > low else low + 1)
    parts = [open_svg(_HEIGHT, title), f'<text class="title" x="{_LEFT}" y="16">{escape(title)}</text>']
    parts += _draw_grid(scale, 100 if percent else 1)
    parts += _draw_borders(scale, curves[0].stages)
    for number, curve in enumerate(curves):
        lines = "".join(_draw_line(scale, stage.points) for stage in curve.stages)
        parts.append(f'<g class="curve curve-{number % 4}"><title>{escape(curve.name)}</title>{lines}</g>')
    parts.append(f'<text class="tick" x="{_RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">step {last:,.0f}</text>')
    return Markup("".join(parts) + "</svg>")


@dataclass(frozen=True, slots=True)
class _Scale:
    """Steps 0 to `last` and values `low` to `high` -> places in the picture."""

    last: float
    low: float
    high: float

    def x(self, step: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * step / self.last

    def y(self, value: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (value - self.low) / (self.high - self.low)


def _draw_grid(scale: _Scale, factor: float) -> list[str]:
    parts = []
    for tick in range(5):
        value = scale.low + (scale.high - scale.low) * tick / 4
        y = scale.y(value)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        text = f"{value * factor:.4g}"
        parts.append(f'<text class="tick" x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    return parts


def _draw_borders(scale: _Scale, stages: Sequence[StageCurve]) -> list[str]:
    parts = []
    for stage in stages:
        x = scale.x(stage.start)
        name = escape(cut(stage.name, 28))
        parts.append(f'<line class="border" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 16}" y2="{_BOTTOM}"/>')
        parts.append(f'<text class="tick" x="{x + 5:.1f}" y="{_TOP - 8}">{name}</text>')
    return parts


def _draw_line(scale: _Scale, points: Sequence[Point]) -> str:
    if not points:
        return ""
    places = [(f"{scale.x(step):.1f}", f"{scale.y(value):.1f}") for step, value in _thin(points)]
    path = "M" + "L".join(f"{x} {y}" for x, y in places)
    marked = places if len(places) <= _MAX_MARKED else []
    return f'<path d="{path}"/>' + "".join(f'<circle cx="{x}" cy="{y}" r="2.5"/>' for x, y in marked)


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 8 times a power of ten, so that quarters of it are short numbers; 0 for values below 0."""
    if value <= _SMALLEST:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 4, 8, 10) if step * power >= value * (1 - 1e-9))


def _thin(points: Sequence[Point]) -> Sequence[Point]:
    """At most `_MAX_POINTS` points, each the mean of neighbours."""
    if len(points) <= _MAX_POINTS:
        return points
    edges = [round(len(points) * number / _MAX_POINTS) for number in range(_MAX_POINTS + 1)]
    groups = [points[start:end] for start, end in pairwise(edges)]
    return [(group[-1][0], sum(value for _, value in group) / len(group)) for group in groups]
