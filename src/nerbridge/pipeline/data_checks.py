"""What is taken from files as they were read, what is left out, and what the user must know about both."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from nerbridge.config.training import StageKind
from nerbridge.data.labels import LabelSet, canonical, respell
from nerbridge.data.near_labels import near_labels
from nerbridge.data.registry import DataSet
from nerbridge.data.sentence import Annotation, Sentence, labels_of
from nerbridge.errors import LabelError
from nerbridge.transfer.stage import DomainData
from nerbridge.wording import counted

FEW_ENTITIES = 30  # dev entities below which choosing among weights is mostly chance


def clean_domain(data: DataSet) -> tuple[DomainData, list[str]]:
    """A data set as one domain, and what was left out.

    Sentences without annotation teach and test nothing; dev and test need every word labelled. The labels are those of
    the card; of own files, those of train and dev: what only test has can never be learnt. Raises LabelError when a
    split holds raw text alone.
    """
    notes: list[str] = []
    given = data.splits.get("train", [])
    train = labelled(given, f"{data.name} train", notes, partial=True)
    if given and not train:
        raise LabelError(
            f"no training sentence of '{data.name}' is annotated",
            where=str(given[0].origin or data.name),
            expected="a tag beside every word, or spans beside every text",
            hint=data.unread_hint("train", "`nerbridge data check FILE` shows how the file was read"),
        )
    dev = labelled(data.splits.get("dev", ()), f"{data.name} dev", notes)
    test = labelled(data.splits.get("test", ()), f"{data.name} test", notes)
    for split, kept in (("dev", dev), ("test", test)):
        if (there := data.splits.get(split)) and not kept:
            raise LabelError(
                f"no {split} sentence of '{data.name}' is labelled word by word",
                where=str(there[0].origin or data.name),
                expected="a tag beside every word, or spans beside every text",
                hint=data.unread_hint(
                    split,
                    "`nerbridge data check FILE` shows how the file was read; leave the file out if it is raw text",
                ),
            )
    if train and not data.card:
        dev = respelled(dev, train, f"{data.name} dev", notes)
        test = respelled(test, train, f"{data.name} test", notes)
    labels = data.labels if data.card else LabelSet.of([*labels_of(train), *labels_of(dev)])
    return DomainData(data.name, labels, train, dev, test), notes


def labelled(
    sentences: Iterable[Sentence], name: str, notes: list[str], *, partial: bool = False
) -> tuple[Sentence, ...]:
    """The sentences that are labelled word by word, and with `partial` those that are labelled in part."""
    given = tuple(sentences)
    fit = (Annotation.COMPLETE, Annotation.PARTIAL) if partial else (Annotation.COMPLETE,)
    kept = tuple(sentence for sentence in given if sentence.annotation in fit)
    if len(kept) < len(given):
        what = "without annotation" if partial else "without complete annotation"
        notes.append(f"{name}: {len(given) - len(kept)} of {counted(len(given), 'sentence')} left out, {what}")
    return kept


def respelled(
    sentences: tuple[Sentence, ...], train: Sequence[Sentence], name: str, notes: list[str]
) -> tuple[Sentence, ...]:
    """The sentences with labels that train lacks spelled as train spells them, where the alias table knows both."""
    known = LabelSet.of(labels_of(train))
    lacking = LabelSet.of(label for label in labels_of(sentences) if label not in known)
    renames = respell(lacking, known, sentences=sentences, data=name)
    notes += [f"{name}: label '{old}' is read as '{new}'" for old, new in sorted(renames.items())]
    return tuple(sentence.with_labels(renames) for sentence in sentences) if renames else sentences


def spelled_like(data: DomainData, known: LabelSet, notes: list[str]) -> DomainData:
    """The dev and test sentences of a target without training sentences with labels spelled as in `known`.

    Its tagger says the labels of the source; where its own files spell them otherwise, nothing it says would be right.
    """
    scored = (*data.dev, *data.test)
    renames = respell(LabelSet.of(labels_of(scored)), known, sentences=scored, data=data.name)
    if not renames:
        return data
    notes += [f"{data.name}: label '{old}' is read as '{new}'" for old, new in sorted(renames.items())]
    dev = tuple(sentence.with_labels(renames) for sentence in data.dev)
    test = tuple(sentence.with_labels(renames) for sentence in data.test)
    return replace(data, labels=LabelSet.of(labels_of(dev)), dev=dev, test=test, aliases=renames)


def check_labels(data: DomainData) -> None:
    """Raises LabelError when the training sentences have no entity at all: that is a fault of the file."""
    if data.train and not labels_of(data.train):
        raise LabelError(
            f"no training sentence of '{data.name}' has an entity",
            where=str(data.train[0].origin or data.name),
            expected="labelled spans in the training file",
            hint="`nerbridge data check FILE` shows how the file was read",
        )


def note_unlearnable(data: DomainData) -> list[str]:
    """One note per label that dev or test have and train lacks, with counts."""
    learnt = set(labels_of(data.train))
    counts = {split: _count(found) for split, found in (("dev", data.dev), ("test", data.test))}
    missing = sorted({label for count in counts.values() for label in count} - learnt)
    return [
        f"{data.name}: label '{label}' has no training sentence; its entities can only be missed: "
        + ", ".join(f"{count[label]} in {split}" for split, count in counts.items() if count[label])
        for label in missing
        if data.train
    ]


def note_unknown(data: DomainData, known: LabelSet) -> list[str]:
    """A note when dev or test have labels that a tagger of `known`, the labels of sources, cannot say; with counts."""
    sayable = {canonical(label) for label in known.names}
    counts = {split: _count(found) for split, found in (("dev", data.dev), ("test", data.test))}
    missing = sorted({label for count in counts.values() for label in count if canonical(label) not in sayable})
    if not missing:
        return []
    totals = {split: sum(count[label] for label in missing) for split, count in counts.items()}
    missed = [f"{counted(total, 'gold entity')} in {split}" for split, total in totals.items() if total]
    return [f"{data.name}: no source knows {', '.join(missing)}: {' and '.join(missed)} can only be missed"]


def note_near_labels(data: DomainData) -> list[str]:
    """One note per pair of labels with nearly the same name, over all splits; each stays a label of its own."""
    return [f"{data.name}: {pair}" for pair in near_labels(_count([*data.train, *data.dev, *data.test]))]


def note_overlap(data: DomainData) -> list[str]:
    """A note per scored split that shares sentences with train; they stay, and scores on them flatter."""
    seen = {sentence.words for sentence in data.train}
    notes = []
    for split, sentences in (("dev", data.dev), ("test", data.test)):
        shared = sum(sentence.words in seen for sentence in sentences)
        if shared:
            size = counted(len(sentences), f"{split} sentence")
            notes.append(f"{data.name}: {shared} of {size} found in train too (kept)")
    return notes


def note_without_entities(name: str, splits: Mapping[str, Sequence[Sentence]]) -> list[str]:
    """A note per scored split of the data `name` without any entity: nothing in it can be found."""
    return [
        f"{name}: no {split} sentence has an entity; an F1 of 0.00 there says nothing, for nothing can be found"
        for split, sentences in splits.items()
        if sentences and not any(sentence.spans for sentence in sentences)
    ]


def note_small_dev(data: DomainData, stage: StageKind, *, held_out: str | None) -> list[str]:
    """A note when the dev sentences that the weights of `stage` are chosen on have too few entities to tell them apart.

    With 30 entities, one more or less is three points of recall. held_out: the key of how much, where dev is a part of
    train.
    """
    entities = sum(len(sentence.spans) for sentence in data.dev)
    if entities >= FEW_ENTITIES:
        return []
    more = f"label a dev file, hold out more (--set {held_out}=0.3)" if held_out else "label more dev sentences"
    size = f"{counted(len(data.dev), 'dev sentence')} with {counted(entities, 'entity')}"
    fixed = f"--set training.{stage}.selection=last"
    if stage != "joint":  # which is as long as what it learns from needs
        fixed += f" --set training.{stage}.epochs=20, or 60 with word vectors"
    return [
        f"{data.name}: the weights are chosen on {size}, fewer than {FEW_ENTITIES}, so mostly by chance; {more}, or "
        f"train a fixed number of epochs ({fixed})"
    ]


def _count(sentences: Sequence[Sentence]) -> Counter[str]:
    return Counter(span.label for sentence in sentences for span in sentence.spans)
