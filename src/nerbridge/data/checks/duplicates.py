"""Equal sentences: inside a split, and across splits, where they make scores look better than they are.

Two sentences are equal when their words are, upper and lower case apart. With several equal ones in the other split,
their tags count as the same when one of them has the same spans.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from nerbridge.data.checks.finding import Finding, Kind, Splits, opening, place
from nerbridge.data.sentence import Sentence

ByWords = dict[tuple[str, ...], list[Sentence]]


@dataclass(frozen=True, slots=True)
class Shared:
    """Sentences of split `later` that split `earlier` holds too: all, different ones, and by whether tags agree."""

    earlier: str
    later: str
    sentences: int
    distinct: int
    same_tags: int
    other_tags: int


def find_duplicates(splits: Splits) -> Iterator[Finding]:
    """Sentences repeated inside a split and sentences shared between splits, each at its later place."""
    grouped = {split: by_words(sentences) for split, sentences in splits.items()}
    for split, groups in grouped.items():
        yield from _inside(split, groups)
    for earlier, later in combinations(splits, 2):
        for sentence, equals in _shared(splits[later], grouped[earlier]):
            tags = "same" if _agree(sentence, equals) else "other"
            where = place(equals[0], earlier)
            what = f"{opening(sentence)} of {later} stands in {earlier} too, with {tags} tags, at {where}"
            yield Finding(Kind.SHARED, place(sentence, later), what)


def count_shared(splits: Splits) -> list[Shared]:
    """For every pair of splits, how many sentences they share."""
    counts = []
    for earlier, later in combinations(splits, 2):
        pairs = list(_shared(splits[later], by_words(splits[earlier])))
        agreeing = sum(_agree(sentence, equals) for sentence, equals in pairs)
        distinct = len({sentence.words for sentence, _ in pairs})
        counts.append(Shared(earlier, later, len(pairs), distinct, agreeing, len(pairs) - agreeing))
    return counts


def by_words(sentences: list[Sentence]) -> ByWords:
    """The sentences grouped by their words."""
    groups: ByWords = {}
    for sentence in sentences:
        groups.setdefault(sentence.words, []).append(sentence)
    return groups


def _inside(split: str, groups: ByWords) -> Iterator[Finding]:
    for equals in groups.values():
        first = equals[0]
        for sentence in equals[1:]:
            what = f"{opening(sentence)} stands in {split} before, at {place(first, split)}"
            yield Finding(Kind.DUPLICATE, place(sentence, split), what)
        other = next((sentence for sentence in equals if sentence.spans != first.spans), None)
        if other is not None:
            what = f"equal words, other tags than at {place(first, split)}: {_difference(first, other)}"
            yield Finding(Kind.CONFLICT, place(other, split), what)


def _shared(sentences: list[Sentence], groups: ByWords) -> Iterator[tuple[Sentence, list[Sentence]]]:
    for sentence in sentences:
        equals = groups.get(sentence.words)
        if equals:
            yield sentence, equals


def _agree(sentence: Sentence, equals: list[Sentence]) -> bool:
    return any(other.spans == sentence.spans for other in equals)


def _difference(first: Sentence, other: Sentence) -> str:
    """The first span that only one of the two sentences has."""
    span = min(set(first.spans) ^ set(other.spans))
    has, lacks = ("first", "other") if span in first.spans else ("other", "first")
    return f"'{first.mention(span)}' is {span.label} in the {has}, not in the {lacks}"
