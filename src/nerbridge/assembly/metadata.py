"""What a bundle says about itself: bundle.json."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, Protocol, runtime_checkable

from pydantic import Field, field_validator, model_validator

from nerbridge.config.base import Settings
from nerbridge.config.context import ContextSettings, NoContext
from nerbridge.config.encoder import EncoderSettings
from nerbridge.config.tagger import TaggerSettings, TagHeadScheme
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.heads.base import TagHead

FORMAT = 1  # of bundles; raised when older programs could not read them
METADATA = "bundle.json"
WEIGHTS = "model.safetensors"
ENCODER = "encoder"
LIBRARIES = ("nerbridge", "torch", "transformers", "tokenizers", "safetensors")


class ModelSettings(Settings):
    """What a model was built from."""

    encoder: EncoderSettings
    context: ContextSettings = NoContext()
    tagger: TaggerSettings


@runtime_checkable
class HasModelSettings(Protocol):
    """Anything that says what a model was built from, such as an experiment."""

    @property
    def encoder(self) -> EncoderSettings: ...

    @property
    def context(self) -> ContextSettings: ...

    @property
    def tagger(self) -> TaggerSettings: ...


class DomainSpace(Settings):
    """The label space of one domain's head. allowed: the labels that decoding may use."""

    labels: tuple[str, ...]
    descriptions: dict[str, str] = Field(default_factory=dict)
    scheme: TagHeadScheme
    allowed: tuple[str, ...]

    @model_validator(mode="after")
    def _allows_its_own(self) -> "DomainSpace":
        if strangers := [name for name in self.allowed if name not in self.labels]:
            raise ValueError(f"allowed holds '{strangers[0]}', which is none of its labels")
        return self

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
    versions: of the libraries that wrote it. sha256: of every other file of the bundle, by its path inside.
    details: whatever the writer adds (data fingerprints, scores, run name); JSON values.
    """

    format: int = Field(ge=1)
    settings: ModelSettings
    domains: dict[str, DomainSpace]
    aliases: dict[str, str] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    sha256: dict[str, str]
    details: dict[str, Any] = Field(default_factory=dict)

    @field_validator("sha256")
    @classmethod
    def _names_parts(cls, sha256: dict[str, str]) -> dict[str, str]:
        for part in (WEIGHTS, f"{ENCODER}/config.json"):
            if part not in sha256:
                raise ValueError(f"it does not name {part}")
        return sha256


def library_versions() -> Mapping[str, str]:
    """The versions of the libraries that a bundle depends on."""
    return {name: version(name) for name in LIBRARIES}
