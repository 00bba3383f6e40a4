"""Runs and labelled data -> the pictures of hidden states and of cells."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce

from nerbridge.assembly.bundle import Bundle, load_bundle
from nerbridge.assembly.tagger import Tagger
from nerbridge.data.labels import LabelSet
from nerbridge.data.run_model import refuse_other_model
from nerbridge.models.context.multi_cell import MultiCellNetwork
from nerbridge.models.context.placed import PlacedContext
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.plotting.album import Album
from nerbridge.pipeline.plotting.dots import Legend, draw_dots
from nerbridge.pipeline.plotting.placed import Placed, place_states
from nerbridge.pipeline.plotting.request import PlotRequest, PlottedRun, What
from nerbridge.pipeline.plotting.states import States, cell_states, has_cells, has_one_cell, hidden_states
from nerbridge.pipeline.plotting.words import ChosenWord, Labelled, choose_words
from nerbridge.wording import counted

TITLES = {"states": "states of words, by t-SNE", "cells": "states of cells, by t-SNE"}
Reader = Callable[..., States]


@dataclass(frozen=True)
class Shown:
    """What is shown of one data set. place: the domain at which a context that tells domains apart reads it."""

    data: Labelled
    words: Sequence[ChosenWord]
    place: str


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
    _draw({what: panels for what, panels in found.items() if panels}, album)


def _lack(run: PlottedRun, request: PlotRequest) -> str:
    """Why a run of which nothing particular is asked has no states; empty where it has some.

    Raises BundleError for an unfinished run of which a picture is asked.
    """
    if run.unfinished:
        if request.what:
            raise run.no_model()
        return "it has no finished model"
    if run.no_sentences and not request.data and not request.what:
        return run.no_sentences
    return ""


def _placed(name: str, run: PlottedRun, album: Album) -> Iterator[tuple[What, Placed]]:
    """What each picture shows of one run."""
    if run.folder is not None:
        refuse_other_model(run.folder)
    data = album.request.data or [run.own_data(album.request.split)]
    bundle = load_bundle(run.model, device=device_kind())
    shown = [_shown(bundle, one, album.request) for one in data]
    album.say(f"{name}: {', '.join(map(_said, shown))}")
    for one in shown:
        if said := _elsewhere(bundle.model, one):
            album.say(f"{name}: {said}")
    if has_one_cell(bundle.model) and not album.request.what:
        album.say(f"{name}: no cells, it has one for all labels (context.one_cell)")
    for what, read in _readers(bundle, album.request).items():
        states = reduce(States.plus, (read(bundle.model, one.data.sentences, one.words, one.place) for one in shown))
        yield what, place_states(states, album.request, f"{name}, {what}", album.say)


def _readers(bundle: Bundle, request: PlotRequest) -> dict[What, Reader]:
    """What reads the states of each picture; cells that a tagger does not have are read where they are asked for."""
    readers: dict[What, Reader] = {}
    if request.wants("states"):
        readers["states"] = hidden_states
    if request.insists("cells") or (request.wants("cells") and has_cells(bundle.model)):
        readers["cells"] = cell_states
    return readers


def _shown(bundle: Bundle, data: Labelled, request: PlotRequest) -> Shown:
    model = bundle.model
    (tagged,) = model.domains
    place = data.domain if data.domain in _domains_apart(model) else tagged
    return Shown(data, choose_words(data, request.choice, _labels(model, place), bundle.metadata.aliases), place)


def _domains_apart(model: Tagger) -> Collection[str]:
    return model.context.domains_apart if isinstance(model.context, PlacedContext) else ()


def _labels(model: Tagger, place: str) -> LabelSet:
    """Those that the tagger has for a domain: of its cells, else of its head."""
    if isinstance(model.context, MultiCellNetwork) and place in model.context.domains_apart:
        return LabelSet(model.context.labels[place][1:])
    (tagged,) = model.domains
    return model.head(tagged).vocabulary.labels


def _elsewhere(model: Tagger, shown: Shown) -> str:
    """What is said of data that are read as another domain than theirs; empty where they are not."""
    apart = _domains_apart(model)
    if not apart or shown.data.domain in ("", shown.place):
        return ""
    known = f"the tagger knows one domain only, {shown.place}"
    if len(apart) > 1:
        known = f"the tagger knows the domains {', '.join(apart)}, but not '{shown.data.domain}'"
    return f"{known}: the sentences of {shown.data.name} are read as those of {shown.place}"


def _draw(pictures: Mapping[What, Mapping[str, Placed]], album: Album) -> None:
    """A label or domain has one look in all the pictures."""
    dots = {what: {name: placed.dots() for name, placed in panels.items()} for what, panels in pictures.items()}
    every = [dot for panels in dots.values() for several in panels.values() for dot in several]
    legend = Legend.of(every, album.request.by)
    for what, panels in pictures.items():
        album.add(
            what,
            partial(draw_dots, dots[what], title=TITLES[what], legend=legend),
            [record for name, placed in panels.items() for record in placed.records(name, what)],
            {name: len(several) for name, several in dots[what].items()},
        )


def _said(shown: Shown) -> str:
    number, all_of_them = len({word.sentence for word in shown.words}), len(shown.data.sentences)
    return (
        f"{counted(len(shown.words), 'word')} in {number:,} of {counted(all_of_them, 'sentence')} of {shown.data.name}"
    )
