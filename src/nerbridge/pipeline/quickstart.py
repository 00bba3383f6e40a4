"""The embedded demo: direct against sequential transfer on a sample project that we wrote ourselves."""

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, Literal

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import parse_experiment
from nerbridge.config.places import anchored
from nerbridge.evaluation.files import write_text
from nerbridge.pipeline.run import RunResult, Surroundings, run_experiment

# Small enough for minutes on two cores; found on a held-out part of the sample's training sentences.
TRAINING: dict[str, Any] = {
    "epochs": 20,
    "selection": "last",
    "schedule": "linear",
    "warmup": 0.1,
    "learning_rate": 2e-4,
}
SOURCE_TRAINING = {"epochs": 4}

# What is tagged at the end, chosen to show something from about twenty candidates: names that no training sentence has,
# tagged right with seeds 1 to 3.
SENTENCE = (
    "The Caldera Space Agency lost contact with the lander Auster on Friday, "
    "hours before it was to touch down on Titan."
)


@dataclass(frozen=True)
class QuickstartResult:
    """Both runs; `sample` is the folder with the data they used."""

    direct: RunResult
    sequential: RunResult
    sample: Path


def run_quickstart(folder: Path, surroundings: Surroundings) -> QuickstartResult:
    """Copy the sample project to `folder`/data, then train direct and sequential transfer in `folder`."""
    sample = folder / "data"
    copy_sample(sample)
    direct = run_experiment(sample_experiment(sample, "direct"), folder / "direct", surroundings)
    sequential = run_experiment(sample_experiment(sample, "sequential"), folder / "sequential", surroundings)
    return QuickstartResult(direct, sequential, sample)


def copy_sample(folder: Path) -> None:
    """Write the sample project's files to `folder`; files that are there already stay."""
    with as_file(files("nerbridge.pipeline") / "sample") as packaged:
        for path in sorted(packaged.rglob("*")):
            target = folder / path.relative_to(packaged)
            if path.is_file() and not target.exists():
                write_text(target, path.read_text(encoding="utf-8"))


def sample_experiment(sample: Path, kind: Literal["direct", "sequential"]) -> Experiment:
    """The experiment of the demo; the target is scored with fixed steps, nothing is selected on test sentences."""
    tables: dict[str, Any] = {
        "name": f"quickstart-{kind}",
        "target": {
            "files": {
                "train": str(sample / "target_train.txt"),
                "test": str(sample / "target_test.txt"),
                "domain": "target",
            }
        },
        "transfer": {"kind": kind},
        "training": TRAINING,
    }
    if kind == "sequential":
        tables["source"] = [{"files": [{"train": str(sample / "source_train.txt"), "domain": "news"}]}]
        tables["training"] = {**TRAINING, "source": SOURCE_TRAINING}
    return parse_experiment(anchored(tables, Path()), where="the embedded demo")
