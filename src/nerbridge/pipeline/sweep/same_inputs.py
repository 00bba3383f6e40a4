"""Whether finished cells were made from the data that are there now: a table compares like with like.

Cells that are still to be trained are compared by the run itself. Registered data sets are pinned by their cards.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment, SourceStageSettings
from nerbridge.config.transfer import StreamsSettings
from nerbridge.corpus.building import corpus_key
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.data.registry.card import find_card
from nerbridge.errors import ConfigError
from nerbridge.evaluation.run_folder import DATA
from nerbridge.pipeline.data import (
    as_sources_spell,
    expand_name,
    load_source_stage,
    load_target,
    raw_record_of,
    record_of,
)
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.pretrained.work import guard_of, read_lists, uses_lists
from nerbridge.pipeline.raw_text import load_raw
from nerbridge.pipeline.same_data import ENCODER, changed_inputs, changed_text
from nerbridge.pipeline.selecting import selecting_on_source, selecting_stage
from nerbridge.pipeline.sweep.plan import Cell
from nerbridge.transfer.stage import DomainData
from nerbridge.wording import counted

SHOWN = 3  # changes that a refusal lists
RAW_KEYS = {"source_raw", "target_raw", "source_sentences", "target_sentences", "dictionary"}  # read by `load_raw`


def refuse_other_inputs(cells: Sequence[Cell], data_root: Path | None) -> None:
    """Raises ConfigError when the finished `cells` were made from other sentences, names or another encoder."""
    inputs = _Inputs(data_root)
    changed = [(cell, lines) for cell in cells if (lines := inputs.changes(cell))]
    if not changed:
        return
    lines = list(dict.fromkeys(line for _, one in changed for line in one))
    more = [f"{len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    raise ConfigError(
        f"{len(changed)} of {counted(len(cells), 'finished cell')} were made from other data: "
        f"{'; '.join([*lines[:SHOWN], *more])}",
        where=str(changed[0][0].folder / DATA),
        expected="the data that the finished cells were made from (in brackets: their fingerprints), or a new folder",
        hint="choose another --output; or remove the folders of these cells, and the same command trains them anew",
    )


class _Inputs:
    """What is read now, each file once."""

    def __init__(self, data_root: Path | None) -> None:
        self._data_root = data_root
        self._records: dict[str, list[dict[str, Any]]] = {}
        self._encoders: dict[str, str] = {}
        self._texts: dict[str, dict[str, Any]] = {}
        self._corpora: dict[str, str] = {}
        self._lists: dict[str, dict[str, Any]] = {}

    def changes(self, cell: Cell) -> list[str]:
        """One line for each thing that differs from what the finished `cell` says of itself."""
        before, experiment = read_json(cell.folder / DATA), cell.experiment
        pairs = [
            (old, new)
            for old, new in zip(before.get("domains", ()), self._domains(experiment), strict=False)
            if new is not None
        ]
        encoder = experiment.encoder.model_dump_json()
        if encoder not in self._encoders:
            self._encoders[encoder] = encoder_fingerprint(experiment.encoder)
        old, new = [old for old, _ in pairs], [new for _, new in pairs]
        now = {"domains": new, ENCODER: self._encoders[encoder], **self._raw(experiment)}
        return [*changed_inputs({**before, "domains": old}, now), *self._changed_corpus(cell)]

    def _domains(self, experiment: Experiment) -> list[dict[str, Any] | None]:
        """What data.json would say of each domain; None for registered data sets, which are not read."""
        domains: list[dict[str, Any] | None] = []
        for stage in experiment.source:
            domains += [None for name in stage.datasets for _ in expand_name(name, experiment.target)]
            domains += self._source(stage, experiment)
        return [*domains, *self._target(experiment)]

    def _source(self, stage: SourceStageSettings, experiment: Experiment) -> list[dict[str, Any]]:
        selecting = selecting_on_source(experiment)
        own = stage.model_copy(update={"datasets": (), "training": {}})
        key = f"source {selecting} {own.model_dump_json()}"
        if key not in self._records:
            loaded = load_source_stage(own, experiment.target, self._data_root, [], selecting=selecting)
            self._records[key] = [record_of(one) for one in loaded]
        return self._records[key]

    def _target(self, experiment: Experiment) -> list[Any]:
        if experiment.target.dataset is not None:
            return [None]
        known = self._known(experiment) if experiment.is_zero_shot else []
        key = f"target {selecting_stage(experiment)} {known} {experiment.target.model_dump_json()}"
        if key not in self._records:
            self._records[key] = [record_of(as_sources_spell(self._load_target(experiment), experiment, known, []))]
        return self._records[key]

    def _load_target(self, experiment: Experiment) -> DomainData:
        return load_target(experiment.target, self._data_root, [], selecting=selecting_stage(experiment))

    def _known(self, experiment: Experiment) -> list[str]:
        """The labels of all sources; those of registered data sets as their cards tell them."""
        labels: list[str] = []
        for stage in experiment.source:
            names = [name for listed in stage.datasets for name in expand_name(listed, experiment.target)]
            labels += [label for name in names for label in find_card(name).labels.names]
            labels += [label for record in self._source(stage, experiment) for label in record["labels"]]
        return labels

    def _raw(self, experiment: Experiment) -> dict[str, Any]:
        """What data.json would say of the raw text of streams, and of their dictionary."""
        if not isinstance(experiment.transfer, StreamsSettings):
            return {}
        key = f"{experiment.target.holdout_seed} {experiment.transfer.model_dump_json(include=RAW_KEYS)}"
        if key not in self._texts:
            self._texts[key] = raw_record_of(load_raw(experiment, self._data_root, []))
        return self._texts[key]

    def _changed_corpus(self, cell: Cell) -> list[str]:
        """What differs of the raw text that the encoder of `cell` has learnt from."""
        experiment = cell.experiment
        if experiment.corpus is None:
            return []
        key = (
            f"{experiment.corpus.model_dump_json()} {selecting_stage(experiment)} {experiment.target.model_dump_json()}"
        )
        if key not in self._corpora:
            guard = guard_of(experiment.corpus, self._load_target(experiment))
            self._corpora[key] = corpus_key(experiment.corpus.files, experiment.corpus.building, guard=guard)
        return changed_text(self._corpora[key], cell.folder, self._names(experiment))

    def _names(self, experiment: Experiment) -> dict[str, Any] | None:
        if not uses_lists(experiment):
            return None
        key = experiment.gazetteer.model_dump_json()
        if key not in self._lists:
            self._lists[key] = read_lists(experiment.gazetteer).record()
        return self._lists[key]
