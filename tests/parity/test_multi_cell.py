"""The multi-cell LSTM against loops over sentences, words and cells, written from the paper's equations."""

import copy
import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN, UNMATCHED
from nerbridge.config.context import MultiCellSettings
from nerbridge.errors import LabelError
from nerbridge.models.context.multi_cell import MultiCellNetwork, recorder
from nerbridge.models.context.multi_cell.recorder import Recorder
from nerbridge.models.context.multi_cell.recording import rerun
from nerbridge.models.layers.length_groups import ROWS_AT_ONCE, groups_of

WIDTH, HIDDEN, ATTENTION = 5, 6, 4
HALF = HIDDEN // 2
LABELS = {"news": ("location", "person"), "bands": ("band", "person"), "nobody": ()}
EVERY = ("O", "band", "location", "person")

Steps = list[dict[str, Any]]


def network(**options: Any) -> MultiCellNetwork:
    torch.manual_seed(3)
    chosen = {"hidden": HIDDEN, "attention_width": ATTENTION, "entity_weight": 0.7, "attention_weight": 0.4, **options}
    return MultiCellNetwork(MultiCellSettings(**chosen), WIDTH, LABELS).double()


def batch(lengths: list[int], padding: int = 0, seed: int = 4) -> tuple[Tensor, Tensor]:
    torch.manual_seed(seed)
    sizes = torch.tensor(lengths)
    mask = torch.arange(max(lengths) + padding) < sizes.unsqueeze(1)
    return torch.randn(*mask.shape, WIDTH, dtype=torch.float64), mask


def types_of(mask: Tensor, domain: str) -> Tensor:
    """The label of each word, some unknown."""
    torch.manual_seed(5)
    found = torch.randint(0, len(LABELS[domain]) + 1, mask.shape)
    found[torch.rand(mask.shape) < 0.3] = UNKNOWN
    return found.masked_fill(~mask, UNKNOWN)


def slow_direction(net: MultiCellNetwork, direction: int, words: list[Tensor], domain: str) -> Steps:
    """Equations 2 to 8, word by word and cell by cell."""
    cells = net.cells
    biases = cells.biases.view(2, len(cells.labels), 2, HALF)[direction]
    own_biases = cells.own_biases.view(2, -1, HALF)[direction]
    carried = hidden = torch.zeros(HALF, dtype=torch.float64)
    steps: Steps = []
    for word in words:

        def gate(inward: Tensor, recurrent: Tensor, bias: Tensor, word: Tensor = word, h: Tensor = hidden) -> Tensor:
            return torch.cat([recurrent, inward], dim=1) @ torch.cat([h, word]) + bias

        states: dict[str, Tensor] = {}
        for label in ("O", *LABELS[domain]):
            k = 0 if net.settings.one_cell else cells.labels.index(label)
            i, temporary = (
                gate(cells.inward[direction, k, part], cells.recurrent[direction, k, part], biases[k, part])
                for part in (0, 1)
            )  # eq. 2
            i, temporary = torch.sigmoid(i), torch.tanh(temporary)
            states["any" if net.settings.one_cell else label] = i * temporary + (1 - i) * carried  # eq. 3
        own = [
            gate(cells.own_inward[direction, part], cells.own_recurrent[direction, part], own_biases[part])
            for part in range(len(own_biases))
        ]  # eq. 4
        i_own, o_own = torch.sigmoid(own[0]), torch.sigmoid(own[1])
        scores: dict[str, Tensor] = {}
        if net.settings.one_cell:
            merged = states["any"]
        else:
            own_temporary = torch.tanh(own[2])
            mine = (list(LABELS).index(domain), direction) if net.settings.attention_apart else direction
            for label, state in states.items():
                inner = cells.attend_temporary[mine] @ own_temporary + cells.attend_cells[mine] @ state
                scores[label] = cells.attend_score[mine] @ torch.tanh(inner)  # eq. 6
            total = sum(torch.exp(score) for score in scores.values())
            merged = sum(torch.exp(scores[label]) / total * state for label, state in states.items())  # eq. 5
        carried = i_own * merged + (1 - i_own) * carried  # eq. 7
        hidden = o_own * torch.tanh(carried)  # eq. 8
        steps.append({"hidden": hidden, "cells": states, "scores": scores})
    return steps


