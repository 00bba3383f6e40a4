"""Labels that dev or test has and train lacks, that are spelled in two ways or nearly alike, or that are rare."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from nerbridge.data.checks.finding import Finding, Kind, Splits, place
from nerbridge.data.labels import canonical
from nerbridge.data.near_labels import near_labels
from nerbridge.data.sentence import Sentence, Span
from nerbridge.wording import counted


@dataclass(frozen=True, slots=True)
class SeenMentions:
    """Mentions of `split` whose words stand in train as a mention too: all, with the same label, with another only."""

    split: str
    mentions: int
    seen: int
    other_label: int


def find_label_faults(splits: Splits, *, rare: int = 10, train: str = "train") -> Iterator[Finding]:
    """Unknown, doubly spelled, nearly equal and rare labels.

    rare: fewer mentions than this in train are few. train: the key of the split that is learnt from.
    """
    totals = {split: _count(sentences) for split, sentences in splits.items()}
    yield from _spellings(splits, totals)
    for pair in near_labels(sum(totals.values(), Counter())):
        if canonical(pair.rarer) == canonical(pair.other):  # found above
            continue
        split = next(split for split, counts in totals.items() if pair.rarer in counts)
        sentence, span = _first(splits[split], pair.rarer)
        yield Finding(Kind.NEAR_LABEL, place(sentence, split, span.start), str(pair))
    learnt = totals.get(train)
    if learnt is None:
        return
    for split, counts in totals.items():
        for label in sorted(set(counts) - set(learnt)):
            sentence, span = _first(splits[split], label)
            where = f"{counted(counts[label], 'mention')} in {split}, first '{sentence.mention(span)}'"
            what = f"label '{label}' is not in {train}; {where}"
            yield Finding(Kind.UNKNOWN_LABEL, place(sentence, split, span.start), what)
    for label, number in sorted(learnt.items(), key=lambda item: (item[1], item[0])):
        if number < rare:
            sentence, span = _first(splits[train], label)
            what = f"label '{label}' has {counted(number, 'mention')} in {train}"
            yield Finding(Kind.RARE_LABEL, place(sentence, train, span.start), what)


def count_seen_mentions(splits: Splits, *, train: str = "train") -> list[SeenMentions]:
    """For every other split: how many mentions a tagger may know by heart from `train`."""
    known: dict[str, set[str]] = {}
    for sentence in splits.get(train, ()):
        for span in sentence.spans:
            known.setdefault(sentence.mention(span), set()).add(span.label)
    counts = []
    for split, sentences in splits.items():
        if split == train or not known:
            continue
        pairs = [(known.get(s.mention(span), set()), span.label) for s in sentences for span in s.spans]
        seen = sum(label in labels for labels, label in pairs)
        other = sum(bool(labels) and label not in labels for labels, label in pairs)
        counts.append(SeenMentions(split, len(pairs), seen, other))
    return counts


def _spellings(splits: Splits, totals: dict[str, Counter[str]]) -> Iterator[Finding]:
    """Two spellings of one label, such as PER in train and person in test."""
    first_use: dict[str, tuple[str, str]] = {}
    for split, counts in totals.items():
        for label in sorted(counts):
            name, where = first_use.setdefault(canonical(label), (label, split))
            if name != label:
                sentence, span = _first(splits[split], label)
                what = f"label '{label}' of {split} means the same as '{name}' of {where}"
                yield Finding(Kind.LABEL_SPELLING, place(sentence, split, span.start), what)


def _count(sentences: list[Sentence]) -> Counter[str]:
    return Counter(span.label for sentence in sentences for span in sentence.spans)


def _first(sentences: list[Sentence], label: str) -> tuple[Sentence, Span]:
    return next((s, span) for s in sentences for span in s.spans if span.label == label)
