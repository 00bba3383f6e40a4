"""The CRF, summed unit by unit, by scaled products and by a tree, against the enumeration of all tag sequences."""

import itertools
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from builders import batch, partial, sentence, tiny_tagger
from nerbridge.batching.batch import UNKNOWN
from nerbridge.config.tagger import CrfSettings
from nerbridge.models.heads.crf import CrfHead
from nerbridge.models.layers import chain_loop, chain_products
from nerbridge.models.layers.chain import PENALTY, ChainScores, LegalMoves
from nerbridge.models.layers.chain_choice import summing_by
from nerbridge.models.layers.crf import best_tags, log_likelihood, marginals

NUM_TAGS = 3
MASKS = {
    "padded behind": [[True] * 4, [True, True, False, False], [True, False, False, False]],
    "padded before": [[True] * 4, [False, False, True, True], [False, False, False, True]],
    "padded inside": [[True, False, True, True], [True, False, False, True], [False, True, True, False]],
    "one unit": [[True], [True], [True]],
}


@pytest.fixture(params=["loop", "tree", "scaled"], autouse=True)
def way(request: pytest.FixtureRequest) -> Iterator[None]:
    with summing_by(request.param):
        yield


def random_chain(seed: int, *, scale: float = 1.0) -> ChainScores:
    random = torch.Generator().manual_seed(seed)
    shapes = ((NUM_TAGS, NUM_TAGS), (NUM_TAGS,), (NUM_TAGS,))
    return ChainScores(*(scale * torch.randn(*shape, generator=random) for shape in shapes))


def random_emissions(mask: Tensor, seed: int, *, scale: float = 1.0) -> Tensor:
    return scale * torch.randn(*mask.shape, NUM_TAGS, generator=torch.Generator().manual_seed(seed))


def all_paths(chain: ChainScores, emissions: Tensor) -> dict[tuple[int, ...], float]:
    """Every tag sequence of one row without padding, and its score."""
    scores = {}
    for path in itertools.product(range(NUM_TAGS), repeat=len(emissions)):
        score = chain.starts[path[0]] + chain.ends[path[-1]]
        score += sum(emissions[unit, tag] for unit, tag in enumerate(path))
        score += sum(chain.pairs[first, second] for first, second in itertools.pairwise(path))
        scores[path] = float(score)
    return scores


@pytest.fixture(params=MASKS)
def mask(request: pytest.FixtureRequest) -> Tensor:
    return torch.tensor(MASKS[request.param])


