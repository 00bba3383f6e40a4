"""Cards of the public data sets, and everything that follows from a card: presence, download, loading."""

from nerbridge.data.registry.card import Card, CardFile, CardFormat, card_names, find_card, names_a_file
from nerbridge.data.registry.dataset import SPLITS, DataSet
from nerbridge.data.registry.loading import load_dataset, load_files
from nerbridge.data.registry.names import load_names

__all__ = [
    "SPLITS",
    "Card",
    "CardFile",
    "CardFormat",
    "DataSet",
    "card_names",
    "find_card",
    "load_dataset",
    "load_files",
    "load_names",
    "names_a_file",
]
