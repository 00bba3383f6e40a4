"""A stage of learning, as data: what is trained on what, and what it starts from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nerbridge.config.training import TrainingSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence

StageKind = Literal["source", "target", "joint"]


@dataclass(frozen=True)
class DomainData:
    """Labelled sentences of one domain, by split, under one label set. `dev` and `test` may be empty.

    aliases: spelling of its files -> label that it was read as, for each label that the alias table renamed.
    """

    name: str
    labels: LabelSet
    train: tuple[Sentence, ...]
    dev: tuple[Sentence, ...] = ()
    test: tuple[Sentence, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stage:
    """One label space, one list of sentences, one optimiser.

    name: of the stage, unique in a plan ("source-1", "target"). domain: key of its head.
    train: every sentence as often as it is seen in an epoch. dev: what selection reads.
    decodable: the labels that decoding may use; all when none.
    bridge: label of this stage -> label of the stage before, for each label whose parameters are carried over.
    """

    name: str
    kind: StageKind
    domain: str
    labels: LabelSet
    train: tuple[Sentence, ...]
    dev: tuple[Sentence, ...]
    settings: TrainingSettings
    decodable: LabelSet | None = None
    bridge: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """Stages in order; the last one yields the tagger. notes: what the user must know about how they were made.

    aliases: spelling -> label, as the data sets were equated; the tagger's bundle keeps them.
    """

    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
