"""The one entrance: raw text and an encoder in, a folder with an encoder of the domain out."""

import logging
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining.attempt import Attempt
from nerbridge.pretraining.corpora import Corpus, check_corpora
from nerbridge.pretraining.estimate import Estimate
from nerbridge.pretraining.keys import pretraining_key
from nerbridge.pretraining.loading import save_encoder
from nerbridge.pretraining.progress import PlainWatcher, Watcher
from nerbridge.pretraining.result import KEY, WORK, PretrainingResult, finished, write_provenance
from nerbridge.training.processes import Processes

logger = logging.getLogger(__name__)
Say = Callable[[str], None]


def pretrain(
    settings: PretrainingSettings,
    corpora: Sequence[Corpus],
    output: Path,
    *,
    encoder: TransformerSettings | None = None,
    cache: Path | None = None,
    watcher: Watcher | None = None,
    say: Say = logger.info,
) -> PretrainingResult:
    """Let `encoder` (default: minilm) go on learning from `corpora`; afterwards `output` is an encoder folder.

    The folder holds config, model.safetensors and tokenizer as any tool of transformers wants them, and
    pretraining.json, which tells how they came about. Killed, the same call goes on from the last checkpoint; on CPU
    the result is then the same to the bit. Called again it finds the finished folder by `pretraining_key`.

    cache: folder of tokenised text that later runs find again; default: inside `output`, gone in the end.
    watcher: shows the progress. say: is told what there is to know, one line each.

    Raises ConfigError when settings, encoder or `output` cannot be used, DataError when the text cannot, TrainingError
    when there is nothing to learn from or numbers are not finite any more, OSError when the disk refuses.
    """
    check_corpora(corpora)
    encoder = encoder or TransformerSettings()
    processes = Processes()
    key = pretraining_key(settings, corpora, encoder)
    say = say if processes.is_main else _silent
    with _held(output, processes, say):
        done = finished(output, key, say)
        processes.from_main(None)
        if done is not None:
            say(f"already pre-trained: {output}")
            if processes.is_main:
                shutil.rmtree(output / WORK, ignore_errors=True)
            return done
        _begin(output, key, processes)
        attempt = Attempt(settings, corpora, encoder, output, key=key, processes=processes, cache=cache, say=say)
        result = attempt.run(watcher or PlainWatcher())
        if processes.is_main:
            _publish(attempt, result)
        processes.from_main(None)
        return result


def estimate_pretraining(
    settings: PretrainingSettings,
    corpora: Sequence[Corpus],
    *,
    encoder: TransformerSettings | None = None,
    cache: Path | None = None,
    say: Say = logger.info,
) -> Estimate:
    """How long `pretrain` would take here, found by tokenising the text and trying a few batches; nothing is learnt.

    Arguments and faults are those of `pretrain`. Without `cache` the tokenised text is thrown away.
    """
    check_corpora(corpora)
    processes = Processes()
    say = say if processes.is_main else _silent
    with tempfile.TemporaryDirectory() as folder:
        place = Path(processes.from_main(folder))
        encoder = encoder or TransformerSettings()
        attempt = Attempt(settings, corpora, encoder, place, key="", processes=processes, cache=cache, say=say)
        processes.from_main(None)
        return attempt.estimate


def _begin(output: Path, key: str, processes: Processes) -> None:
    """Make `output` this pre-training's, and remove what a damaged one left; checkpoints stay."""
    if processes.is_main:
        (output / WORK).mkdir(parents=True, exist_ok=True)
        (output / WORK / KEY).write_text(key, encoding="utf-8")
        for aside in output.glob(".encoder-*"):
            shutil.rmtree(aside, ignore_errors=True)
    processes.from_main(None)


def _publish(attempt: Attempt, result: PretrainingResult) -> None:
    """The encoder's files first, each whole under its name, then the file that says so, then the checkpoints go."""
    output = result.folder
    aside = Path(tempfile.mkdtemp(prefix=".encoder-", dir=output))
    try:
        save_encoder(attempt.model, attempt.tokenizer, aside)
        umask = os.umask(0)
        os.umask(umask)
        for path in sorted(aside.iterdir()):
            with path.open("rb+") as stream:
                os.fsync(stream.fileno())
            path.chmod(0o666 & ~umask)  # safetensors lets only the owner read
            path.replace(output / path.name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    write_provenance(result, attempt.about())
    shutil.rmtree(output / WORK)


@contextmanager
def _held(folder: Path, processes: Processes, say: Say) -> Iterator[None]:
    """Hold `folder` for this run alone: another run that needs the same waits, then finds it finished."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder.with_name(f".{folder.name}.lock"))
    if processes.is_main:
        try:
            lock.acquire(timeout=0.1)
        except Timeout:
            say(f"another run writes {folder}; waiting for it to finish")
            lock.acquire()
    processes.from_main(None)
    try:
        yield
    finally:
        lock.release()


def _silent(text: str) -> None:
    """What all but the main process say."""
