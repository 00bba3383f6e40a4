"""The numbers of a stage."""

from nerbridge.training.state import State


def test_the_mean_loss_is_over_the_steps_since_the_last_evaluation() -> None:
    state = State()
    for _ in range(4):
        state.advance(steps_in_epoch=10, words=7)
    state.loss_sum = 10.0
    assert state.mean_loss == 2.5


def test_an_epoch_ends_with_its_last_step() -> None:
    state = State()
    for _ in range(3):
        state.advance(steps_in_epoch=2, words=5)
    assert (state.epoch, state.place, state.step, state.words) == (1, 1, 3, 15)
