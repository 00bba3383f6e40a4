"""Cards of the public data sets, and everything that follows from a card: presence, download, loading."""

from nerbridge.data.registry.card import Card, CardFile, CardFormat, card_names, find_card

__all__ = ["Card", "CardFile", "CardFormat", "card_names", "find_card"]
