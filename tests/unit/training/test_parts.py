"""The pure parts: seeds, schedules, stopping, timetable, optimiser groups."""

from pathlib import Path

import pytest
import torch
from tiny_tagger import make_model, make_settings, make_stream

from builders import tiny_tagger
from nerbridge.config.context import ParameterGenerationSettings
from nerbridge.config.tagger import CrfSettings, LabelAwareSettings, LinearSettings, TaggerSettings
from nerbridge.errors import TrainingError
from nerbridge.models.context.parameter_generation import ParameterGenerationNetwork
from nerbridge.training.checkpoint import CheckpointFolder, clear_checkpoints
from nerbridge.training.optimiser import (
    build_optimizer,
    load_state_tensors,
    parameter_groups,
    set_rates,
    state_tensors,
)
from nerbridge.training.schedule import rate_factor
from nerbridge.training.seeding import derive_seed, seed_step
from nerbridge.training.state import State
from nerbridge.training.stopping import Stopping
from nerbridge.training.timetable import Timetable


def test_seeds_depend_on_every_part_and_its_kind() -> None:
    seeds = {
        derive_seed(*parts) for parts in [(1, "order"), (2, "order"), (1, "step"), ("1", "order"), (1, "or", "der")]
    }
    assert len(seeds) == 5
    assert derive_seed(1, "order", 0) == derive_seed(1, "order", 0)
    assert all(0 <= seed < 2**63 for seed in seeds)


def test_the_random_state_of_a_step_does_not_depend_on_what_was_drawn_before() -> None:
    seed_step(7, 3)
    first = torch.rand(5)
    torch.rand(100)
    seed_step(7, 3)
    assert torch.equal(torch.rand(5), first)
    for other in [(8, 3, 0), (7, 4, 0), (7, 3, 1)]:
        seed_step(*other)
        assert not torch.equal(torch.rand(5), first)


@pytest.mark.parametrize(
    ("schedule", "done", "warmup", "expected"),
    [
        ("constant", 0.0, 0.0, 1.0),
        ("constant", 0.05, 0.1, 0.5),
        ("constant", 0.9, 0.1, 1.0),
        ("linear", 0.0, 0.0, 1.0),
        ("linear", 0.25, 0.0, 0.75),
        ("linear", 0.1, 0.1, 1.0),
        ("linear", 0.55, 0.1, 0.5),
        ("linear", 1.0, 0.1, 0.0),
        ("cosine", 0.0, 0.0, 1.0),
        ("cosine", 0.5, 0.0, 0.5),
        ("cosine", 1 / 3, 0.0, 0.75),
        ("cosine", 1.0, 0.5, 0.0),
        ("linear", 1.5, 0.0, 0.0),
    ],
)
def test_schedule_values(schedule: str, done: float, warmup: float, expected: float) -> None:
    assert rate_factor(schedule, done, warmup=warmup) == pytest.approx(expected)


def test_stopping_counts_evaluations_without_a_better_one() -> None:
    stopping = Stopping()
    assert [stopping.observe(f1, step) for step, f1 in enumerate([0.0, 0.5, 0.5, 0.4])] == [True, True, False, False]
    assert (stopping.best_f1, stopping.best_step, stopping.since_best) == (0.5, 1, 2)
    assert stopping.exhausted(2)
    assert not stopping.exhausted(3)


def test_patience_waits_for_the_first_right_entity() -> None:
    stopping = Stopping()
    assert [stopping.observe(f1, step) for step, f1 in enumerate([0.0] * 9 + [0.1, 0.1])] == [
        True,
        *[False] * 8,
        True,
        False,
    ]
    assert stopping.since_best == 1
    assert stopping.exhausted(1)


def test_patience_is_not_used_up_by_chance_and_nothing_behind_it() -> None:
    """Weights from chance hit an entity; then the tagger calls every word O until it has learnt more."""
    stopping = Stopping()
    better = [stopping.observe(f1, step) for step, f1 in enumerate([0.05, 0.01, *[0.0] * 9, 0.02])]
    assert better == [True, *[False] * 11]
    assert stopping.since_best == 2
    assert stopping.observe(0.6, 12)
    stopping.observe(0.0, 13)
    assert (stopping.best_f1, stopping.since_best) == (0.6, 0)


def test_a_tagger_that_had_settled_and_finds_nothing_any_more_is_stopped() -> None:
    stopping = Stopping()
    for step, f1 in enumerate([0.1, 0.4, 0.6, 0.0, 0.0, 0.0]):
        stopping.observe(f1, step)
    assert stopping.exhausted(3)


