"""Runs `nerbridge` and kills it, with SIGKILL, at one exact moment: python killing.py MOMENT COUNT ARGUMENT...

MOMENT is one of MOMENTS; COUNT says at which of its occurrences (from 1). A run that never gets there ends as usual.
"""

import importlib
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Moment:
    """A call of the product: owner (module, or module:class), name of the function, and when the kill comes.

    when: 'before' or 'after' the call, or 'torn': after it, with the second half of the file it wrote cut off.
    """

    owner: str
    name: str
    when: str = "before"


MOMENTS = {
    "claiming the folder": Moment("nerbridge.pipeline.folder", "write_json"),
    "a training step": Moment("nerbridge.training.learner:Learner", "learn"),
    "checkpoint begun": Moment("nerbridge.training.checkpoint", "write_tensors"),
    "checkpoint half written": Moment("nerbridge.training.tensor_file", "save_file", "torn"),
    "checkpoint written": Moment("nerbridge.training.checkpoint", "write_tensors", "after"),
    "evaluation": Moment("nerbridge.pipeline.watching", "predict"),
    "evaluation done": Moment("nerbridge.pipeline.watching", "predict", "after"),
    "bundle half written": Moment("nerbridge.assembly.bundle", "save_file", "torn"),
    "bundle before its name": Moment("nerbridge.assembly.bundle", "replace_folder"),
    "bundle after its name": Moment("nerbridge.assembly.bundle", "replace_folder", "after"),
    "stage before its result": Moment("nerbridge.pipeline.stages", "write_json"),
    "between stages": Moment("nerbridge.pipeline.stages", "clear_checkpoints"),
    "a corpus before its manifest": Moment("nerbridge.corpus.folder_writing:CorpusWriter", "finish"),
    "names before they are there": Moment("nerbridge.pipeline.pretrained.first_tagger", "write_text"),
    "a step of pre-training": Moment("nerbridge.pretraining.learner:Learner", "learn"),
    "an encoder before it is finished": Moment("nerbridge.pretraining.output", "write_provenance"),
    "answers before they are noted": Moment("nerbridge.pipeline.scoring", "write_json"),
    "scoring": Moment("nerbridge.pipeline.scoring", "write_scores"),
    "reporting": Moment("nerbridge.pipeline.run", "write_run_report"),
}


def arm(moment: Moment, count: int) -> None:
    """Let the `count`-th call of the moment's function be the process's last."""
    module, _, class_name = moment.owner.partition(":")
    owner: Any = importlib.import_module(module)
    owner = getattr(owner, class_name) if class_name else owner
    original: Callable[..., Any] = getattr(owner, moment.name)
    calls = 0

    def deadly(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == count and moment.when == "before":
            _die()
        result = original(*arguments, **options)
        if calls == count:
            if moment.when == "torn":
                path = Path(arguments[1])
                os.truncate(path, path.stat().st_size // 2)
            _die()
        return result

    setattr(owner, moment.name, deadly)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    from nerbridge.cli import main

    arm(MOMENTS[sys.argv[1]], int(sys.argv[2]))
    sys.exit(main(sys.argv[3:]))
