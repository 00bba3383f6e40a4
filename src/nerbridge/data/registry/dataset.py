"""Labelled sentences by split, with what must be said about them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nerbridge.data.counts import ReadCounts
from nerbridge.data.holdout import holdout
from nerbridge.data.labels import LabelSet
from nerbridge.data.registry.card import Card
from nerbridge.data.sentence import Sentence
from nerbridge.wording import counted

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True, slots=True)
class DataSet:
    """A registered data set or the user's own files.

    splits: those that exist of train, dev and test, in this order; sentences carry their domain and origin.
    labels: with descriptions where a card has them. notes: what the user has to know, one line each.
    card: None for the user's own files. counts: what the reader found, by split.
    """

    name: str
    domain: str
    splits: Mapping[str, list[Sentence]]
    labels: LabelSet
    notes: tuple[str, ...] = ()
    card: Card | None = None
    counts: Mapping[str, ReadCounts] = field(default_factory=dict)

    def unread_hint(self, split: str, otherwise: str) -> str:
        """What to do about a split without annotation: what stands in its file unread, then `otherwise`."""
        counts = self.counts.get(split)
        if counts is None:
            return otherwise
        reasons = counts.remarks() or (["the file was read as one column"] if counts.one_column else [])
        return "; ".join([*reasons, otherwise])

    def with_dev(self, *, fraction: float = 0.1, seed: int = 1) -> "DataSet":
        """This data set when it has a dev split or no train split; else one with a seeded part of train as dev.

        A note says how many sentences were held out. Raises DataError when train is too small to be divided.
        """
        if self.splits.get("dev") or not self.splits.get("train"):
            return self
        total = len(self.splits["train"])
        train, dev = holdout(self.splits["train"], fraction=fraction, seed=seed)
        splits = {**self.splits, "train": train, "dev": dev}
        size = counted(total, "training sentence")
        note = f"{self.name}: no dev split; {len(dev)} of {size} held out for it (seed {seed})"
        ordered = {split: splits[split] for split in SPLITS if split in splits}
        return replace(self, splits=ordered, notes=(*self.notes, note))