def test_state_survives_json() -> None:
    state = State(step=4, loss_sum=0.1 + 0.2, warnings=["x"], stopping=Stopping(0.3, 2, 1))
    assert State.from_json(state.to_json()) == state


def test_an_epoch_meets_every_sentence_once_in_an_order_of_its_own() -> None:
    timetable = Timetable([make_stream(make_model(), 10)], make_settings(), seed=1)
    orders = [[index for (part,) in timetable.steps(epoch) for index in part] for epoch in (0, 1)]
    assert [sorted(order) for order in orders] == [list(range(10))] * 2
    assert orders[0] != orders[1]
    again = Timetable([make_stream(make_model(), 10)], make_settings(), seed=1)
    assert [index for (part,) in again.steps(1) for index in part] == orders[1]
    other = Timetable([make_stream(make_model(), 10)], make_settings(), seed=2)
    assert [index for (part,) in other.steps(0) for index in part] != orders[0]


def test_an_epoch_ends_with_the_longest_stream_and_the_others_start_again_shuffled_anew() -> None:
    model = make_model()
    streams = [make_stream(model, 4), make_stream(model, 20)]
    steps = Timetable(streams, make_settings(batch_sentences=2), seed=1).steps(0)
    assert len(steps) == 10
    assert sorted(index for _, part in steps for index in part) == list(range(20))
    short = [index for part, _ in steps for index in part]
    passes = [short[start : start + 4] for start in range(0, 20, 4)]
    assert [sorted(one) for one in passes] == [list(range(4))] * 5
    assert len({tuple(one) for one in passes}) > 1


def test_the_share_that_is_done_follows_the_bound_that_is_met_first() -> None:
    stream = make_stream(make_model(), 10)
    by_epochs = Timetable([stream], make_settings(), seed=1)
    assert by_epochs.done(State(step=4, epoch=1, place=1), 0.5) == pytest.approx(4.5 / 9)
    by_steps = Timetable([stream], make_settings(max_steps=6), seed=1)
    assert by_steps.done(State(step=3, epoch=1, place=0)) == pytest.approx(0.5)
    assert by_steps.over(State(step=6, epoch=2, place=0)) == "steps"
    assert by_epochs.over(State(step=6, epoch=2, place=0)) is None
    assert by_epochs.over(State(step=9, epoch=3, place=0)) == "epochs"


@pytest.mark.parametrize(("every", "expected"), [(0.1, 9), (0.5, 6), (1.0, 3), (2.0, 2), (10.0, 1)])
def test_evaluations_come_at_multiples_of_their_distance_and_at_the_end(every: float, expected: int) -> None:
    timetable = Timetable([make_stream(make_model(), 10)], make_settings(evaluate_every=every), seed=1)
    state, due = State(), 0
    while timetable.over(state) is None:
        before = timetable.epochs_done(state)
        state.advance(len(timetable.steps(state.epoch)), words=1)
        due += timetable.evaluation_is_due(state, before)
    assert due == expected


def test_encoder_and_rest_learn_at_their_own_rates_and_only_matrices_decay() -> None:
    model = make_model()
    model.encoder.mix.weight.requires_grad = False
    settings = make_settings(learning_rate=0.1, head_learning_rate=0.2, weight_decay=0.3)
    names = {parameter: name for name, parameter in model.named_parameters()}
    groups = {
        (group["lr"], group["weight_decay"]): [names[parameter] for parameter in group["params"]]
        for group in parameter_groups(model.named_parameters(), settings)
    }
    assert groups == {
        (0.1, 0.3): ["encoder.embeddings.weight"],
        (0.1, 0.0): ["encoder.norm.weight", "encoder.norm.bias", "encoder.mix.bias"],
        (0.2, 0.3): ["heads.tags/news.output.weight"],
        (0.2, 0.0): ["heads.tags/news.output.bias"],
    }


