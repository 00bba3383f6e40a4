"""What a bundle says about itself: bundle.json."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from pydantic import Field

from nerbridge.config.base import Settings
from nerbridge.config.context import ContextSettings, NoContext
from nerbridge.config.encoder import EncoderSettings
from nerbridge.config.tagger import TaggerSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.heads.base import TagHead

FORMAT = 1  # of bundles; raised when older programs could not read them
LIBRARIES = ("nerbridge", "torch", "transformers", "tokenizers", "safetensors")


class ModelSettings(Settings):
    """What a model was built from."""

    encoder: EncoderSettings
    context: ContextSettings = NoContext()
    tagger: TaggerSettings


class DomainSpace(Settings):
    """The label space of one domain's head. allowed: the labels that decoding may use."""

    labels: tuple[str, ...]
    descriptions: dict[str, str] = Field(default_factory=dict)
    scheme: str
    allowed: tuple[str, ...]

    @classmethod
    def of(cls, head: TagHead) -> "DomainSpace":
        """The space of `head` as it is now."""
        labels = head.vocabulary.labels
        kept = {
            tag.partition("-")[2] for tag, flag in zip(head.vocabulary.tags, head.allowed.tolist(), strict=True) if flag
        }
        return cls(
            labels=labels.names,
            descriptions=dict(labels.descriptions),
            scheme=head.vocabulary.scheme,
            allowed=tuple(name for name in labels.names if name in kept),
        )

    def vocabulary(self) -> TagVocabulary:
        """The tags."""
        return TagVocabulary(LabelSet.of(self.labels, self.descriptions), self.scheme)


class BundleMetadata(Settings):
    """bundle.json.

    domains: label space of each head. aliases: other spelling -> label, as they were equated in training.
    versions: of the libraries that wrote it. weights_sha256: of model.safetensors.
    details: whatever the writer adds (data fingerprints, scores, run name); JSON values.
    """

    format: int
    settings: ModelSettings
    domains: dict[str, DomainSpace]
    aliases: dict[str, str] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    weights_sha256: str
    details: dict[str, Any] = Field(default_factory=dict)


def library_versions() -> Mapping[str, str]:
    """The versions of the libraries that a bundle depends on."""
    return {name: version(name) for name in LIBRARIES}
