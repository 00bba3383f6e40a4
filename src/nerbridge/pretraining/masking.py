"""Which pieces are masked, and what stands in their place: token-level and span-level masking.

CrossNER (Liu et al. 2021), section "Span-level Pre-training": as in BERT, 15 % of the pieces are chosen at random;
80 % of these are replaced by the mask, 10 % by a random piece and 10 % stay. Span-level masking changes the choice:
from left to right, a masked position without masked neighbour moves to just before the next masked position, so that
both make a span, which is then left alone. Masked spans are never touched; a last lone position has nowhere to go and
stays. So does one whose new place would be a special piece. The number of masked positions never changes.

Everything works on a whole batch at once, rows one behind the other, without a loop over positions.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nerbridge.config.pretraining import PretrainingSettings

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]

MASKED, RANDOM = 0.8, 0.1  # shares of the chosen positions that become the mask, and a random piece
LONGEST_WORD = 16  # pieces; longer words, as in scripts without spaces, are masked in parts


@dataclass(frozen=True)
class PieceTraits:
    """What masking must know of a vocabulary.

    mask: id of the mask. ordinary: True for pieces that may be masked and drawn, False for special pieces, unknown
    words and ids without a piece. continues: True for pieces that go on with the word of the piece before.
    """

    mask: int
    ordinary: Flags
    continues: Flags


def choose(maskable: Flags, rate: float, random: np.random.Generator) -> Flags:
    """Every position that is `maskable`, with probability `rate`."""
    chosen: Flags = (random.random(maskable.shape, dtype=np.float32) < rate) & maskable
    return chosen


def join_lone(chosen: Flags, maskable: Flags, row: Ids) -> Flags:
    """`chosen` after its lone positions have moved to just before the next chosen one of their row.

    chosen, maskable, row: per position, in reading order; `row` (ascending) parts what does not belong together.
    """
    before, after = np.zeros_like(chosen), np.zeros_like(chosen)  # is the neighbour chosen?
    same = row[1:] == row[:-1]
    before[1:], after[:-1] = chosen[:-1] & same, chosen[1:] & same
    starts = np.flatnonzero(chosen & ~before)  # of every span, lone positions included
    if len(starts) < 2:
        return chosen.copy()
    lone = ~after[starts]
    # May the lone start i join the start i + 1?
    joins = np.append(lone[:-1] & (row[starts[:-1]] == row[starts[1:]]) & maskable[starts[1:] - 1], False)
    # Lone positions that could join one another make a chain, of which the 1st, 3rd, 5th, ... move.
    chained = np.append(False, joins[:-1] & lone[1:])
    index = np.arange(len(starts))
    head = np.maximum.accumulate(np.where(chained, 0, index))
    moves = np.flatnonzero(joins & ((index - head) % 2 == 0))
    moved = chosen.copy()
    moved[starts[moves]] = False
    moved[starts[moves + 1] - 1] = True
    return moved


def choose_positions(
    pieces: Ids, traits: PieceTraits, settings: PretrainingSettings, random: np.random.Generator
) -> Flags:
    """The positions that a model has to fill in. pieces: rows of ids, padded with a special piece."""
    maskable = traits.ordinary[pieces].ravel()
    row = np.repeat(np.arange(len(pieces)), pieces.shape[1])
    unit = _words(pieces, maskable, traits.continues, row) if settings.whole_words else None
    if unit is None:
        chosen = choose(maskable, settings.mask_rate, random)
        chosen = join_lone(chosen, maskable, row) if settings.masking == "span" else chosen
        return chosen.reshape(pieces.shape)
    firsts = np.append(0, np.flatnonzero(np.diff(unit)) + 1)  # a unit is a word, or one special piece
    chosen = choose(maskable[firsts], settings.mask_rate, random)
    if settings.masking == "span":
        chosen = join_lone(chosen, maskable[firsts], row[firsts])
    return chosen[unit].reshape(pieces.shape)


def replace_pieces(pieces: Ids, chosen: Flags, traits: PieceTraits, random: np.random.Generator) -> Ids:
    """`pieces` with 80 % of the `chosen` ones replaced by the mask and 10 % by random ordinary pieces."""
    replaced = pieces.copy()
    places = np.flatnonzero(chosen)
    dice = random.random(len(places), dtype=np.float32)
    drawn = random.choice(np.flatnonzero(traits.ordinary), len(places))
    values = np.where(dice < MASKED, traits.mask, np.where(dice < MASKED + RANDOM, drawn, pieces.ravel()[places]))
    replaced.reshape(-1)[places] = values
    return replaced


def _words(pieces: Ids, maskable: Flags, continues: Flags, row: Ids) -> Ids:
    """The number of each position's word, ascending from 0; a special piece is a word by itself."""
    goes_on = np.zeros_like(maskable)
    goes_on[1:] = continues[pieces.ravel()[1:]] & maskable[1:] & maskable[:-1] & (row[1:] == row[:-1])
    index = np.arange(len(goes_on))
    first = np.maximum.accumulate(np.where(goes_on, 0, index))
    starts = ~goes_on | ((index - first) % LONGEST_WORD == 0)
    return np.cumsum(starts) - 1
