"""Settings -> the parts of a model: encoder, context, head. A new kind of any of them gets its `case` here."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import assert_never

from torch import nn

from nerbridge.config.context import (
    BiLstmSettings,
    ContextSettings,
    MultiCellSettings,
    NoContext,
    ParameterGenerationSettings,
)
from nerbridge.config.encoder import (
    ConcatenatedSettings,
    EncoderSettings,
    LanguageModelSettings,
    TransformerSettings,
    WordCharSettings,
)
from nerbridge.config.tagger import CoachSettings, CrfSettings, LabelAwareSettings, LinearSettings, TaggerSettings
from nerbridge.data.tags import TagVocabulary
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.concatenated import ConcatenatedEncoder, part_folder
from nerbridge.encoders.language_model import build_language_model
from nerbridge.encoders.transformer import build_transformer
from nerbridge.encoders.word_char import build_word_char
from nerbridge.models.context.bilstm import BiLstm
from nerbridge.models.context.multi_cell import MultiCellNetwork
from nerbridge.models.context.none import Identity
from nerbridge.models.context.parameter_generation import ParameterGenerationNetwork
from nerbridge.models.heads.base import TagHead
from nerbridge.models.heads.coach import CoachHead
from nerbridge.models.heads.crf import CrfHead
from nerbridge.models.heads.label_aware import LabelAwareHead
from nerbridge.models.heads.linear import LinearHead


def build_encoder(
    settings: EncoderSettings,
    *,
    folder: Path | None = None,
    words: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Encoder:
    """The encoder, pre-trained; or from a folder that `save_architecture` wrote, with weights to be overwritten.

    words: those that it will train on, for encoders with a vocabulary of words. seed: of what starts random.
    """
    match settings:
        case TransformerSettings():
            return build_transformer(settings, folder=folder)
        case WordCharSettings():
            return build_word_char(settings, words=words, folder=folder, seed=seed)
        case LanguageModelSettings():
            return build_language_model(settings, folder=folder)
        case ConcatenatedSettings():
            folders = [folder and part_folder(folder, number) for number in range(len(settings.parts))]
            parts = zip(settings.parts, folders, strict=True)
            return ConcatenatedEncoder([build_encoder(s, folder=f, words=words, seed=seed) for s, f in parts])
        case _:
            assert_never(settings)


def build_context(settings: ContextSettings, width: int, labels: Mapping[str, Sequence[str]]) -> nn.Module:
    """The context over vectors of `width`; it says the width of its states.

    labels: of each domain that it is for, where the settings name none.
    """
    match settings:
        case NoContext():
            return Identity(width)
        case BiLstmSettings():
            return BiLstm(settings, width)
        case ParameterGenerationSettings():
            domains = settings.domains or tuple(labels)
            return ParameterGenerationNetwork(settings, width, domains, settings.tasks or ("tags",))
        case MultiCellSettings():
            return MultiCellNetwork(settings, width, settings.labels or labels)
        case _:
            assert_never(settings)


def build_head(settings: TaggerSettings, vocabulary: TagVocabulary, width: int) -> TagHead:
    """A new tag head over states of `width`."""
    match settings:
        case LinearSettings():
            return LinearHead(settings, vocabulary, width)
        case CrfSettings():
            return CrfHead(settings, vocabulary, width)
        case LabelAwareSettings():
            return LabelAwareHead(settings, vocabulary, width)
        case CoachSettings():
            return CoachHead(settings, vocabulary, width)
        case _:
            assert_never(settings)
