"""Learning-rate schedules: pure functions of how much of the stage is done."""

import math
from typing import Literal, assert_never

Schedule = Literal["constant", "linear", "cosine"]


def rate_factor(schedule: Schedule, done: float, *, warmup: float = 0.0) -> float:
    """What the learning rates are multiplied with, 0 to 1.

    done: share (0 to 1) of the stage that is done at the middle of the step, so that neither the first step of a
    warm-up nor the last step of a decay is wasted with a rate of zero.
    warmup: share of the stage in which the factor rises from 0 to 1 in a straight line. After it, "constant" stays
    at 1, "linear" falls to 0 in a straight line and "cosine" along half a cosine.
    """
    if done < warmup:
        return done / warmup
    rest = min(1.0, max(0.0, (1.0 - done) / (1.0 - warmup)))
    match schedule:
        case "constant":
            return 1.0
        case "linear":
            return rest
        case "cosine":
            return 0.5 * (1.0 - math.cos(math.pi * rest))
        case _:
            assert_never(schedule)
