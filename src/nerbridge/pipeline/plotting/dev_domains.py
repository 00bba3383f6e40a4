"""Whose dev sentences the stages of a run were scored on, as its folder tells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from nerbridge.config.experiment import Experiment, recorded_experiment
from nerbridge.errors import BundleError, ConfigError
from nerbridge.evaluation.run_folder import DATA, EXPERIMENT
from nerbridge.pipeline.data import expand_name
from nerbridge.pipeline.files import read_json
from nerbridge.transfer.multi_task import apart_name


def experiment_of(run: Path) -> Experiment | None:
    """The settings of a run folder; None where they cannot be read."""
    try:
        return recorded_experiment(read_json(run / EXPERIMENT))
    except (BundleError, ValidationError):
        return None


@dataclass(frozen=True)
class DevDomains:
    """Whose dev sentences the stages were scored on. zero_shot: the source of them all; sources: by name of stage."""

    zero_shot: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)

    def foreign(self, stage: str) -> str:
        """The source that the dev sentences of `stage` are of; empty where they are the target's, or nobody says."""
        return self.zero_shot or self.sources.get(stage, "")


def dev_domains(run: Path) -> DevDomains:
    """Zero-shot transfer is scored on its first source, each source stage of sequential transfer on its own.

    Nothing is foreign where the folder does not say what it learnt from.
    """
    experiment = experiment_of(run)
    sources, target = ([], "") if experiment is None else _domains(run, experiment)
    if experiment is None or not sources:
        return DevDomains()
    if experiment.is_zero_shot:
        return DevDomains(apart_name(sources[0], target))
    return DevDomains(sources={f"source-{number}": name for number, name in enumerate(sources, start=1)})


def _domains(run: Path, experiment: Experiment) -> tuple[list[str], str]:
    """The domain of each source stage, of several data sets with all their names, and the target."""
    try:
        *names, target = (str(domain["domain"]) for domain in read_json(run / DATA)["domains"])
        sizes = list(_sizes(experiment))
    except (BundleError, ConfigError, KeyError, TypeError, ValueError):
        return [], ""
    if sum(sizes) != len(names):
        return [], ""
    rest = iter(names)
    return ["+".join(next(rest) for _ in range(size)) for size in sizes], target


def _sizes(experiment: Experiment) -> Iterable[int]:
    """How many data sets each source stage has."""
    for stage in experiment.source:
        yield sum(len(expand_name(name, experiment.target)) for name in stage.datasets) + len(stage.files)