@pytest.mark.parametrize("seed", range(3))
def test_log_likelihood_is_that_of_all_paths(mask: Tensor, seed: int) -> None:
    chain, emissions = random_chain(seed), random_emissions(mask, seed + 100)
    tags = torch.randint(NUM_TAGS, mask.shape, generator=torch.Generator().manual_seed(seed))
    found = log_likelihood(chain, emissions, tags, mask)
    for row in range(len(mask)):
        paths = all_paths(chain, emissions[row][mask[row]])
        gold = paths[tuple(tags[row][mask[row]].tolist())]
        total = torch.tensor(list(paths.values())).logsumexp(0)
        assert found[row] == pytest.approx(gold - total.item(), abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_unknown_words_are_summed_out(mask: Tensor, seed: int) -> None:
    chain, emissions = random_chain(seed), random_emissions(mask, seed + 100)
    tags = torch.randint(-1, NUM_TAGS, mask.shape, generator=torch.Generator().manual_seed(seed))
    tags[tags < 0] = -100
    found = log_likelihood(chain, emissions, tags, mask)
    for row in range(len(mask)):
        paths = all_paths(chain, emissions[row][mask[row]])
        known = tags[row][mask[row]].tolist()
        agreeing = [s for path, s in paths.items() if all(k in (t, -100) for t, k in zip(path, known, strict=True))]
        expected = torch.tensor(agreeing).logsumexp(0) - torch.tensor(list(paths.values())).logsumexp(0)
        assert found[row] == pytest.approx(expected.item(), abs=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_viterbi_finds_the_best_of_all_paths(mask: Tensor, seed: int) -> None:
    chain, emissions = random_chain(seed), random_emissions(mask, seed + 100)
    found = best_tags(chain, emissions, mask)
    for row in range(len(mask)):
        paths = all_paths(chain, emissions[row][mask[row]])
        assert tuple(found[row][mask[row]].tolist()) == max(paths, key=paths.__getitem__)
        assert not found[row][~mask[row]].any()


@pytest.mark.parametrize("seed", range(3))
def test_marginals_are_those_of_all_paths(mask: Tensor, seed: int) -> None:
    chain, emissions = random_chain(seed), random_emissions(mask, seed + 100)
    found = marginals(chain, emissions, mask)
    for row in range(len(mask)):
        paths = all_paths(chain, emissions[row][mask[row]])
        probabilities = torch.tensor(list(paths.values())).softmax(0)
        expected = torch.zeros(int(mask[row].sum()), NUM_TAGS)
        for path, probability in zip(paths, probabilities, strict=True):
            for unit, tag in enumerate(path):
                expected[unit, tag] += probability
        torch.testing.assert_close(found[row][mask[row]], expected, atol=1e-5, rtol=1e-4)
        assert not found[row][~mask[row]].any()


@pytest.mark.parametrize("scale", [10.0, 100.0])
def test_posteriors_of_very_sure_models_are_those_of_all_paths(scale: float) -> None:
    mask = torch.ones(6, 4, dtype=torch.bool)
    chain, emissions = random_chain(1, scale=scale), random_emissions(mask, 2, scale=scale)
    found = marginals(chain, emissions, mask)
    for row in range(len(mask)):
        paths = all_paths(chain, emissions[row])
        probabilities = torch.tensor(list(paths.values()), dtype=torch.float64).softmax(0)
        expected = torch.zeros(4, NUM_TAGS, dtype=torch.float64)
        for path, probability in zip(paths, probabilities, strict=True):
            for unit, tag in enumerate(path):
                expected[unit, tag] += probability
        torch.testing.assert_close(found[row].double(), expected, atol=1e-4, rtol=1e-3)


def test_excluded_moves_have_probability_zero_and_are_never_decoded() -> None:
    mask = torch.ones(8, 4, dtype=torch.bool)
    legal = LegalMoves(
        pairs=torch.tensor([[0.0, 0.0, PENALTY], [0.0, 0.0, 0.0], [0.0, PENALTY, 0.0]]),
        starts=torch.tensor([0.0, 0.0, PENALTY]),
        ends=torch.tensor([0.0, PENALTY, 0.0]),
    )
    chain, emissions = random_chain(1, scale=3), random_emissions(mask, 2, scale=3)
    constrained = chain.excluding(legal)
    decoded, posterior = best_tags(constrained, emissions, mask), marginals(constrained, emissions, mask)
    for row in range(len(mask)):
        paths = all_paths(constrained, emissions[row])
        best = max(paths, key=paths.__getitem__)
        assert paths[best] > PENALTY / 2
        assert tuple(decoded[row].tolist()) == best
    assert not posterior[:, 0, 2].any()
    assert not posterior[:, -1, 1].any()
    torch.testing.assert_close(posterior.sum(dim=2), torch.ones(8, 4))


def test_gradients_are_those_of_all_paths() -> None:
    mask = torch.tensor(MASKS["padded behind"])
    tags = torch.tensor([[0, 1, -100, 2], [2, -100, 0, 0], [1, 0, 0, 0]])
    emissions = random_emissions(mask, 5).requires_grad_()
    pairs = random_chain(6).pairs.requires_grad_()
    chain = ChainScores(pairs, *(torch.zeros(NUM_TAGS, requires_grad=True) for _ in range(2)))
    log_likelihood(chain, emissions, tags, mask).sum().backward()
    assert emissions.grad is not None
    # d log p(known) / d emission = posterior given the known words - posterior given nothing
    agreeing = emissions.detach().clone()
    agreeing[(torch.arange(NUM_TAGS) != tags.unsqueeze(2)) & (tags >= 0).unsqueeze(2)] = PENALTY
    detached = ChainScores(pairs.detach(), chain.starts.detach(), chain.ends.detach())
    expected = marginals(detached, agreeing, mask) - marginals(detached, emissions.detach(), mask)
    torch.testing.assert_close(emissions.grad, expected, atol=1e-5, rtol=1e-4)
    assert not emissions.grad[~mask].any()


def test_a_row_without_units_counts_nothing_and_makes_no_nan() -> None:
    mask = torch.tensor([[True, True], [False, False]])
    emissions = random_emissions(mask, 1).requires_grad_()
    found = log_likelihood(random_chain(1), emissions, torch.tensor([[0, 1], [-100, -100]]), mask)
    found.sum().backward()
    assert found[1] == 0
    assert emissions.grad is not None
    assert torch.isfinite(emissions.grad).all()
    assert not best_tags(random_chain(1), emissions, mask)[1].any()
    assert torch.isfinite(marginals(random_chain(1), emissions, mask)).all()


def test_autocast_does_not_lower_the_precision() -> None:
    mask = torch.ones(2, 50, dtype=torch.bool)
    chain, emissions = random_chain(1), random_emissions(mask, 2)
    tags = torch.zeros(2, 50, dtype=torch.long)
    expected = log_likelihood(chain, emissions, tags, mask)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = log_likelihood(chain, emissions, tags, mask)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, expected, atol=0, rtol=0)


def test_extreme_scores_stay_finite() -> None:
    mask = torch.ones(1, 3000, dtype=torch.bool)
    chain, emissions = random_chain(1, scale=100), random_emissions(mask, 2, scale=1000)
    found = log_likelihood(chain, emissions, torch.zeros(1, 3000, dtype=torch.long), mask)
    assert torch.isfinite(found).all()
    torch.testing.assert_close(marginals(chain, emissions, mask).sum(dim=2), torch.ones(1, 3000))


@torch.no_grad()
@pytest.mark.parametrize("constrained_training", [True, False])
@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
def test_the_head_compares_gold_with_the_sequences_it_was_told_to(constrained_training: bool, scheme: str) -> None:
    settings = CrfSettings(scheme=scheme, constrained_training=constrained_training, dropout=0.0)
    model = tiny_tagger(tagger=settings)
    made = batch(
        model, [sentence("ada sang", (0, 1, "person")), partial("in london today", (1, 2), (1, 2, "location"))]
    )
    head = model.head("news")
    assert isinstance(head, CrfHead)
    states = torch.randn(2, 3, head.output.in_features, generator=torch.Generator().manual_seed(1))
    total, tags = 0.0, made.targets["tags"]
    for row, length in enumerate((2, 3)):
        emissions, gold = head.output(states[row, :length]).tolist(), tags[row, :length].tolist()
        paths = list(itertools.product(range(len(head.vocabulary)), repeat=length))
        compared = [path for path in paths if not constrained_training or is_legal(head, path)]
        known = [path for path in compared if all(tag in (said, UNKNOWN) for said, tag in zip(path, gold, strict=True))]
        assert len(known) < len(compared) <= len(paths)
        total += logsumexp(head, emissions, compared) - logsumexp(head, emissions, known)
    expected = total / int((tags != UNKNOWN).sum())
    assert float(head.loss(states, made).total()) == pytest.approx(expected, abs=1e-4)


def logsumexp(head: CrfHead, emissions: list[list[float]], paths: list[tuple[int, ...]]) -> float:
    starts, ends, pairs = head.starts.tolist(), head.ends.tolist(), head.pairs.tolist()
    scores = []
    for path in paths:
        score = starts[path[0]] + ends[path[-1]] + sum(emissions[unit][tag] for unit, tag in enumerate(path))
        scores.append(score + sum(pairs[first][second] for first, second in itertools.pairwise(path)))
    return float(torch.tensor(scores, dtype=torch.float64).logsumexp(0))


def is_legal(head: CrfHead, path: tuple[int, ...]) -> bool:
    known = head.vocabulary
    steps = all(known.may_follow()[first][second] for first, second in itertools.pairwise(path))
    return steps and known.may_start()[path[0]] and known.may_end()[path[-1]]


def test_a_batch_whose_pairs_of_tags_do_not_fit_the_memory_is_summed_in_pieces(
    mask: Tensor, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain, emissions, tags = random_chain(1), random_emissions(mask, 2), torch.zeros(mask.shape, dtype=torch.long)
    whole, likelihood = best_tags(chain, emissions, mask), log_likelihood(chain, emissions, tags, mask)
    for cells in (1, 2 * NUM_TAGS**2, 4 * NUM_TAGS**3):
        monkeypatch.setattr(chain_loop, "CELLS_AT_ONCE", cells)
        monkeypatch.setattr(chain_products, "CELLS_AT_ONCE", cells)
        assert torch.equal(best_tags(chain, emissions, mask), whole)
        torch.testing.assert_close(log_likelihood(chain, emissions, tags, mask), likelihood, atol=1e-6, rtol=1e-6)
