"""Scores over training as a picture, a panel for each run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerbridge.pipeline.plotting.curves import PERPLEXITY, Curves, Mark
from nerbridge.pipeline.plotting.drawing import PANEL, colours_of, plain, write_picture

MARKERS = ("o", "^", "s", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":")
WIDEST, THINNEST = 2.5, 1.0  # points, of the first line and of the last, which is drawn over all others
MARGIN = 0.05  # of the steps, behind the last one

Style = Mapping[str, Any]  # of a line, as matplotlib takes it


def draw_curves(panels: Mapping[str, Curves], paths: Sequence[Path], *, title: str) -> str:
    """Scores over training steps, in percent; below them perplexities, where a language model was learnt too.

    A run without numbers of a kind has no panel of it. Returns the characters that the font lacks.
    """
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves.names))
    rows = [[name for name in names if name.startswith(PERPLEXITY) is below] for below in (False, True)]
    shown = [row for row in rows if row]

    def draw(figure: Any) -> None:
        styles = _styles(names)
        grid = figure.subplots(len(shown), len(panels), squeeze=False, sharey="row")
        drawn: list[list[Any]] = [[] for _ in shown]
        for number, (name, curves) in enumerate(panels.items()):
            column = []
            for line, wanted, there in zip(grid, shown, drawn, strict=True):
                axes, own = line[number], [one for one in wanted if one in curves.names]
                if not own:
                    axes.remove()
                    continue
                _draw_panel(axes, curves, {one: styles[one] for one in own})
                column.append(axes)
                there.append(axes)
            column[0].set_title(plain(name), fontsize=9)
            column[-1].set_xlabel("training steps")
        for line, wanted in zip(drawn, shown, strict=True):
            below = wanted[0].startswith(PERPLEXITY)
            line[0].set_ylabel("perplexity" if below else "score on dev, percent")
            if below:
                line[0].set_yscale("log")
            line[0].tick_params(which="both", labelleft=True)  # the first run's panel, that had them, may be gone

    return write_picture(draw, paths, title=title, size=(PANEL * len(panels) + 1.5, PANEL * len(shown) + 0.5))


def _styles(names: Sequence[str]) -> dict[str, Style]:
    """How the line of each name looks: the later it is drawn the thinner, so that equal lines are all seen."""
    thinner = (WIDEST - THINNEST) / max(len(names) - 1, 1)
    return {
        name: {
            "color": colour,
            "linestyle": DASHES[number % len(DASHES)],
            "linewidth": WIDEST - number * thinner,
            "marker": MARKERS[number % len(MARKERS)],
            "fillstyle": "none",
        }
        for number, (name, colour) in enumerate(colours_of(names).items())
    }


def _draw_panel(axes: Any, curves: Curves, styles: Mapping[str, Style]) -> None:
    for name, style in styles.items():
        _draw_line(axes, [mark for mark in curves.marks if mark.name == name], style)
    _name_stages(axes, curves.stages)
    axes.set_xlim(0, max(curves.total, 1) * (1 + MARGIN))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(axis="y", alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, handlelength=4)


def _draw_line(axes: Any, marks: Sequence[Mark], style: Style) -> None:
    """One number of a run; the line breaks off between stages."""
    for stage in dict.fromkeys(mark.stage for mark in marks):
        points = [(mark.total, _shown(mark)) for mark in marks if mark.stage == stage]
        label = plain(marks[0].name) if stage == marks[0].stage else None
        axes.plot(*zip(*points, strict=True), label=label, **style)


def _shown(mark: Mark) -> float:
    """Scores in percent."""
    return mark.value if mark.name.startswith(PERPLEXITY) else 100 * mark.value


def _name_stages(axes: Any, stages: Mapping[str, int]) -> None:
    """A dotted line and the name where each of several stages begins; one without steps makes room for the next."""
    named = {"xytext": (3, -3), "textcoords": "offset points", "va": "top", "fontsize": 7, "color": "grey"}
    for start, stage in {start: stage for stage, start in stages.items() if len(stages) > 1}.items():
        axes.axvline(start, color="grey", linewidth=0.8, linestyle=":")
        axes.annotate(plain(stage), (start, 1), xycoords=("data", "axes fraction"), **named)
