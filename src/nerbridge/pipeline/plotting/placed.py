"""States in two dimensions: the points of a picture, and the records of its coordinates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.pipeline.plotting.dots import Dot
from nerbridge.pipeline.plotting.projection import fitting_perplexity, place_vectors
from nerbridge.pipeline.plotting.request import PlotRequest, What
from nerbridge.pipeline.plotting.states import States
from nerbridge.wording import counted

USUAL_PERPLEXITY = 30.0


@dataclass(frozen=True)
class Placed:
    """places: two numbers for each row of `states`."""

    states: States
    places: Sequence[Sequence[float]]

    def dots(self) -> list[Dot]:
        """One for each row."""
        rows = zip(self.states.words, self.states.groups, self.places, strict=True)
        return [Dot(x, y, group, word.domain) for word, group, (x, y) in rows]

    def records(self, run: str, what: What) -> list[dict[str, Any]]:
        """One for each row; those of cells name the label of the cell."""
        rows = zip(self.states.words, self.states.groups, self.places, strict=True)
        return [
            {
                "run": run,
                "domain": word.domain,
                "sentence": word.sentence,
                "word": word.place,
                "text": word.text,
                "label": word.label,
                **({"cell": group} if what == "cells" else {}),
                "x": x,
                "y": y,
            }
            for word, group, (x, y) in rows
        ]


def place_states(states: States, request: PlotRequest, about: str, say: Callable[[str], None]) -> Placed:
    """The states by t-SNE; say: is told `about` which states it begins, and that few points lower the usual perplexity.

    Raises ConfigError and TrainingError as `place_vectors` does.
    """
    perplexity, points = request.perplexity, counted(len(states.words), "point")
    if perplexity is None:
        perplexity = min(USUAL_PERPLEXITY, fitting_perplexity(len(states.words)))
        if perplexity < USUAL_PERPLEXITY and len(states.words) > 1:
            say(f"{about}: perplexity {perplexity:g}, since there are {points} only")
    say(f"{about}: t-SNE of {points} on the CPU (minutes for thousands)")
    places = place_vectors(states.vectors, perplexity=perplexity, seed=request.choice.seed)
    return Placed(states, [[round(value, 4) for value in row] for row in places.tolist()])
