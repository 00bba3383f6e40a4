"""Train a tagger on streams: the one entrance to the gym."""

from collections.abc import Sequence
from pathlib import Path

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.training import TrainingSettings
from nerbridge.errors import ConfigError
from nerbridge.training.evaluation import Evaluate, Evaluation, FitResult
from nerbridge.training.guards import require_known_words
from nerbridge.training.journal import Journal
from nerbridge.training.loop import Loop
from nerbridge.training.processes import Processes
from nerbridge.training.progress import PlainProgress, Progress
from nerbridge.training.reporter import Reporter

__all__ = ["Evaluation", "FitResult", "fit"]


def fit(
    model: Tagger,
    streams: Sequence[Stream],
    settings: TrainingSettings,
    *,
    seed: int,
    evaluate: Evaluate | None,
    workdir: Path,
    journal: Journal,
    progress: Progress | None = None,
) -> FitResult:
    """Train `model` in place, continuing from the checkpoint in `workdir` if this very stage was interrupted there.

    Afterwards the model holds the weights with the best dev F1 (selection "dev") or the last ones ("last"). On CPU,
    equal arguments give bit-equal weights and scores, however often the process was killed in between.

    seed: of this stage; data order and dropout follow from it. evaluate: scores the model on dev; may be None only with
    selection "last". workdir: for checkpoints; `clear_checkpoints` empties it once the result is safe. With several
    processes all must see the same `workdir`, and all return the same result.

    Raises ConfigError for selection "dev" without `evaluate`, and TrainingError when there is nothing to learn from or
    the loss becomes NaN or infinite; the model then holds the last good weights, the best ones are in `workdir`.
    """
    if evaluate is None and settings.selection == "dev":
        raise ConfigError(
            "selection 'dev' needs dev sentences, and there are none",
            where="training.selection",
            expected="a dev split, or selection by a fixed number of steps",
            hint="set training.selection = 'last' with training.max_steps or training.epochs",
        )
    for stream in streams:
        require_known_words(stream)
    processes = Processes()
    reporter = Reporter(journal, progress or PlainProgress(), speaks=processes.is_main)
    loop = Loop(model, streams, settings, seed=seed, workdir=workdir, processes=processes, reporter=reporter)
    return loop.run(evaluate)
