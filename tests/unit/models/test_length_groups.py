"""Sentences of about one length are read together where that saves padding, and come back in their order."""

import torch

from nerbridge.models.layers.length_groups import ROWS_AT_ONCE, back_in_order, groups_of, read_in_groups

LENGTHS = torch.tensor([3, 9, 1] * ROWS_AT_ONCE)
MASK = torch.arange(9) < LENGTHS.unsqueeze(1)


def test_groups_are_as_long_as_their_longest() -> None:
    groups = groups_of(MASK)
    assert groups is not None
    assert [length for _, length in groups] == [9, 3, 1]
    assert [LENGTHS[rows].tolist() for rows, _ in groups] == [[length] * ROWS_AT_ONCE for length in (9, 3, 1)]
    assert torch.equal(torch.cat([rows for rows, _ in groups])[back_in_order(groups)], torch.arange(len(MASK)))


def test_batches_with_little_padding_and_small_ones_are_read_at_once() -> None:
    assert groups_of(torch.ones(2 * ROWS_AT_ONCE, 9, dtype=torch.bool)) is None
    assert groups_of(MASK[:ROWS_AT_ONCE]) is None
    assert groups_of(torch.ones(60, 0, dtype=torch.bool)) is None


def test_every_row_is_read_as_far_as_its_group_goes() -> None:
    shapes: list[tuple[int, ...]] = []

    def read(vectors: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        shapes.append(tuple(vectors.shape))
        return vectors * mask.unsqueeze(2)

    vectors = torch.randn(*MASK.shape, 2)
    assert torch.equal(read_in_groups(read, vectors, MASK), vectors * MASK.unsqueeze(2))
    assert shapes == [(ROWS_AT_ONCE, 9, 2), (ROWS_AT_ONCE, 3, 2), (ROWS_AT_ONCE, 1, 2)]
