"""What the steps on raw text share: the experiment, its data, where finished steps lie."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.experiment import Experiment
from nerbridge.config.raw import NameListSettings, RawCorpusSettings
from nerbridge.corpus.building import corpus_key
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.folder_writing import MANIFEST
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.gazetteer_classes import load_classes
from nerbridge.corpus.gazetteer_files import read_gazetteer
from nerbridge.corpus.overlap_guard import OverlapGuard
from nerbridge.errors import DataError
from nerbridge.pipeline.data import ExperimentData
from nerbridge.pipeline.surroundings import Surroundings
from nerbridge.transfer.stage import DomainData, Plan


@dataclass(frozen=True)
class RawWork:
    """An experiment with raw text, its data, and the plan of the stages behind."""

    experiment: Experiment
    data: ExperimentData
    plan: Plan
    surroundings: Surroundings

    @property
    def settings(self) -> RawCorpusSettings:
        """[corpus] of the recipe."""
        assert self.experiment.corpus is not None, "without raw text there are no such steps"
        return self.experiment.corpus

    @property
    def encoder(self) -> TransformerSettings:
        """The encoder that goes on learning."""
        assert isinstance(self.experiment.encoder, TransformerSettings), "the experiment has checked it"
        return self.experiment.encoder

    @cached_property
    def guard(self) -> OverlapGuard:
        """Finds text of the target's dev and test."""
        return guard_of(self.settings, self.data.target)

    @cached_property
    def corpus_key(self) -> str:
        """The key of the built corpus; reads all raw text once."""
        return corpus_key(self.settings.files, self.settings.building, guard=self.guard)

    @cached_property
    def lists(self) -> Gazetteer:
        """The names of all lists. Raises what reading them raises."""
        return read_lists(self.experiment.gazetteer)

    @property
    def lists_record(self) -> dict[str, Any] | None:
        """What tells the names of the lists from others; None where none are looked for."""
        return self.lists.record() if uses_lists(self.experiment) else None

    def say(self, text: str) -> None:
        """One line for the user."""
        self.surroundings.say(text)

    def folder(self, kind: str, key: str) -> Path:
        """Where the cache keeps a step."""
        return self.surroundings.cache / kind / key[:32]


def guard_of(settings: RawCorpusSettings, target: DomainData) -> OverlapGuard:
    """Finds text of dev and test of `target`."""
    filters, splits = settings.filters, {"dev": target.dev, "test": target.test}
    sets = {f"{target.name} {split}": [one.words for one in found] for split, found in splits.items() if found}
    return OverlapGuard(sets, num_words=filters.overlap_words, shortest=filters.overlap_sentence)


def uses_lists(experiment: Experiment) -> bool:
    """Do names of lists choose sentences of raw text?"""
    return bool(experiment.selection.needs_names and experiment.gazetteer.files)


def read_lists(settings: NameListSettings) -> Gazetteer:
    """The names of all lists. Raises what reading them raises."""
    classes = load_classes(settings.classes) if settings.classes else None
    return read_gazetteer(settings.files, settings.cleaning, classes=classes)


def drop_damaged(folder: Path, say: Callable[[str], None]) -> None:
    """Remove the built corpus in `folder` when it is finished and not whole any more; say so."""
    if not (folder / MANIFEST).exists():
        return
    try:
        CorpusFolder(folder).verify()
    except DataError as fault:
        say(f"corpus   {folder} is damaged and made again ({fault.what})")
        shutil.rmtree(folder)


def without_raw_text(experiment: Experiment) -> Experiment:
    """The same experiment with its encoder as it is."""
    names = ("corpus", "gazetteer", "selection", "pretraining")
    return experiment.model_copy(update={name: Experiment.model_fields[name].default for name in names})
