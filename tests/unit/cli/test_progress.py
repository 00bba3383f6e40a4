"""Progress of training: what is shown on a terminal and elsewhere."""

import io
import logging
from dataclasses import replace

import pytest
from rich.console import Console

from nerbridge.cli.progress import BarProgress, describe, make_progress
from nerbridge.training.evaluation import Evaluation
from nerbridge.training.progress import Moment, PlainProgress, clock_text

MOMENT = Moment(
    step=30,
    epoch=1.5,
    done=0.25,
    loss=0.5,
    best_f1=None,
    seconds=12.0,
    seconds_left=36.0,
    words=105_749,
    learning_seconds=12.0,
)


def test_a_bar_shows_loss_f1_and_time_left() -> None:
    screen = io.StringIO()
    progress = BarProgress(Console(file=screen, force_terminal=True, width=120))
    progress.start("source-1")
    progress.advance(MOMENT)
    progress.evaluated(replace(MOMENT, best_f1=0.62), Evaluation(0.612), improved=False)
    progress.close()
    assert "source-1" in screen.getvalue()
    assert "epoch 1.50  loss 0.5000  dev F1 61.20 (best 62.00)  at most 0:36 left" in screen.getvalue()


def test_a_bar_can_be_used_for_one_stage_after_the_other() -> None:
    screen = io.StringIO()
    progress = BarProgress(Console(file=screen, force_terminal=True, width=120))
    for stage in ("source-1", "target"):
        progress.start(stage)
        progress.evaluated(replace(MOMENT, best_f1=0.62), Evaluation(0.612), improved=True)
        progress.close()
        progress.close()
    assert "source-1" in screen.getvalue()
    assert "target" in screen.getvalue()


def test_what_is_not_known_is_left_out() -> None:
    assert describe(replace(MOMENT, seconds_left=None), None) == "epoch 1.50  loss 0.5000"


def test_plain_lines_elsewhere_than_on_a_terminal() -> None:
    assert isinstance(make_progress(), PlainProgress)


def test_plain_lines_come_at_evaluations_and_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    progress = PlainProgress(seconds=10)
    with caplog.at_level(logging.INFO):
        progress.start("target")
        for seconds, done in [(5, 0.2), (11, 0.25), (12, 0.3), (22, 0.32), (23, 0.36), (84, 0.37)]:
            progress.advance(replace(MOMENT, seconds=seconds, done=done, step=seconds))
        progress.evaluated(replace(MOMENT, seconds=85, best_f1=0.5), Evaluation(0.5), improved=True)
        progress.evaluated(replace(MOMENT, seconds=86, best_f1=0.0), Evaluation(0.0), improved=True)
        progress.close()
    *lines, none = [record.getMessage() for record in caplog.records]
    assert ", dev F1 0.00 (no entity right yet), " in none
    assert [line.split(",")[0] for line in lines] == [
        "target: step 11",
        "target: step 23",
        "target: step 84",
        "target: step 30",
    ]
    assert lines[-1] == (
        "target: step 30, epoch 1.50, loss 0.5000, dev F1 50.00 (best so far), 8,812 words/s, at most 0:36 left"
    )


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0:00"), (42, "0:42"), (725, "12:05"), (11220, "3:07:00")])
def test_times(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text
