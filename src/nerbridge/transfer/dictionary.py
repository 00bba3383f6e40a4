"""Raw text in which the words of a dictionary have their label, and all others none (Jia and Zhang 2020, section 3.2).

An entity dictionary holds names and single words of names ("Institute" is of an organisation); what is learnt from it
is the label of words, so it does not matter where names begin and end.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nerbridge.config.dictionary import DictionarySettings
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.matching_names import BROADER, FormBuilder, NameForms, broader_labels
from nerbridge.corpus.matching_ordinary import candidates, count_forms
from nerbridge.data.labels import LabelSet, canonical
from nerbridge.data.near_labels import with_nearest
from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError
from nerbridge.transfer.dictionary_finds import find_names, told


@dataclass(frozen=True)
class Dictionary:
    """Names with their labels, and how they are looked for."""

    names: Gazetteer
    settings: DictionarySettings


def label_words(
    sentences: Sequence[Sentence], dictionary: Dictionary, labels: LabelSet, domain: str, tagged_by: str | None = None
) -> tuple[tuple[Sentence, ...], list[str]]:
    """The words of `sentences`, those that are names of one of `labels` known, all others unknown; and what was found.

    A list of a label that `labels` lack counts for the nearest broader one that they have: politicians are persons.
    What the sentences themselves say of their labels is dropped. domain: for messages. tagged_by: the domain whose
    labels they are; None: `domain`.
    Raises DataError when no name of the dictionary has one of the labels.
    """
    whose = tagged_by or domain
    names, renamed = dictionary.names.respelled(labels.names)
    raised = broader_labels(names.labels, labels.names, dictionary.settings.broader)
    lost = _unknown_holders(dictionary.settings.broader, (*labels.names, *names.labels))
    names = names.renamed(raised)
    own, others = names.parted(labels)
    lacking = [label for label in names.labels if label not in labels]
    if not own.labels:
        raise _no_label(names, labels, domain, whose)
    forms = _forms(own, others, dictionary.settings, sentences)
    found, labelled = find_names(sentences, forms)
    notes = [f"{domain}: label '{old}' of the dictionary is read as '{new}'" for old, new in sorted(renamed.items())]
    if raised:
        counting = ", ".join(f"{label} as {above}" for label, above in raised.items())
        notes.append(f"{domain}: lists of the dictionary that count for a broader label of {whose}: {counting}")
    if lacking:
        left_out = f"lists of the dictionary left out, for {whose} lacks their labels"
        notes.append(f"{domain}: {left_out}: {with_nearest(lacking, labels.names)}")
    notes += [f"{domain}: {line}" for line in lost]
    notes += [f"{domain}: names of the dictionary: {line}" for line in forms.counts.report()]
    notes += [f"{domain}: {line}" for line in told(found, own.labels, labelled)]
    return labelled, notes


def _forms(own: Gazetteer, others: Gazetteer, settings: DictionarySettings, sentences: Sequence[Sentence]) -> NameForms:
    """What is looked for: the names of `own` labels, and longer ones of `others`, which have no label here.

    London is no place in London Imperial College, whether the tagger knows universities or not.
    """
    frequencies: Counter[str] = Counter()
    if settings.ordinary != "keep" and settings.ordinary_by == "corpus":
        frequencies, _ = count_forms((sentence.words for sentence in sentences), candidates(own.names))
    forms = FormBuilder(own, settings.matching, frequencies).build()
    anyhow = settings.matching.model_copy(update={"ambiguous": "any"})
    longer = (form for form in FormBuilder(others, anyhow).build().forms if " " in form)
    return replace(forms, forms={**dict.fromkeys(longer, 0), **forms.forms})


def _unknown_holders(broader: Mapping[str, str], known: Sequence[str]) -> list[str]:
    """What is said of labels that a setting calls broader and that nobody has: slips."""
    reached = {canonical(label) for label in (*known, *BROADER, *BROADER.values(), *broader)}
    lost = sorted({label for label in broader.values() if canonical(label) not in reached})
    said = "transfer.dictionary.broader: no list and no label of the tagger is called"
    return [f"{said} {with_nearest([label], known)}" for label in lost]


def _no_label(names: Gazetteer, labels: LabelSet, domain: str, whose: str) -> DataError:
    tagging = "" if whose == domain else f", whose head tags {domain}"
    return DataError(
        f"no list of the dictionary is of a label of {whose}{tagging}: {', '.join(names.labels)}",
        where="transfer.dictionary.files",
        expected=f"lists named for labels: {', '.join(labels.names)}",
        hint="rename the lists: the name of a list <label>.txt is its label; or name the label that theirs is a kind "
        "of: --set transfer.dictionary.broader.guitarist=person",
    )
