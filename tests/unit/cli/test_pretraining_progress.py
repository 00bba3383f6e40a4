"""Progress of pre-training: what is shown on a terminal and elsewhere."""

import io
import logging
from dataclasses import replace

import pytest
from rich.console import Console

from nerbridge.cli.pretraining_progress import BarWatcher, make_watcher
from nerbridge.pretraining.progress import Moment, PlainWatcher, describe
from nerbridge.pretraining.state import MaskedEvaluation

MOMENT = Moment(
    step=250, total=1150, loss=2.1034, pieces_per_second=5310.4, waiting_share=0.00123, seconds=12.0, seconds_left=725.0
)


def test_a_bar_shows_pace_and_perplexities() -> None:
    screen = io.StringIO()
    watcher = BarWatcher(Console(file=screen, force_terminal=True, width=160))
    watcher.start(1150)
    watcher.advance(MOMENT)
    watcher.evaluated(MaskedEvaluation(250, 9.312, 14.2))
    watcher.close()
    watcher.close()
    assert "loss 2.1034, 5,310 pieces/s, 0.1 % waiting for data, 12:05 left" in screen.getvalue()
    assert "perplexity after step 250: 9.31 with token masks, 14.20 with span masks" in screen.getvalue()


def test_nothing_is_promised_before_something_is_done() -> None:
    assert describe(replace(MOMENT, seconds_left=None)).endswith("waiting for data")


def test_plain_lines_are_rare(caplog: pytest.LogCaptureFixture) -> None:
    watcher = PlainWatcher(seconds=10)
    watcher.start(1150)
    with caplog.at_level(logging.INFO):
        for second in range(100):
            watcher.advance(replace(MOMENT, step=second, seconds=float(second)))  # slow: a line a minute
        watcher.advance(replace(MOMENT, step=300, seconds=111.0))  # fast: a line per tenth
    assert [record.getMessage().split(",")[0] for record in caplog.records] == [
        "pre-training: step 60 of 1",
        "pre-training: step 300 of 1",
    ]


def test_lines_go_where_nobody_watches() -> None:
    assert isinstance(make_watcher(), PlainWatcher)
