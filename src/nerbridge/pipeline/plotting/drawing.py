"""Pictures through matplotlib: what all of them share, and how they are written."""

import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from nerbridge.errors import MissingExtraError
from nerbridge.evaluation.files import write_bytes
from nerbridge.pipeline.plotting.words import OUTSIDE

PANEL = 4.5  # inches, wide and high
LONGEST = 40  # characters of a name in a picture; the coordinates have it whole
NO_GLYPH = re.compile(r"Glyph (\d+) .*missing from")  # how matplotlib's warning begins
SEVERAL_COLOURS, MANY_COLOURS = 10, 20  # of the two palettes; more names take theirs from a circle of hues


def check_drawing() -> None:
    """Raises MissingExtraError without matplotlib."""
    if find_spec("matplotlib") is None:
        raise MissingExtraError("matplotlib", "plot")


def colours_of(names: Sequence[str]) -> dict[str, Any]:
    """A colour for each of `names`, in their order; O is grey. Raises MissingExtraError without matplotlib."""
    check_drawing()
    from matplotlib import colormaps

    named = [name for name in names if name != OUTSIDE]
    if len(named) <= MANY_COLOURS:
        palette = colormaps["tab10" if len(named) <= SEVERAL_COLOURS else "tab20"]
        colours = {name: palette(number) for number, name in enumerate(named)}
    else:
        colours = {name: colormaps["hsv"](number / len(named)) for number, name in enumerate(named)}
    return colours | ({OUTSIDE: (0.75, 0.75, 0.75, 1.0)} if OUTSIDE in names else {})


def write_picture(
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
        figure.suptitle(plain(title), fontsize=10, x=middle)
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


def plain(text: str) -> str:
    """`text` as it is, though not longer than a legend bears: a dollar would begin a formula."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text)
    shown = shown if len(shown) <= LONGEST else shown[: LONGEST - 1] + "…"
    return shown.replace("$", r"\$")
