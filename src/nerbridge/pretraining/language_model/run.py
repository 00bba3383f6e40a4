"""The entrance: raw text in, a folder with a language model out."""

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nerbridge.config.language_models import LanguageModelPretraining
from nerbridge.pretraining.corpora import Corpus
from nerbridge.pretraining.corpus_checks import check_corpora
from nerbridge.pretraining.estimate import Estimate
from nerbridge.pretraining.language_model.attempt import LanguageModelAttempt
from nerbridge.pretraining.language_model.keys import language_model_key
from nerbridge.pretraining.language_model.result import LanguageModelResult
from nerbridge.pretraining.once import once
from nerbridge.pretraining.output import Say, silent
from nerbridge.pretraining.progress import Watcher
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

    def attempt() -> LanguageModelAttempt:
        return LanguageModelAttempt(settings, corpora, output, key=key, processes=processes, say=say)

    return once(
        output,
        key,
        read=LanguageModelResult.from_json,
        attempt=attempt,
        processes=processes,
        watcher=watcher,
        say=say,
    )


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
