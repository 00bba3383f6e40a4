"""What a data set holds, counted: table 1 of CrossNER for any files."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nerbridge.data.sentence import Sentence


@dataclass(frozen=True, slots=True)
class SplitStats:
    """Counts of one split.

    labels: entities per label, most frequent first. with_entity: sentences that hold one. longest: words of the
    longest sentence. one_word: sentences of one word. distinct_words: different words, upper and lower case apart.
    """

    sentences: int
    words: int
    entities: int
    labels: dict[str, int]
    with_entity: int
    longest: int
    one_word: int
    distinct_words: int


def count(sentences: Sequence[Sentence]) -> SplitStats:
    """The counts of `sentences`."""
    labels = Counter(span.label for sentence in sentences for span in sentence.spans)
    lengths = [len(sentence) for sentence in sentences]
    return SplitStats(
        sentences=len(sentences),
        words=sum(lengths),
        entities=labels.total(),
        labels=dict(sorted(labels.items(), key=lambda item: (-item[1], item[0]))),
        with_entity=sum(bool(sentence.spans) for sentence in sentences),
        longest=max(lengths, default=0),
        one_word=lengths.count(1),
        distinct_words=len({word for sentence in sentences for word in sentence.words}),
    )
