"""The record of a selection: sizes of the levels as in table 3 of CrossNER, names by label, sentences to look at."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from nerbridge.corpus.gazetteer import labels_of_bits
from nerbridge.corpus.matching_names import NameForms
from nerbridge.corpus.selection_choice import KINDS, Survey
from nerbridge.corpus.tally import Size
from nerbridge.wording import counted

FREQUENT = 15  # names of each label


def levels_record(survey: Survey, task_copies: int) -> dict[str, dict[str, Any]]:
    """Level -> documents, sentences, words, and the ratio of its words to those of the domain level (table 3).

    The integrated level is the entity level and `task_copies` copies of the task level; what they share stays.
    """
    sizes = dict(survey.levels)
    sizes["integrated"] = Size()
    sizes["integrated"].include(sizes["entity"])
    for _ in range(task_copies):
        sizes["integrated"].include(sizes["task"])
    whole = sizes["domain"].words
    return {
        level: {
            "documents": size.documents,
            "sentences": size.sentences,
            "words": size.words,
            "ratio": round(size.words / whole, 4) if whole else 0.0,
        }
        for level, size in sizes.items()
    }


def matches_record(survey: Survey, forms: NameForms) -> dict[str, Any]:
    """What was found: matches, distinct written forms, matches of each label, and the most frequent of each.

    several: the labels of those of the most frequent that have more than one.
    """
    patterns, bits = list(forms.forms), list(forms.forms.values())
    by_label: dict[str, Counter[str]] = {label: Counter() for label in forms.labels}
    for number, count in survey.hits.items():
        for label in labels_of_bits(forms.labels, bits[number]):
            by_label[label][patterns[number]] += count
    frequent = {label: dict(found.most_common(FREQUENT)) for label, found in by_label.items()}
    shown = sorted({name for found in frequent.values() for name in found})
    labels = {name: labels_of_bits(forms.labels, forms.forms[name]) for name in shown}
    return {
        "matches": sum(survey.hits.values()),
        "written_forms_found": len(survey.hits),
        "matches_by_label": {label: found.total() for label, found in by_label.items()},
        "frequent": frequent,
        "several": {name: list(own) for name, own in labels.items() if len(own) > 1},
    }


def examples_record(survey: Survey) -> dict[str, list[str]]:
    """A few sentences of each kind, drawn with the seed, their names marked: '[Ada Lovelace|person] wrote .'"""
    return {kind: [text for _, text in survey.examples[choice]] for kind, choice in KINDS.items()}


def survey_record(survey: Survey, forms: NameForms, task_copies: int) -> dict[str, Any]:
    """Everything that was found, as JSON."""
    return {
        "levels": levels_record(survey, task_copies),
        **matches_record(survey, forms),
        "examples": examples_record(survey),
    }


def unfound(record: Mapping[str, Any]) -> list[str]:
    """A line about the labels of lists of which no name was found; none where every label has one."""
    names: Mapping[str, int] = record["gazetteer"]["names"]
    looked_for: Sequence[str] = record["gazetteer"].get("labels_looked_for", ())  # earlier versions kept none
    nowhere = [
        f"{label} ({counted(names[label], 'name')})" for label in looked_for if not record["matches_by_label"][label]
    ]
    return [f"no name of these labels was found in the text: {', '.join(nowhere)}"] if nowhere else []


def level_sizes(record: Mapping[str, Any]) -> dict[str, Size]:
    """Level -> its size, out of a record."""
    keys = asdict(Size())
    return {level: Size(**{key: row.get(key, 0) for key in keys}) for level, row in record["levels"].items()}
