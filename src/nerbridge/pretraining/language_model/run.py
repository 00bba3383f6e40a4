"""The entrance: raw text in, a folder with a language model out."""

import logging
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nerbridge.config.language_models import LanguageModelPretraining
from nerbridge.pretraining.corpora import Corpus, check_corpora
from nerbridge.pretraining.estimate import Estimate
from nerbridge.pretraining.language_model.attempt import LanguageModelAttempt
from nerbridge.pretraining.language_model.keys import language_model_key
from nerbridge.pretraining.language_model.result import LanguageModelResult
from nerbridge.pretraining.output import Say, begin, held, publish, silent
from nerbridge.pretraining.progress import PlainWatcher, Watcher
from nerbridge.pretraining.result import WORK, finished
from nerbridge.training.processes import Processes

logger = logging.getLogger(__name__)


def pretrain_language_model(
    settings: LanguageModelPretraining,
    corpora: Sequence[Corpus],
    output: Path,
    *,
    watcher: Watcher | None = None,
    say: Say = logger.info,
) -> LanguageModelResult:
    """Train a language model on `corpora`; afterwards `output` is what `encoder.kind = "language_model"` reads.

    The folder holds config, vocabulary and weights, and pretraining.json, which tells how they came about. Killed, the
    same call goes on from the last checkpoint; on CPU the result is then the same to the bit. Called again it finds the
    finished folder by `language_model_key`.

    watcher: shows the progress. say: is told what there is to know, one line each.

    Raises ConfigError when `output` cannot be used, DataError when the text cannot, TrainingError when numbers are not
    finite any more, OSError when the disk refuses.
    """
    check_corpora(corpora)
    processes = Processes()
    key = language_model_key(settings, corpora)
    say = say if processes.is_main else silent
    with held(output, processes, say):
        done = finished(output, key, say, LanguageModelResult.from_json)
        processes.from_main(None)
        if done is not None:
            say(f"already pre-trained: {output}")
            if processes.is_main:
                shutil.rmtree(output / WORK, ignore_errors=True)
            return done
        begin(output, key, processes)
        attempt = LanguageModelAttempt(settings, corpora, output, key=key, processes=processes, say=say)
        result = attempt.run(watcher or PlainWatcher())
        if processes.is_main:
            publish(result, attempt.about(), attempt.save)
        processes.from_main(None)
        return result


def estimate_language_model(
    settings: LanguageModelPretraining, corpora: Sequence[Corpus], *, say: Say = logger.info
) -> Estimate:
    """How long `pretrain_language_model` would take here, found by reading the text and trying a few batches.

    Its `pieces` are words. Nothing is learnt or written. Arguments and faults are those of `pretrain_language_model`.
    """
    check_corpora(corpora)
    processes = Processes()
    say = say if processes.is_main else silent
    with tempfile.TemporaryDirectory() as folder:
        attempt = LanguageModelAttempt(settings, corpora, Path(folder), key="", processes=processes, say=say)
        return attempt.estimate
