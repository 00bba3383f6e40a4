"""Settings -> encoder of a language model."""

from pathlib import Path

import torch

from nerbridge.config.encoder import LanguageModelSettings
from nerbridge.encoders.language_model.encoder import LanguageModelEncoder
from nerbridge.encoders.language_model.files import read_architecture, read_model


def build_language_model(settings: LanguageModelSettings, *, folder: Path | None = None) -> LanguageModelEncoder:
    """The encoder that `settings` ask for, with the weights of its folder.

    folder: one that `save_architecture` wrote: the encoder is then made from it, with random weights to be overwritten.
    Raises ConfigError when the folder holds no language model, or one whose parts do not belong together.
    """
    if folder is not None:
        with torch.random.fork_rng(devices=[]):
            model, alphabet = read_architecture(folder)
    else:
        model, alphabet = read_model(Path(settings.checkpoint))
    return LanguageModelEncoder(settings, model, alphabet)
