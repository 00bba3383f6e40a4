"""Settings of transfer: in which order data sets are learnt and what is carried from one to the next."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from nerbridge.config.adversary import AdversarySettings, NoAdversary
from nerbridge.config.base import NamesPlace, OptionalInteger, OptionalNumber, Settings
from nerbridge.config.dictionary import DictionarySettings
from nerbridge.config.words import WordsSettings


class DirectSettings(Settings):
    """Train on the target alone."""

    kind: Literal["direct"] = Field("direct", description="target only")


class SourceTransferSettings(Settings):
    """What every strategy with sources has."""

    drop_leaks: bool = Field(True, description="leave out source sentences equal to a target dev or test sentence")


class SequentialSettings(SourceTransferSettings):
    """Train on each source stage in order, then on the target."""

    kind: Literal["sequential"] = Field("sequential", description="sources first, then the target")
    bridge: dict[str, str] = Field(
        default_factory=dict,
        description="target label -> label of the stage before whose parameters it starts from, such as "
        "politician = 'person'",
    )
    carry_labels: bool = Field(True, description="carry parameters of labels that two neighbouring stages have")


class JointSettings(SourceTransferSettings):
    """Train on all sources and the target at once: one head over all labels, decoding restricted to the target's."""

    kind: Literal["joint"] = Field("joint", description="sources and target at once")
    upsample: OptionalInteger = Field(
        None,
        ge=1,
        le=1_000_000,
        description="how often a target sentence is seen per epoch; default: balances the sources",
    )


StreamName = Literal["source/tags", "target/tags", "source/words", "target/words", "source/domain", "target/domain"]
TextFiles = Annotated[tuple[str, ...], NamesPlace()]


class StreamsSettings(SourceTransferSettings):
    """What every strategy of streams has: each a domain and an objective, one mini-batch of each in every step.

    "tags" is named entity recognition, with a head for each domain; "words" is language modelling, forward and back,
    with one head for all; "domain" is raw text that the discriminator alone reads. Without the stream "target/tags" it
    is zero-shot: target text is tagged by the source's head.
    """

    streams: tuple[StreamName, ...] = Field(
        ("source/tags", "target/tags", "source/words", "target/words"),
        min_length=1,
        description='any of "source/tags", "target/tags", "source/words", "target/words", "source/domain", '
        '"target/domain"',
    )
    source_raw: TextFiles = Field(
        (), description="raw text of the source: files, folders, built corpora; default: the words of its training set"
    )
    target_raw: TextFiles = Field(
        (), description="raw text of the target: files, folders, built corpora; default: the words of its training set"
    )
    source_sentences: OptionalInteger = Field(None, ge=1, description="so many raw sentences of the source, drawn")
    target_sentences: OptionalInteger = Field(None, ge=1, description="so many raw sentences of the target, drawn")
    mix_raw: bool = Field(False, description='both "words" streams learn from the raw text of source and target')
    source_weight: float = Field(1.0, gt=0, description="of both losses of the source")
    target_weight: float = Field(1.0, gt=0, description="of both losses of the target")
    words_weight: float = Field(1.0, gt=0, description='of "words" losses beside "tags" losses')
    pace: Literal["tags", "longest", "scaled"] = Field(
        "tags",
        description='an epoch ends with the longest "tags" stream, or with the longest of all; scaled: batches are so '
        'large that all streams end together with the longest "tags" stream',
    )
    watch: bool = Field(
        True, description="write the scores of the other streams into the journal whenever dev is evaluated"
    )
    words: WordsSettings = Field(WordsSettings(), description="how words are predicted")
    adversary: AdversarySettings = Field(NoAdversary(), description="what tries to tell the domains apart")
    dictionary: DictionarySettings = Field(DictionarySettings(), description="names whose labels are known in raw text")

    @property
    def zero_shot(self) -> bool:
        """Is there no labelled sentence of the target?"""
        return "target/tags" not in self.streams

    @model_validator(mode="after")
    def _has_tags(self) -> "StreamsSettings":
        if len(set(self.streams)) < len(self.streams):
            raise ValueError("streams: each may stand once")
        if not {"source/tags", "target/tags"} & set(self.streams):
            raise ValueError('streams: without "source/tags" and "target/tags" no tagger is learnt')
        return self


class MultiTaskSettings(StreamsSettings):
    """Train on several streams at once."""

    kind: Literal["multi_task"] = Field("multi_task", description="several domains and objectives at once")


class KeepSettings(Settings):
    """Which of its own answers in raw text a tagger takes for true."""

    threshold: float = Field(0.9, ge=0, le=1, description="kept is what is surer than this; 1 keeps nothing")
    keep: Literal["sentences", "spans"] = Field(
        "sentences",
        description="whole sentences; or sure entities and sure other words, the rest of a sentence unknown",
    )
    confidence: Literal["least", "mean"] = Field(
        "least", description="a sentence or entity is as sure as its least sure word, or as its words on average"
    )
    most: OptionalInteger = Field(None, ge=1, description="at most so many sentences per round, drawn; default: all")
    without_entity: OptionalNumber = Field(
        None,
        ge=0,
        le=1,
        description="at most this share of the kept sentences has no entity; default: that of the labelled sentences",
    )


class SelfTrainingSettings(StreamsSettings, KeepSettings):
    """Train on streams, tag raw text of the target, keep what is sure, train anew with it beside the streams; again."""

    kind: Literal["self_training"] = Field("self_training", description="learn from sure answers of its own")
    streams: tuple[StreamName, ...] = Field(
        ("source/tags",), min_length=1, description="as of multi_task; the kept sentences are one stream more"
    )
    rounds: int = Field(1, ge=1, le=100, description="how often raw text is tagged and the tagger trained anew")
    kept_weight: float = Field(1.0, gt=0, description="of the loss of kept sentences")

    @property
    def keeping(self) -> KeepSettings:
        """What decides which answers are kept."""
        return KeepSettings.model_validate(self.model_dump(include=set(KeepSettings.model_fields)))


StrategySettings = Annotated[
    DirectSettings | SequentialSettings | JointSettings | MultiTaskSettings | SelfTrainingSettings,
    Field(discriminator="kind"),
]
