"""What is to be drawn, and the runs that it is drawn of."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from nerbridge.config.files import domain_of
from nerbridge.config.reading import ReadSettings
from nerbridge.data.registry import card_names
from nerbridge.data.sentence import Sentence
from nerbridge.errors import BundleError, ConfigError
from nerbridge.evaluation.run_folder import predictions_path, run_folders, splits_of
from nerbridge.evaluation.run_predictions import fitting_predictions
from nerbridge.evaluation.run_records import was_scored
from nerbridge.pipeline.evaluating import labelled_split, read_labelled
from nerbridge.pipeline.plotting.dots import By
from nerbridge.pipeline.plotting.records import Form
from nerbridge.pipeline.plotting.words import Choice, Labelled

What = Literal["states", "cells", "curves"]
EVERYTHING: tuple[What, ...] = ("states", "cells", "curves")
MODEL, BUNDLE = "model", "bundle.json"
NAME_DATA = "--data NAME or --data FILE"


@dataclass(frozen=True)
class PlotRequest:
    """what: pictures that must be drawn; empty: all that the runs allow. formats: suffixes of pictures, such as 'png'.

    data: labelled sentences of several domains; empty: the sentences of each run's own predictions of `split`.
    perplexity: None: the usual one, or what few points allow.
    """

    what: Sequence[What] = ()
    data: Sequence[Labelled] = ()
    split: str = "test"
    choice: Choice = field(default_factory=Choice)
    by: By = "both"
    perplexity: float | None = None
    formats: Sequence[str] = ("png", "svg")
    coordinates: Form = "csv"

    def wants(self, what: What) -> bool:
        """Is the picture asked for, or may it come because nothing is?"""
        return not self.what or what in self.what

    def insists(self, what: What) -> bool:
        """Is it a fault when it cannot be drawn?"""
        return what in self.what


@dataclass(frozen=True)
class PlottedRun:
    """name: of its panel. model: its bundle. folder: of the run, None for a bundle alone."""

    name: str
    model: Path
    folder: Path | None

    @property
    def unfinished(self) -> bool:
        """Is there no model yet, or none at all?"""
        return not (self.model / BUNDLE).is_file()

    def no_model(self) -> BundleError:
        """What is said of an unfinished run whose states are asked for."""
        return BundleError(
            f"'{self.folder or self.model}' has no finished model",
            where=str(self.model / BUNDLE),
            expected="a run that has ended, or a model folder",
            hint="a run that was interrupted goes on when the command that began it is given again; `--what curves` "
            "shows how far it came",
        )

    @property
    def no_sentences(self) -> str:
        """Why a run has no sentences of its own, and the way out; empty where it has some.

        It was scored on none, as zero-shot without labelled sentences is, or its predictions are gone.
        """
        if self.folder is None or splits_of(self.folder):
            return ""
        if was_scored(self.folder):
            return "its predictions are missing: run the training command again, or name labelled sentences with --data"
        return "it was scored on no sentence; name labelled sentences with --data"

    def own_data(self, split: str) -> Labelled:
        """The sentences that the run was scored on.

        Raises BundleError where it was scored on none, or has no predictions of `split`, DataError where these are
        damaged or do not fit the run.
        """
        if self.folder is None:
            raise ConfigError(
                f"'{self.model}' is a model without a run, and no data are named",
                where="the command line of `nerbridge plot`",
                expected="a run folder, or labelled sentences",
                hint=f"{NAME_DATA}; `--data` may be repeated, once for each domain",
            )
        if not splits_of(self.folder) and not was_scored(self.folder):
            raise BundleError(
                f"run '{self.folder}' has no sentences of its own: it was scored on none",
                where=str(predictions_path(self.folder, split).parent),
                expected="labelled sentences whose words are shown",
                hint=f"{NAME_DATA}; `--what curves` needs none",
            )
        try:
            predictions = fitting_predictions(self.folder, split)
        except BundleError as fault:
            hint = f"{fault.hint}; or show other sentences: {NAME_DATA}"
            raise BundleError(fault.what, where=fault.where, expected=fault.expected, hint=hint) from None
        sentences = [Sentence(one.words, one.gold) for one in predictions]
        return Labelled(_target_of(self.folder) or split, sentences)


def labelled_data(names: Sequence[str], split: str, data_root: Path | None, reading: ReadSettings) -> list[Labelled]:
    """Registered data sets and labelled files, one for each domain; files of one name are told apart by their paths.

    Raises DataError when a split is absent or not annotated, ConfigError for data that are named twice.
    """
    places = [name if name in card_names() else str(Path(name).resolve()) for name in names]
    if twice := [name for place, name in enumerate(names) if places[place] in places[:place]]:
        raise ConfigError(
            f"'{twice[0]}' is named twice",
            where="--data",
            expected="different data, one for each domain",
            hint="name every data set once",
        )
    found: list[Labelled] = []
    for name in names:
        registered = name in card_names()
        sentences, _ = labelled_split(read_labelled(name, data_root, None if registered else reading), split)
        short = name if registered else Path(name).name
        shown = short if all(one.name != short for one in found) else name
        found.append(Labelled(shown, sentences, name if registered else domain_of(name)))
    return found


def plotted_runs(paths: Sequence[Path]) -> tuple[dict[str, PlottedRun], list[str]]:
    """The runs by the name of their panel, and what is to be said: of several seeds the first one is taken.

    Raises ConfigError for a run that is named twice, BundleError for a folder that is none.
    """
    runs: dict[str, PlottedRun] = {}
    notes = []
    for path in paths:
        name = path.resolve().name
        if path.resolve() in [other.resolve() for other in paths[: len(runs)]]:
            raise ConfigError(
                f"'{path}' is named twice",
                where="the command line of `nerbridge plot`",
                expected="different run folders",
                hint="name every run once",
            )
        name = name if name not in runs else str(path)
        if (path / BUNDLE).is_file():
            runs[name] = PlottedRun(name, path, None)
            continue
        found = run_folders(path)
        first, folder = next(iter(found.items()))
        if len(found) > 1:
            notes.append(f"{path}: {first} of {len(found)} seeds is shown")
        runs[name] = PlottedRun(name, folder / MODEL, folder)
    return runs, notes


def _target_of(folder: Path) -> str:
    """The domain that a run was made for; empty where the folder does not say."""
    path = folder / "data.json"
    try:
        record: Mapping[str, object] = json.loads(path.read_text(encoding="utf-8"))
        domains = record["domains"]
        return str(domains[-1]["domain"]) if isinstance(domains, list) else ""
    except (OSError, ValueError, KeyError, IndexError, TypeError):
        return ""
