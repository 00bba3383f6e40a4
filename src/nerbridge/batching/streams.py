"""A stream: sentences of one domain with one objective, as batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from jaxtyping import Int
from torch import Tensor

from nerbridge.batching.batch import UNKNOWN, Batch, Objective, Vectorized, Vectorizer
from nerbridge.batching.entity_types import matches
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.data.tags import TagVocabulary


@dataclass(frozen=True)
class Stream:
    """Sentences that learn together, and how.

    name: of the data, for messages. domain: key of the heads that learn from it. vocabulary: of the tag head; None when
    the stream has no tags. weight: of its loss beside other streams.
    words: of the language-model head, whose objective the stream then has.
    batch_scale: its batches hold so many times the sentences of others. sets_pace: an epoch lasts until it has ended;
    of the others an epoch may take only a part, another one each time.
    of_source: what a discriminator of domains is to say of it; None where there is none.
    types: labels of what is known in sentences whose tags are not learnt; None where nothing is.
    Everything is turned into numbers once, at first use.
    """

    name: str
    domain: str
    sentences: Sequence[Sentence]
    vectorizer: Vectorizer
    vocabulary: TagVocabulary | None
    weight: float = 1.0
    words: WordVocabulary | None = None
    batch_scale: float = 1.0
    sets_pace: bool = True
    of_source: bool | None = None
    types: LabelSet | None = None

    @property
    def objective(self) -> Objective:
        """What its states are for."""
        return "tags" if self.words is None else "words"

    def __len__(self) -> int:
        return len(self.sentences)

    @cached_property
    def items(self) -> list[Vectorized]:
        """The sentences as the encoder's numbers."""
        return self.vectorizer.vectorize(list(self.sentences))

    @cached_property
    def num_pieces(self) -> list[int]:
        """The cost of each sentence, for `epoch_batches`."""
        return [item.num_pieces for item in self.items]

    @cached_property
    def tag_ids(self) -> list[list[int]]:
        """Per sentence one tag id per word, UNKNOWN where it is not known. Raises LabelError for an unknown label."""
        assert self.vocabulary is not None, "this stream has no tags"
        return [tag_ids(sentence, self.vocabulary) for sentence in self.sentences]

    def batch(self, indices: Sequence[int]) -> Batch:
        """The sentences at `indices`, padded. Raises LabelError for a label outside the vocabulary."""
        sentences = tuple(self.sentences[index] for index in indices)
        targets: dict[str, Int[Tensor, "batch unit"]] = {}
        if self.words is not None:
            targets = {"words": _pad([self.words.ids(sentence.words) for sentence in sentences])}
        elif self.vocabulary is not None:
            targets = {"tags": _pad([self.tag_ids[index] for index in indices])}
        if self.of_source is not None:
            targets["domain"] = _pad([[int(self.of_source)] * len(sentence) for sentence in sentences])
        if self.types is not None:
            targets["types"] = _pad([matches(sentence, self.types) for sentence in sentences])
        items = [self.items[index] for index in indices]
        return make_batch(sentences, items, self.vectorizer, self.domain, targets, weight=self.weight)


def make_batch(
    sentences: tuple[Sentence, ...],
    items: list[Vectorized],
    vectorizer: Vectorizer,
    domain: str,
    targets: Mapping[str, Int[Tensor, "batch unit"]],
    *,
    weight: float = 1.0,
) -> Batch:
    """One batch of `sentences` and their `items`. weight: of the losses of heads."""
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    mask = torch.arange(int(lengths.max())) < lengths.unsqueeze(1)
    return Batch(sentences, vectorizer.collate(items), mask, domain, targets, weight)


def tag_ids(sentence: Sentence, vocabulary: TagVocabulary) -> list[int]:
    """One tag id per word, UNKNOWN where it is not known. Raises LabelError for a label outside the vocabulary."""
    match sentence.annotation:
        case Annotation.NONE:
            return [UNKNOWN] * len(sentence)
        case Annotation.PARTIAL:
            assert sentence.known is not None
            ids = vocabulary.encode(sentence.spans, len(sentence))
            return [number if known else UNKNOWN for number, known in zip(ids, sentence.known, strict=True)]
        case Annotation.COMPLETE:
            return vocabulary.encode(sentence.spans, len(sentence))


def _pad(rows: list[list[int]]) -> Int[Tensor, "batch unit"]:
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[UNKNOWN] * (longest - len(row))] for row in rows])
