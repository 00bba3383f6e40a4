"""A pre-training that has learnt too little says so by its held-out text."""

from pathlib import Path

import pytest

from nerbridge.pretraining.doubt import doubt
from nerbridge.pretraining.result import PretrainingResult
from nerbridge.pretraining.state import MaskedEvaluation


def result(*perplexities: tuple[int, float], head_steps: int = 0, vocabulary: int = 30_000) -> PretrainingResult:
    evaluations = tuple(MaskedEvaluation(step=step, token=span, span=span) for step, span in perplexities)
    return PretrainingResult(
        Path("e"), "", 4, head_steps, 1.0, 100, 0.0, 9, 1, evaluations, 1.0, 1.0, 1.0, 0.0, vocabulary=vocabulary
    )


@pytest.mark.parametrize(
    "one",
    [
        result((0, 40.0), (4, 20.0)),
        result((0, 90_000.0), (2, 9_000.0), (6, 400.0), head_steps=2),
        result(),
        result((0, 20_000.0)),  # no look behind it
        result((0, 90_000.0), (4, 20_000.0), vocabulary=0),  # an earlier version did not keep its size
    ],
)
def test_there_is_no_doubt(one: PretrainingResult) -> None:
    assert doubt(one) is None


def test_a_perplexity_as_of_chance_is_doubted() -> None:
    assert doubt(result((0, 90_000.0), (2, 20_000.0), (6, 16_000.5), head_steps=2)) == (
        "held-out text is hardly predicted better than by chance: perplexity 16,000.50 with span masks, and the "
        "vocabulary has 30,000 pieces"
    )


def test_steps_that_made_it_worse_are_doubted() -> None:
    worse = result((0, 90_000.0), (2, 300.0), (6, 310.0), head_steps=2)
    assert doubt(worse) == (
        "held-out text is not predicted better than before: perplexity 300.00 -> 310.00 (span masks)"
    )
