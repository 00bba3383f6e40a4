"""Which files of a card lie under the data root, and whether they are the ones that the card means."""

from enum import StrEnum
from pathlib import Path

from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.registry.card import Card, CardFile
from nerbridge.errors import DataError


class Presence(StrEnum):
    """What is found where a file should be."""

    MISSING = "missing"
    OTHER = "other content"  # damaged, edited, or another version
    PRESENT = "present"


def presence(file: CardFile, data_root: Path) -> Presence:
    """Does `file` lie under `data_root`, and with the card's checksum? Raises DataError when it cannot be read."""
    path = data_root / file.path
    try:
        if not path.is_file():
            return Presence.MISSING
        return Presence.PRESENT if file_sha256(path) == file.sha256 else Presence.OTHER
    except OSError as error:
        raise DataError(
            f"'{path}' cannot be read: {error.strerror}",
            where=str(path),
            expected="a file under the data root that may be read",
            hint="check the permissions of the file and its folders",
        ) from error


def card_presence(card: Card, data_root: Path) -> Presence:
    """The worst that holds for one of the card's data files. Raises DataError when one cannot be read."""
    found = {presence(file, data_root) for file in card.files.values()}
    return next(state for state in Presence if state in found)  # the members stand from worst to best
