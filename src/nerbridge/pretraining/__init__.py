"""DOMAIN ADAPTATION: raw text and an encoder in, a folder with an encoder of the domain out.

Domain-adaptive pre-training as in CrossNER (Liu et al. 2021): masked language modelling on text of the domain, with
token-level or span-level masking. `pretrain` is the entrance, `pretraining_key` what a finished one is cached by.
"""

from nerbridge.pretraining.corpora import Corpus
from nerbridge.pretraining.estimate import Estimate
from nerbridge.pretraining.keys import pretraining_key
from nerbridge.pretraining.result import PretrainingResult
from nerbridge.pretraining.run import estimate_pretraining, pretrain

__all__ = ["Corpus", "Estimate", "PretrainingResult", "estimate_pretraining", "pretrain", "pretraining_key"]
