"""Which documents are held out, and which others say the same: those are not learnt from either."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nerbridge.pretraining.masking import Flags, Ids
from nerbridge.training.seeding import derive_seed
from nerbridge.wording import counted

SHARE = 20  # at most every so many-th piece is held out
RUN = 13  # pieces in a row that two documents have by copying, hardly by chance
MOST_COPIES = 4  # where every so many-th piece is copied from held-out text, nothing is held out
BLOCK = 2**22  # pieces that are looked at together
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd; sums wrap at 2**64


@dataclass(frozen=True)
class Split:
    """Which documents are learnt from, which are held out, and what the user should know of it."""

    learnt: Flags
    held: Flags
    notes: tuple[str, ...]


def split_documents(pieces: NDArray[np.unsignedinteger], starts: Ids, wanted: int, seed: int) -> Split:
    """The documents (`starts`: where each begins, and the end), some held out with about so many pieces as `wanted`."""
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
        documents = counted(int(copied.sum()), "document")
        notes.append(f"not learnt from: {documents} with {RUN} pieces in a row that are held out")
    if wanted and not held.any():
        notes.append("no document is small enough beside the others to be held out: there will be no perplexity")
    return Split((lengths > 0) & ~held & ~copied, held, tuple(notes))


def hold_out(starts: Ids, pieces: int, seed: int) -> Flags:
    """Which documents are held out: drawn with `seed` until they have about so many `pieces`.

    starts: where each document begins, and the end. At most a twentieth of the text is taken, and no document that is
    larger than that; so none at all may be found.
    """
    lengths = np.diff(starts)
    wanted = min(pieces, int(lengths.sum()) // SHARE)
    order = np.random.default_rng(derive_seed(seed, "held out")).permutation(len(lengths))
    order = order[(lengths[order] <= wanted) & (lengths[order] > 0)]
    held = np.zeros(len(lengths), np.bool_)
    held[order[: np.searchsorted(np.cumsum(lengths[order]), wanted, side="right")]] = True
    return held


def copies(pieces: NDArray[np.unsignedinteger], starts: Ids, held: Flags) -> Flags:
    """Which other documents share RUN pieces in a row with a held-out one, as copies in an integrated corpus do."""
    known = [_hashes(pieces[starts[number] : starts[number + 1]]) for number in np.flatnonzero(held)]
    wanted = np.unique(np.concatenate(known)) if known else np.zeros(0, np.uint64)
    found = np.zeros(len(held), np.bool_)
    if not len(wanted):
        return found
    for begin in range(0, len(pieces), BLOCK):
        hashes = _hashes(pieces[begin : begin + BLOCK + RUN - 1])
        place = np.minimum(np.searchsorted(wanted, hashes), len(wanted) - 1)
        hits = begin + np.flatnonzero(wanted[place] == hashes)
        document = np.searchsorted(starts, hits, side="right") - 1
        found[document[hits + RUN <= starts[document + 1]]] = True  # the run ends inside the document
    return found & ~held


def _hashes(pieces: NDArray[np.unsignedinteger]) -> NDArray[np.uint64]:
    """One number per run of RUN pieces."""
    number = len(pieces) - RUN + 1
    hashes = np.zeros(max(number, 0), np.uint64)
    for k in range(RUN if number > 0 else 0):
        hashes *= _FACTOR
        hashes += pieces[k : k + number]
    return hashes
