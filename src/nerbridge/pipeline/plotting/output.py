"""The folder that pictures are to go to, looked at before anything is loaded."""

import os
from collections.abc import Sequence
from pathlib import Path

from nerbridge.errors import ConfigError
from nerbridge.pipeline.plotting.request import EVERYTHING, What

OPTIONS = {  # of each ending that a file here may have
    **dict.fromkeys((".png", ".svg", ".pdf"), "--formats"),
    **dict.fromkeys((".csv", ".jsonl"), "--coordinates"),
}


def check_output(folder: Path, what: Sequence[What], forms: Sequence[str]) -> None:
    """Raises ConfigError where `folder` cannot take the files of `what` in all `forms`; makes nothing itself.

    what: pictures; empty: any of them may come. forms: suffixes of pictures and coordinates, such as 'png'.
    """
    _check_name(folder)
    _check_place(next((place for place in (folder, *folder.parents) if os.path.lexists(place)), Path()))
    for path in (folder / f"{name}.{form}" for name in what or EVERYTHING for form in forms):
        if path.is_dir():
            raise ConfigError(
                f"'{path}' is a folder, where a file is to be written",
                where="--output",
                expected="a folder without folders of that name",
                hint="--output ANOTHER_FOLDER",
            )


def _check_name(folder: Path) -> None:
    """A new folder that is called like a picture was meant as one."""
    option = OPTIONS.get(folder.suffix.lower())
    if option is not None and not folder.is_dir():
        raise ConfigError(
            f"'{folder}' has the name of a file",
            where="--output",
            expected="a folder: the files in it are called states, cells and curves",
            hint=f"--output {folder.with_suffix('')} {option} {folder.suffix[1:].lower()}",
        )


def _check_place(there: Path) -> None:
    """The folder itself or, of one that is still to be made, what stands nearest above."""
    if not there.is_dir():
        raise ConfigError(
            f"'{there}' is no folder",
            where="--output",
            expected="a folder, or the path of one that can be made",
            hint="--output ANOTHER_FOLDER",
        )
    if not os.access(there, os.W_OK | os.X_OK):
        raise ConfigError(
            f"you may not write to '{there}'",
            where="--output",
            expected="a folder that can be written to",
            hint="--output ANOTHER_FOLDER, or change the permissions of this one",
        )
