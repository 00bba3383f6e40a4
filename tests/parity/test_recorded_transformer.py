"""On a GPU, a transformer's recorded passes are the passes themselves: losses, gradients, dropout, whole training."""

import logging
import math
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from builders import tiny_encoder
from nerbridge.encoders.transformer import TransformerEncoder
from nerbridge.encoders.transformer.recording import Recorder
from nerbridge.training.seeding import seed_step
from recorded_passes import Lengths, gradients_of, inputs, learnt, loss_of, without_dropout

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="CUDA graphs need a GPU")

KINDS = ("mpnet", "bert", "roberta", "distilbert")
INTERLEAVED: list[Lengths] = [[3, 5], [2] * 9, [4], [1] * 9, [5, 1, 1], [18] * 3, [6] * 8, [17], [2, 2], [3] * 9, [18]]


def assert_near(mine: dict[str, Tensor | None], its: dict[str, Tensor | None], share: float = 1e-4) -> None:
    """Every gradient is there or not as the other is, and differs by at most `share` of the length of all of them."""
    length = torch.stack([one.norm() for one in its.values() if one is not None]).norm().item()
    for name, gradient in its.items():
        ours = mine[name]
        assert (ours is None) is (gradient is None), name
        if ours is not None and gradient is not None:
            assert (ours - gradient).norm().item() <= share * length, name


def recorder_of(encoder: TransformerEncoder) -> Any:
    assert isinstance(encoder._recorder, Recorder)
    return encoder._recorder


def both(kind: str, *, dropout: bool = False) -> tuple[TransformerEncoder, TransformerEncoder]:
    """The same encoder twice, on the GPU, in training; the first records."""
    found = [tiny_encoder(kind, record=record).to("cuda").train() for record in (True, False)]
    recorded, plain = found if dropout else [without_dropout(one) for one in found]
    return recorded, plain


