"""The words that language-model objectives predict: one vocabulary over all streams that have such an objective."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from nerbridge.data.sentence import Sentence

BOUNDARY, OTHER_WORD = 0, 1  # ids: what stands before the first and behind the last word; a word without an id
SPECIAL = 2  # so many ids come before that of the first word


@dataclass(frozen=True)
class WordVocabulary:
    """Words by id, the most frequent first. counts: how often each id is to be predicted in one direction.

    Ids 0 and 1 are the sentence's boundary and every word that has no id of its own.
    """

    words: tuple[str, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, sentences: Iterable[Sentence], *, min_count: int = 1, max_words: int | None = None) -> "WordVocabulary":
        """The words of `sentences` that occur `min_count` times, of these the `max_words` most frequent."""
        found: Counter[str] = Counter()
        num_sentences = 0
        for sentence in sentences:
            found.update(sentence.words)
            num_sentences += 1
        ranked = sorted((word for word, count in found.items() if count >= min_count), key=lambda w: (-found[w], w))
        kept = ranked[:max_words]
        known = [found[word] for word in kept]
        return cls(tuple(kept), (num_sentences, found.total() - sum(known), *known))

    def __len__(self) -> int:
        """The number of ids."""
        return len(self.words) + SPECIAL

    @cached_property
    def index(self) -> dict[str, int]:
        """Word -> id."""
        return {word: number for number, word in enumerate(self.words, start=SPECIAL)}

    def ids(self, words: Sequence[str]) -> list[int]:
        """One id per word; OTHER_WORD for a word that has none."""
        return [self.index.get(word, OTHER_WORD) for word in words]

    @property
    def share_of_others(self) -> float:
        """Share (0 to 1) of the running words that have no id of their own."""
        total = sum(self.counts[OTHER_WORD:])
        return self.counts[OTHER_WORD] / total if total else 0.0
