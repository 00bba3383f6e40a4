"""A data set with some of its labels only."""

from collections.abc import Sequence
from dataclasses import replace

from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence
from nerbridge.errors import ConfigError
from nerbridge.transfer.stage import DomainData
from nerbridge.wording import counted


def with_labels_only(data: DomainData, only: Sequence[str], notes: list[str]) -> DomainData:
    """`data` without the entities of labels that `only` lacks: their words count as outside, in every split.

    A note counts them; tags that break their scheme are taken as they were read. Nothing changes where `only` is empty.
    Raises ConfigError for a label that `data` lacks.
    """
    if not only:
        return data
    if unknown := [label for label in only if label not in data.labels]:
        raise ConfigError(
            f"{data.name} has no label '{unknown[0]}'",
            where="target.only",
            expected=f"some of {', '.join(data.labels.names)}",
            hint="correct the spelling; leave target.only out to take every label",
        )
    kept = frozenset(only)
    train, dev, test = (_without_others(split, kept) for split in (data.train, data.dev, data.test))
    before, after = (
        sum(len(sentence.spans) for split in splits for sentence in split)
        for splits in ((data.train, data.dev, data.test), (train, dev, test))
    )
    notes.append(
        f"{data.name}: {counted(len(kept), 'label')} of {len(data.labels)} taken; "
        f"{before - after:,} of {counted(before, 'entity')} count as none"
    )
    return replace(data, labels=LabelSet.of(kept, data.labels.descriptions), train=train, dev=dev, test=test)


def _without_others(sentences: Sequence[Sentence], kept: frozenset[str]) -> tuple[Sentence, ...]:
    return tuple(
        replace(sentence, spans=tuple(span for span in sentence.spans if span.label in kept), malformed=None)
        for sentence in sentences
    )
