"""Runs experiments of a tiny project and remembers what was said."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import parse_experiment
from nerbridge.pipeline.run import RunResult, Surroundings, run_experiment
from nerbridge.training.progress import PlainProgress
from tiny_project import recipe


@dataclass
class Runner:
    """Runs in `project`; `said` holds the lines of the last run."""

    project: Path
    said: list[str] = field(default_factory=list)

    def experiment(self, **tables: Any) -> Experiment:
        return parse_experiment(recipe(self.project, **tables), where="test")

    @property
    def surroundings(self) -> Surroundings:
        return Surroundings(None, self.project / "cache", PlainProgress(), self.said.append)

    def run(self, folder: str = "run", /, **tables: Any) -> RunResult:
        self.said.clear()
        return run_experiment(self.experiment(**tables), self.project / folder, self.surroundings)

    def stages(self) -> dict[str, str]:
        """Stage -> 'trained' or 'reused', as the last run said."""
        words = {"trained": "trained", "already": "reused"}
        found = [line.partition(": ") for line in self.said]
        return {name: words[rest.split()[0]] for name, _, rest in found if rest and rest.split()[0] in words}

    def cached(self) -> list[Path]:
        return sorted(path for path in (self.project / "cache" / "stages").iterdir() if path.is_dir())


def weights(run: Path) -> str:
    """SHA-256 of the weights of a run."""
    return hashlib.sha256((run / "model" / "model.safetensors").read_bytes()).hexdigest()
