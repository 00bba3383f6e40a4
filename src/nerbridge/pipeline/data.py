"""The data of an experiment: registered data sets and the user's files -> domains with train, dev and test."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nerbridge.config.effects import idle_notes
from nerbridge.config.experiment import Experiment, SourceStageSettings, TargetSettings
from nerbridge.config.files import FilesSettings
from nerbridge.config.training import StageKind
from nerbridge.data.fingerprint import fingerprint
from nerbridge.data.labels import LabelSet
from nerbridge.data.registry import card_names, load_dataset, load_files
from nerbridge.data.sampling import sample_sentences
from nerbridge.data.sentence import Sentence
from nerbridge.errors import ConfigError
from nerbridge.pipeline.data_checks import (
    check_labels,
    clean_domain,
    note_near_labels,
    note_overlap,
    note_small_dev,
    note_unknown,
    note_unlearnable,
    note_without_entities,
    spelled_like,
)
from nerbridge.pipeline.label_choice import with_labels_only
from nerbridge.pipeline.raw_text import load_raw
from nerbridge.pipeline.same_data import DICTIONARY
from nerbridge.pipeline.selecting import selecting_on_source, selecting_stage, with_dev
from nerbridge.transfer.stage import DomainData, RawTexts
from nerbridge.wording import counted

TARGET_HOLDOUT, SOURCE_HOLDOUT = "target.holdout", "source.0.holdout"  # of several sources none is selected on


@dataclass(frozen=True)
class ExperimentData:
    """Source stages, the target, and what was noticed while reading them."""

    sources: tuple[tuple[DomainData, ...], ...]
    target: DomainData
    notes: tuple[str, ...]
    raw: RawTexts = field(default_factory=RawTexts)

    @property
    def domains(self) -> list[DomainData]:
        """Every data set, in the order in which it is learnt."""
        return [*(part for stage in self.sources for part in stage), self.target]

    def record(self) -> dict[str, Any]:
        """What was read, for data.json: per domain and split the counts and the fingerprint, and the notes."""
        domains = [record_of(domain) for domain in self.domains]
        return {"domains": domains, "notes": list(self.notes), **raw_record_of(self.raw)}


def load_data(experiment: Experiment, data_root: Path | None) -> ExperimentData:
    """Read everything that `experiment` names; registered data sets lie under `data_root`.

    A target without dev gets a seeded part of train as dev, unless its stage runs a fixed number of steps; so does the
    source that zero-shot transfer chooses weights on.
    Raises DataError, FileFaults, LabelError or ConfigError with the place and the way out.
    """
    notes: list[str] = []
    notes += idle_notes(experiment)
    target = load_target(experiment.target, data_root, notes, selecting=selecting_stage(experiment))
    selecting = selecting_on_source(experiment)
    sources = tuple(
        tuple(load_source_stage(stage, experiment.target, data_root, notes, selecting=selecting))
        for stage in experiment.source
    )
    known = LabelSet.of(label for stage in sources for part in stage for label in part.labels.names)
    target = as_sources_spell(target, experiment, known.names, notes)
    if experiment.is_zero_shot:
        notes += note_unknown(target, known)
    raw = load_raw(experiment, data_root, notes)
    return ExperimentData(sources, target, tuple(dict.fromkeys(notes)), raw)


def as_sources_spell(target: DomainData, experiment: Experiment, known: Iterable[str], notes: list[str]) -> DomainData:
    """The target; of zero-shot files without training sentences, labels as in `known`, those of the sources."""
    if not experiment.is_zero_shot or target.train or experiment.target.dataset is not None:
        return target
    return spelled_like(target, LabelSet.of(known), notes)


def load_target(
    settings: TargetSettings, data_root: Path | None, notes: list[str], *, selecting: StageKind | None
) -> DomainData:
    """The target. selecting: the kind of stage that chooses weights on dev, None where none does."""
    data = _load(settings.dataset, settings.files, data_root, notes)
    labels = LabelSet.of(data.labels.names, {**data.labels.descriptions, **settings.descriptions})
    data = with_labels_only(replace(data, labels=labels), settings.only, notes)
    held_out = bool(selecting and data.train and not data.dev)
    if held_out:
        data = with_dev(data, settings, notes)
    if settings.num_train is not None and settings.num_train < len(data.train):
        kept = sample_sentences(data.train, settings.num_train, seed=settings.holdout_seed)
        notes.append(f"{data.name}: {settings.num_train} of {counted(len(data.train), 'training sentence')} used")
        data = replace(data, train=tuple(kept))
    check_labels(data)
    notes += [*note_unlearnable(data), *note_near_labels(data), *note_overlap(data)]
    notes += note_without_entities(data.name, {"dev": data.dev, "test": data.test})
    if selecting:
        notes += note_small_dev(data, selecting, held_out=TARGET_HOLDOUT if held_out else None)
    return data


def load_source_stage(
    stage: SourceStageSettings,
    target: TargetSettings,
    data_root: Path | None,
    notes: list[str],
    *,
    selecting: StageKind | None,
) -> Iterable[DomainData]:
    """The data sets of one source stage. selecting: the kind of stage that chooses weights on their dev sentences."""
    named = [(name, None) for listed in stage.datasets for name in expand_name(listed, target)]
    for name, files in [*named, *((None, files) for files in stage.files)]:
        data = _load(name, files, data_root, notes)
        held_out = bool(selecting and data.train and not data.dev)
        if held_out:
            data = with_dev(data, stage, notes)
            notes += note_unlearnable(data)
        check_labels(data)
        notes += note_near_labels(data)
        if selecting:
            notes += note_small_dev(data, selecting, held_out=SOURCE_HOLDOUT if held_out else None)
        yield data


def expand_name(name: str, target: TargetSettings) -> Sequence[str]:
    """What a name in a recipe stands for: 'crossner/others' is every data set of that family but the target's own."""
    family, _, last = name.rpartition("/")
    if last != "others":
        return [name]
    found = [card for card in card_names() if card.startswith(f"{family}/") and card != target.dataset]
    if not family or not found:
        raise ConfigError(
            f"source data set '{name}' stands for no data set",
            where="source.datasets",
            expected="a family of registered data sets before '/others', such as 'crossner/others'",
            hint="`nerbridge data list` shows all names",
        )
    return found


