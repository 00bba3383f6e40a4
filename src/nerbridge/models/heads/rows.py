"""Rows of tag-indexed parameters, carried from one head to another by tag."""

from collections.abc import Mapping

import torch
from jaxtyping import Int
from torch import Tensor

from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import ConfigError
from nerbridge.models.heads.base import TagHead


def check_same_kind(head: TagHead, other: TagHead) -> None:
    """Raises ConfigError unless both heads are of one class and read states of one width."""
    shapes = [{name: p.shape[1:] for name, p in h.named_parameters() if "weight" in name} for h in (head, other)]
    if type(head) is not type(other) or shapes[0] != shapes[1]:
        raise ConfigError(
            f"a {head.settings.kind} head cannot take rows from a {other.settings.kind} head",  # type: ignore[attr-defined]
            where="tagger.kind",
            expected="the same kind of head, with states of the same width, in every stage",
            hint="train the source stage with the tagger that the target stage uses",
        )


def carried_ids(
    vocabulary: TagVocabulary, other: TagVocabulary, sources: Mapping[str, str]
) -> tuple[Int[Tensor, " tag"], Int[Tensor, " tag"]]:
    """Ids here and ids in `other` of the pairs in `sources` (tag here -> tag there) that both vocabularies have."""
    pairs = [
        (vocabulary.index[here], other.index[there])
        for here, there in sources.items()
        if here in vocabulary.index and there in other.index
    ]
    ids = torch.tensor(pairs, dtype=torch.long).view(-1, 2)
    return ids[:, 0], ids[:, 1]
