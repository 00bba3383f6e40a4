"""The one entrance: raw text and an encoder in, a folder with an encoder of the domain out."""

import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining.attempt import Attempt
from nerbridge.pretraining.corpora import Corpus
from nerbridge.pretraining.corpus_checks import check_corpora
from nerbridge.pretraining.estimate import Estimate
from nerbridge.pretraining.keys import pretraining_key
from nerbridge.pretraining.once import once
from nerbridge.pretraining.output import Say, silent
from nerbridge.pretraining.progress import Watcher
from nerbridge.pretraining.result import PretrainingResult
from nerbridge.training.processes import Processes

logger = logging.getLogger(__name__)


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
    say = say if processes.is_main else silent

    def attempt() -> Attempt:
        return Attempt(settings, corpora, encoder, output, key=key, processes=processes, cache=cache, say=say)

    return once(
        output,
        key,
        read=PretrainingResult.from_json,
        attempt=attempt,
        processes=processes,
        watcher=watcher,
        say=say,
    )


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
    say = say if processes.is_main else silent
    with tempfile.TemporaryDirectory() as folder:
        place = Path(processes.from_main(folder))
        encoder = encoder or TransformerSettings()
        attempt = Attempt(settings, corpora, encoder, place, key="", processes=processes, cache=cache, say=say)
        processes.from_main(None)
        return attempt.estimate