def slow(net: MultiCellNetwork, vectors: Tensor, mask: Tensor, types: Tensor, domain: str) -> tuple[Tensor, Tensor]:
    """States, and L_a of equations 9 to 12 as a mean over known words."""
    rows, entity_losses, attention_losses = [], [], []
    for sentence, real, known in zip(vectors, mask, types, strict=True):
        words = list(sentence[: int(real.sum())])
        ahead = slow_direction(net, 0, words, domain)
        back = slow_direction(net, 1, words[::-1], domain)[::-1]
        for one, other, label in zip(ahead, back, known.tolist(), strict=False):
            if label == UNKNOWN or net.settings.one_cell:
                continue
            logits, attended = {}, {}
            for name in ("O", *LABELS[domain]):
                state = torch.cat([one["cells"][name], other["cells"][name]])
                if net.entity is not None:
                    k = net.entity.labels.index(name)
                    logits[name] = torch.cat(list(net.entity.vectors[:, k])) @ state + net.entity.biases[k]
                attended[name] = (one["scores"][name] + other["scores"][name]) / 2
            gold = ("O", *LABELS[domain])[label]
            if logits:
                entity_losses.append(log_sum(logits) - logits[gold])  # eq. 9, 10
            attention_losses.append(log_sum(attended) - attended[gold])  # eq. 11, 12
        states = torch.stack(
            [torch.cat([one["hidden"], other["hidden"]]) for one, other in zip(ahead, back, strict=True)]
        )
        rows.append(torch.cat([states, states.new_zeros(len(real) - len(states), HIDDEN)]))
    total = torch.zeros((), dtype=torch.float64)
    for losses, weight in (
        (entity_losses, net.settings.entity_weight),
        (attention_losses, net.settings.attention_weight),
    ):
        if losses and weight:
            total = total + weight * torch.stack(losses).mean()
    return torch.stack(rows), total


def log_sum(scores: dict[str, Tensor]) -> Tensor:
    return torch.log(sum(torch.exp(score) for score in scores.values()))  # type: ignore[arg-type, return-value]


def gradients(net: MultiCellNetwork, leaf: Tensor, value: Tensor) -> dict[str, Tensor]:
    net.zero_grad()
    leaf.grad = None
    value.backward()
    found = {name: torch.zeros_like(p) if p.grad is None else p.grad.clone() for name, p in net.named_parameters()}
    return {**found, "vectors": leaf.grad.clone()}  # type: ignore[union-attr]


OPTIONS: list[dict[str, Any]] = [
    *({}, {"entity_weight": 0}, {"attention_weight": 0}, {"one_cell": True}, {"attention_apart": True}),
    {"attention_apart": True, "one_cell": True},
]


def check(net: MultiCellNetwork, vectors: Tensor, mask: Tensor, domain: str) -> None:
    """Values and gradients of the fast and the slow way are equal, of the states and of the losses."""
    types = types_of(mask, domain)
    leaf = vectors.clone().requires_grad_()
    weight = torch.randn(*mask.shape, HIDDEN, dtype=torch.float64)
    states, terms = net.learn(leaf, mask, (domain, "tags"), types)
    own = terms.total() if terms.terms else torch.zeros((), dtype=torch.float64)
    slow_states, slow_own = slow(net, leaf, mask, types, domain)
    torch.testing.assert_close(states, slow_states)
    torch.testing.assert_close(own, slow_own)
    fast = gradients(net, leaf, (states * weight).sum() + own)
    expected = gradients(net, leaf, (slow_states * weight).sum() + slow_own)
    for name, gradient in expected.items():
        torch.testing.assert_close(fast[name], gradient, msg=lambda text, n=name: f"{n}: {text}")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("domain", LABELS)
