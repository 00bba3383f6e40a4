"""Names in raw text: what is found is known, the rest is not; nothing else that a sentence says is kept."""

from collections.abc import Mapping
from typing import Any

import pytest

from builders import sentence
from nerbridge.config.dictionary import DictionarySettings
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.errors import DataError
from nerbridge.transfer.dictionary import Dictionary, label_words

LABELS = LabelSet.of(["PER", "LOC", "ORG"])


def dictionary(names: Mapping[str, tuple[str, ...]], **settings: Any) -> Dictionary:
    labels = tuple(dict.fromkeys(label for found in names.values() for label in found))
    bits = {name: sum(1 << labels.index(label) for label in found) for name, found in names.items()}
    return Dictionary(Gazetteer(labels, bits), DictionarySettings(files=("names",), **settings))


def raw(text: str) -> Sentence:
    return sentence(text, annotation=Annotation.NONE)


def test_found_words_are_known_and_no_other() -> None:
    names = {"Ada Lovelace": ("person",), "London": ("location",), "Ada": ("person",)}
    text = [raw("the poet Ada Lovelace saw London"), raw("it rained")]
    (first, second), notes = label_words(text, dictionary(names), LABELS, "poems")
    assert first.spans == (Span(2, 4, "PER"), Span(5, 6, "LOC"))
    assert first.annotation is Annotation.PARTIAL
    assert first.known == (False, False, True, True, False, True)
    assert second == raw("it rained")
    assert notes == [
        "poems: label 'location' of the dictionary is read as 'LOC'",
        "poems: label 'person' of the dictionary is read as 'PER'",
        "poems: the dictionary finds 2 names in raw text, LOC 1, PER 1; 3 of 8 words are known by them",
    ]


def test_gold_labels_of_the_text_are_dropped() -> None:
    gold = sentence("Bob saw Rome", (0, 1, "PER"), (2, 3, "LOC"))
    (found,), _ = label_words([gold], dictionary({"Rome": ("location",)}), LABELS, "poems")
    assert found.spans == (Span(2, 3, "LOC"),)
    assert found.known == (False, False, True)


def test_names_of_several_labels_are_unknown_unless_one_alone_is_of_the_target() -> None:
    names = {"Paris": ("location", "person"), "Java": ("language", "location")}
    (found,), notes = label_words([raw("in Paris and Java")], dictionary(names), LABELS, "poems")
    assert found.spans == (Span(3, 4, "LOC"),)
    assert notes[-4:] == [
        "poems: lists of the dictionary left out, for poems lacks their labels: language",
        "poems: names of the dictionary: 1 of several labels",
        "poems: the dictionary finds 1 name in raw text, LOC 1, PER 0; 1 of 4 words are known by them",
        "poems: 1 find of the dictionary with several labels left unknown",
    ]


@pytest.mark.parametrize("ambiguous", ["sure", "drop"])
def test_lists_that_are_left_out_take_no_name_away(ambiguous: str) -> None:
    """Not as a narrower label, nor as one of several."""
    names = {"Ada Lovelace": ("person", "researcher"), "Alan Turing": ("person",), "Paris": ("location", "myth")}
    text = raw("Ada Lovelace and Alan Turing in Paris")
    (found,), notes = label_words([text], dictionary(names, ambiguous=ambiguous), LABELS, "poems")
    assert found.spans == (Span(0, 2, "PER"), Span(3, 5, "PER"), Span(6, 7, "LOC"))
    assert notes[-3:] == [
        "poems: lists of the dictionary that count for a broader label of poems: researcher as PER",
        "poems: lists of the dictionary left out, for poems lacks their labels: myth",
        "poems: the dictionary finds 3 names in raw text, LOC 1, PER 2; 5 of 7 words are known by them",
    ]


def test_lists_of_narrower_labels_count_for_the_nearest_that_the_tagger_has() -> None:
    names = {"Ann Poe": ("politician",), "Bob Low": ("minister",), "Oslo": ("country",), "Ode": ("poem",)}
    text, broader = raw("Ann Poe and Bob Low in Oslo with Ode"), {"minister": "politician"}
    (found,), notes = label_words([text], dictionary(names, broader=broader), LABELS, "poems")
    assert found.spans == (Span(0, 2, "PER"), Span(3, 5, "PER"), Span(6, 7, "LOC"))
    assert notes[:2] == [
        "poems: lists of the dictionary that count for a broader label of poems: "
        "politician as PER, minister as PER, country as LOC",
        "poems: lists of the dictionary left out, for poems lacks their labels: poem",
    ]


def test_a_name_of_two_labels_that_count_for_one_has_it_and_of_two_apart_has_none() -> None:
    names = {"Ann Poe": ("politician", "writer"), "Queen": ("band", "musicalartist")}
    (found,), notes = label_words([raw("Ann Poe and Queen")], dictionary(names), LABELS, "poems")
    assert found.spans == (Span(0, 2, "PER"),)
    assert notes[-1] == "poems: 1 find of the dictionary with several labels left unknown"


def test_of_labels_that_the_tagger_has_the_narrower_counts() -> None:
    labels, names = LabelSet.of(["person", "researcher"]), {"Ada": ("person", "researcher", "poet")}
    (found,), _ = label_words([raw("saw Ada")], dictionary(names), labels, "poems")
    assert found.spans == (Span(1, 2, "researcher"),)


