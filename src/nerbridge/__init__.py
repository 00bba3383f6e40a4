"""nerbridge: move a named-entity tagger into a new domain.

    load(folder)        a Pipeline of a trained model
    Pipeline            texts in, documents with entities out
    adapt(...)          from labelled sentences of a new domain to a measured model
    score(gold, found)  exact span scores of predictions
    Sentence, Span      words and what is known of them

Names are fetched when they are first used: `import nerbridge` is instant and imports no torch.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nerbridge.data.sentence import Sentence, Span
    from nerbridge.evaluation.scoring import score_spans as score
    from nerbridge.inference.loading import load
    from nerbridge.inference.pipeline import Pipeline
    from nerbridge.pipeline import adapt

__version__ = "0.1.0"
__all__ = ["Pipeline", "Sentence", "Span", "__version__", "adapt", "load", "score"]

# public name -> the module and the name there
_HOMES = {
    "Pipeline": ("nerbridge.inference.pipeline", "Pipeline"),
    "Sentence": ("nerbridge.data.sentence", "Sentence"),
    "Span": ("nerbridge.data.sentence", "Span"),
    "adapt": ("nerbridge.pipeline", "adapt"),
    "load": ("nerbridge.inference.loading", "load"),
    "score": ("nerbridge.evaluation.scoring", "score_spans"),
}


def __getattr__(name: str) -> object:
    """The public object `name`, imported now. Raises AttributeError for any other name."""
    if name not in _HOMES:
        raise AttributeError(f"module 'nerbridge' has no attribute '{name}'")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
