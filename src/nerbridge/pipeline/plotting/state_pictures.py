"""Runs and labelled data -> the pictures of hidden states and of cells."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce

from nerbridge.assembly.bundle import Bundle, load_bundle
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.plotting.album import Album
from nerbridge.pipeline.plotting.drawing import draw_dots
from nerbridge.pipeline.plotting.placed import Placed, place_states
from nerbridge.pipeline.plotting.request import PlotRequest, PlottedRun, What
from nerbridge.pipeline.plotting.states import States, cell_states, has_cells, hidden_states
from nerbridge.pipeline.plotting.words import ChosenWord, Labelled, choose_words
from nerbridge.wording import counted

TITLES = {"states": "states of words, by t-SNE", "cells": "states of cells, by t-SNE"}
Reader = Callable[..., States]


def add_states(runs: Mapping[str, PlottedRun], album: Album) -> None:
    """Add those of the two pictures that are wanted and can be drawn; every model is loaded once.

    Raises ConfigError, BundleError or DataError when one that was asked for cannot be drawn.
    """
    found: dict[What, dict[str, Placed]] = {"states": {}, "cells": {}}
    for name, run in runs.items():
        if lack := _lack(run, album.request):
            album.say(f"{name}: no states, {lack}")
            continue
        for what, placed in _placed(name, run, album):
            found[what][name] = placed
    for what, panels in found.items():
        if panels:
            _add(what, panels, album)


def _lack(run: PlottedRun, request: PlotRequest) -> str:
    """Why a run of which nothing particular is asked has no states; empty where it has some.

    Raises BundleError for an unfinished run of which a picture is asked.
    """
    if run.unfinished:
        if request.what:
            raise run.no_model()
        return "it has no finished model"
    if run.unscored and not request.data and not request.what:
        return "it was scored on no sentence; name labelled sentences with --data"
    return ""


def _placed(name: str, run: PlottedRun, album: Album) -> Iterator[tuple[What, Placed]]:
    """What each picture shows of one run."""
    data = album.request.data or [run.own_data(album.request.split)]
    bundle = load_bundle(run.model, device=device_kind())
    chosen = [_chosen(bundle, one, album.request) for one in data]
    album.say(f"{name}: {', '.join(_said(one, words) for one, words in zip(data, chosen, strict=True))}")
    for what, read in _readers(bundle, album.request).items():
        states = _states(read, bundle, data, chosen)
        yield what, place_states(states, album.request, f"{name}, {what}", album.say)


def _readers(bundle: Bundle, request: PlotRequest) -> dict[What, Reader]:
    """What reads the states of each picture; cells that a tagger does not have are read where they are asked for."""
    readers: dict[What, Reader] = {}
    if request.wants("states"):
        readers["states"] = hidden_states
    if request.insists("cells") or (request.wants("cells") and has_cells(bundle.model)):
        readers["cells"] = cell_states
    return readers


def _chosen(bundle: Bundle, data: Labelled, request: PlotRequest) -> list[ChosenWord]:
    (domain,) = bundle.model.domains
    known = bundle.model.head(domain).vocabulary.labels
    return choose_words(data, request.choice, known, bundle.metadata.aliases)


def _states(read: Reader, bundle: Bundle, data: Sequence[Labelled], chosen: Sequence[Sequence[ChosenWord]]) -> States:
    """The states of all data sets, one after the other."""
    (domain,) = bundle.model.domains
    parts = [read(bundle.model, one.sentences, words, domain) for one, words in zip(data, chosen, strict=True)]
    return reduce(States.plus, parts)


def _add(what: What, panels: Mapping[str, Placed], album: Album) -> None:
    dots = {name: placed.dots() for name, placed in panels.items()}
    album.add(
        what,
        lambda paths: draw_dots(dots, paths, title=TITLES[what], by=album.request.by),
        [record for name, placed in panels.items() for record in placed.records(name, what)],
        {name: len(several) for name, several in dots.items()},
    )


def _said(data: Labelled, words: Sequence[ChosenWord]) -> str:
    number = len({word.sentence for word in words})
    return f"{counted(len(words), 'word')} in {number:,} of {counted(len(data.sentences), 'sentence')} of {data.name}"
