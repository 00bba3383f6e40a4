"""What a picture of a sweep shows: which key is the axis, which keys are lines, and their points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nerbridge.evaluation.uncertainty import Spread
from nerbridge.pipeline.sweep.naming import shown_value
from nerbridge.pipeline.sweep.outcome import SweepResult
from nerbridge.pipeline.sweep.results import NUM_TRAIN, TARGET
from nerbridge.pipeline.sweep.variations import Variation

LOG_RATIO = 20  # an axis whose values span more than this is logarithmic


@dataclass(frozen=True)
class Point:
    """x: place on a numeric axis, or number of the category; name: what stands there. y: F1 in percent."""

    x: float
    name: str
    y: float
    deviation: float | None


@dataclass(frozen=True)
class Picture:
    """lines: name ("" for the only one) -> points by x. numeric: lines over numbers, otherwise bars over categories."""

    axis: str
    lines: Mapping[str, Sequence[Point]]
    numeric: bool
    averaged: bool

    @property
    def logarithmic(self) -> bool:
        """Do the numbers need a logarithmic axis?"""
        places = [point.x for points in self.lines.values() for point in points]
        return self.numeric and min(places) > 0 and max(places) > LOG_RATIO * min(places)


def picture(result: SweepResult) -> Picture | None:
    """The picture of the metric, None where there is nothing to show.

    The first key with numbers is the axis, else the first key; the values of all others make one line each. With the
    target and at least two other keys varied, the averages over targets are shown.
    """
    averaged = bool(result.averages) and len(result.plan.variations) > 2
    scored = [(row.choices, row.num_train, row.f1.get(result.metric)) for row in result.rows]
    if averaged:
        scored = [(one.choices, 0, one.f1.get(result.metric)) for one in result.averages]
    variations = [one for one in result.plan.variations if not (averaged and one.key == TARGET)]
    axis = next((one for one in variations if _is_numeric(one)), variations[0])
    lines: dict[str, list[Point]] = {}
    for choices, num_train, f1 in scored:
        if f1 is not None:
            others = ", ".join(_named(key, text, result) for key, text in choices.items() if key != axis.key)
            lines.setdefault(others, []).append(_point(axis, choices[axis.key], num_train, f1))
    if not lines:
        return None
    numeric = _is_numeric(axis) and not (averaged and "none" in axis.texts)
    ordered = {name: sorted(points, key=lambda point: point.x) for name, points in lines.items()}
    return Picture(result.plan.shorts[axis.key], ordered, numeric, averaged)


def _named(key: str, text: str, result: SweepResult) -> str:
    """'music', or 'dropout 0.3' where the value alone says nothing."""
    shown = shown_value(text)
    return shown if shown[:1].isalpha() and shown not in ("true", "false") else f"{result.plan.shorts[key]} {shown}"


def _is_numeric(variation: Variation) -> bool:
    """Numbers all; for the number of training sentences 'none' is a number too: it means all of them."""
    return all(
        (isinstance(value, int | float) and not isinstance(value, bool))
        or (variation.key == NUM_TRAIN and value == "none")
        for value in variation.values
    )


def _point(axis: Variation, text: str, num_train: int, f1: Spread) -> Point:
    place = axis.texts.index(text)
    value = axis.values[place]
    x = float(place)
    if _is_numeric(axis):
        x = float(num_train) if value == "none" else float(value)
    deviation = None if f1.deviation is None else 100 * f1.deviation
    return Point(x, shown_value(text), 100 * f1.mean, deviation)
