"""A stage of learning, as data: what is trained on what, and what it starts from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from nerbridge.config.adversary import AdversarySettings, NoAdversary
from nerbridge.config.training import TrainingSettings
from nerbridge.config.transfer import KeepSettings
from nerbridge.config.words import WordsSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence
from nerbridge.transfer.dictionary import Dictionary

if TYPE_CHECKING:
    from nerbridge.batching.batch import Objective

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
class RawTexts:
    """Sentences without labels, of the sources together and of the target; empty where none were given.

    dictionary: names whose labels are known in the text of the target.
    """

    source: tuple[Sentence, ...] = ()
    target: tuple[Sentence, ...] = ()
    dictionary: Dictionary | None = None


@dataclass(frozen=True)
class StreamPlan:
    """One stream of a mixture: the sentences of a domain, what is learnt from them, and how much that counts.

    "domain" as objective: nothing but a discriminator of domains reads them, as it reads those of all streams.
    batch_scale, sets_pace: see `nerbridge.batching.streams.Stream`. watched: sentences that are scored now and then and
    never learnt, for the journal. of_source: whether they are of a source or of the target.
    """

    domain: str
    objective: "Objective | Literal['domain']"
    sentences: tuple[Sentence, ...]
    weight: float = 1.0
    batch_scale: float = 1.0
    sets_pace: bool = True
    watched: tuple[Sentence, ...] = ()
    of_source: bool = False

    @property
    def name(self) -> str:
        """For messages: 'conll2003/tags'."""
        return f"{self.domain}/{self.objective}"


@dataclass(frozen=True)
class Mixture:
    """Several streams that are learnt at once.

    spaces: the labels of each domain that has a tag head. tagged_by: the domain whose head tags the target.
    selected_on: the domain of the stage's dev sentences. words: how words are predicted. adversary: what tells the
    domains apart. types_weight: of the loss of entity types, which a dictionary has marked in the target's raw text;
    None where there is no dictionary. target: the domain that the tagger is for; it may have no stream.
    """

    streams: tuple[StreamPlan, ...]
    spaces: Mapping[str, LabelSet]
    tagged_by: str
    selected_on: str
    words: WordsSettings
    adversary: AdversarySettings = field(default_factory=NoAdversary)
    types_weight: float | None = None
    target: str | None = None

    @property
    def domains(self) -> tuple[str, ...]:
        """Of the streams, each once."""
        return tuple(dict.fromkeys(stream.domain for stream in self.streams))

    @property
    def labels(self) -> dict[str, LabelSet]:
        """Of the streams' domains and the target; one without a head of its own has those of the target's tagger."""
        domains = dict.fromkeys((*self.domains, *([self.target] if self.target else [])))
        return {domain: self.spaces.get(domain, self.spaces[self.tagged_by]) for domain in domains}

    @property
    def objectives(self) -> "tuple[Objective, ...]":
        """What states are for in the streams, each once; those that a discriminator alone reads are for tags."""
        found = ("tags" if stream.objective == "domain" else stream.objective for stream in self.streams)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class OwnLabels:
    """Raw text that the tagger of the stage before labels; what is sure of it is learnt beside the rest.

    domain: key of the head that learns from it. weight: of its loss. number: of the round, from 1.
    """

    raw: tuple[Sentence, ...]
    keeping: KeepSettings
    domain: str
    weight: float
    number: int = 1


@dataclass(frozen=True)
class Stage:
    """One label space, one list of sentences, one optimiser.

    name: of the stage, unique in a plan ("source-1", "target"). domain: key of its head.
    train: every sentence as often as it is seen in an epoch. dev: what selection reads.
    decodable: the labels that decoding may use; all when none.
    bridge: label of this stage -> label of the stage before, for each label whose parameters are carried over.
    mixture: what a multi-task stage learns from, instead of `train`; `domain` and `labels` are then those of the tagger
    that it yields.
    own_labels: what the mixture gets besides, once the stage before is trained.
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
    mixture: Mixture | None = None
    own_labels: OwnLabels | None = None


@dataclass(frozen=True)
class Plan:
    """Stages in order; the last one yields the tagger. notes: what the user must know about how they were made.

    aliases: spelling -> label, as the data sets were equated; the tagger's bundle keeps them.
    """

    stages: tuple[Stage, ...]
    notes: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
