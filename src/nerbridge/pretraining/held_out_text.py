"""Which documents are held out, and which others say the same: those are not learnt from either."""

from collections.abc import Sequence
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
        notes.append(
            f"not learnt from: {documents} that repeat held-out text, {RUN} pieces in a row or all of a shorter one"
        )
    if wanted and not held.any():
        notes.append(_unfit(lengths))
    return Split((lengths > 0) & ~held & ~copied, held, tuple(notes))


def _unfit(lengths: Ids) -> str:
    """Why no document can be held out."""
    what = (
        f"has {SHORTEST} pieces or more" if lengths.max(initial=0) < SHORTEST else "is small enough beside the others"
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
    kept = [pieces[starts[number] : starts[number + 1]] for number in np.flatnonzero(held)]
    for size in range(SHORTEST, RUN + 1):
        whole = [one for one in kept if size in (len(one), RUN)]
        found |= _documents_with(_distinct_hashes(whole, size), pieces, starts, size)
        if size < RUN:
            short = np.flatnonzero(lengths == size)
            hashes = _hashes(pieces[starts[short][:, None] + np.arange(size)].T, size)[0]
            found[short[np.isin(hashes, _distinct_hashes(kept, size))]] = True
    return found & ~held


def _documents_with(wanted: NDArray[np.uint64], pieces: NDArray[np.unsignedinteger], starts: Ids, size: int) -> Flags:
    """Which documents hold a run of `size` pieces whose hash is `wanted` (ascending)."""
    found = np.zeros(len(starts) - 1, np.bool_)
    for begin in range(0, len(pieces) if len(wanted) else 0, BLOCK):
        hashes = _hashes(pieces[begin : begin + BLOCK + size - 1], size)
        place = np.minimum(np.searchsorted(wanted, hashes), len(wanted) - 1)
        hits = begin + np.flatnonzero(wanted[place] == hashes)
        document = np.searchsorted(starts, hits, side="right") - 1
        found[document[hits + size <= starts[document + 1]]] = True  # the run ends inside the document
    return found


def _distinct_hashes(documents: Sequence[NDArray[np.unsignedinteger]], size: int) -> NDArray[np.uint64]:
    """Of all runs of `size` pieces in them, ascending."""
    return np.unique(np.concatenate([np.zeros(0, np.uint64), *(_hashes(one, size) for one in documents)]))


def _hashes(pieces: NDArray[np.unsignedinteger], size: int) -> NDArray[np.uint64]:
    """One number per run of `size` pieces along the first axis."""
    number = max(len(pieces) - size + 1, 0)
    hashes = np.zeros((number, *pieces.shape[1:]), np.uint64)
    for k in range(size if number else 0):
        hashes *= _FACTOR
        hashes += pieces[k : k + number]
    return hashes
