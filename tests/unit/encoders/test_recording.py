"""Recorded passes of a transformer, played on the CPU: a recording that runs again stands for a CUDA graph."""

import copy
import logging
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.checkpoint import checkpoint
from transformers import masking_utils

from builders import TINY_KINDS, four_sentences, stream, tiny_encoder, tiny_tagger
from nerbridge.config.training import TrainingSettings
from nerbridge.encoders.transformer import TransformerEncoder, recording
from nerbridge.encoders.transformer.capture import GpuRecording, Recorded
from nerbridge.encoders.transformer.recording import Recorder
from nerbridge.encoders.transformer.steady import SteadyForward
from nerbridge.encoders.transformer.tape import Rows
from nerbridge.training.learner import Learner
from nerbridge.training.processes import Processes
from recorded_passes import Lengths, Rerun, assert_equal, gradients_of, inputs, learnt, loss_of, without_dropout


def rerunning(kind: str = "bert", **settings: Any) -> tuple[TransformerEncoder, Recorder]:
    """A tiny encoder in training, without dropout, and its recorder."""
    encoder = tiny_encoder(kind, record=True, **settings)
    encoder._recorder = Recorder(Rerun, ("cpu",))
    return without_dropout(encoder), encoder._recorder


@pytest.mark.parametrize("pooling", ["first", "mean"])
@pytest.mark.parametrize("kind", TINY_KINDS)
def test_what_is_played_is_what_is_computed(kind: str, pooling: str) -> None:
    encoder, recorder = rerunning(kind, pooling=pooling)
    plain = without_dropout(tiny_encoder(kind, pooling=pooling))
    for lengths in ([3, 5, 1], [3, 5, 1], [2, 4], [1] * 9, [5] * 8, [17, 2], [9] * 9, [18] * 3):
        (mine, of_mine), (its, of_its) = learnt(encoder, lengths), learnt(plain, lengths)
        torch.testing.assert_close(mine, its)
        assert_equal(of_mine, of_its)
    played = recorder._record.played  # type: ignore[attr-defined]
    assert played == ["forward", "backward"] * (len(played) // 2)
    assert len(played) >= 6


@pytest.mark.parametrize("kind", TINY_KINDS)
def test_in_mixed_precision_weights_are_narrowed_all_at_once_and_no_number_differs(kind: str) -> None:
    encoder, recorder = rerunning(kind)
    plain, never = rerunning(kind)
    never._failed = True  # its batches are padded, but computed by themselves
    for lengths in ([3, 5, 1], [3, 5, 1], [2, 4], [5] * 8, [18] * 3, [1, 2]):
        (mine, of_mine), (its, of_its) = learnt_in_bf16(encoder, lengths), learnt_in_bf16(plain, lengths)
        assert torch.equal(mine, its)
        for name, gradient in of_its.items():
            ours = of_mine[name]
            assert (ours is None) is (gradient is None), name
            assert ours is None or (ours.dtype == torch.float32 and torch.equal(ours, gradient)), name
    assert played(recorder) >= 4
    narrow = [[leaf.dtype == torch.bfloat16 for leaf in tape._wanted_leaves] for tape in recorder._tapes.values()]
    linear = sum(isinstance(module, nn.Linear) for module in encoder.model.modules())
    assert all(sum(one) >= linear for one in narrow)
    places = {leaf.data_ptr() for tape in recorder._tapes.values() for leaf in tape._wanted_leaves}
    assert len(places) <= len(narrow[0])  # one copy for all shapes


def learnt_in_bf16(encoder: TransformerEncoder, lengths: Lengths) -> tuple[Tensor, dict[str, Tensor | None]]:
    """Loss and gradients of a batch, after which all weights change a little."""
    encoder.zero_grad(set_to_none=True)
    with torch.autocast("cpu", torch.bfloat16):
        loss = loss_of(encoder, lengths)
    loss.backward()
    found = loss.detach(), gradients_of(encoder)
    with torch.no_grad():
        for parameter in encoder.parameters():
            parameter -= 0.0 if parameter.grad is None else 0.01 * parameter.grad
    return found


def played(recorder: Recorder) -> int:
    """How many batches went there and back as recorded, since the last drop."""
    return recorder._record.played.count("backward")  # type: ignore[attr-defined,no-any-return]


def test_a_shape_is_recorded_when_it_comes_again_and_only_so_many_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST", 2)
    encoder, recorder = rerunning()
    counts = []
    for lengths in ([1], [1] * 9, [1] * 8, [1] * 16, [1] * 17, [1] * 17, [1, 1]):
        learnt(encoder, lengths)
        counts.append((len(recorder._tapes), played(recorder)))
    assert counts == [(0, 0), (0, 0), (1, 1), (2, 2), (2, 2), (2, 2), (2, 3)]


def test_long_rows_and_large_batches_are_computed_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "LONGEST", 16)
    monkeypatch.setattr(recording, "LARGEST", 8 * 16)
    encoder, recorder = rerunning()
    sizes: list[tuple[int, ...]] = []
    encoder.model.register_forward_hook(lambda _module, _given, output: sizes.append(tuple(output[0].shape[:2])))
    for lengths in ([15], [15], [1] * 9, [1] * 9, [1] * 8):
        learnt(encoder, lengths)
    rows = [inputs(encoder, lengths).pieces.shape for lengths in ([15], [15], [1] * 9, [1] * 9)]
    assert sizes == [*map(tuple, rows), (8, 16)]
    assert not recorder._tapes


