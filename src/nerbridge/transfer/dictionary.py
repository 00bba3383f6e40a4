"""Raw text in which the words of a dictionary have their label, and all others none (Jia and Zhang 2020, section 3.2).

An entity dictionary holds names and single words of names ("Institute" is of an organisation); what is learnt from it
is the label of words, so it does not matter where names begin and end.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nerbridge.config.dictionary import DictionarySettings
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.matching import Match, Matcher
from nerbridge.corpus.matching_names import FormBuilder, NameForms
from nerbridge.corpus.matching_ordinary import candidates, count_forms
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.errors import DataError
from nerbridge.wording import counted


@dataclass(frozen=True)
class Dictionary:
    """Names with their labels, and how they are looked for."""

    names: Gazetteer
    settings: DictionarySettings


def label_words(
    sentences: Sequence[Sentence], dictionary: Dictionary, labels: LabelSet, domain: str
) -> tuple[tuple[Sentence, ...], list[str]]:
    """The words of `sentences`, those that are names of one of `labels` known, all others unknown; and what was found.

    What the sentences themselves say of their labels is dropped. domain: for messages.
    Raises DataError when no name of the dictionary has one of the labels.
    """
    names, renamed = dictionary.names.respelled(labels.names)
    lacking = [label for label in names.labels if label not in labels]
    if len(lacking) == len(names.labels):
        raise _no_label(names, labels, domain)
    forms = _forms(names, dictionary.settings, sentences)
    matcher = Matcher(forms)
    found: Counter[str] = Counter()
    several = 0
    labelled: list[Sentence] = []
    for sentence in sentences:
        matches = matcher.matches(sentence.words)
        spans = [span for match in matches if (span := _span(match, labels)) is not None]
        several += sum(len(set(match.labels) & set(labels.names)) > 1 for match in matches)
        found.update(span.label for span in spans)
        labelled.append(_labelled(sentence.words, spans))
    words = sum(span.end - span.start for one in labelled for span in one.spans)
    notes = [f"{domain}: label '{old}' of the dictionary is read as '{new}'" for old, new in sorted(renamed.items())]
    if lacking:
        notes.append(f"{domain}: lists of the dictionary left out, for it lacks their labels: {', '.join(lacking)}")
    notes += [f"{domain}: names of the dictionary: {line}" for line in forms.counts.report()]
    each = ", ".join(f"{label} {found[label]:,}" for label in labels.names if label in names.labels)
    finds, of = counted(found.total(), "name"), counted(sum(map(len, sentences)), "word")
    notes.append(f"{domain}: the dictionary finds {finds} in raw text, {each}; {words:,} of {of} are known by them")
    if not found:
        notes.append(f"{domain}: the dictionary teaches nothing; {_nothing_found(several)}")
    if several:
        notes.append(f"{domain}: {counted(several, 'find')} of the dictionary with several labels left unknown")
    return tuple(labelled), notes


def _forms(names: Gazetteer, settings: DictionarySettings, sentences: Sequence[Sentence]) -> NameForms:
    frequencies: Counter[str] = Counter()
    if settings.ordinary != "keep" and settings.ordinary_by == "corpus":
        frequencies, _ = count_forms((sentence.words for sentence in sentences), candidates(names.names))
    return FormBuilder(names, settings.matching, frequencies).build()


def _nothing_found(several: int) -> str:
    """Why that may be."""
    if several:
        return "what it finds is in the lists of several labels: take such names out of all but one"
    return (
        "its names must stand in the text as whole words between spaces or punctuation, written as "
        'transfer.dictionary.case says ("lower": capitals do not matter)'
    )


def _span(match: Match, labels: LabelSet) -> Span | None:
    """The match as a span of its label; None where it has none of the labels, or several."""
    own = [label for label in match.labels if label in labels]
    return Span(match.start, match.end, own[0]) if len(own) == 1 else None


def _labelled(words: tuple[str, ...], spans: Sequence[Span]) -> Sentence:
    if not spans:
        return Sentence(words, annotation=Annotation.NONE)
    known = [False] * len(words)
    for span in spans:
        known[span.start : span.end] = [True] * (span.end - span.start)
    return Sentence(words, tuple(spans), Annotation.PARTIAL, tuple(known))


def _no_label(names: Gazetteer, labels: LabelSet, domain: str) -> DataError:
    return DataError(
        f"no list of the dictionary is of a label of {domain}: {', '.join(names.labels)}",
        where="transfer.dictionary.files",
        expected=f"lists named for labels: {', '.join(labels.names)}",
        hint="rename the lists: the name of a list <label>.txt is its label",
    )
