"""Lists of names by label, from a registered data set that holds them."""

from pathlib import Path

from nerbridge.data.lines import TextFile
from nerbridge.data.registry.card import Card, find_card
from nerbridge.data.registry.loading import check_files, existing_root
from nerbridge.errors import DataError, FileFaults


def load_names(name: str, data_root: Path | None, *, verify: bool = True) -> dict[str, list[str]]:
    """Label -> names, in the order of the files, which hold one name per line; blank lines do not count.

    verify: as in `load_dataset`. Raises DataError for an unknown name, a data set of sentences, missing files or other
    content, ConfigError without a data root, FileFaults when lines cannot be decoded.
    """
    card = find_names(name)
    root = existing_root(data_root)
    check_files(card, root, verify=verify)
    return {label: _names(card, label, root) for label in card.files}


def find_names(name: str) -> Card:
    """The card of lists of names. Raises DataError for an unknown name and for a data set of sentences."""
    card = find_card(name)
    if card.holds_sentences:
        raise DataError(
            f"'{name}' holds sentences, not lists of names",
            where=f"data set '{name}'",
            expected="a data set of names",
            hint="`nerbridge data list` shows which is which",
        )
    return card


def _names(card: Card, label: str, root: Path) -> list[str]:
    faults: list[DataError] = []
    lines = [line.strip() for _, line in TextFile(root / card.files[label].path).lines(faults)]
    if faults:
        raise FileFaults(faults)
    return [line for line in lines if line]
