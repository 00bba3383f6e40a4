"""The one entrance: raw text and an encoder in, a folder with an encoder of the domain out."""

import logging
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.pretraining.attempt import Attempt
from nerbridge.pretraining.corpora import Corpus, check_corpora
from nerbridge.pretraining.estimate import Estimate
from nerbridge.pretraining.keys import pretraining_key
from nerbridge.pretraining.loading import save_encoder
from nerbridge.pretraining.output import Say, begin, held, publish, silent
from nerbridge.pretraining.progress import PlainWatcher, Watcher
from nerbridge.pretraining.result import WORK, PretrainingResult, finished
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
    with held(output, processes, say):
        done = finished(output, key, say, PretrainingResult.from_json)
        processes.from_main(None)
        if done is not None:
            say(f"already pre-trained: {output}")
            if processes.is_main:
                shutil.rmtree(output / WORK, ignore_errors=True)
            return done
        begin(output, key, processes)
        attempt = Attempt(settings, corpora, encoder, output, key=key, processes=processes, cache=cache, say=say)
        result = attempt.run(watcher or PlainWatcher())
        if processes.is_main:
            publish(result, attempt.about(), lambda folder: save_encoder(attempt.model, attempt.tokenizer, folder))
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
    say = say if processes.is_main else silent
    with tempfile.TemporaryDirectory() as folder:
        place = Path(processes.from_main(folder))
        encoder = encoder or TransformerSettings()
        attempt = Attempt(settings, corpora, encoder, place, key="", processes=processes, cache=cache, say=say)
        processes.from_main(None)
        return attempt.estimate