def test_several_batches_on_one_way_back_and_gradients_that_add_up() -> None:
    """While a batch is under way, the next is computed as ever; what is not zeroed is added to."""
    encoder, recorder = rerunning()
    plain = without_dropout(tiny_encoder())
    for one in (encoder, plain):
        for lengths in ([2], [2], [1] * 9, [1] * 9):
            learnt(one, lengths)
        one.zero_grad(set_to_none=True)
        (loss_of(one, [4, 2]) + loss_of(one, [3]) + loss_of(one, [1] * 10)).backward()
        for lengths in ([3, 1], [4], [2] * 9):
            loss_of(one, lengths).backward()
        one.model.embeddings.word_embeddings.weight.square().sum().backward()  # type: ignore[union-attr,operator]
    assert_equal(gradients_of(encoder), gradients_of(plain))
    assert played(recorder) == 2 + 1 + 3


def test_a_batch_that_never_goes_back_does_not_stand_in_the_way() -> None:
    encoder, recorder = rerunning()
    learnt(encoder, [2])
    loss = loss_of(encoder, [3])
    del loss
    learnt(encoder, [3])
    assert played(recorder) == 1


def test_a_batch_goes_back_once() -> None:
    encoder, _ = rerunning()
    learnt(encoder, [2])
    loss = loss_of(encoder, [2])
    loss.backward(retain_graph=True)
    with pytest.raises(AssertionError, match="gone after the first time"):
        loss.backward()