@pytest.mark.parametrize(
    ("settings", "faster"),
    [
        (CrfSettings(transition_rate=30.0), {"pairs", "starts", "ends"}),
        (LabelAwareSettings(label_width=4, output_rate=30.0), {"scorer.output.weight", "scorer.output.bias"}),
        (LabelAwareSettings(background=False, context=False, output_rate=30.0), {"plain.weight", "plain.bias"}),
        (LinearSettings(), set()),
    ],
)
def test_parts_of_a_head_learn_at_multiples_of_its_rate(settings: TaggerSettings, faster: set[str]) -> None:
    model = tiny_tagger(tagger=settings)
    names = {parameter: name for name, parameter in model.named_parameters()}
    optimizer = build_optimizer(model, make_settings(learning_rate=0.001, head_learning_rate=0.01))
    rates = {names[parameter]: group["lr"] for group in optimizer.param_groups for parameter in group["params"]}
    assert set(rates) == set(names.values())
    fast = {name for name, rate in rates.items() if rate == pytest.approx(0.3)}
    assert {name.partition("/")[2].partition(".")[2] for name in fast} == faster
    assert all(rates[name] == (0.001 if name.startswith("encoder.") else 0.01) for name in set(rates) - fast)


def test_a_frozen_model_is_refused() -> None:
    model = make_model().requires_grad_(False)
    with pytest.raises(TrainingError) as caught:
        build_optimizer(model, make_settings())
    assert str(caught.value) == (
        "the model has no trainable parameter\n"
        "  where: encoder.freeze\n"
        "  expected: weights that can learn\n"
        "  hint: unfreeze the encoder or add a context"
    )


@pytest.mark.parametrize(
    ("settings", "kind"),
    [
        (make_settings(optimizer="adamw"), torch.optim.AdamW),
        (make_settings(optimizer="sgd", momentum=0.9), torch.optim.SGD),
        (make_settings(optimizer="sgd"), torch.optim.SGD),
        (make_settings(optimizer="rmsprop", momentum=0.5), torch.optim.RMSprop),
    ],
)
def test_optimiser_state_can_be_taken_out_and_put_back(settings: object, kind: type) -> None:
    models = [make_model(dropout=0.0), make_model(dropout=0.0)]
    optimizers = [build_optimizer(model, settings) for model in models]
    assert isinstance(optimizers[0], kind)

    def step(number: int) -> None:
        optimizers[number].zero_grad()
        models[number](make_stream(models[number]).batch(range(4))).backward()
        optimizers[number].step()

    for _ in range(3):
        step(0)
    models[1].load_state_dict(models[0].state_dict())
    load_state_tensors(
        models[1], optimizers[1], {k: v.clone() for k, v in state_tensors(models[0], optimizers[0]).items()}
    )
    for number in (0, 1):
        set_rates(optimizers[number], 0.5)
        step(number)
        step(number)
    for first, second in zip(models[0].parameters(), models[1].parameters(), strict=True):
        assert torch.equal(first, second)


def test_what_a_killed_write_of_safetensors_left_behind_is_removed(tmp_path: Path) -> None:
    """The library writes aside under a name of its own; each such file is as large as a checkpoint."""
    folder = CheckpointFolder(tmp_path, "digest")
    for clean in (folder.clean, lambda: clear_checkpoints(tmp_path)):
        (tmp_path / ".tmpAbC123").write_bytes(b"half a checkpoint")
        (tmp_path / "key").write_text("stays")
        clean()
        assert [path.name for path in tmp_path.iterdir()] == ["key"]


@pytest.mark.parametrize("optimizer", ["adamw", "rmsprop", "sgd"])
def test_an_adaptive_optimiser_moves_generated_parameters_as_fast_as_plain_ones(optimizer: str) -> None:
    domains, tasks = ("a", "b"), ("tags", "words")
    context = ParameterGenerationSettings(hidden=8, domains=domains, tasks=tasks, embedding_rate=0.5)
    model = tiny_tagger(context=context, domains=domains)
    rates = {
        id(parameter): group["lr"]
        for group in build_optimizer(model, make_settings(optimizer=optimizer, head_learning_rate=0.01)).param_groups
        for parameter in group["params"]
    }
    net = model.context
    assert isinstance(net, ParameterGenerationNetwork)
    assert rates[id(net.task_vectors)] == rates[id(net.domain_vectors)] == 0.005
    rate = rates[id(net.meta)]
    before = net.rows([("a", "tags")]).detach()
    moved = torch.einsum("t,d->td", net.task_vectors[0], net.domain_vectors[0]).detach().sign()
    with torch.no_grad():
        net.meta += rate * moved.unsqueeze(2)  # every number by the rate, all in the same direction for theta
    step = (net.rows([("a", "tags")]).detach() - before).mean().item()
    assert step == pytest.approx(0.01 if optimizer != "sgd" else 0.05, rel=0.35)
