"""Documents become rows, rows become batches; nothing is lost, little is padding."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nerbridge.pretraining.packing import cut_rows, epoch_rows, join_rows

ONES = st.lists(st.integers(0, 70), min_size=1, max_size=30)


def starts_of(lengths: list[int]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


@given(ONES, st.integers(4, 20), st.integers(0, 9))
def test_rows_hold_every_piece_once_and_cross_no_document(lengths: list[int], capacity: int, seed: int) -> None:
    starts = starts_of(lengths)
    pieces = np.arange(starts[-1])
    continues = np.random.default_rng(seed).random(max(len(pieces), 1)) < 0.5
    rows = cut_rows(pieces, starts, np.ones(len(lengths), np.bool_), capacity, continues)
    covered = [
        piece for start, length in zip(rows.starts, rows.lengths, strict=True) for piece in range(start, start + length)
    ]
    assert covered == pieces.tolist()
    assert not len(rows) or 0 < rows.lengths.min() <= rows.lengths.max() <= capacity
    document = np.searchsorted(starts, np.arange(starts[-1]), side="right")
    for start, length in zip(rows.starts, rows.lengths, strict=True):
        assert len(set(document[start : start + length])) == 1


def test_a_long_document_is_cut_evenly_and_at_word_starts() -> None:
    pieces = np.arange(30)
    continues = np.zeros(30, np.bool_)
    continues[15] = True  # the middle is inside a word
    rows = cut_rows(pieces, starts_of([30]), np.ones(1, np.bool_), 20, continues)
    assert (rows.starts.tolist(), rows.lengths.tolist()) == ([0, 14], [14, 16])


@given(ONES, st.integers(8, 40))
def test_joined_rows_fit_and_keep_their_order(lengths: list[int], capacity: int) -> None:
    starts = starts_of(lengths)
    rows = cut_rows(np.arange(starts[-1]), starts, np.ones(len(lengths), np.bool_), capacity, np.zeros(3000, np.bool_))
    joined = join_rows(rows, capacity, 1)
    assert joined.starts.tolist() == rows.starts.tolist()
    sizes = joined.sizes(0, 1)
    assert int(sizes.sum()) == int(rows.lengths.sum()) + len(rows) - len(joined)
    assert not len(joined) or sizes.max() <= capacity
    assert all(sizes[k] + 1 + rows.lengths[joined.borders[k + 1]] > capacity for k in range(len(joined) - 1))


@given(st.lists(st.integers(1, 32), min_size=1, max_size=300), st.integers(32, 300), st.integers(0, 5))
def test_an_epoch_has_every_row_once_within_its_budget(sizes: list[int], budget: int, seed: int) -> None:
    lengths = np.array(sizes)
    batches = list(epoch_rows(lengths, budget, seed))
    assert sorted(np.concatenate(batches).tolist()) == list(range(len(sizes)))
    assert all(len(rows) * lengths[rows].max() <= budget for rows in batches)
    again = list(epoch_rows(lengths, budget, seed))
    assert all((one == other).all() for one, other in zip(batches, again, strict=True))


def test_little_is_padding() -> None:
    lengths = np.random.default_rng(1).integers(10, 257, 20_000)
    batches = list(epoch_rows(lengths, 64 * 256, 1))
    padded = sum(len(rows) * int(lengths[rows].max()) for rows in batches)
    assert lengths.sum() / padded > 0.95
    assert len(batches) < 1.08 * lengths.sum() / (64 * 256)


def test_no_rows_make_no_batches() -> None:
    assert list(epoch_rows(np.zeros(0, np.int64), 64, 1)) == []