@pytest.mark.parametrize("ambiguous", ["sure", "drop"])
def test_longer_names_of_lists_that_are_left_out_keep_the_shorter_ones_in_them_unknown(ambiguous: str) -> None:
    names = {"London": ("location",), "London Imperial Review": ("magazine",)}
    names |= {"Hilton": ("organisation",), "Paris Hilton": ("celebrity", "heir")}
    text = [raw("London Imperial Review saw London"), raw("Paris Hilton sang")]
    (one, other), notes = label_words(text, dictionary(names, ambiguous=ambiguous), LABELS, "poems")
    assert one.spans == (Span(4, 5, "LOC"),)
    assert other == text[1]
    assert not [note for note in notes if "several labels" in note]
    assert notes[-1] == (
        "poems: 2 finds of the dictionary left unknown inside longer names of lists that are left out "
        "(such as 'London Imperial Review', 'Paris Hilton')"
    )


def test_a_dictionary_whose_names_all_stand_in_longer_ones_teaches_nothing_and_says_why() -> None:
    names = {"Kerr": ("person",), "Sam": ("person",), "Sam Kerr": ("persons",)}
    (found,), notes = label_words([raw("then Sam Kerr scored")], dictionary(names), LabelSet.of(["person"]), "games")
    assert found.spans == ()
    assert "games: lists of the dictionary left out, for games lacks their labels: persons (is it 'person'?)" in notes
    assert notes[-2:] == [
        "games: the dictionary teaches nothing; what it finds stands inside longer names of lists that are left out",
        "games: 2 finds of the dictionary left unknown inside longer names of lists that are left out "
        "(such as 'Sam Kerr')",
    ]


@pytest.mark.parametrize("case", ["smart", "lower"])
def test_names_inside_longer_ones_are_counted_however_they_are_written(case: str) -> None:
    names = {"new york": ("location",), "new york times": ("magazine",)}
    _, notes = label_words([raw("the new york times")], dictionary(names, case=case), LABELS, "news")
    assert notes[-1].startswith("news: 1 find of the dictionary left unknown inside longer names")


def test_broader_labels_that_nobody_has_are_pointed_out() -> None:
    names, broader = {"Ada": ("person",), "Celtic": ("club",)}, {"club": "zebra", "minister": "politician"}
    _, notes = label_words([raw("saw Ada")], dictionary(names, broader=broader), LabelSet.of(["person"]), "games")
    assert notes[:2] == [
        "games: lists of the dictionary left out, for games lacks their labels: club",
        "games: transfer.dictionary.broader: no list and no label of the tagger is called zebra",
    ]


def test_what_is_left_out_is_told_of_the_domain_whose_labels_count() -> None:
    names = {"Ada": ("person",), "Java": ("language",)}
    _, notes = label_words([raw("saw Ada")], dictionary(names), LABELS, "crossner/ai", "conll2003")
    assert "crossner/ai: lists of the dictionary left out, for conll2003 lacks their labels: language" in notes
    with pytest.raises(DataError) as caught:
        label_words([raw("saw Ada")], dictionary({"Java": ("language",)}), LABELS, "crossner/ai", "conll2003")
    assert str(caught.value).startswith(
        "no list of the dictionary is of a label of conll2003, whose head tags crossner/ai: language\n"
    )


@pytest.mark.parametrize(("ordinary", "found"), [("keep", 2), ("inner", 1), ("drop", 0)])
def test_names_that_are_ordinary_words(ordinary: str, found: int) -> None:
    text = [raw("Will came"), raw("then Will came")]
    (one, other), _ = label_words(text, dictionary({"Will": ("person",)}, ordinary=ordinary), LABELS, "poems")
    assert len(one.spans) + len(other.spans) == found


def test_a_dictionary_of_other_labels_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        label_words([raw("it rained")], dictionary({"Rome": ("river",)}), LABELS, "poems")
    assert str(caught.value) == (
        "no list of the dictionary is of a label of poems: river\n"
        "  where: transfer.dictionary.files\n"
        "  expected: lists named for labels: LOC, ORG, PER\n"
        "  hint: rename the lists: the name of a list <label>.txt is its label; or name the label that theirs is a "
        "kind of: --set transfer.dictionary.broader.guitarist=person"
    )


def test_names_that_are_not_looked_for_are_counted() -> None:
    names = {"Will": ("person",), "Paris": ("location", "person"), "Ada": ("person",)}
    _, notes = label_words(
        [raw("then Will saw Ada in Paris")],
        dictionary(names, ordinary="drop", ambiguous="drop"),
        LABELS,
        "poems",
    )
    assert notes[-3:] == [
        "poems: names of the dictionary: 1 left out: ordinary words (such as 'Will')",
        "poems: names of the dictionary: 1 left out: in the lists of several labels (such as 'Paris')",
        "poems: the dictionary finds 1 name in raw text, LOC 0, PER 1; 1 of 6 words are known by them",
    ]


def test_a_dictionary_that_finds_nothing_is_pointed_out() -> None:
    names = {"Ada": ("person",), "Rome": ("location", "person")}
    _, notes = label_words([raw("it rained")], dictionary(names), LABELS, "poems")
    assert notes[-2:] == [
        "poems: the dictionary finds 0 names in raw text, LOC 0, PER 0; 0 of 2 words are known by them",
        "poems: the dictionary teaches nothing; its names must stand in the text as whole words between spaces or "
        'punctuation, written as transfer.dictionary.case says ("lower": capitals do not matter)',
    ]
    _, notes = label_words([raw("in Rome it rained")], dictionary(names), LABELS, "poems")
    assert (
        "poems: the dictionary teaches nothing; what it finds is in the lists of several labels: take such names out "
        "of all but one"
    ) in notes
