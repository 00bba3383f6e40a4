"""Runs and data -> pictures and the coordinates behind them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from nerbridge.assembly.bundle import Bundle, load_bundle
from nerbridge.errors import BundleError
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.plotting.curves import Curves, read_curves
from nerbridge.pipeline.plotting.drawing import Dot, check_drawing, draw_curves, draw_dots
from nerbridge.pipeline.plotting.projection import check_projection, fitting_perplexity, place_vectors
from nerbridge.pipeline.plotting.records import write_records
from nerbridge.pipeline.plotting.request import PlotRequest, PlottedRun, What
from nerbridge.pipeline.plotting.states import States, cell_states, has_cells, hidden_states
from nerbridge.pipeline.plotting.words import ChosenWord, Labelled, choose_words
from nerbridge.wording import counted

TITLES = {"states": "states of words, by t-SNE", "cells": "states of cells, by t-SNE"}
SHOWN = 8  # characters that a message names
USUAL_PERPLEXITY = 30.0
Placed = tuple[States, Sequence[Sequence[float]]]  # the states, and two numbers for each of their rows


@dataclass
class Drawn:
    """The files that were written, by picture, and how many points each run has in it."""

    files: dict[What, list[Path]] = field(default_factory=dict)
    points: dict[What, dict[str, int]] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            what: {"files": [str(path) for path in files], "points": self.points[what]}
            for what, files in self.files.items()
        }


def draw_plots(runs: Mapping[str, PlottedRun], folder: Path, request: PlotRequest, say: Callable[[str], None]) -> Drawn:
    """Write to `folder` states.png, states.csv and so on for every picture that is wanted and can be drawn.

    say: is told what was left out, what the pictures lack and what was chosen. Raises MissingExtraError before anything
    is loaded when a package is missing, ConfigError, BundleError or DataError when something that was asked for cannot
    be drawn.
    """
    check_drawing()
    drawn = Drawn()
    if request.wants("states") or request.wants("cells"):
        check_projection()
        _draw_states(runs, folder, request, drawn, say)
    if request.wants("curves"):
        _draw_curves(runs, folder, request, drawn, say)
    if not drawn.files:
        raise BundleError(
            f"there is nothing to draw of {', '.join(runs)}",
            where=", ".join(str(run.folder or run.model) for run in runs.values()),
            expected="a tagger and labelled sentences, or a journal with evaluations",
            hint="name data with --data; `nerbridge train` leaves a journal in its run folder",
        )
    return drawn


def _draw_states(
    runs: Mapping[str, PlottedRun], folder: Path, request: PlotRequest, drawn: Drawn, say: Callable[[str], None]
) -> None:
    """The pictures of hidden states and of cells: every model is loaded once."""
    found: dict[What, dict[str, Placed]] = {"states": {}, "cells": {}}
    for name, run in runs.items():
        if run.unfinished:
            if request.what:
                raise run.no_model()
            say(f"{name}: no states, it has no finished model")
            continue
        if run.unscored and not request.data and not request.what:
            say(f"{name}: no states, it was scored on no sentence; name labelled sentences with --data")
            continue
        data = request.data or [run.own_data(request.split)]
        bundle = load_bundle(run.model, device=device_kind())
        chosen = [_chosen(bundle, one, request) for one in data]
        say(f"{name}: {', '.join(_said(one, words) for one, words in zip(data, chosen, strict=True))}")
        if request.wants("states"):
            found["states"][name] = _placed(
                hidden_states, bundle, data, chosen, request, partial(_say_of, say, f"{name}, states")
            )
        if request.insists("cells") or (request.wants("cells") and has_cells(bundle.model)):
            found["cells"][name] = _placed(
                cell_states, bundle, data, chosen, request, partial(_say_of, say, f"{name}, cells")
            )
    for what, placed in found.items():
        if placed:
            _write_states(what, placed, folder, request, drawn, say)


def _chosen(bundle: Bundle, data: Labelled, request: PlotRequest) -> list[ChosenWord]:
    (domain,) = bundle.model.domains
    known = bundle.model.head(domain).vocabulary.labels
    return choose_words(data, request.choice, known, bundle.metadata.aliases)


def _placed(
    read: Callable[..., States],
    bundle: Bundle,
    data: Sequence[Labelled],
    chosen: Sequence[Sequence[ChosenWord]],
    request: PlotRequest,
    say: Callable[[str], None],
) -> Placed:
    """The states of all data sets, placed together."""
    (domain,) = bundle.model.domains
    parts = [read(bundle.model, one.sentences, words, domain) for one, words in zip(data, chosen, strict=True)]
    states = parts[0]
    for part in parts[1:]:
        states = states.plus(part)
    perplexity = request.perplexity
    if perplexity is None:
        perplexity = min(USUAL_PERPLEXITY, fitting_perplexity(len(states.words)))
        if perplexity < USUAL_PERPLEXITY:
            say(f"perplexity {perplexity:g}, since there are {counted(len(states.words), 'point')} only")
    places = place_vectors(states.vectors, perplexity=perplexity, seed=request.choice.seed)
    return states, [[round(value, 4) for value in row] for row in places.tolist()]


def _write_states(
    what: What,
    placed: Mapping[str, Placed],
    folder: Path,
    request: PlotRequest,
    drawn: Drawn,
    say: Callable[[str], None],
) -> None:
    records = [
        {"run": name, **_record(word, group, what), "x": x, "y": y}
        for name, (states, places) in placed.items()
        for word, group, (x, y) in zip(states.words, states.groups, places, strict=True)
    ]
    panels = {
        name: [
            Dot(x, y, group, word.domain)
            for word, group, (x, y) in zip(states.words, states.groups, places, strict=True)
        ]
        for name, (states, places) in placed.items()
    }
    pictures = [folder / f"{what}.{suffix}" for suffix in request.formats]
    missing = draw_dots(panels, pictures, title=TITLES[what], by=request.by)
    _say_missing(what, missing, say)
    _note(what, folder, pictures, records, request, drawn)
    drawn.points[what] = {name: len(dots) for name, dots in panels.items()}


def _record(word: ChosenWord, group: str, what: What) -> dict[str, Any]:
    cell = {"cell": group} if what == "cells" else {}
    return {
        "domain": word.domain,
        "sentence": word.sentence,
        "word": word.place,
        "text": word.text,
        "label": word.label,
        **cell,
    }


def _draw_curves(
    runs: Mapping[str, PlottedRun], folder: Path, request: PlotRequest, drawn: Drawn, say: Callable[[str], None]
) -> None:
    panels: dict[str, Curves] = {}
    for name, run in runs.items():
        try:
            panels[name] = read_curves(run.folder or run.model)
        except BundleError as fault:
            if request.insists("curves"):
                raise
            say(f"{name}: no curves, {fault.what}")
    if not panels:
        return
    records = [
        {
            "run": name,
            "stage": mark.stage,
            "step": mark.step,
            "total": mark.total,
            "name": mark.name,
            "value": mark.value,
        }
        for name, curves in panels.items()
        for mark in curves.marks
    ]
    pictures = [folder / f"curves.{suffix}" for suffix in request.formats]
    missing = draw_curves(panels, pictures, title="scores on dev while training")
    _say_missing("curves", missing, say)
    _note("curves", folder, pictures, records, request, drawn)
    drawn.points["curves"] = {name: len(curves.marks) for name, curves in panels.items()}


def _say_of(say: Callable[[str], None], about: str, text: str) -> None:
    say(f"{about}: {text}")


def _say_missing(what: What, missing: str, say: Callable[[str], None]) -> None:
    if missing:
        shown = ", ".join(missing[:SHOWN]) + (f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else "")
        say(
            f"{what}: the font of the pictures lacks {shown}, with boxes in their place; svg files hold the text itself"
        )


def _note(
    what: What,
    folder: Path,
    pictures: Sequence[Path],
    records: Sequence[Mapping[str, Any]],
    request: PlotRequest,
    drawn: Drawn,
) -> None:
    path = folder / f"{what}.{request.coordinates}"
    write_records(path, records)
    drawn.files[what] = [*pictures, path]


def _said(data: Labelled, words: Sequence[ChosenWord]) -> str:
    number = len({word.sentence for word in words})
    return f"{counted(len(words), 'word')} in {number:,} of {counted(len(data.sentences), 'sentence')} of {data.name}"