def test_values_and_gradients_are_those_of_the_equations(domain: str, options: dict[str, Any]) -> None:
    check(network(**options), *batch([4, 7, 1]), domain)


@settings(max_examples=15, deadline=None)
@given(lengths=st.lists(st.integers(1, 6), min_size=1, max_size=4), padding=st.integers(0, 3), seed=st.integers(0, 99))
def test_for_any_batch_and_padding(lengths: list[int], padding: int, seed: int) -> None:
    check(network(), *batch(lengths, padding, seed), "bands")


@settings(max_examples=25, deadline=None)
@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=6), padding=st.integers(0, 5), seed=st.integers(0, 99))
def test_a_sentence_has_the_same_states_in_any_batch(lengths: list[int], padding: int, seed: int) -> None:
    net = network()
    vectors, mask = batch(lengths, padding, seed)
    together = net.at(vectors, mask, ("news", "tags"))
    for row, length in enumerate(lengths):
        alone = net.at(vectors[row : row + 1, :length], mask[row : row + 1, :length], ("news", "tags"))
        torch.testing.assert_close(together[row : row + 1, :length], alone)
    assert not together[~mask].any()


def test_without_gradients_the_values_are_the_same() -> None:
    net = network()
    vectors, mask = batch([4, 7, 1])
    types = types_of(mask, "news")
    states, terms = net.learn(vectors, mask, ("news", "tags"), types)
    with torch.inference_mode():
        torch.testing.assert_close(net.at(vectors, mask, ("news", "tags")), states.detach())
        again, same = net.learn(vectors, mask, ("news", "tags"), types)
        reading = net.reading(vectors, mask, ("news", "tags"))
    torch.testing.assert_close(again, states.detach())
    torch.testing.assert_close(same.total(), terms.total().detach())
    torch.testing.assert_close(reading.states, states.detach())
    assert reading.labels == ("O", "location", "person")
    assert reading.cells.shape == (3, 7, 3, HIDDEN)
    expected = slow_direction(net, 0, list(vectors[1]), "news")
    for place, step in enumerate(expected):
        for k, label in enumerate(reading.labels):
            torch.testing.assert_close(reading.cells[1, place, k, :HALF], step["cells"][label].detach())
    assert reading.attention is not None
    assert reading.entity is not None
    assert reading.entity.shape == reading.attention.shape == (3, 7, 3)


def test_a_forward_state_has_not_read_what_comes_behind() -> None:
    """So that language models may predict it."""
    net = network()
    vectors, mask = batch([5])
    changed = vectors.clone()
    changed[0, 2] += 1
    before, after = (net.at(one, mask, ("news", "words"))[0] for one in (vectors, changed))
    same = before == after
    assert same[:, :HALF].all(1).tolist() == [True, True, False, False, False]
    assert same[:, HALF:].all(1).tolist() == [False, False, False, True, True]


def test_cells_of_one_domain_alone_do_not_learn_from_another() -> None:
    net = network()
    vectors, mask = batch([4, 7, 1])
    states, terms = net.learn(vectors, mask, ("news", "tags"), types_of(mask, "news"))
    (states.sum() + terms.total()).backward()
    for parameter in (net.cells.inward, net.cells.recurrent, net.entity.vectors):  # type: ignore[union-attr]
        assert parameter.grad is not None
        touched = [bool(parameter.grad[:, number].any()) for number in range(len(EVERY))]
        assert touched == [True, False, True, True]


def test_an_attention_of_one_domain_does_not_learn_from_another() -> None:
    net = network(attention_apart=True)
    net.at(*batch([4, 7, 1]), ("bands", "tags")).sum().backward()
    for name in ("attend_temporary", "attend_cells", "attend_score"):
        gradient = getattr(net.cells, name).grad
        assert [bool(one.any()) for one in gradient] == [domain == "bands" for domain in LABELS]


