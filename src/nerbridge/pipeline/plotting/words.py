"""Which words a picture of states shows."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nerbridge.data.labels import LabelSet, respell
from nerbridge.data.sentence import Annotation, Sentence, labels_of
from nerbridge.errors import DataError
from nerbridge.wording import counted

OUTSIDE = "O"  # what words outside all entities are called


@dataclass(frozen=True)
class Choice:
    """Of each data set at most `sentences` sentences and of these at most `words` words, drawn with `seed`.

    outside: words outside all entities too, else those of entities alone.
    """

    sentences: int = 500
    words: int = 1000
    outside: bool = False
    seed: int = 1


@dataclass(frozen=True)
class Labelled:
    """Sentences under the name of their data set, which tells domains apart.

    domain: what training calls the data set; empty: they are of the domain that a tagger is for.
    """

    name: str
    sentences: Sequence[Sentence]
    domain: str = ""


@dataclass(frozen=True, slots=True)
class ChosenWord:
    """A word that is shown. domain: name of its data set. sentence, place: from 0. label: of its entity, or O."""

    domain: str
    sentence: int
    place: int
    text: str
    label: str


def choose_words(data: Labelled, choice: Choice, known: LabelSet, aliases: Mapping[str, str]) -> list[ChosenWord]:
    """The words of one data set, in order; labels are spelled as the model spells them (`known`, `aliases`).

    Raises DataError where no word can be shown.
    """
    chance = random.Random(choice.seed)
    labels = LabelSet.of(labels_of(data.sentences))
    renames = respell(labels, known, aliases=aliases, sentences=data.sentences, data=data.name)
    drawn = sorted(chance.sample(range(len(data.sentences)), min(choice.sentences, len(data.sentences))))
    found = [
        ChosenWord(data.name, number, place, data.sentences[number].words[place], renames.get(label, label))
        for number in drawn
        for place, label in _labels(data.sentences[number]).items()
        if choice.outside or label != OUTSIDE
    ]
    if not found:
        raise DataError(
            f"there is no word to show in {counted(len(drawn), 'sentence')} of '{data.name}'",
            where=str(data.sentences[0].origin or data.name) if data.sentences else data.name,
            expected="labelled sentences with entities",
            hint="name other data with --data, more --sentences, or show words outside entities too: --outside",
        )
    kept = sorted(chance.sample(range(len(found)), min(choice.words, len(found))))
    return [found[number] for number in kept]


def _labels(sentence: Sentence) -> dict[int, str]:
    """The label of every word whose label is known."""
    if sentence.annotation is Annotation.NONE:
        return {}
    known = sentence.known or (True,) * len(sentence)
    labels = {place: OUTSIDE for place, one in enumerate(known) if one}
    for span in sentence.spans:
        labels |= dict.fromkeys(range(span.start, span.end), span.label)
    return labels
