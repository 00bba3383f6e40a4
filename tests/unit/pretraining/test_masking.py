"""Which pieces are masked: the paper's example, and the vectorised code beside a slow loop over positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining.masking import (
    LONGEST_WORD,
    Flags,
    PieceTraits,
    choose_positions,
    join_lone,
    replace_pieces,
)

SENTENCE = ["Western", "music's", "effect", "would", "continue", "to", "grow", "within", "the", "country"]
SENTENCE += ["and", "sphere"]


def flags(text: str) -> Flags:
    """'..X.' -> False, False, True, False."""
    return np.array([mark == "X" for mark in text])


def join(chosen: str, maskable: str | None = None, row: str | None = None) -> str:
    allowed = flags(maskable) if maskable else np.ones(len(chosen), np.bool_)
    rows = np.array([int(mark) for mark in row]) if row else np.zeros(len(chosen), np.int64)
    return "".join(".X"[int(mark)] for mark in join_lone(flags(chosen), allowed, rows))


def slow_join(chosen: list[bool], maskable: list[bool]) -> list[bool]:
    """One row, position by position, as the paper tells it."""
    chosen = list(chosen)
    places = [place for place, mark in enumerate(chosen) if mark]
    for number, place in enumerate(places[:-1]):
        left = place > 0 and chosen[place - 1]
        right = place + 1 < len(chosen) and chosen[place + 1]
        target = places[number + 1] - 1
        if not left and not right and maskable[target]:
            chosen[place], chosen[target] = False, True
    return chosen


def test_the_sentence_of_the_paper() -> None:
    masked = flags("....X.....X.")
    moved = join_lone(masked, np.ones(12, np.bool_), np.zeros(12, np.int64))

    def shown(marks: Flags) -> str:
        return " ".join("[MASK]" if mark else word for word, mark in zip(SENTENCE, marks, strict=True))

    assert shown(masked) == "Western music's effect would [MASK] to grow within the country [MASK] sphere"
    assert shown(moved) == "Western music's effect would continue to grow within the [MASK] [MASK] sphere"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("X", "X"),
        ("....", "...."),
        ("X..X", "..XX"),  # a pair is made
        ("X..X..X", "..XX..X"),  # and left alone; a last lone one stays
        ("X..X..X..X", "..XX....XX"),
        ("X...XX", "...XXX"),  # before the first of a span
        ("XX...X..", "XX...X.."),  # spans are untouched, the last lone one stays
        ("XX..X..XXX", "XX....XXXX"),
        ("X.X", ".XX"),
        ("X.X.X.XX", ".XX..XXX"),
    ],
)
def test_lone_positions_move_to_the_next_ones(before: str, after: str) -> None:
    assert join(before) == after


def test_lone_positions_do_not_move_onto_special_pieces_or_into_other_rows() -> None:
    assert join("X..X..X", maskable="XX.XX.X") == "X..X..X"
    assert join("X..X..X", maskable="XX.XXXX") == "X....XX"
    assert join("X..X.X", row="000111") == "X...XX"
    assert join("..XX..", row="000111") == "..XX.."  # neighbours in the array, not in the text


@st.composite
def rows_of_flags(draw: st.DrawFn) -> tuple[list[list[bool]], list[list[bool]]]:
    width = draw(st.integers(1, 24))
    row = st.lists(st.booleans(), min_size=width, max_size=width)
    sparse = st.lists(st.integers(0, 3).map(lambda value: value == 0), min_size=width, max_size=width)
    maskable = draw(st.lists(row | st.just([True] * width), min_size=1, max_size=4))
    drawn = [draw(row | sparse) for _ in maskable]
    pairs = zip(drawn, maskable, strict=True)
    return [[c and m for c, m in zip(mark, allowed, strict=True)] for mark, allowed in pairs], maskable


@given(rows_of_flags())
def test_vectorised_moves_are_those_of_the_slow_loop(rows: tuple[list[list[bool]], list[list[bool]]]) -> None:
    chosen, maskable = (np.array(part) for part in rows)
    numbers = np.repeat(np.arange(len(chosen)), chosen.shape[1])
    moved = join_lone(chosen.ravel(), maskable.ravel(), numbers).reshape(chosen.shape)
    assert moved.tolist() == [slow_join(*pair) for pair in zip(*rows, strict=True)]
    assert (moved.sum(axis=1) == chosen.sum(axis=1)).all()
    assert not (moved & ~maskable).any()


# Ids: 0 padding, 1 and 2 around the row, 3 unknown, 4 mask, 5 to 14 words, 15 to 29 go on with words.
TRAITS = PieceTraits(4, np.arange(32) % 30 >= 5, (np.arange(32) >= 15) & (np.arange(32) < 30))


@st.composite
def padded_pieces(draw: st.DrawFn) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    width, height = draw(st.integers(3, 40)), draw(st.integers(1, 4))
    pieces = np.zeros((height, width), np.int64)
    for row in pieces:
        length = draw(st.integers(1, width - 2))
        inner = draw(st.lists(st.integers(3, 29).filter(lambda piece: piece != 4), min_size=length, max_size=length))
        row[: length + 2] = [1, *inner, 2]
    return pieces


@given(padded_pieces(), st.integers(0, 2**32), st.sampled_from(["token", "span"]), st.booleans())
def test_special_pieces_are_never_masked_and_counts_are_kept(
    pieces: "np.ndarray[tuple[int, int], np.dtype[np.int64]]", seed: int, masking: str, whole_words: bool
) -> None:
    settings = PretrainingSettings(masking=masking, mask_rate=0.3, whole_words=whole_words)
    chosen = choose_positions(pieces, TRAITS, settings, np.random.default_rng(seed))
    token = settings.model_copy(update={"masking": "token"})
    drawn = choose_positions(pieces, TRAITS, token, np.random.default_rng(seed))
    assert not np.isin(pieces[chosen], [0, 1, 2, 3, 4]).any()
    if whole_words:
        assert _words(pieces, chosen).sum() == _words(pieces, drawn).sum()
    else:
        assert (chosen.sum(axis=1) == drawn.sum(axis=1)).all()
    replaced = replace_pieces(pieces, chosen, TRAITS, np.random.default_rng(seed))
    assert (replaced[~chosen] == pieces[~chosen]).all()
    assert ((replaced[chosen] == 4) | TRAITS.ordinary[replaced[chosen]]).all()


def _words(pieces: "np.ndarray[tuple[int, int], np.dtype[np.int64]]", chosen: Flags) -> Flags:
    """The chosen first pieces of words; asserts that every word is chosen whole or not at all."""
    firsts = np.zeros_like(chosen)
    for row in range(len(pieces)):
        start = 0
        for place in range(pieces.shape[1]):
            inside = 15 <= pieces[row, place] < 30 and TRAITS.ordinary[pieces[row, place - 1]]
            if not inside or (place - start) % LONGEST_WORD == 0:
                start = place if not inside else start
                firsts[row, place] = chosen[row, place]
            else:
                assert chosen[row, place] == chosen[row, place - 1]
    return firsts


def test_shares_are_those_of_bert() -> None:
    random = np.random.default_rng(1)
    pieces = random.integers(5, 30, (64, 256))
    settings = PretrainingSettings()
    chosen = choose_positions(pieces, TRAITS, settings, random)
    assert chosen.mean() == pytest.approx(0.15, abs=0.01)
    replaced = replace_pieces(pieces, chosen, TRAITS, random)[chosen]
    kept = replaced == pieces[chosen]
    assert (replaced == 4).mean() == pytest.approx(0.8, abs=0.03)
    assert kept.mean() == pytest.approx(0.1 + 0.1 / 25, abs=0.02)  # a random piece may be the same


def test_span_masking_leaves_hardly_a_lone_mask() -> None:
    pieces = np.random.default_rng(1).integers(5, 30, (64, 256))

    def lone(masking: str) -> float:
        settings = PretrainingSettings(masking=masking)
        chosen = np.pad(choose_positions(pieces, TRAITS, settings, np.random.default_rng(2)), ((0, 0), (1, 1)))
        return float((chosen[:, 1:-1] & ~chosen[:, :-2] & ~chosen[:, 2:]).sum() / chosen.sum())

    assert lone("token") > 0.65
    assert lone("span") < 0.03