def test_a_domain_without_labels_is_read_as_the_one_whose_labels_it_has() -> None:
    chosen = MultiCellSettings(hidden=HIDDEN, attention_apart=True, read_as={"raw": "news"})
    net = MultiCellNetwork(chosen, WIDTH, {"news": ("location", "person"), "raw": ("location", "person")}).double()
    assert net.cells.attend_cells.shape[0] == 1
    vectors, mask = batch([4, 7, 1])
    assert torch.equal(net.at(vectors, mask, ("raw", "tags")), net.at(vectors, mask, ("news", "tags")))
    net.for_labels("raw", ("location", "person"), {"location": "location", "person": "person"})
    assert net.at(vectors, mask, ("raw", "tags")).shape == (*mask.shape, HIDDEN)


def test_cells_are_those_of_the_labels_in_whatever_order_they_are_named() -> None:
    net = MultiCellNetwork(MultiCellSettings(hidden=HIDDEN), WIDTH, {"x": ("person", "location")}).double()
    other = MultiCellNetwork(MultiCellSettings(hidden=HIDDEN), WIDTH, {"x": ("location", "person")}).double()
    other.load_state_dict(net.state_dict())
    mine, sorted_ = (one.reading(*batch([4, 2]), ("x", "tags")) for one in (net, other))
    assert (mine.labels, sorted_.labels) == (("O", "person", "location"), ("O", "location", "person"))
    torch.testing.assert_close(mine.cells[:, :, [0, 2, 1]], sorted_.cells)


@pytest.mark.parametrize(("domain", "taken"), [("bands", 1), ("films", 0)])
def test_a_new_domain_starts_with_the_attention_of_its_name_or_the_first(domain: str, taken: int) -> None:
    net = network(attention_apart=True)
    before = net.cells.attend_cells.detach().clone()
    net.for_labels(domain, ("person",), {"person": "person"})
    assert net.cells.attend_cells.shape == (1, *before.shape[1:])
    assert torch.equal(net.cells.attend_cells[0], before[taken])


def test_attentions_apart_and_twice_as_wide_are_what_the_sizes_in_the_paper_need() -> None:
    """Jia and Zhang 2020, table 2: 827K on Broad Twitter, 641K for the target alone."""
    chosen = MultiCellSettings(hidden=200, attention_width=200, attention_apart=True)
    news, tweets = ("location", "misc", "organisation", "person"), ("location", "organisation", "person")
    sizes = []
    for labels in ({"news": news, "tweets": tweets}, {"tweets": tweets}):
        net = MultiCellNetwork(chosen, 150, labels)
        sizes.append(sum(parameter.numel() for parameter in net.cells.parameters()))
    shared = MultiCellNetwork(MultiCellSettings(hidden=200), 150, {"news": news, "tweets": tweets})
    assert sizes[0] - sum(parameter.numel() for parameter in shared.cells.parameters()) == 4 * 40_200 - 40_200
    assert sizes[0] - sizes[1] == 2 * 40_200 + 2 * 2 * 100 * (150 + 100 + 1)


def test_where_no_word_is_known_the_losses_are_zero() -> None:
    net = network()
    vectors, mask = batch([3, 2])
    nothing = torch.full(mask.shape, UNKNOWN)
    _, terms = net.learn(vectors, mask, ("bands", "words"), nothing)
    assert terms.total().item() == 0
    assert net.learn(vectors, mask, ("bands", "words"), None)[1].terms == {}


def test_a_domain_without_labels_is_unknown() -> None:
    with pytest.raises(KeyError):
        network().at(*batch([2]), ("chess", "tags"))


def test_no_label_may_have_the_cell_of_words_outside() -> None:
    with pytest.raises(LabelError, match="a label is called O") as caught:
        MultiCellNetwork(MultiCellSettings(hidden=HIDDEN), WIDTH, {"news": ("O", "person")})
    assert caught.value.where == "labels of news"


