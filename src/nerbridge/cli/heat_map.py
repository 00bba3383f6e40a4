"""A square table of percentages as a picture."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from nerbridge.errors import ConfigError, DataError, MissingExtraError

PICTURES = (".png", ".pdf", ".svg")


def check_picture(output: Path) -> None:
    """Raises ConfigError for a suffix that is no picture's, MissingExtraError without matplotlib."""
    if output.suffix not in PICTURES:
        raise ConfigError(
            f"'{output}' does not say which picture to draw",
            where="--plot",
            expected=f"a file that ends in {', '.join(PICTURES)}",
            hint=f"--plot {output.with_suffix('.png')}",
        )
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot")


def draw_heat_map(names: Sequence[str], matrix: Sequence[Sequence[float]], output: Path, *, title: str) -> None:
    """Write a heat map of `matrix` with every number in its cell; the diagonal says nothing and is left grey.

    The format follows the suffix of `output`. Raises what `check_picture` raises, DataError when the disk refuses.
    """
    check_picture(output)
    from matplotlib.figure import Figure

    number = len(names)
    others = [[float("nan") if i == j else matrix[i][j] for j in range(number)] for i in range(number)]
    side = 2.5 + 0.8 * number
    figure = Figure(figsize=(side, side), layout="constrained")
    axes = figure.subplots()
    axes.set_facecolor("0.9")
    image = axes.imshow(others, cmap="Blues", vmin=0)
    axes.set_xticks(range(number), names, rotation=45, ha="right")
    axes.set_yticks(range(number), names)
    axes.set_title(title)
    peak = max(max(row[:i] + row[i + 1 :], default=0.0) for i, row in enumerate(map(list, matrix)))
    for i in range(number):
        for j in range(number):
            shade = "white" if i != j and matrix[i][j] > 0.6 * peak else "black"
            axes.text(j, i, f"{matrix[i][j]:.1f}", ha="center", va="center", color=shade, fontsize=9)
    figure.colorbar(image, ax=axes, shrink=0.7)
    try:
        figure.savefig(output, dpi=150)
    except OSError as error:
        raise DataError(
            f"the picture cannot be written: {error.strerror}",
            where=str(output),
            expected="a path in a folder that exists and can be written to",
            hint="choose another --plot, or make room on the disk",
        ) from error
