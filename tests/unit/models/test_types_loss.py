"""The loss of entity types: what unknown and unmatched words count (Jia and Zhang 2020, equations 10 and 12)."""

import pytest
import torch

from nerbridge.batching.batch import UNKNOWN, UNMATCHED
from nerbridge.models.losses import types_loss

SCORES = torch.tensor([[[2.0, 0.0], [0.0, 1.0], [3.0, 3.0]], [[1.0, -1.0], [0.5, 0.0], [9.0, 0.0]]])


def minus_log_p(scores: torch.Tensor, label: int) -> torch.Tensor:
    return torch.log(torch.exp(scores).sum()) - scores[label]


def test_words_of_raw_text_without_a_match_count() -> None:
    types = torch.tensor([[0, UNMATCHED, UNMATCHED], [UNMATCHED, 1, UNKNOWN]])  # the last one is padding
    expected = (minus_log_p(SCORES[0, 0], 0) + minus_log_p(SCORES[1, 1], 1)) / 5
    torch.testing.assert_close(types_loss(SCORES, types), expected)


def test_words_of_unknown_label_do_not() -> None:
    types = torch.tensor([[0, UNKNOWN, 1], [UNKNOWN, 0, UNKNOWN]])
    known = [(0, 0, 0), (0, 2, 1), (1, 1, 0)]
    expected = torch.stack([minus_log_p(SCORES[row, unit], label) for row, unit, label in known]).mean()
    torch.testing.assert_close(types_loss(SCORES, types), expected)


@pytest.mark.parametrize("nothing", [UNKNOWN, UNMATCHED])
def test_without_any_known_label_it_is_nothing_and_has_gradients(nothing: int) -> None:
    scores = SCORES.clone().requires_grad_()
    loss = types_loss(scores, torch.full((2, 3), nothing))
    loss.backward()
    assert loss.item() == 0
    assert scores.grad is not None
    assert not scores.grad.any()
