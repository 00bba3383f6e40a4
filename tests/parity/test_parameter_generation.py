"""The parameter generation network against torch.nn.LSTM and against loops written from the paper's equations."""

import pytest
import torch
from torch import Tensor, nn

from nerbridge.config.context import BiLstmSettings, ParameterGenerationSettings
from nerbridge.models.context.bilstm import BiLstm
from nerbridge.models.context.parameter_generation import ParameterGenerationNetwork

WIDTH, HIDDEN = 5, 6
DOMAINS, TASKS = ("news", "bands"), ("tags", "words")
NAMES = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def network(domains: tuple[str, ...] = DOMAINS, tasks: tuple[str, ...] = TASKS) -> ParameterGenerationNetwork:
    torch.manual_seed(3)
    settings = ParameterGenerationSettings(hidden=HIDDEN, domain_width=3, task_width=4)
    return ParameterGenerationNetwork(settings, WIDTH, domains, tasks)


def inputs() -> tuple[Tensor, Tensor]:
    torch.manual_seed(4)
    lengths = torch.tensor([4, 7, 1])
    return torch.randn(3, 7, WIDTH), torch.arange(7) < lengths.unsqueeze(1)


def plain_lstm(net: ParameterGenerationNetwork, row: Tensor) -> nn.LSTM:
    """A torch LSTM with the weights of `row`, taken apart in the test's own way."""
    lstm = nn.LSTM(WIDTH, HIDDEN // 2, batch_first=True, bidirectional=True)
    order = [f"{name}_l0{end}" for end in ("", "_reverse") for name in NAMES]
    place = 0
    with torch.no_grad():
        for name in order:
            weight = getattr(lstm, name)
            weight.copy_(row[place : place + weight.numel()].view_as(weight))
            place += weight.numel()
    assert place == len(row) == 2 * net.layout.size
    return lstm


def slow_rows(net: ParameterGenerationNetwork, domain: int, task: int) -> Tensor:
    """Equation 2, number by number."""
    task_width, domain_width, size = net.meta.shape
    row = torch.zeros(size, dtype=net.meta.dtype)
    for v in range(task_width):
        for u in range(domain_width):
            row = row + net.meta[v, u] * net.domain_vectors[domain, u] * net.task_vectors[task, v]
    return row


def slow_lstm(vectors: Tensor, mask: Tensor, row: Tensor) -> Tensor:
    """Equation 3, sentence by sentence and word by word."""
    half = HIDDEN // 2
    gates = 4 * half
    sizes = (gates * WIDTH, gates * half, gates, gates)
    assert len(row) == 2 * sum(sizes)
    sentences = []
    for sentence, real in zip(vectors, mask, strict=True):
        length, directions = int(real.sum()), []
        for direction, parameters in enumerate(row.chunk(2)):
            inward, recurrent, bias, other_bias = parameters.split(sizes)
            h = c = torch.zeros(half, dtype=row.dtype)
            states: list[Tensor] = []
            for unit in range(length) if direction == 0 else reversed(range(length)):
                scores = inward.view(gates, WIDTH) @ sentence[unit] + recurrent.view(gates, half) @ h
                i, f, g, o = (scores + bias + other_bias).split(half)
                c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
                h = torch.sigmoid(o) * torch.tanh(c)
                states.append(h)
            directions.append(torch.stack(states if direction == 0 else states[::-1]))
        found = torch.cat(directions, dim=1)
        sentences.append(torch.cat([found, found.new_zeros(len(real) - length, HIDDEN)]))
    return torch.stack(sentences)


@pytest.mark.parametrize("place", [(d, t) for d in DOMAINS for t in TASKS])
def test_the_generated_lstm_is_that_of_torch_with_the_same_weights(place: tuple[str, str]) -> None:
    net = network()
    vectors, mask = inputs()
    lstm = plain_lstm(net, net.rows([place])[0])
    packed = nn.utils.rnn.pack_padded_sequence(vectors, mask.sum(1), batch_first=True, enforce_sorted=False)
    expected, _ = nn.utils.rnn.pad_packed_sequence(lstm(packed)[0], batch_first=True)
    torch.testing.assert_close(net.at(vectors, mask, place), expected)


@pytest.mark.parametrize(("domains", "tasks"), [(DOMAINS, TASKS), (DOMAINS, TASKS[:1]), (DOMAINS[:1], TASKS)])
def test_values_and_gradients_are_those_of_the_equations(domains: tuple[str, ...], tasks: tuple[str, ...]) -> None:
    net = network(domains, tasks)
    vectors, mask = inputs()
    places = [(domain, task) for domain in domains for task in tasks]
    weight = torch.randn(len(places), *mask.shape, HIDDEN)
    leaf = vectors.clone().requires_grad_()
    with net.together(places):
        states = [net.at(leaf, mask, place) for place in places]
        sum((s * w).sum() for s, w in zip(states, weight, strict=True)).backward()
    fast = {name: parameter.grad.clone() for name, parameter in net.named_parameters()}
    net.zero_grad()
    slow_leaf = vectors.clone().requires_grad_()
    rows = [slow_rows(net, domains.index(domain), tasks.index(task)) for domain, task in places]
    slow = [slow_lstm(slow_leaf, mask, row) for row in rows]
    sum((s * w).sum() for s, w in zip(slow, weight, strict=True)).backward()
    torch.testing.assert_close(torch.stack(states), torch.stack(slow))
    torch.testing.assert_close(leaf.grad, slow_leaf.grad)
    assert fast.keys() == {name for name, _ in net.named_parameters()}
    for name, parameter in net.named_parameters():
        assert parameter.grad is not None
        torch.testing.assert_close(fast[name], parameter.grad, msg=name)


def test_without_together_the_gradients_are_the_same() -> None:
    net = network()
    vectors, mask = inputs()
    places = [("news", "tags"), ("bands", "words")]
    with net.together(places):
        for place in places:
            net.at(vectors, mask, place).pow(2).sum().backward()
    fast = [parameter.grad.clone() for parameter in net.parameters()]
    net.zero_grad()
    for place in places:
        net.at(vectors, mask, place).pow(2).sum().backward()
    for one, parameter in zip(fast, net.parameters(), strict=True):
        torch.testing.assert_close(one, parameter.grad)


def test_with_one_domain_and_one_task_it_is_a_plain_bilstm() -> None:
    net = network(DOMAINS[:1], TASKS[:1])
    assert [name for name, _ in net.named_parameters()] == ["meta"]
    assert net.meta.shape == (1, 1, 2 * net.layout.size)
    assert torch.equal(net.rows([("news", "tags")])[0], net.meta[0, 0])
    lstm = nn.LSTM(WIDTH, HIDDEN // 2, batch_first=True, bidirectional=True)
    assert net.meta.numel() == sum(p.numel() for p in lstm.parameters())
    vectors, _ = inputs()
    whole = torch.ones(3, 7, dtype=torch.bool)
    expected = plain_lstm(net, net.meta[0, 0].detach())(vectors)[0]
    torch.testing.assert_close(net.at(vectors, whole, ("news", "tags")), expected)


def test_one_domain_and_task_learn_what_the_bilstm_context_learns() -> None:
    net = network(DOMAINS[:1], TASKS[:1])
    plain = BiLstm(BiLstmSettings(hidden=HIDDEN), WIDTH)
    with torch.no_grad():
        for lstm, row in zip((plain.ahead[0], plain.back[0]), net.meta[0, 0].chunk(2), strict=True):
            for weight, part in zip(lstm.parameters(), row.split([p.numel() for p in lstm.parameters()]), strict=True):
                weight.copy_(part.view_as(weight))
    vectors, mask = inputs()
    weight = torch.randn(3, 7, HIDDEN)
    with net.together([("news", "tags")]):
        generated = net.at(vectors, mask, ("news", "tags"))
        (generated * weight).sum().backward()
    states = plain(vectors, mask)
    (states * weight).sum().backward()
    torch.testing.assert_close(generated, states)
    theirs = [p.grad.flatten() for lstm in (plain.ahead[0], plain.back[0]) for p in lstm.parameters()]
    torch.testing.assert_close(net.meta.grad[0, 0], torch.cat(theirs))


def test_one_product_serves_a_step_and_one_a_model_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    net = network()
    vectors, mask = inputs()
    asked: list[int] = []
    plain = ParameterGenerationNetwork.rows

    def counting(self: ParameterGenerationNetwork, places: list[tuple[str, str]]) -> Tensor:
        asked.append(len(places))
        return plain(self, places)

    monkeypatch.setattr(ParameterGenerationNetwork, "rows", counting)
    places = [(d, t) for d in DOMAINS for t in TASKS]
    with net.together([*places, places[0]]):
        for place in (*places, places[0]):
            net.at(vectors, mask, place).sum().backward()
    assert asked == [4]
    asked.clear()
    with torch.no_grad():
        first = [net.at(vectors, mask, places[0]) for _ in range(3)]
    assert asked == [1]
    with torch.no_grad():
        net.domain_vectors.mul_(2)
        second = net.at(vectors, mask, places[0])
    assert asked == [1, 1]
    assert not torch.equal(first[0], second)


def test_embeddings_start_as_alike_as_asked() -> None:
    for likeness in (0.0, 0.6, 1.0):
        torch.manual_seed(1)
        settings = ParameterGenerationSettings(hidden=2, domain_width=64, likeness=likeness)
        vectors = ParameterGenerationNetwork(settings, 2, [str(n) for n in range(40)], ["tags"]).domain_vectors
        torch.testing.assert_close(vectors.norm(dim=1), torch.ones(40))
        cosines = (vectors @ vectors.T)[~torch.eye(40, dtype=torch.bool)]
        assert cosines.mean().item() == pytest.approx(likeness, abs=0.05)


def test_tasks_may_be_less_alike_than_domains() -> None:
    torch.manual_seed(1)
    settings = ParameterGenerationSettings(hidden=2, likeness=1.0, task_likeness=0.0, domain_width=64, task_width=64)
    net = ParameterGenerationNetwork(settings, 2, DOMAINS, TASKS)
    assert (net.domain_vectors[0] @ net.domain_vectors[1]).item() == pytest.approx(1.0)
    assert abs((net.task_vectors[0] @ net.task_vectors[1]).item()) < 0.4
    with pytest.raises(ValueError, match="needs embeddings that agree"):
        ParameterGenerationSettings(start="shared", likeness=0.9, task_likeness=0.0)


@pytest.mark.parametrize("fused", [True, False])
def test_after_an_update_a_model_in_use_is_generated_anew(fused: bool) -> None:
    net = network()
    vectors, mask = inputs()
    place = ("news", "tags")
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.1, fused=fused)
    for together in (True, False):
        with torch.no_grad():
            before = net.at(vectors, mask, place)
        optimizer.zero_grad()
        if together:
            with net.together([place]):
                net.at(vectors, mask, place).sum().backward()
        else:
            net.at(vectors, mask, place).sum().backward()
        optimizer.step()
        with torch.no_grad():
            after = net.at(vectors, mask, place)
        assert not torch.equal(before, after)
        torch.testing.assert_close(after, net.at(vectors, mask, place).detach())


def test_a_shared_start_is_one_bilstm_for_all() -> None:
    torch.manual_seed(1)
    settings = ParameterGenerationSettings(hidden=HIDDEN, likeness=0.8, start="shared")
    net = ParameterGenerationNetwork(settings, WIDTH, DOMAINS, TASKS)
    rows = net.rows([(d, t) for d in DOMAINS for t in TASKS]).detach()
    bound = (HIDDEN // 2) ** -0.5
    assert rows.mean(dim=0).abs().max().item() <= bound * 1.001
    assert torch.linalg.matrix_rank(rows).item() == 1
    sizes = rows.norm(dim=1) / rows.norm(dim=1).mean()
    assert (sizes - 1).abs().max().item() < 0.3
    with pytest.raises(ValueError, match="needs embeddings that agree"):
        ParameterGenerationSettings(start="shared")
