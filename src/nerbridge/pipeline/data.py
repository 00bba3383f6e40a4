"""The data of an experiment: registered data sets and the user's files -> domains with train, dev and test."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment, FilesSettings, SourceStageSettings, TargetSettings
from nerbridge.data.fingerprint import fingerprint
from nerbridge.data.holdout import holdout
from nerbridge.data.labels import LabelSet
from nerbridge.data.registry import DataSet, card_names, load_dataset, load_files
from nerbridge.data.sampling import sample_sentences
from nerbridge.data.sentence import Sentence
from nerbridge.errors import ConfigError, LabelError
from nerbridge.transfer.stage import DomainData


@dataclass(frozen=True)
class ExperimentData:
    """Source stages, the target, and what was noticed while reading them."""

    sources: tuple[tuple[DomainData, ...], ...]
    target: DomainData
    notes: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """What was read, for data.json: per domain and split the counts and the fingerprint, and the notes."""
        domains = [*(part for stage in self.sources for part in stage), self.target]
        return {"domains": [_record(domain) for domain in domains], "notes": list(self.notes)}


def load_data(experiment: Experiment, data_root: Path | None) -> ExperimentData:
    """Read everything that `experiment` names; registered data sets lie under `data_root`.

    Raises DataError, FileFaults, LabelError or ConfigError with the place and the way out.
    """
    notes: list[str] = []
    target = _load_target(experiment.target, data_root, notes)
    sources = tuple(
        tuple(_load_source_stage(stage, experiment.target, data_root, notes)) for stage in experiment.source
    )
    return ExperimentData(sources, target, tuple(dict.fromkeys(notes)))


def _load_target(settings: TargetSettings, data_root: Path | None, notes: list[str]) -> DomainData:
    data = _load(settings.dataset, settings.files, data_root, notes)
    labels = LabelSet.of(data.labels.names, {**data.labels.descriptions, **settings.descriptions})
    data = replace(data, labels=labels)
    if data.train and not data.dev:
        train, dev = holdout(data.train, fraction=settings.holdout, seed=settings.holdout_seed)
        data = replace(data, train=tuple(train), dev=tuple(dev))
        notes.append(
            f"{data.name}: no dev split; {len(data.dev)} of {len(data.dev) + len(data.train)} training sentences are "
            f"held out for it (seed {settings.holdout_seed})"
        )
    if settings.num_train is not None and settings.num_train < len(data.train):
        kept = sample_sentences(data.train, settings.num_train, seed=settings.holdout_seed)
        notes.append(f"{data.name}: {settings.num_train} of {len(data.train)} training sentences are used")
        data = replace(data, train=tuple(kept))
    _check_labels(data)
    return data


def _load_source_stage(
    stage: SourceStageSettings, target: TargetSettings, data_root: Path | None, notes: list[str]
) -> Iterable[DomainData]:
    for name in stage.datasets:
        for one in _expand(name, target):
            yield _load(one, None, data_root, notes)
    for files in stage.files:
        yield _load(None, files, data_root, notes)


def _expand(name: str, target: TargetSettings) -> Sequence[str]:
    """'crossner/others' means every data set of that family but the target's own."""
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
    if name is not None:
        data = load_dataset(name, data_root)
        domain = name
    else:
        assert files is not None, "a data set is a name or files"
        data = load_files(train=files.train, dev=files.dev, test=files.test, domain=files.domain)
        domain = files.domain
    notes += data.notes
    return _domain(domain, data)


def _domain(name: str, data: DataSet) -> DomainData:
    splits = {split: tuple(data.splits.get(split, ())) for split in ("train", "dev", "test")}
    return DomainData(name, data.labels, splits["train"], splits["dev"], splits["test"])


def _check_labels(data: DomainData) -> None:
    """A label that only dev or test have can never be learnt; that is a fault of the files, not a detail."""
    trained = {span.label for sentence in data.train for span in sentence.spans}
    if data.train and not trained:
        raise LabelError(
            f"no training sentence of '{data.name}' has an entity",
            where=str(data.train[0].origin or data.name),
            expected="labelled spans in the training file",
            hint="`nerbridge data check FILE` shows how the file was read",
        )


def _record(domain: DomainData) -> dict[str, Any]:
    splits = {"train": domain.train, "dev": domain.dev, "test": domain.test}
    return {
        "domain": domain.name,
        "labels": list(domain.labels.names),
        "splits": {split: _counts(sentences) for split, sentences in splits.items() if sentences},
    }


def _counts(sentences: Sequence[Sentence]) -> dict[str, Any]:
    return {
        "sentences": len(sentences),
        "words": sum(len(sentence) for sentence in sentences),
        "entities": sum(len(sentence.spans) for sentence in sentences),
        "fingerprint": fingerprint(sentences),
    }