def _load(name: str | None, files: FilesSettings | None, data_root: Path | None, notes: list[str]) -> DomainData:
    """A data set by its name, or files of the user's own."""
    if name is not None:
        data = load_dataset(name, data_root)
    else:
        assert files is not None, "a data set is a name or files"
        if not (files.train or files.dev or files.test) and files.domain:
            return DomainData(files.domain, LabelSet.of(()), ())
        data = load_files(train=files.train, dev=files.dev, test=files.test, domain=files.name, **files.read.options())
    notes += data.notes
    domain, said = clean_domain(data)
    notes += said
    return domain


def record_of(domain: DomainData) -> dict[str, Any]:
    splits = {"train": domain.train, "dev": domain.dev, "test": domain.test}
    return {
        "domain": domain.name,
        "labels": list(domain.labels.names),
        "splits": {split: _counts(sentences) for split, sentences in splits.items() if sentences},
    }


def raw_record_of(raw: RawTexts) -> dict[str, Any]:
    """The entries 'raw' and 'dictionary' of data.json, where there are such."""
    texts = {"source": raw.source, "target": raw.target}
    counts = {side: _counts(text) for side, text in texts.items() if text}
    names = None if raw.dictionary is None else raw.dictionary.names.record()
    return {**({"raw": counts} if counts else {}), **({DICTIONARY: names} if names else {})}


def _counts(sentences: Sequence[Sentence]) -> dict[str, Any]:
    return {
        "sentences": len(sentences),
        "words": sum(len(sentence) for sentence in sentences),
        "entities": sum(len(sentence.spans) for sentence in sentences),
        "fingerprint": fingerprint(sentences),
    }
