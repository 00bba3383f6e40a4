"""The bar chart of a report: inline SVG drawn from numbers, coloured by the page's style sheet."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from nerbridge.evaluation.uncertainty import Interval

WIDTH = 760  # of every picture, in its own units; the page scales it


@dataclass(frozen=True, slots=True)
class Bar:
    """One label: its F1 from 0 to 1, an interval around it (None: too few to say), and what is written behind it."""

    name: str
    value: float
    interval: Interval | None
    note: str


def draw_bars(bars: Sequence[Bar]) -> Markup:
    """A horizontal bar per label on an axis from 0 to 100, with its interval as a whisker; paler without one."""
    left, right, row, top = 170, 180, 26, 8
    span = WIDTH - left - right
    height = top + row * len(bars) + 26
    bottom = height - 22
    parts = [open_svg(height, "F1 per label with 95 % intervals")]
    for tick in range(0, 101, 20):
        x = left + span * tick / 100
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height - 6}" text-anchor="middle">{tick}</text>')
    for number, bar in enumerate(bars):
        y = top + row * number
        middle = y + row / 2
        name, note = escape(cut(bar.name, 24)), escape(bar.note)
        parts += [
            f"<g><title>{escape(bar.name)}: {note}</title>",
            f'<text class="name" x="{left - 10}" y="{middle + 4:.1f}" text-anchor="end">{name}</text>',
            f'<rect class="bar{"" if bar.interval else " unsure"}" '
            f'x="{left}" y="{y + 5}" width="{span * bar.value:.1f}" height="{row - 10}" rx="3"/>',
            _whisker(bar.interval, left, span, middle),
            f'<text class="note" x="{left + span + 12}" y="{middle + 4:.1f}">{note}</text></g>',
        ]
    return Markup("".join(parts) + "</svg>")


def _whisker(interval: Interval | None, left: float, span: float, y: float) -> str:
    if interval is None:
        return ""
    low, high = (left + span * edge for edge in (interval.low, interval.high))
    return f'<path class="whisker" d="M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 4:.1f}v8M{high:.1f} {y - 4:.1f}v8"/>'


def open_svg(height: float, title: str) -> str:
    """The opening tag of a picture."""
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'


def cut(text: str, length: int) -> str:
    """`text`, or its beginning and an ellipsis where it is longer than `length`."""
    return text if len(text) <= length else text[: length - 1] + "…"
