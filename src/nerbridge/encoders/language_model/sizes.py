"""The sizes of language models, as config.json of their folders has them."""

from dataclasses import dataclass

from nerbridge.config.language_models import ElmoSettings, FlairSettings


@dataclass(frozen=True)
class ElmoSizes:
    """See `config.language_models.ElmoSettings`, which has the same names."""

    character_width: int
    kernels: int
    filters: int
    highways: int
    hidden: int
    layers: int
    dropout: float


@dataclass(frozen=True)
class FlairSizes:
    """See `config.language_models.FlairSettings`, which has the same names."""

    character_width: int
    hidden: int
    layers: int
    dropout: float


Sizes = ElmoSizes | FlairSizes
Settings = ElmoSettings | FlairSettings
KINDS: dict[str, tuple[type[Sizes], type[Settings]]] = {
    "elmo": (ElmoSizes, ElmoSettings),
    "flair": (FlairSizes, FlairSettings),
}
