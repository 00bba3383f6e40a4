"""What is said of files in a folder that are not read."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from nerbridge.corpus.compression import SUFFIXES
from nerbridge.wording import counted

SHOWN = 6  # endings


def left_alone(files: Iterable[Path]) -> str:
    """'3 files of other kinds (.csv, .md, .pdf) are left alone', the endings by name; '' for no file."""
    endings = [_ending(file) for file in files]
    if not endings:
        return ""
    kinds = sorted(set(endings))
    listed = ", ".join([*kinds[:SHOWN], *(["..."] if len(kinds) > SHOWN else [])])
    if len(endings) == 1:
        return f"1 file of another kind ({listed}) is left alone"
    return f"{len(endings):,} files of other kinds ({listed}) are left alone"


def not_read(entries: Sequence[Path]) -> str:
    """'1 entry is no file or a link that leads nowhere, not read: raw/a.txt', the first one named; '' for none."""
    if not entries:
        return ""
    what = counted(
        len(entries),
        "entry is no file or a link that leads nowhere",
        "entries are no files or links that lead nowhere",
    )
    return f"{what}, not read: {min(entries)}"


def _ending(file: Path) -> str:
    """'.csv' for a.csv and '.csv.gz' for a.csv.gz."""
    packed = file.suffix if file.suffix.lower() in SUFFIXES else ""
    return Path(file.name.removesuffix(packed)).suffix + packed or "no ending"
