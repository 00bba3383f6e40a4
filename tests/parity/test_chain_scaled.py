"""Chains summed by scaled products, against the same chains summed in log space."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from nerbridge.models.layers import chain_loop, chain_scaled
from nerbridge.models.layers.chain import PENALTY, ChainScores
from nerbridge.models.layers.chain_choice import summing_by, takes_scaled
from nerbridge.models.layers.crf import log_likelihood


def random_inputs(seed: int, *, tags: int, units: int, rows: int, scale: float) -> tuple[list[Tensor], Tensor, Tensor]:
    """starts, pairs, ends, emissions in float64; lengths, of which one is the longest; weights of the rows."""
    random = torch.Generator().manual_seed(seed)
    shapes = (tags,), (tags, tags), (tags,), (rows, units, tags)
    found = [scale * torch.randn(*shape, generator=random, dtype=torch.float64) for shape in shapes]
    lengths = torch.randint(1, units + 1, (rows,), generator=random)
    lengths[-1] = units
    return found, lengths, torch.randn(rows, generator=random, dtype=torch.float64)


def value_and_gradients(way: object, inputs: list[Tensor], mask: Tensor, weights: Tensor) -> list[Tensor]:
    own = [one.clone().requires_grad_() for one in inputs]
    starts, pairs, ends, emissions = own
    total = way.log_partition(ChainScores(pairs, starts, ends), emissions, mask)  # type: ignore[attr-defined]
    return [total.detach(), *torch.autograd.grad((total * weights).sum(), own, materialize_grads=True)]


@settings(deadline=None, max_examples=40)
@given(
    st.integers(0, 2**31), st.integers(1, 40), st.integers(1, 40), st.integers(1, 6), st.sampled_from([0.01, 1.0, 20.0])
)
def test_value_and_gradients_are_those_of_sums_in_log_space(
    seed: int, tags: int, units: int, rows: int, scale: float
) -> None:
    inputs, lengths, weights = random_inputs(seed, tags=tags, units=units, rows=rows, scale=scale)
    starts, pairs, ends, emissions = inputs
    assert chain_scaled.fits(ChainScores(pairs, starts, ends), emissions)
    mask = torch.arange(units) < lengths.unsqueeze(1)
    found = value_and_gradients(chain_scaled, inputs, mask, weights)
    for one, other in zip(found, value_and_gradients(chain_loop, inputs, mask, weights), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-9)


def test_numerical_gradients_agree() -> None:
    inputs, lengths, _ = random_inputs(3, tags=4, units=6, rows=3, scale=1.0)
    mask = torch.arange(6) < lengths.unsqueeze(1)

    def find(starts: Tensor, pairs: Tensor, ends: Tensor, emissions: Tensor) -> Tensor:
        return chain_scaled.log_partition(ChainScores(pairs, starts, ends), emissions, mask)

    assert torch.autograd.gradcheck(find, [one.requires_grad_() for one in inputs])


def test_at_the_widest_scores_that_fit_nothing_is_lost() -> None:
    """The likeliest beginning leads nowhere: what counts is 10^-129 of it at the unit before the last."""
    apart = chain_scaled.WIDEST / 2 - 1
    pairs = torch.zeros(2, 2, dtype=torch.float64)
    pairs[0] = -apart
    emissions = torch.tensor([[[0.0, -apart], [0.0, -1.0]]], dtype=torch.float64)
    inputs, mask = [torch.zeros(2), pairs, torch.zeros(2), emissions], torch.ones(1, 2, dtype=torch.bool)
    assert chain_scaled.fits(ChainScores(pairs, inputs[0], inputs[2]), emissions)
    found = value_and_gradients(chain_scaled, inputs, mask, torch.ones(1))
    for one, other in zip(found, value_and_gradients(chain_loop, inputs, mask, torch.ones(1)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("place", ["emissions", "pairs", "starts", "ends"])
def test_scores_that_differ_too_much_are_summed_in_log_space(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (starts, pairs, ends, emissions), _, _ = random_inputs(1, tags=3, units=4, rows=2, scale=1.0)
    mask = torch.ones(2, 4, dtype=torch.bool)
    {"emissions": emissions, "pairs": pairs, "starts": starts, "ends": ends}[place].view(-1)[0] = PENALTY
    monkeypatch.setattr(chain_scaled, "log_partition", None)  # would be an error
    scores, tags = ChainScores(pairs, starts, ends), torch.ones(2, 4, dtype=torch.long)
    found = log_likelihood(scores, emissions.float(), tags, mask)
    with summing_by("loop"):
        assert torch.equal(found, log_likelihood(scores, emissions.float(), tags, mask))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_on_a_gpu_it_gives_the_same() -> None:
    inputs, lengths, weights = random_inputs(5, tags=65, units=30, rows=7, scale=3.0)
    mask = torch.arange(30) < lengths.unsqueeze(1)
    expected = value_and_gradients(chain_scaled, inputs, mask, weights)
    found = value_and_gradients(chain_scaled, [one.cuda() for one in inputs], mask.cuda(), weights.cuda())
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one.cpu(), other, rtol=1e-9, atol=1e-9)


def test_known_tags_take_it() -> None:
    mask = torch.tensor([[True, True], [True, False]])
    assert takes_scaled(torch.tensor([[0, 1], [1, -100]]), mask)
    assert not takes_scaled(torch.tensor([[0, -100], [1, -100]]), mask)
    with summing_by("loop"):
        assert not takes_scaled(torch.tensor([[0, 1], [1, -100]]), mask)


def test_a_batch_without_rows_has_no_likelihoods_and_no_gradients() -> None:
    (starts, pairs, ends, _), _, _ = random_inputs(4, tags=3, units=5, rows=1, scale=1.0)
    scores = ChainScores(*(one.requires_grad_() for one in (pairs, starts, ends)))
    emissions = torch.zeros(0, 5, 3, requires_grad=True)
    tags, mask = torch.zeros(0, 5, dtype=torch.long), torch.ones(0, 5, dtype=torch.bool)
    found = log_likelihood(scores, emissions, tags, mask)
    assert found.shape == (0,)
    found.sum().backward()
    assert all(one.grad is not None and not one.grad.any() for one in (starts, pairs, ends))