@pytest.mark.parametrize("kind", KINDS)
def test_losses_and_gradients_are_equal_for_shapes_that_take_turns(kind: str) -> None:
    recorded, plain = both(kind)
    for lengths in INTERLEAVED:
        (mine, of_mine), (its, of_its) = learnt(recorded, lengths), learnt(plain, lengths)
        torch.testing.assert_close(mine, its, rtol=1e-4, atol=1e-4)
        assert_near(of_mine, of_its)
    assert len(recorder_of(recorded)._tapes) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_in_mixed_precision_they_are_as_near_as_its_numbers_are(kind: str) -> None:
    recorded, plain = both(kind)
    for lengths in INTERLEAVED:
        found = []
        for one in (recorded, plain):
            one.zero_grad(set_to_none=True)
            with torch.autocast("cuda", torch.bfloat16):
                loss = loss_of(one, lengths)
            loss.float().backward()
            found.append((loss.detach().float(), gradients_of(one)))
        (mine, of_mine), (its, of_its) = found
        torch.testing.assert_close(mine, its, rtol=3e-2, atol=0.2)
        assert_near(of_mine, of_its, 5e-2)
    assert len(recorder_of(recorded)._tapes) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_training_ends_with_the_same_weights(kind: str) -> None:
    recorded, plain = both(kind)
    for one in (recorded, plain):
        optimizer = torch.optim.SGD(one.parameters(), lr=1e-3, momentum=0.9, fused=True)
        for lengths in INTERLEAVED * 2:
            learnt(one, lengths)
            nn.utils.clip_grad_norm_(one.parameters(), 1.0)
            optimizer.step()
    for mine, its in zip(recorded.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(mine, its, rtol=1e-3, atol=1e-4)


def test_batches_that_share_a_way_back_and_gradients_that_add_up() -> None:
    recorded, plain = both("mpnet")
    for one in (recorded, plain):
        for lengths in ([2], [2], [1] * 9, [1] * 9):
            learnt(one, lengths)
        one.zero_grad(set_to_none=True)
        (loss_of(one, [4, 2]) + loss_of(one, [3]) + loss_of(one, [1] * 10)).backward()
        for lengths in ([3, 1], [4], [2] * 9):
            loss_of(one, lengths).backward()
        one.model.get_input_embeddings().weight.square().sum().backward()  # type: ignore[operator]
    assert_near(gradients_of(recorded), gradients_of(plain))


@pytest.mark.parametrize("kind", ["mpnet", "bert"])
def test_dropout_follows_the_seed_and_is_the_same_before_anything_is_recorded(kind: str) -> None:
    def losses(known: list[Lengths]) -> list[float]:
        encoder, _ = both(kind, dropout=True)
        for lengths in known:
            loss_of(encoder, lengths).backward()
        found = []
        for step in (7, 8, 7):
            seed_step(1, step)
            loss = loss_of(encoder, [3, 4])
            loss.backward()
            found.append(loss.item())
        return found

    seed_step(1, 0)
    warm, fresh = losses([[2], [3], [4]]), losses([])
    assert warm[0] == pytest.approx(warm[2], rel=1e-5)
    assert abs(warm[0] - warm[1]) > 1e-3
    assert fresh == pytest.approx(warm, rel=1e-4)


def test_two_played_batches_of_one_step_have_dropout_of_their_own() -> None:
    encoder, _ = both("mpnet", dropout=True)
    for lengths in ([3], [3]):
        loss_of(encoder, lengths).backward()
    seed_step(1, 3)
    first, second = (learnt(encoder, [3])[0].item() for _ in range(2))
    assert abs(first - second) > 1e-3


def test_weights_loaded_in_place_are_played_and_moved_ones_are_recorded_anew() -> None:
    recorded, _ = both("mpnet")
    other = without_dropout(tiny_encoder("mpnet", seed=5).to("cuda"))
    for lengths in ([2], [3]):
        learnt(recorded, lengths)
    recorded.load_state_dict(other.state_dict())
    torch.testing.assert_close(learnt(recorded, [4])[0], learnt(other, [4])[0])
    assert len(recorder_of(recorded)._tapes) == 1
    recorded.to("cpu").to("cuda")
    assert not recorder_of(recorded)._tapes
    for lengths in ([2], [3], [4]):
        torch.testing.assert_close(learnt(recorded, lengths)[0], learnt(other, lengths)[0])
    assert len(recorder_of(recorded)._tapes) == 1


@pytest.mark.filterwarnings("ignore:Synchronization debug mode")
def test_a_played_batch_does_not_wait_for_the_device() -> None:
    recorded, _ = both("mpnet")
    for lengths in ([2], [3], [4]):
        learnt(recorded, lengths)
    read = inputs(recorded, [3, 3])
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        recorded(read).sum().backward()
    finally:
        torch.cuda.set_sync_debug_mode("default")


def test_a_model_that_waits_for_the_device_is_computed_as_ever(caplog: pytest.LogCaptureFixture) -> None:
    """And what comes after a recording that failed is as if there had been none: dropout, and recordings of others."""
    waiting, plain = both("mpnet", dropout=True)
    waiting.model.embeddings.register_forward_hook(  # type: ignore[union-attr,operator]
        lambda _module, _given, output: output * float(math.isfinite(output.sum().item()))
    )
    with caplog.at_level(logging.WARNING):
        for lengths in ([2], [3], [4], [5], [1] * 9, [1] * 9):
            loss, gradients = learnt(waiting, lengths)
            assert loss.isfinite()
            assert all(one is None or one.isfinite().all() for one in gradients.values())
    assert len(caplog.records) == 1
    assert caplog.records[0].getMessage().startswith("the transformer's kernels cannot be recorded, training goes on")
    without_dropout(waiting)
    recorded, plain = both("mpnet")
    for lengths in ([2], [3], [4]):
        of_its = learnt(plain, lengths)[1]
        assert_near(learnt(waiting, lengths)[1], of_its)
        assert_near(learnt(recorded, lengths)[1], of_its)
    assert len(recorder_of(recorded)._tapes) == 1
