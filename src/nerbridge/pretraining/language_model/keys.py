"""What a finished language model is found again by: everything that could change its weights, and nothing else."""

import hashlib
import json
from collections.abc import Sequence

import torch
from accelerate import PartialState

from nerbridge.config.language_models import LanguageModelPretraining
from nerbridge.pretraining.corpora import Corpus

FORMAT = 3  # raised whenever the same settings would train to other weights


def language_model_key(settings: LanguageModelPretraining, corpora: Sequence[Corpus]) -> str:
    """SHA-256 of settings and text. The time between checkpoints is left out: it changes nothing.

    Raises DataError for a damaged corpus, OSError for an unreadable file.
    """
    cpu = not torch.accelerator.is_available()
    content = {
        "format": FORMAT,
        "torch": torch.__version__.split("+")[0],
        "hardware": f"{'cpu' if cpu else 'cuda'} x {PartialState(cpu=cpu).num_processes}",
        "settings": settings.model_dump(exclude={"checkpoint_seconds"}),
        "corpora": [(corpus.domain, corpus.sha256) for corpus in corpora],
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
