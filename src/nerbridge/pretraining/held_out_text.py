"""Which documents are held out, and which others say the same: those are not learnt from either."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nerbridge.pretraining.masking import Flags, Ids
from nerbridge.training.seeding import derive_seed
from nerbridge.wording import counted

SHARE = 20  # at most every so many-th piece is held out
RUN = 13  # pieces in a row that two documents have by copying, hardly by chance
SHORTEST = 8  # pieces of the shortest document that is held out; a shorter one may well stand elsewhere by chance
MOST_COPIES = 4  # where every so many-th piece is copied from held-out text, nothing is held out
BLOCK = 2**22  # pieces that are looked at together
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd; sums wrap at 2**64
_SLOT_BITS = 20
_SLOT_SHIFT = np.uint64(64 - _SLOT_BITS)

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class Split:
    """Which documents are learnt from, which are held out, and what the user should know of it."""

    learnt: Flags
    held: Flags
    notes: tuple[str, ...]


def split_documents(
    pieces: NDArray[np.unsignedinteger], starts: Ids, wanted: int, seed: int, *, unit: str = "pieces"
) -> Split:
    """The documents (`starts`: where each begins, and the end), some held out with about so many pieces as `wanted`.

    unit: what the pieces are, for the notes.
    """
    lengths = np.diff(starts)
    held = hold_out(starts, wanted, seed)
    copied = copies(pieces, starts, held)
    if int(lengths[copied].sum()) * MOST_COPIES > int(lengths.sum()):
        none = np.zeros_like(held)
        return Split(
            lengths > 0, none, ("the text repeats itself too much to hold any out: there will be no perplexity",)
        )
    notes = []
    if copied.any():
        documents = counted(int(copied.sum()), "document that repeats", "documents that repeat")
        notes.append(f"not learnt from: {documents} held-out text, {RUN} {unit} in a row or all of a shorter one")
    if wanted and not held.any():
        notes.append(_unfit(lengths, unit))
    return Split((lengths > 0) & ~held & ~copied, held, tuple(notes))


def _unfit(lengths: Ids, unit: str) -> str:
    """Why no document can be held out."""
    what = (
        f"has {SHORTEST} {unit} or more" if lengths.max(initial=0) < SHORTEST else "is small enough beside the others"
    )
    return f"no document {what} to be held out: there will be no perplexity"


def hold_out(starts: Ids, pieces: int, seed: int) -> Flags:
    """Which documents are held out: drawn with `seed` until they have about so many `pieces`.

    starts: where each document begins, and the end. At most a twentieth of the text is taken, and no document that is
    larger than that or has fewer than SHORTEST pieces; so none at all may be found.
    """
    lengths = np.diff(starts)
    wanted = min(pieces, int(lengths.sum()) // SHARE)
    order = np.random.default_rng(derive_seed(seed, "held out")).permutation(len(lengths))
    order = order[(lengths[order] <= wanted) & (lengths[order] >= SHORTEST)]
    held = np.zeros(len(lengths), np.bool_)
    held[order[: np.searchsorted(np.cumsum(lengths[order]), wanted, side="right")]] = True
    return held


def copies(pieces: NDArray[np.unsignedinteger], starts: Ids, held: Flags) -> Flags:
    """Which other documents repeat held-out text, as copies in an integrated corpus do.

    They share RUN pieces in a row with a held-out document; or one of the two has fewer pieces (SHORTEST at least) and
    stands whole in the other.
    """
    lengths, found = np.diff(starts), np.zeros(len(held), np.bool_)
    known = {size: _Known() for size in range(SHORTEST, RUN + 1)}
    for number in np.flatnonzero(held):
        for size, hashes in _runs(pieces[starts[number] : starts[number + 1]]):
            known[size].add(hashes, whole=size in (lengths[number], RUN))
    for begin in range(0, len(pieces) if held.any() else 0, BLOCK):
        for size, hashes in _runs(pieces[begin : begin + BLOCK + RUN - 1]):
            hits = known[size].places(hashes)
            document = np.searchsorted(starts, begin + hits, side="right") - 1
            inside = begin + hits + size <= starts[document + 1]  # the run ends inside the document
            enough = (lengths[document] == size) | known[size].are_whole(hashes[hits])
            found[document[inside & enough]] = True
    return found & ~held


class _Known:
    """The runs of one size in held-out documents, by their hashes."""

    def __init__(self) -> None:
        self._all, self._whole = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)]
        self._slots = np.zeros(1 << _SLOT_BITS, np.bool_)  # a first look that refuses nearly all

    def add(self, hashes: Hashes, *, whole: bool) -> None:
        """Take the runs of a document. whole: wherever one of them stands there is a copy."""
        self._all.append(hashes)
        self._whole += [hashes] if whole else []
        self._slots[hashes >> _SLOT_SHIFT] = True

    def places(self, hashes: Hashes) -> Ids:
        """Where in `hashes` a known one stands."""
        near = np.flatnonzero(self._slots[hashes >> _SLOT_SHIFT])
        return near[np.isin(hashes[near], np.concatenate(self._all))]

    def are_whole(self, hashes: Hashes) -> Flags:
        """Which of `hashes` were taken as whole."""
        return np.isin(hashes, np.concatenate(self._whole))


def _runs(pieces: NDArray[np.unsignedinteger]) -> Iterator[tuple[int, Hashes]]:
    """Sizes from SHORTEST to RUN, each with one number per run of so many pieces."""
    hashes = np.zeros(len(pieces), np.uint64)
    for size in range(1, min(RUN, len(pieces)) + 1):
        hashes = hashes[: len(pieces) - size + 1] * _FACTOR + pieces[size - 1 :]
        if size >= SHORTEST:
            yield size, hashes
