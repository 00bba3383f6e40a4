"""DOMAIN ADAPTATION: raw text and an encoder in, a folder with an encoder of the domain out.

Domain-adaptive pre-training as in CrossNER (Liu et al. 2021): masked language modelling on text of the domain, with
token-level or span-level masking. `pretrain` is the entrance, `pretraining_key` what a finished one is cached by.

Names are fetched when they are first used: what is wrong with the text is found without torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nerbridge.pretraining.corpora import Corpus
    from nerbridge.pretraining.estimate import Estimate
    from nerbridge.pretraining.keys import pretraining_key
    from nerbridge.pretraining.result import PretrainingResult
    from nerbridge.pretraining.run import estimate_pretraining, pretrain

__all__ = ["Corpus", "Estimate", "PretrainingResult", "estimate_pretraining", "pretrain", "pretraining_key"]

_HOMES = {  # public name -> the module there
    "Corpus": "corpora",
    "Estimate": "estimate",
    "PretrainingResult": "result",
    "estimate_pretraining": "run",
    "pretrain": "run",
    "pretraining_key": "keys",
}


def __getattr__(name: str) -> object:
    """The public object `name`, imported now. Raises AttributeError for any other name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'nerbridge.pretraining' has no attribute '{name}'")
    return getattr(import_module(f"nerbridge.pretraining.{_HOMES[name]}"), name)
