"""The loss of entity types counts words of unknown label as words (Jia and Zhang 2020, equations 10 and 12)."""

import torch

from nerbridge.batching.batch import UNKNOWN
from nerbridge.models.losses import types_loss

SCORES = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]], [[1.0, -1.0], [0.5, 0.0], [9.0, 0.0]]])
MASK = torch.tensor([[True, True, True], [True, True, False]])


def minus_log_p(scores: torch.Tensor, label: int) -> torch.Tensor:
    return torch.log(torch.exp(scores).sum()) - scores[label]


def test_the_sum_over_known_words_is_divided_by_all_words() -> None:
    types = torch.tensor([[0, UNKNOWN, UNKNOWN], [UNKNOWN, 1, UNKNOWN]])
    expected = (minus_log_p(SCORES[0, 0], 0) + minus_log_p(SCORES[1, 1], 1)) / 5
    torch.testing.assert_close(types_loss(SCORES, types, MASK), expected)


def test_where_all_labels_are_known_it_is_their_mean() -> None:
    types = torch.tensor([[0, 1, 1], [0, 0, UNKNOWN]])
    known = [(0, 0, 0), (0, 1, 1), (0, 2, 1), (1, 0, 0), (1, 1, 0)]
    expected = torch.stack([minus_log_p(SCORES[row, unit], label) for row, unit, label in known]).mean()
    torch.testing.assert_close(types_loss(SCORES, types, MASK), expected)


def test_without_any_known_label_it_is_nothing_and_has_gradients() -> None:
    scores = SCORES.clone().requires_grad_()
    loss = types_loss(scores, torch.full((2, 3), UNKNOWN), MASK)
    loss.backward()
    assert loss.item() == 0
    assert scores.grad is not None
    assert not scores.grad.any()
