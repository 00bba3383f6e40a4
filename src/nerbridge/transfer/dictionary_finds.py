"""What of a dictionary stands in raw text: the words that are known by it, and what is said of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from nerbridge.corpus.gazetteer import SHOWN, such_as
from nerbridge.corpus.matching import Matcher
from nerbridge.corpus.matching_names import NameForms
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.wording import counted


@dataclass
class Finds:
    """names: how many were found of each label; several: with more than one.

    covered: names that stand inside a longer one of a list that is left out; longer: how often which of those.
    """

    names: Counter[str] = field(default_factory=Counter)
    several: int = 0
    covered: int = 0
    longer: Counter[str] = field(default_factory=Counter)


def find_names(sentences: Sequence[Sentence], forms: NameForms) -> tuple[Finds, tuple[Sentence, ...]]:
    """What was found, and the sentences with it."""
    matcher, found = Matcher(forms), Finds()
    labelled: list[Sentence] = []
    for sentence in sentences:
        matches = matcher.matches(sentence.words)
        spans = [Span(match.start, match.end, match.labels[0]) for match in matches if len(match.labels) == 1]
        found.names.update(span.label for span in spans)
        found.several += sum(len(match.labels) > 1 for match in matches)
        for match in (match for match in matches if not match.labels):
            inside = _names_inside(sentence.words[match.start : match.end], forms)
            found.covered += inside
            if inside:
                found.longer[" ".join(sentence.words[match.start : match.end])] += 1
        labelled.append(_labelled(sentence.words, spans))
    return found, tuple(labelled)


def _names_inside(words: Sequence[str], forms: NameForms) -> int:
    """How many names of labels stand in `words`, one of them behind another."""
    spelled = [word.lower() for word in words] if forms.fold else words
    number, start = 0, 0
    while start < len(spelled):
        ends = range(len(spelled), start, -1)
        end = next((end for end in ends if forms.forms.get(" ".join(spelled[start:end]))), None)
        number += end is not None
        start = start + 1 if end is None else end
    return number


def told(found: Finds, labels: Sequence[str], labelled: Sequence[Sentence]) -> list[str]:
    """What is said of the finds. labels: that have lists."""
    names = {label: found.names[label] for label in sorted(labels)}
    words = sum(span.end - span.start for one in labelled for span in one.spans)
    each = ", ".join(f"{label} {number:,}" for label, number in names.items())
    finds, of = counted(sum(names.values()), "name"), counted(sum(map(len, labelled)), "word")
    lines = [f"the dictionary finds {finds} in raw text, {each}; {words:,} of {of} are known by them"]
    if not words:
        lines.append(f"the dictionary teaches nothing; {_nothing_found(found)}")
    if found.several:
        lines.append(f"{counted(found.several, 'find')} of the dictionary with several labels left unknown")
    if found.covered:
        examples = such_as(name for name, _ in found.longer.most_common(SHOWN))
        finds = counted(found.covered, "find")
        lines.append(f"{finds} of the dictionary left unknown inside longer names of lists that are left out{examples}")
    return lines


def _nothing_found(found: Finds) -> str:
    """Why that may be."""
    if found.covered and not found.several:
        return "what it finds stands inside longer names of lists that are left out"
    if found.several:
        return "what it finds is in the lists of several labels: take such names out of all but one"
    return (
        "its names must stand in the text as whole words between spaces or punctuation, written as "
        'transfer.dictionary.case says ("lower": capitals do not matter)'
    )


def _labelled(words: tuple[str, ...], spans: Sequence[Span]) -> Sentence:
    if not spans:
        return Sentence(words, annotation=Annotation.NONE)
    known = [False] * len(words)
    for span in spans:
        known[span.start : span.end] = [True] * (span.end - span.start)
    return Sentence(words, tuple(spans), Annotation.PARTIAL, tuple(known))