def test_a_first_loss_is_that_of_a_guess() -> None:
    """With all weights near zero every label is as likely as any other."""
    net = network()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.mul_(1e-3)
    vectors, mask = batch([6, 6])
    types = types_of(mask, "news")
    raw = types.masked_fill((types == UNKNOWN) & mask, UNMATCHED)  # what a dictionary leaves of raw text
    share = (types != UNKNOWN).sum().item() / mask.sum().item()
    assert 0 < share < 1
    for told, expected in ((types, math.log(3)), (raw, share * math.log(3))):
        _, terms = net.learn(vectors, mask, ("news", "tags"), told)
        assert {name: round(value.item(), 3) for name, value in terms.terms.items()} == {
            "entity": round(expected, 3),
            "attention": round(expected, 3),
        }


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_is_recorded_and_played_again_is_equal(options: dict[str, Any]) -> None:
    net = network(**options)
    net._recorder = Recorder(rerun, ("cpu",))
    for number, lengths in enumerate(([4, 7, 1], [4, 7, 1], [2, 2], [8] * 8, [5, 3, 6], [9, 1], [9, 1])):
        check(net, *batch(lengths, seed=number), "bands" if number != 4 else "news")
    assert len(net._recorder._tapes) == 2


def test_a_shape_that_was_recorded_while_tagging_is_trained_with_too() -> None:
    net = network()
    net._recorder = Recorder(rerun, ("cpu",))
    with torch.inference_mode():
        for number in range(3):
            net.at(*batch([4, 7], seed=number), ("bands", "tags"))
    assert len(net._recorder._tapes) == 1
    check(net, *batch([3, 6], seed=4), "bands")
    with torch.inference_mode():
        net.at(*batch([4, 7], seed=5), ("bands", "tags"))
    check(net, *batch([2, 8], seed=6), "bands")


def test_a_batch_that_was_replaced_before_its_way_back_is_run_again() -> None:
    net, plain = network(), network()
    net._recorder = Recorder(rerun, ("cpu",))
    first, second = batch([4, 7], seed=1), batch([3, 5], seed=2)
    for _ in range(2):
        net.at(*first, ("news", "tags")).square().sum().backward()
    for one in (net, plain):
        one.zero_grad()
        states = [one.at(*some, ("news", "tags")) for some in (first, second)]
        (states[0].square().sum() + 3 * states[1].square().sum()).backward()
    for (name, mine), its in zip(net.named_parameters(), plain.parameters(), strict=True):
        if its.grad is not None:
            torch.testing.assert_close(mine.grad, its.grad, msg=lambda text, n=name: f"{n}: {text}")


@pytest.mark.parametrize("passes", [0, 1])
def test_what_cannot_be_recorded_is_computed_as_ever_and_said(caplog: pytest.LogCaptureFixture, passes: int) -> None:
    """passes: 1: the one forward can be recorded, the way back cannot."""
    recorded = []

    def full(work: Any) -> Any:
        recorded.append(work)
        if len(recorded) > passes:
            raise RuntimeError("CUDA out of memory\nand so on")
        return rerun(work)

    net = network()
    net._recorder = Recorder(full, ("cpu",))
    for number in range(4):
        check(net, *batch([4, 7], seed=number), "bands")
    assert len(recorded) == passes + 1  # what failed is not tried again
    assert [tape is not None for tape in net._recorder._tapes.values()] == [passes == 1]
    said = [record.getMessage() for record in caplog.records]
    assert said == ["the steps of a shape of batch are not recorded: CUDA out of memory"]


def test_recordings_hold_no_more_than_their_share_of_memory() -> None:
    net = network()
    gates = 2 * 8 * 8 * (2 * 3 + 3) * HALF  # of the smallest shape, for O and the labels of bands
    room = gates * recorder.BYTES * recorder.SHARE
    for memory, tapes in ((room - 1, 0), (room, 1), (3 * room, 2)):  # a shape of 16 words takes as much as two of 8
        net._recorder = Recorder(rerun, ("cpu",), lambda device, found=memory: found)  # type: ignore[misc]
        for length in (8, 8, 16, 16, 7):
            check(net, *batch([length]), "bands")
        assert len(net._recorder._tapes) == tapes


