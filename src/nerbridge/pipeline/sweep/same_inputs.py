"""Whether finished cells were made from the data that are there now: a table compares like with like.

Cells that are still to be trained are compared by the run itself. Registered data sets are pinned by their cards.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment, SourceStageSettings
from nerbridge.config.transfer import StreamsSettings
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.errors import ConfigError
from nerbridge.pipeline.data import expand_name, load_source_stage, load_target, record_of, selecting_stage
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.same_data import DATA, ENCODER, changed_inputs
from nerbridge.pipeline.sweep.plan import Cell
from nerbridge.wording import counted

SHOWN = 3  # changes that a refusal lists


def refuse_other_inputs(cells: Sequence[Cell], data_root: Path | None) -> None:
    """Raises ConfigError when the finished `cells` were made from other labelled sentences or another encoder."""
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
        now = {"domains": new, ENCODER: self._encoders[encoder]}
        return changed_inputs({"domains": old, ENCODER: before.get(ENCODER, "")}, now)

    def _domains(self, experiment: Experiment) -> list[dict[str, Any] | None]:
        """What data.json would say of each domain; None for registered data sets, which are not read."""
        domains: list[dict[str, Any] | None] = []
        for stage in experiment.source:
            domains += [None for name in stage.datasets for _ in expand_name(name, experiment.target)]
            domains += self._source(stage, experiment)
        return [*domains, *self._target(experiment)]

    def _source(self, stage: SourceStageSettings, experiment: Experiment) -> list[dict[str, Any]]:
        key = f"source {[files.model_dump_json() for files in stage.files]}"
        if key not in self._records:
            own = stage.model_copy(update={"datasets": ()})
            self._records[key] = [
                record_of(one) for one in load_source_stage(own, experiment.target, self._data_root, [])
            ]
        return self._records[key]

    def _target(self, experiment: Experiment) -> list[Any]:
        target, selecting = experiment.target, selecting_stage(experiment)
        unseen = isinstance(experiment.transfer, StreamsSettings) and experiment.transfer.zero_shot
        if target.dataset is not None or unseen:  # zero-shot spells its labels as the source does
            return [None]
        key = f"target {selecting} {target.model_dump_json()}"
        if key not in self._records:
            self._records[key] = [record_of(load_target(target, self._data_root, [], selecting=selecting))]
        return self._records[key]
