"""What a finished pre-training is cached by: everything that could change its weights, and nothing else."""

import hashlib
import json
from collections.abc import Sequence

import torch
from accelerate import PartialState

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.pretraining.corpora import Corpus

FORMAT = 2  # raised whenever the same settings would train to other weights


def pretraining_key(settings: PretrainingSettings, corpora: Sequence[Corpus], encoder: TransformerSettings) -> str:
    """SHA-256 of the inputs and settings of a pre-training; reads all files of encoder and corpora.

    The time between checkpoints is left out: it changes nothing. Kind of device and number of processes count, since
    rounding and dropout follow from them. Raises DataError for a damaged corpus, OSError for an unreadable file.
    """
    cpu = not torch.accelerator.is_available()
    processes = PartialState(cpu=cpu).num_processes
    content = {
        "format": FORMAT,
        "torch": torch.__version__.split("+")[0],
        "hardware": f"{'cpu' if cpu else 'cuda'} x {processes}",
        "settings": settings.model_dump(exclude={"checkpoint_seconds"}),
        "encoder": encoder_fingerprint(encoder),
        "corpora": [(corpus.domain, corpus.sha256) for corpus in corpora],
    }
    return _digest(content)


def shards_key(corpora: Sequence[Corpus], tokenizer: str) -> str:
    """SHA-256 of what decides tokenised text. tokenizer: a digest of it."""
    return _digest([tokenizer, [(corpus.domain, corpus.sha256) for corpus in corpora]])


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