def test_cells_of_other_labels_are_recorded_anew() -> None:
    net = network().float()
    old = net._recorder
    net.for_labels("bands", ("band",), {})
    assert net._recorder is not old


def test_a_copy_of_a_network_records_anew() -> None:
    net = network()
    net._recorder = Recorder(rerun, ("cpu",))
    for _ in range(2):
        net.at(*batch([3]), ("news", "tags")).sum().backward()
    assert len(net._recorder._tapes) == 1
    assert not copy.deepcopy(net)._recorder._tapes  # type: ignore[union-attr]


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
@pytest.mark.parametrize("domain", LABELS)
def test_on_a_gpu_values_and_gradients_are_those_of_the_processor(domain: str) -> None:
    net, (vectors, mask) = network(), batch([4, 7, 1])
    types = types_of(mask, domain)

    def found(device: str) -> dict[str, Tensor]:
        here = net.to(device)
        leaf = vectors.to(device).detach().requires_grad_()
        states, terms = here.learn(leaf, mask.to(device), (domain, "tags"), types.to(device))
        parts = gradients(here, leaf, states.square().sum() + terms.total())
        return {name: gradient.cpu() for name, gradient in {**parts, "states": states.detach()}.items()}

    expected = found("cpu")
    for _ in range(3):  # the first time, and then as it was recorded
        for name, value in found("cuda").items():
            torch.testing.assert_close(value, expected[name], msg=lambda text, n=name: f"{n}: {text}")


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("one_cell", [True, False])
def test_many_sentences_are_read_in_groups_as_each_alone(kept: bool, one_cell: bool) -> None:
    """Batches of more than ROWS_AT_ONCE are read in groups on a CPU: states, losses and gradients are the same."""
    net = network(one_cell=one_cell)
    lengths = torch.randint(1, 7, (2 * ROWS_AT_ONCE + 5,))
    lengths[7] = 8
    mask = torch.arange(8) < lengths.unsqueeze(1)
    assert groups_of(mask) is not None
    types = torch.randint(3, mask.shape).masked_fill(~mask, UNKNOWN) if kept else None
    weights = torch.randn(*mask.shape, HIDDEN, dtype=torch.float64)
    found = []
    for rows in ([slice(None)], [slice(row, row + 1) for row in range(len(mask))]):
        vectors = torch.randn(*mask.shape, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
        vectors.requires_grad_()
        net.zero_grad()
        states = []
        for one in rows:
            length = int(lengths[one].max())
            known = None if types is None else types[one, :length]
            own, _ = net.learn(vectors[one, :length], mask[one, :length], ("news", "tags"), known)
            states.append(torch.nn.functional.pad(own, (0, 0, 0, 8 - length)))
        (torch.cat(states) * weights).sum().backward()
        gradients = [vectors.grad, *(one.grad for one in net.parameters())]
        found.append([torch.cat(states), *(one for one in gradients if one is not None)])
    for whole, alone in zip(*found, strict=True):
        torch.testing.assert_close(whole, alone, rtol=1e-9, atol=1e-9)


def test_losses_of_many_sentences_are_those_of_all_their_words() -> None:
    net = network()
    lengths = torch.randint(1, 7, (2 * ROWS_AT_ONCE + 5,))
    mask = torch.arange(7) < lengths.unsqueeze(1)
    assert groups_of(mask) is not None
    types = torch.randint(3, mask.shape).masked_fill(~mask, UNKNOWN)
    vectors = torch.randn(*mask.shape, WIDTH, dtype=torch.float64)
    _, terms = net.learn(vectors, mask, ("news", "tags"), types)
    sums = dict.fromkeys(terms.terms, 0.0)
    for row, length in enumerate(lengths.tolist()):
        part = slice(row, row + 1)
        _, own = net.learn(vectors[part, :length], mask[part, :length], ("news", "tags"), types[part, :length])
        sums = {name: sums[name] + length * float(own.terms[name].detach()) for name in sums}
    for name, total in sums.items():
        assert float(terms.terms[name].detach()) == pytest.approx(total / int(mask.sum()), abs=1e-9)
