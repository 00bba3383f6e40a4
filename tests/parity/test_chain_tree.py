"""Chains summed by a tree over their units, against the same chains summed unit by unit."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from nerbridge.models.layers import chain_loop, chain_tree
from nerbridge.models.layers.chain import PENALTY, ChainScores
from nerbridge.models.layers.chain_choice import Way, summing_by, takes_tree
from nerbridge.models.layers.crf import best_tags, log_likelihood, marginals

EXCLUDED = -1e12  # what the loop gets for -inf, of which it makes NaN


class Chain:
    """Random scores of a few rows in float64, with lengths and illegal moves."""

    def __init__(self, seed: int, *, tags: int, units: int, scale: float = 1.0, illegal: float = 0.0) -> None:
        random = torch.Generator().manual_seed(seed)
        self.scale, rows = scale, 3

        def scores(*shape: int) -> Tensor:
            return scale * torch.randn(*shape, generator=random, dtype=torch.float64)

        self.starts, self.pairs, self.ends = scores(tags), scores(tags, tags), scores(tags)
        self.emissions = scores(rows, units, tags)
        self.lengths = torch.randint(1, units + 1, (rows,), generator=random)
        self.lengths[0] = units
        self.mask = torch.arange(units) < self.lengths.unsqueeze(1)
        self.weights = torch.randn(rows, generator=random, dtype=torch.float64)
        excluded = torch.rand(tags, tags, generator=random) < illegal
        self.excluded = excluded & ~torch.eye(tags, dtype=torch.bool)  # one tag throughout is always a way

    def scores(self, penalty: float = PENALTY) -> ChainScores:
        return ChainScores(self.pairs.masked_fill(self.excluded, penalty), self.starts, self.ends)


def value_and_gradients(find: Callable[..., Tensor], chain: Chain, penalty: float) -> list[Tensor]:
    """log Z of every row, and the gradients of their weighted sum."""
    scores = chain.scores(penalty)
    inputs = [one.detach().requires_grad_() for one in (scores.starts, scores.pairs, scores.ends, chain.emissions)]
    starts, pairs, ends, emissions = inputs
    total = find(ChainScores(pairs, starts, ends), emissions, chain.mask)
    return [total.detach(), *torch.autograd.grad((total * chain.weights).sum(), inputs, materialize_grads=True)]


def same(found: Sequence[Tensor], expected: Sequence[Tensor], *, digits: float = 1e-9) -> None:
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=digits, atol=digits)


chains = st.builds(
    Chain,
    st.integers(0, 2**31),
    tags=st.integers(1, 40),
    units=st.integers(1, 40),
    scale=st.sampled_from([0.01, 1.0, 10.0, 300.0]),
    illegal=st.sampled_from([0.0, 0.4, 1.0]),
)


@settings(deadline=None, max_examples=40)
@given(chain=chains, penalty=st.sampled_from([PENALTY, -math.inf]))
def test_log_partition_and_its_gradients_are_those_of_the_loop(chain: Chain, penalty: float) -> None:
    finite = max(penalty, EXCLUDED)
    found = value_and_gradients(chain_tree.log_partition, chain, penalty)
    same(found, value_and_gradients(chain_loop.log_partition, chain, finite))


@settings(deadline=None, max_examples=25)
@given(chain=chains)
def test_posteriors_and_best_tags_are_those_of_the_loop(chain: Chain) -> None:
    scores, real = chain.scores(), chain.mask.unsqueeze(2)
    # Posteriors are the gradient of log Z; the loop's own lose what is below exp(-690) of the largest.
    emissions = chain.emissions.detach().requires_grad_()
    expected = torch.autograd.grad(chain_loop.log_partition(scores, emissions, chain.mask).sum(), emissions)[0]
    found = chain_tree.marginals(scores, chain.emissions, chain.mask) * real
    torch.testing.assert_close(found, expected.float(), atol=1e-6, rtol=1e-5)
    if chain.scale <= 10:
        torch.testing.assert_close(found, chain_loop.marginals(scores, emissions, chain.mask) * real, atol=1e-6, rtol=0)
    best, known = (way.best_tags(scores, chain.emissions, chain.mask) for way in (chain_tree, chain_loop))
    assert torch.equal(best * chain.mask, known * chain.mask)


@pytest.mark.parametrize("tags", [1, 2, 9, 40])
@pytest.mark.parametrize("units", [1, 2, 3, 17, 64])
def test_in_float32_the_tree_is_as_near_to_the_truth_as_the_loop(tags: int, units: int) -> None:
    chain = Chain(5, tags=tags, units=units, scale=10.0, illegal=0.3)
    truth = value_and_gradients(chain_loop.log_partition, chain, PENALTY)
    for name in ("starts", "pairs", "ends", "emissions", "weights"):
        setattr(chain, name, getattr(chain, name).float())
    found = value_and_gradients(chain_tree.log_partition, chain, PENALTY)
    assert {one.dtype for one in found} == {torch.float32}
    for one, other in zip(found, truth, strict=True):
        torch.testing.assert_close(one.double(), other, rtol=1e-6, atol=1e-4)


def test_numerical_gradients_agree() -> None:
    chain = Chain(3, tags=3, units=6, illegal=0.6)
    inputs = [one.requires_grad_() for one in (chain.starts, chain.pairs, chain.ends, chain.emissions)]

    def find(starts: Tensor, pairs: Tensor, ends: Tensor, emissions: Tensor) -> Tensor:
        return chain_tree.log_partition(
            ChainScores(pairs.masked_fill(chain.excluded, -math.inf), starts, ends), emissions, chain.mask
        )

    assert chain.excluded.any()
    assert torch.autograd.gradcheck(find, inputs)


@pytest.mark.parametrize("penalty", [PENALTY, -math.inf])
def test_what_is_excluded_has_no_gradient(penalty: float) -> None:
    chain = Chain(4, tags=5, units=12, scale=3.0, illegal=0.5)
    _, _, pairs, _, emissions = value_and_gradients(chain_tree.log_partition, chain, penalty)
    assert not pairs[chain.excluded].any()
    assert pairs[~chain.excluded].all()
    assert not emissions[~chain.mask].any()
    torch.testing.assert_close(emissions.sum(dim=2), chain.weights.unsqueeze(1) * chain.mask)


def test_a_row_without_any_possible_sequence_is_impossible_without_nan() -> None:
    chain = Chain(6, tags=4, units=9)
    chain.emissions[1, 0] = -math.inf
    total, *gradients = value_and_gradients(chain_tree.log_partition, chain, PENALTY)
    assert total.isneginf().tolist() == [False, True, False]
    assert all(torch.isfinite(one).all() for one in gradients)
    assert not gradients[-1][1].any()
    assert torch.isfinite(chain_tree.marginals(chain.scores(), chain.emissions, chain.mask)).all()


def test_scores_at_the_padding_are_never_read() -> None:
    chain = Chain(7, tags=4, units=11)
    expected = value_and_gradients(chain_tree.log_partition, chain, PENALTY)
    assert not chain.mask.all()
    for value in (math.nan, math.inf, -math.inf, 1e6):
        chain.emissions[~chain.mask] = value
        same(value_and_gradients(chain_tree.log_partition, chain, PENALTY), expected, digits=0)


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**31), tags=st.integers(1, 20), known=st.sampled_from([0.0, 0.5, 1.0]))
def test_partly_labelled_sentences_padded_anywhere_have_the_likelihood_of_the_loop(
    seed: int, tags: int, known: float
) -> None:
    random = torch.Generator().manual_seed(seed)
    chain = Chain(seed, tags=tags, units=13, illegal=0.3)
    mask = torch.rand(3, 13, generator=random) < 0.7
    mask[2] = False
    gold = torch.randint(tags, mask.shape, generator=random)
    gold[torch.rand(mask.shape, generator=random) > known] = -100
    found = {}
    for way in ("loop", "tree"):
        emissions, pairs = (one.float().requires_grad_() for one in (chain.emissions, chain.pairs))
        with summing_by(way):
            total = log_likelihood(ChainScores(pairs, chain.starts, chain.ends), emissions, gold, mask)
        found[way] = [total.detach(), *torch.autograd.grad(total.sum(), (emissions, pairs))]
    same(found["tree"], found["loop"], digits=1e-4)


@pytest.mark.parametrize("way", ["loop", "tree"])
@pytest.mark.parametrize("name", ["log_partition", "marginals", "best_tags"])
def test_a_way_can_be_forced(way: Way, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> Tensor:
        raise NotImplementedError

    chain = Chain(1, tags=3, units=20)
    arguments, gold = (chain.scores(), chain.emissions), torch.zeros(3, 20, dtype=torch.long)
    asked: dict[str, Callable[[], Tensor]] = {
        "log_partition": lambda: log_likelihood(*arguments, gold, chain.mask),
        "marginals": lambda: marginals(*arguments, chain.mask),
        "best_tags": lambda: best_tags(*arguments, chain.mask),
    }
    monkeypatch.setattr(chain_tree, name, refuse)
    asked[name]()  # on the CPU, the loop
    with summing_by(way):
        if way == "loop":
            asked[name]()
        else:
            with pytest.raises(NotImplementedError):
                asked[name]()
    asked[name]()


@pytest.mark.parametrize(
    ("shape", "device", "expected"),
    [
        ((60, 25, 33), "cuda", True),
        ((60, 25, 33), "cpu", False),
        ((60, 25, 33), "mps", False),
        ((60, 7, 33), "cuda", False),
        ((1, 25, 65), "cuda", False),
        ((233, 25, 33), "cuda", True),
        ((234, 25, 33), "cuda", False),
        ((0, 25, 33), "cuda", True),
    ],
)
def test_on_a_gpu_the_tree_is_taken_while_its_work_is_small(
    shape: tuple[int, ...], device: str, expected: bool
) -> None:
    assert takes_tree(torch.Size(shape), torch.device(device)) is expected
    with summing_by("tree"):
        assert takes_tree(torch.Size(shape), torch.device(device))
        with summing_by("loop"):
            assert not takes_tree(torch.Size(shape), torch.device(device))


class Operations(TorchDispatchMode):
    """Counts what is run inside, views not."""

    count = 0

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.count += not operation.is_view
        return operation(*args, **(kwargs or {}))


def operations(way: Way, units: int) -> int:
    """Of one loss and its gradient."""
    chain = Chain(1, tags=5, units=units)
    pairs, emissions = chain.pairs.float().requires_grad_(), chain.emissions.float().requires_grad_()
    gold = torch.zeros(3, units, dtype=torch.long)
    with summing_by(way), Operations() as counted:
        log_likelihood(ChainScores(pairs, chain.starts, chain.ends), emissions, gold, chain.mask).sum().backward()
    return counted.count


def test_a_tree_has_operations_for_each_doubling_of_the_length_not_for_each_unit() -> None:
    at_17, at_33, at_65 = (operations("tree", units) for units in (17, 33, 65))
    assert at_33 - at_17 == at_65 - at_33 < 20
    assert operations("loop", 33) - operations("loop", 17) > 16 * 10
    assert at_33 < operations("loop", 33) / 3


def test_no_rows_have_no_scores() -> None:
    chain = Chain(1, tags=3, units=9)
    arguments = chain.scores(), chain.emissions[:0], chain.mask[:0]
    assert chain_tree.log_partition(*arguments).shape == (0,)
    assert chain_tree.marginals(*arguments).shape == (0, 9, 3)
    assert chain_tree.best_tags(*arguments).shape == (0, 9)
