"""Which paragraphs share words in a row with an evaluation set; of built corpora, which sentences do."""

from itertools import accumulate, chain, compress, pairwise

import numpy as np
from numpy.typing import NDArray

from nerbridge.corpus.hashing import Codes
from nerbridge.corpus.overlap_guard import OverlapGuard
from nerbridge.corpus.paragraph import Paragraph
from nerbridge.corpus.tally import Tally


def mark_overlaps(
    candidates: list[Paragraph], codes: Codes, guard: OverlapGuard, tally: Tally, *, min_words: int
) -> bool:
    """Gives paragraphs that overlap the reason for it; those of built corpora lose the sentences that do instead, and
    with them sentences that are whole ones of an evaluation set, however short.

    codes: of all compared words of `candidates`. min_words: a paragraph with less left is too short. Returns whether
    sentences were taken out, so that `codes` is no longer right.
    """
    wholes = np.array([len(one.sizes) for one in candidates], dtype=np.int64)
    sizes = np.array([size for one in candidates for size in one.sizes], dtype=np.int64)
    bits = guard.find(codes, sizes, wholes)
    ends, words = np.cumsum(wholes), np.concatenate([[0], np.cumsum(sizes)])
    taken_out = False
    for place in np.unique(np.searchsorted(ends, np.flatnonzero(bits), "right")).tolist():
        one, first = candidates[place], ends[place] - wholes[place]
        own = bits[first : ends[place]]
        for name in guard.names_of(int(np.bitwise_or.reduce(own))):
            tally.overlaps[name] = tally.overlaps.get(name, 0) + 1
        if own.all():
            one.reason = "overlap"
        else:
            parts = [tuple(codes[words[part] : words[part + 1]].tolist()) for part in range(first, ends[place])]
            _take_out(one, (own == 0) & np.array([part not in guard.short for part in parts]), tally)
            one.reason = "short" if len(one.compared) < min_words else ""
            taken_out = True
    return taken_out


def _take_out(one: Paragraph, stay: NDArray[np.bool_], tally: Tally) -> None:
    """Leaves the sentences of a paragraph that stay, and counts the others."""
    before, gone = one.words, len(one.lines) - int(np.count_nonzero(stay))
    borders = pairwise(accumulate(one.sizes, initial=0))
    one.compared = list(chain.from_iterable(one.compared[start:end] for start, end in compress(borders, stay)))
    one.sizes = list(compress(one.sizes, stay))
    one.lines = list(compress(one.lines, stay))
    one.words = sum(line.count(" ") + 1 for line in one.lines)
    tally.read.add(sentences=gone, words=before - one.words)
    tally.drop("overlap_sentence", sentences=gone, words=before - one.words)
