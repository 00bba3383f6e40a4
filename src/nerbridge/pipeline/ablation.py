"""What every part of an adaptation is worth: the same experiment without it, compared by a paired test."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import DirectSettings
from nerbridge.errors import ConfigError
from nerbridge.evaluation.comparison import Comparison, compare_runs
from nerbridge.evaluation.run_predictions import read_runs
from nerbridge.pipeline.ablation_remarks import not_done, remark_on
from nerbridge.pipeline.data import load_data
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.interruption import keeping_finished
from nerbridge.pipeline.pretrained.names import specialised_of
from nerbridge.pipeline.pretrained.work import without_raw_text
from nerbridge.pipeline.processes import is_main, wait_for_all
from nerbridge.pipeline.run import run_experiment
from nerbridge.pipeline.seeds import run_seeds
from nerbridge.pipeline.surroundings import Surroundings

FOLDER, RESULT = "ablation", "ablation.json"  # in the run folder: the runs without a part, and what came out


@dataclass(frozen=True)
class Without:
    """The experiment without one part. name: 'pre-training'; folder: the part of the run folder's path."""

    name: str
    experiment: Experiment

    @property
    def folder(self) -> str:
        return f"without-{self.name}"


@dataclass(frozen=True)
class Ablated:
    """One part: `comparisons` of the runs without it (first) and the whole (second), by split.

    not_done: why there are no runs without it, in `folder` neither. remark: what the comparisons hold beside the part.
    """

    name: str
    folder: Path
    comparisons: dict[str, Comparison]
    not_done: str = ""
    remark: str = ""

    def to_json(self) -> dict[str, Any]:
        """Where the runs are, and the numbers of every split; only the reason where there are none."""
        if self.not_done:
            return {"not_done": self.not_done}
        about = {"folder": str(self.folder), **({"remark": self.remark} if self.remark else {})}
        return {**about, **{split: _numbers(found) for split, found in self.comparisons.items()}}


@dataclass(frozen=True)
class Ablation:
    """All parts of the adaptation in `folder`."""

    folder: Path
    parts: tuple[Ablated, ...]

    def to_json(self) -> dict[str, Any]:
        """Per part and split both F1 and their difference, as fractions, with the paired test."""
        return {part.name: part.to_json() for part in self.parts}


def parts_of(experiment: Experiment, specialised: tuple[str, ...] = ()) -> list[Without]:
    """The experiment without each of its parts: pre-training, selection (the domain level), source.

    specialised: labels of the task level, which must not change with the source. Raises ConfigError when there is
    nothing to leave out.
    """
    found: list[Without] = []
    if experiment.corpus is not None:
        found.append(Without("pretraining", without_raw_text(experiment)))
        if experiment.selection.level != "domain":
            found.append(Without("selection", _changed(experiment, level="domain")))
    if experiment.source and experiment.transfer.kind in ("sequential", "joint"):
        kept = _changed(experiment, specialised=specialised) if experiment.corpus is not None else experiment
        found.append(Without("source", kept.model_copy(update={"source": (), "transfer": DirectSettings()})))
    if not found:
        raise ConfigError(
            f"there is nothing to leave out of {experiment.transfer.kind} transfer: neither pre-training on raw text "
            "nor a source of sequential or joint transfer",
            where="--ablate",
            expected="an adaptation with --raw, --source, or both, and without --context",
            hint="drop --ablate",
        )
    return found


def run_ablation(
    experiment: Experiment, folder: Path, surroundings: Surroundings, seeds: Sequence[int] | None = None
) -> Ablation:
    """Run the experiment without each of its parts and compare with the whole, whose runs are in `folder` already.

    seeds: those of the whole, None where it is a single run. Where the whole was not pre-trained, what would be the
    same run is not done. Raises what runs raise.
    """
    ended = ["the run"]  # with those of the parts, as they are told of where the user stops them
    with keeping_finished(ended):
        parts = parts_of(experiment, _specialised(experiment, surroundings))
        reasons = not_done(experiment, folder)
    for number, part in enumerate(parts, start=1):
        reason, name = reasons.get(part.name), f"ablation {number} of {len(parts)}"
        if is_main():
            nothing = f" not done: {reason}" if reason else ""
            surroundings.say(f"{name}: without {part.name}{nothing}")
        if not reason:
            with keeping_finished(ended, name):
                _run(part, folder, surroundings, seeds)
            ended.append(name)
    with keeping_finished(ended):
        wait_for_all()
        result = Ablation(folder, tuple(_compared(part, folder, reasons.get(part.name, "")) for part in parts))
        if is_main():
            write_json(folder / RESULT, result.to_json())
    return result


def _run(part: Without, folder: Path, surroundings: Surroundings, seeds: Sequence[int] | None) -> None:
    place = folder / FOLDER / part.folder
    if seeds is None:
        run_experiment(part.experiment, place, surroundings)
    else:
        run_seeds(part.experiment, seeds, place, surroundings)


def _specialised(experiment: Experiment, surroundings: Surroundings) -> tuple[str, ...]:
    if experiment.corpus is None:
        return ()
    return specialised_of(experiment, load_data(experiment, surroundings.data_root))


def _changed(experiment: Experiment, **choice: Any) -> Experiment:
    return experiment.model_copy(update={"selection": experiment.selection.model_copy(update=choice)})


def _compared(part: Without, folder: Path, reason: str) -> Ablated:
    """reason: why there is nothing to compare; empty where there is."""
    without = folder / FOLDER / part.folder
    if reason:
        return Ablated(part.name, without, {}, not_done=reason)
    splits = [split for split in ("dev", "test") if any(folder.glob(f"**/predictions/{split}.jsonl"))]
    names = (f"without {part.name}", "whole")
    comparisons = {
        split: compare_runs(read_runs(without, split), read_runs(folder, split), names=names) for split in splits
    }
    return Ablated(part.name, without, comparisons, remark=remark_on(part.name, without, folder))


def _numbers(comparison: Comparison) -> dict[str, Any]:
    return {
        "without": comparison.first.to_json(),
        "whole": comparison.second.to_json(),
        "difference": comparison.test.difference,
        "difference_interval": comparison.difference_interval.to_json(),
        "p_value": comparison.test.p_value,
    }