def test_what_the_optimiser_writes_is_seen() -> None:
    encoder, recorder = rerunning()
    plain = without_dropout(tiny_encoder())
    for one in (encoder, plain):
        optimizer = torch.optim.AdamW(one.parameters(), lr=0.01)
        for lengths in ([3, 2], [4], [1] * 9, [2], [5] * 9):
            learnt(one, lengths)
            nn.utils.clip_grad_norm_(one.parameters(), 1.0)
            optimizer.step()
    assert played(recorder) == 3
    for mine, its in zip(encoder.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(mine, its, rtol=1e-4, atol=1e-4)


def test_gradients_that_were_handed_out_stay_as_they_are() -> None:
    encoder, _ = rerunning()
    learnt(encoder, [2])
    encoder.zero_grad(set_to_none=True)
    loss_of(encoder, [3]).backward()
    held = [one.grad for one in encoder.parameters() if one.grad is not None]
    copies = [one.clone() for one in held]
    words = encoder(inputs(encoder, [4]))
    shown = words.detach().clone()
    encoder.zero_grad(set_to_none=True)
    words.sum().backward()
    loss_of(encoder, [1, 2]).backward()
    assert all(torch.equal(one, other) for one, other in zip(held, copies, strict=True))
    assert torch.equal(words, shown)


CHANGES: dict[str, Callable[[TransformerEncoder], Any]] = {
    "frozen": lambda encoder: next(encoder.parameters()).requires_grad_(False),
    "replaced": lambda encoder: encoder.load_state_dict(copy.deepcopy(encoder.state_dict()), assign=True),
    "moved": lambda encoder: encoder.to("cpu"),
    "data": lambda encoder: setattr(next(encoder.parameters()), "data", next(encoder.parameters()).detach().clone()),
    "added": lambda encoder: encoder.model.register_parameter("more", nn.Parameter(torch.zeros(1))),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_changed_parameters_drop_what_was_recorded(change: Callable[[TransformerEncoder], Any]) -> None:
    encoder, recorder = rerunning()
    plain = without_dropout(tiny_encoder())
    for one in (encoder, plain):
        learnt(one, [2])
        learnt(one, [3])
    assert len(recorder._tapes) == 1
    for one in (encoder, plain):
        change(one)
    for place, lengths in enumerate(([4], [2, 2], [1])):
        (mine, of_mine), (its, of_its) = learnt(encoder, lengths), learnt(plain, lengths)
        torch.testing.assert_close(mine, its)
        assert_equal(of_mine, of_its)
        assert played(recorder) == place


def test_weights_loaded_in_place_are_seen_without_recording_anew() -> None:
    encoder, recorder = rerunning()
    learnt(encoder, [2])
    learnt(encoder, [3])
    other = without_dropout(tiny_encoder(seed=5))
    encoder.load_state_dict(other.state_dict())
    torch.testing.assert_close(learnt(encoder, [4])[0], learnt(other, [4])[0])
    assert (len(recorder._tapes), played(recorder)) == (1, 2)


def test_copies_and_loaded_encoders_hold_no_recordings() -> None:
    encoder, recorder = rerunning()
    learnt(encoder, [2])
    learnt(encoder, [3])
    for other in (copy.deepcopy(recorder), pickle.loads(pickle.dumps(Recorder())), copy.deepcopy(encoder)._recorder):
        assert not other._tapes
        assert other._weights is None
    assert set(encoder.state_dict()) == set(tiny_encoder().state_dict())
    assert Recorder()._devices == ("cuda",)
    assert isinstance(Recorder()._record, GpuRecording)


@pytest.mark.parametrize("way", ["no_grad", "eval", "frozen", "checkpointing", "processes", "off"])
def test_where_nothing_is_recorded(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, recorder = rerunning()
    if way == "eval":
        encoder.eval()
    elif way == "frozen":
        encoder = tiny_encoder(record=True, freeze=True)
    elif way == "checkpointing":
        for module in encoder.model.modules():
            if hasattr(module, "gradient_checkpointing"):
                module.gradient_checkpointing = True
                module._gradient_checkpointing_func = partial(checkpoint, use_reentrant=False)  # type: ignore[assignment]
    elif way == "processes":
        monkeypatch.setattr(torch.distributed, "is_initialized", lambda: True)
        monkeypatch.setattr(torch.distributed, "get_world_size", lambda: 2)
    elif way == "off":
        encoder = tiny_encoder(record=False)
    with torch.set_grad_enabled(way != "no_grad"):
        for _ in range(3):
            encoder(inputs(encoder, [2, 3]))
    assert not recorder._tapes
    assert bool(recorder._seen) is (way == "checkpointing")
    assert (encoder._recorder is None) is (way in ("frozen", "off"))


def test_what_cannot_be_recorded_is_said_once_and_computed_as_ever(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(*_passes: Any) -> Recorded:
        torch.rand(3)
        raise RuntimeError("operation not permitted when stream is capturing\nmore of it")

    encoder, _ = rerunning()
    encoder._recorder = recorder = Recorder(lambda: refused, ("cpu",))
    plain = without_dropout(tiny_encoder())
    torch.manual_seed(3)
    before = torch.get_rng_state()
    with caplog.at_level(logging.INFO):
        for lengths in ([2], [3], [4], [1] * 9, [2] * 9):
            (mine, of_mine), (its, of_its) = learnt(encoder, lengths), learnt(plain, lengths)
            torch.testing.assert_close(mine, its)
            assert_equal(of_mine, of_its)
    assert [record.getMessage() for record in caplog.records] == [
        "the transformer's kernels cannot be recorded, training goes on without: "
        "operation not permitted when stream is capturing"
    ]
    assert not recorded_shapes(recorder)
    assert torch.equal(torch.get_rng_state(), before)


def recorded_shapes(recorder: Recorder) -> list[Any]:
    return list(recorder._tapes)


def test_dropout_is_that_of_the_seed_whether_a_batch_is_played_or_not() -> None:
    """A run that goes on from a checkpoint has nothing recorded yet, and repeats its steps all the same."""

    def losses(known: list[Lengths]) -> list[float]:
        encoder = tiny_encoder(record=True).train()
        encoder._recorder = Recorder(Rerun, ("cpu",))
        for lengths in known:
            loss_of(encoder, lengths).backward()
        found = []
        for seed in (7, 8, 7):
            torch.manual_seed(seed)
            loss = loss_of(encoder, [3, 4])
            loss.backward()
            found.append(loss.item())
        return found

    fresh, warm = losses([]), losses([[2], [3], [4]])
    assert fresh == pytest.approx(warm, rel=1e-5)
    assert fresh[0] == pytest.approx(fresh[2], rel=1e-5)
    assert abs(fresh[0] - fresh[1]) > 1e-3


def test_autocast_has_recordings_of_its_own() -> None:
    encoder, recorder = rerunning()
    plain = without_dropout(tiny_encoder())
    for lengths in ([2], [3], [4]):
        for enabled in (True, False):
            found = []
            for one in (encoder, plain):
                one.zero_grad(set_to_none=True)
                with torch.autocast("cpu", torch.bfloat16, enabled=enabled):
                    loss = loss_of(one, lengths)
                loss.float().backward()
                found.append((loss.detach(), gradients_of(one)))
            (mine, of_mine), (its, of_its) = found
            torch.testing.assert_close(mine, its, rtol=2e-2 if enabled else 1e-5, atol=2e-2 if enabled else 1e-5)
            if not enabled:
                assert_equal(of_mine, of_its)
    assert len(recorder._tapes) == 2
    assert played(recorder) == 4


def test_padding_is_a_copy_with_a_piece_to_read_in_every_row() -> None:
    rows = Rows(torch.full((2, 16), 5), torch.ones(2, 16, dtype=torch.bool))
    padded = recording._padded(rows, (8, 16), padding=1)
    assert padded.pieces[:2].eq(5).all()
    assert padded.pieces[2:].eq(1).all()
    assert padded.mask.sum(1).tolist() == [16, 16, 1, 1, 1, 1, 1, 1]
    full = recording._padded(rows, (2, 16), padding=1)
    full.mask.zero_()
    assert rows.mask.all()


class BetweenDevices(TorchDispatchMode):
    """Notes what goes from one device to another, single numbers that a kernel is given left out."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = operation(*args, **(kwargs or {}))
        copies = "copy" in str(operation)
        tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor) and (one.ndim or copies)]
        tensors += [one for one in tree_leaves(result) if isinstance(one, Tensor)]
        if len({one.device.type for one in tensors}) > 1:
            self.found.append(str(operation))
        return result


@pytest.mark.parametrize("kind", TINY_KINDS)
def test_a_recorded_pass_needs_nothing_from_the_processor(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a device without numbers, where a look at one fails as well; transformers believes that it is recorded."""
    monkeypatch.setattr(masking_utils, "is_tracing", lambda *_tensor: True)
    model = tiny_encoder(kind).train().model.to("meta")
    leaves = {name: one.detach().requires_grad_() for name, one in model.named_parameters()}
    pieces, mask = (
        torch.ones(8, 16, dtype=torch.long, device="meta"),
        torch.ones(8, 16, dtype=torch.bool, device="meta"),
    )
    forward, create = SteadyForward(model), torch.tensor
    forward(leaves, pieces, mask)
    monkeypatch.setattr(torch, "tensor", lambda *given, **options: create(*given, **_at_home(options)))
    with BetweenDevices() as between:
        states = forward(leaves, pieces, mask)
        torch.autograd.grad(states, list(leaves.values()), torch.zeros_like(states), allow_unused=True)
    assert between.found == []
    assert states.shape[:2] == (8, 16)


def _at_home(options: dict[str, Any]) -> dict[str, Any]:
    assert torch.device(options.get("device") or "cpu").type == "cpu", "a number is copied to the device"
    return options


def test_training_that_goes_on_with_nothing_recorded_ends_the_same_to_the_bit() -> None:
    """Two streams, a way back for each in every step; all dropout is on."""

    def trained(steps: range, before: list[Any] | None = None) -> tuple[list[Any], int]:
        encoder = tiny_encoder("mpnet", record=True)
        encoder._recorder = recorder = Recorder(Rerun, ("cpu",))
        model = tiny_tagger(encoder, domains=("news", "film")).train()
        streams = [stream(model, four_sentences(), domain) for domain in ("news", "film")]
        learner = Learner(model, streams, TrainingSettings(), seed=1, processes=Processes())
        for part, state in zip((model, learner.optimizer), before or (), strict=False):
            part.load_state_dict(state)
        for step in steps:
            learner.learn([[0, 1], [2, 3, 1]], step=step, done=0.5)
        return copy.deepcopy([model.state_dict(), learner.optimizer.state_dict()]), played(recorder)

    whole, all_played = trained(range(6))
    half, _ = trained(range(3))
    again, _ = trained(range(3, 6), half)
    assert all_played == 2 * 6 - 1
    assert all(torch.equal(again[0][name], weight) for name, weight in whole[0].items())


@pytest.mark.parametrize(("kind", "tried"), [("mpnet", True), ("roberta", True), ("electra", False)])
def test_unless_it_is_set_encoders_that_were_tried_are_recorded(kind: str, tried: bool) -> None:
    assert (tiny_encoder(kind)._recorder is not None) is tried
    assert tiny_encoder(kind, record=True)._recorder is not None
    assert tiny_encoder(kind, record=False)._recorder is None
