"""Entity types of words: 0 for O, n for the n-th label of a label set, whether a word begins the entity or not."""

import torch
from jaxtyping import Int
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN, UNMATCHED
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.data.tags import PREFIXES


def types_of_tags(tags: Int[Tensor, "batch unit"], scheme: str) -> Int[Tensor, "batch unit"]:
    """The types of tag ids (`TagVocabulary`: O, then all tags of each label in turn); UNKNOWN stays."""
    number = len(PREFIXES[scheme])
    types = torch.div(tags + number - 1, number, rounding_mode="floor")
    return types.masked_fill(tags == UNKNOWN, UNKNOWN)


def type_ids(sentence: Sentence, labels: LabelSet) -> list[int]:
    """One type per word, UNKNOWN where it is not known. ValueError for a label outside `labels`."""
    match sentence.annotation:
        case Annotation.NONE:
            return [UNKNOWN] * len(sentence)
        case Annotation.PARTIAL:
            assert sentence.known is not None
            types = [0 if known else UNKNOWN for known in sentence.known]
        case Annotation.COMPLETE:
            types = [0] * len(sentence)
    for span in sentence.spans:
        types[span.start : span.end] = [labels.names.index(span.label) + 1] * (span.end - span.start)
    return types


def matches(sentence: Sentence, labels: LabelSet) -> list[int]:
    """One type per word of raw text, UNMATCHED where no list of names says it."""
    return [UNMATCHED if one == UNKNOWN else one for one in type_ids(sentence, labels)]
