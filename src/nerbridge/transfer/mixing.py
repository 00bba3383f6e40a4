"""Several data sets as one: one spelling per label, no leaks, a balance that is said."""

from collections.abc import Sequence
from dataclasses import replace

from nerbridge.data.labels import LabelSet, respell
from nerbridge.data.sentence import Sentence
from nerbridge.transfer.stage import DomainData
from nerbridge.wording import counted


def rename_labels(sentences: Sequence[Sentence], renames: dict[str, str]) -> tuple[Sentence, ...]:
    """The sentences with span labels replaced where `renames` says so."""
    if not renames:
        return tuple(sentences)
    return tuple(sentence.with_labels(renames) if sentence.spans else sentence for sentence in sentences)


def respell_domain(data: DomainData, onto: LabelSet) -> tuple[DomainData, list[str]]:
    """`data` with labels spelled as in `onto` where both mean the same, and one note per renamed label."""
    sentences = (*data.train, *data.dev, *data.test)
    renames = respell(data.labels, onto, sentences=sentences, data=data.name)
    if not renames:
        return data, []
    descriptions = {renames.get(name, name): text for name, text in data.labels.descriptions.items()}
    respelled = DomainData(
        data.name,
        LabelSet.of((renames.get(name, name) for name in data.labels.names), descriptions),
        rename_labels(data.train, renames),
        rename_labels(data.dev, renames),
        rename_labels(data.test, renames),
        {**data.aliases, **renames},
    )
    return respelled, [f"{data.name}: label '{old}' is read as '{new}'" for old, new in sorted(renames.items())]


def unite(parts: Sequence[DomainData], onto: LabelSet) -> tuple[DomainData, list[str]]:
    """All parts as one domain over the union of their labels, spelled as in `onto` or as in the first part."""
    known, notes, united = onto, [], []
    for part in parts:
        respelled, said = respell_domain(part, known)
        known = known.union(respelled.labels)
        notes += said
        united.append(respelled)
    labels = united[0].labels
    for part in united[1:]:
        labels = labels.union(part.labels)
    name = "+".join(part.name for part in united)
    train = tuple(sentence for part in united for sentence in part.train)
    dev = tuple(sentence for part in united for sentence in part.dev)
    aliases = {old: new for part in united for old, new in part.aliases.items()}
    return DomainData(name, labels, train, dev, aliases=aliases), notes


def drop_leaks(source: DomainData, target: DomainData) -> tuple[DomainData, list[str]]:
    """`source` without training and dev sentences whose words equal a target dev or test sentence; notes count them."""
    held_out = {sentence.words for sentence in (*target.dev, *target.test)}
    train = tuple(sentence for sentence in source.train if sentence.words not in held_out)
    dev = tuple(sentence for sentence in source.dev if sentence.words not in held_out)
    dropped = {"training": len(source.train) - len(train), "dev": len(source.dev) - len(dev)}
    if not any(dropped.values()):
        return source, []
    *others, last = [(number, split) for split, number in dropped.items() if number]
    sizes = " and ".join(
        [*(f"{number:,} {split}" for number, split in others), counted(last[0], f"{last[1]} sentence")]
    )
    verb = "is" if sum(dropped.values()) == 1 else "are"
    note = f"{source.name}: {sizes} {verb} left out, equal to a dev or test sentence of {target.name}"
    return replace(source, train=train, dev=dev), [note]


def balance(num_source: int, num_target: int) -> int:
    """How often each target sentence is repeated so that an epoch sees about as many target as source sentences."""
    return max(1, round(num_source / num_target))
