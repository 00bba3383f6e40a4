"""How names are written in text, which of their labels count, and which of them are ordinary words."""

import re
from collections.abc import Iterable

import pytest
from pydantic import ValidationError

from nerbridge.config.gazetteer import GazetteerSettings
from nerbridge.corpus.gazetteer import Gazetteer, labels_of_bits
from nerbridge.corpus.matching_forms import case_forms, noun_forms, noun_labels, word_forms
from nerbridge.corpus.matching_names import FormBuilder, NameForms, broader_bits
from nerbridge.corpus.matching_ordinary import candidates, count_forms, in_list, written_small


def gazetteer(**lists: Iterable[str]) -> Gazetteer:
    """Names by label."""
    names: dict[str, int] = {}
    for place, entries in enumerate(lists.values()):
        for name in entries:
            names[name] = names.get(name, 0) | 1 << place
    return Gazetteer(tuple(lists), names)


def forms(names: Gazetteer, frequencies: dict[str, int] | None = None, **settings: object) -> NameForms:
    return FormBuilder(names, GazetteerSettings.model_validate(settings), frequencies).build()


@pytest.mark.parametrize(
    ("name", "smart"),
    [
        ("Random forest", {"Random forest"}),
        ("neural network", {"neural network", "Neural network"}),
        ("The Who", {"The Who", "the Who"}),
        ("De Gaulle", {"De Gaulle", "de Gaulle"}),
        ("Ada Lovelace", {"Ada Lovelace"}),
        ("Queen", {"Queen"}),
        ("IT systems", {"IT systems"}),
        ("piano", {"piano"}),
        ("北京 大学", {"北京 大学"}),
    ],
)
def test_the_first_letter_is_free_where_text_changes_it(name: str, smart: set[str]) -> None:
    assert set(case_forms(name, "smart")) == smart
    assert case_forms(name, "exact") == (name,)
    assert case_forms(name, "lower") == (name.lower(),)


@pytest.mark.parametrize(
    ("name", "forms"),
    [
        ("Kinesiology", {"Kinesiology", "kinesiology"}),
        ("Random forest", {"Random forest", "random forest"}),
        ("piano", {"piano", "Piano"}),
        ("BERT", {"BERT"}),
        ("Markov Chain", {"Markov Chain"}),
        ("'68 uprising", {"'68 uprising"}),
        ("方法", {"方法"}),
    ],
)
def test_nouns_may_be_small_or_large(name: str, forms: set[str]) -> None:
    assert set(noun_forms(name)) == forms


def test_labels_of_nouns_are_found_by_their_longer_names() -> None:
    fields = [f"Science of {thing}" for thing in ("stones", "plants", "stars", "words")]
    names = gazetteer(field=["Random forest", *fields, "Blues"], person=["Ada Lovelace"] * 1, few=["Deep sea"])
    assert labels_of_bits(names.labels, noun_labels(names)) == ("field",)
    assert "blues" in forms(names).forms
    assert FormBuilder(names, GazetteerSettings()).nouns == ("field",)


@pytest.mark.parametrize(
    ("name", "cuts"),
    [
        ("New York", ["New York"]),
        ("AC/DC", ["AC/DC", "AC / DC"]),
        ("Guns N' Roses", ["Guns N' Roses", "Guns N ' Roses"]),
        ("St. Louis", ["St. Louis"]),
        ("(What's the Story)", ["(What's the Story)", "( What 's the Story )"]),
        ("a.*b", ["a.*b", "a . * b"]),
    ],
)
def test_names_are_cut_as_they_stand_and_by_rules(name: str, cuts: list[str]) -> None:
    assert list(word_forms(name)) == cuts


def test_the_narrower_label_counts() -> None:
    names = gazetteer(person=["Ada", "Bo"], politician=["Ada"], location=["Oslo"], country=["Oslo"])
    built = forms(names)
    assert {form: labels_of_bits(built.labels, bits) for form, bits in built.forms.items()} == {
        "Ada": ("politician",),
        "Bo": ("person",),
        "Oslo": ("country",),
    }
    assert built.counts.changed["of a label and a broader one: the narrower counts"] == 2


@pytest.mark.parametrize("spelling", ["organisation", "organization", "ORG"])
def test_the_broader_label_may_be_spelled_as_the_target_spells_it(spelling: str) -> None:
    names = gazetteer(
        **{"university": ["Harvard"], spelling: ["Harvard", "Oxfam"], "person": ["Ada"], "writer": ["Ada"]}
    )
    built = forms(names)
    assert {form: labels_of_bits(built.labels, bits) for form, bits in built.forms.items()} == {
        "Harvard": ("university",),
        "Oxfam": (spelling,),
        "Ada": ("writer",),
    }
    assert forms(gazetteer(shop=["Tesco"], ORG=["Tesco"]), broader={"shop": "organisation"}).forms == {"Tesco": 0b01}


def test_broader_labels_of_the_user_and_circles() -> None:
    assert broader_bits(("a", "b", "c"), {"a": "b", "b": "c", "c": "a"}) == [(1, 0b110), (2, 0b101), (4, 0b011)]
    assert broader_bits(("a", "b"), {"a": "x"}) == []
    assert broader_bits(("a", "c"), {"a": "b", "b": "c"}) == [(1, 0b10)]  # through a label without a list
    assert broader_bits(("a", "c"), {"a": "b", "b": "b"}) == []
    names = gazetteer(a=["Ada"], b=["Ada"])
    assert forms(names, broader={"a": "b"}).forms == {"Ada": 0b01}


@pytest.mark.parametrize(
    ("broader", "told"),
    [
        ({"elf": "fay", "fay": "elf"}, "'elf' leads in a circle: elf -> fay, fay -> elf"),
        ({"person": "person"}, "'person' leads in a circle: person -> person"),
        ({"": "person"}, "a label is empty"),
        ({"elf": ""}, "a label is empty"),
    ],
)
def test_broader_labels_that_lead_nowhere_are_refused(broader: dict[str, str], told: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(told)):
        GazetteerSettings(broader=broader)


def test_names_of_several_labels_can_be_left_out() -> None:
    names = gazetteer(song=["Oslo", "Kyrie"], city=["Oslo"])
    assert set(forms(names).forms) == {"Oslo", "Kyrie"}
    dropped = forms(names, ambiguous="drop")
    assert set(dropped.forms) == {"Kyrie"}
    assert dropped.counts.report() == ["1 left out: in the lists of several labels (such as 'Oslo')"]


def test_the_corpus_tells_ordinary_words() -> None:
    sentences = [
        ["The", "train", "stopped", "."],
        ["Train", "played", "Hey", ",", "Soul", "Sister", "."],
        ["A", "train", "to", "Train", ",", "a", "train"],
    ]
    wanted = candidates(["Train", "Soul Sister", "piano", "Oslo"])
    assert wanted == {"Train", "train", "Oslo", "oslo"}
    counts, words = count_forms(sentences, wanted)
    assert (counts, words) == ({"train": 3, "Train": 1}, 18)
    assert written_small("Train", counts)
    assert not written_small("Oslo", counts)
    assert not written_small("piano", {"piano": 9})
    assert count_forms(sentences, wanted, limit=4)[1] == 4


@pytest.mark.parametrize(
    ("name", "small", "ordinary"),
    [
        ("Queen", False, True),
        ("that is", True, True),
        ("That Is", False, False),
        ("Ada", False, False),
        ("language model", True, False),
    ],
)
def test_the_list_tells_ordinary_words(name: str, small: bool, ordinary: bool) -> None:
    assert in_list(name, small=small) is ordinary


def test_acronyms_are_no_ordinary_words() -> None:
    names = gazetteer(organisation=["WHO", "Who", "US", "I"])
    counts = {"who": 9, "us": 9}
    assert set(forms(names, counts).forms) == {"WHO", "US"}
    assert forms(gazetteer(organisation=["WHO", "ACM"]), counts, case="lower").forms == {"acm": 1}


def test_policies_for_ordinary_words() -> None:
    names = gazetteer(band=["Train", "Queen", "Abba"])
    counts = {"train": 5}
    dropped = forms(names, counts)
    assert (set(dropped.forms), dropped.counts.left_out["ordinary words"]) == ({"Abba"}, 2)
    assert set(forms(names, counts, ordinary="keep").forms) == {"Train", "Queen", "Abba"}
    inner = forms(names, counts, ordinary="inner")
    assert set(inner.forms) == {"Train", "Queen", "Abba"}
    assert inner.inner == {"Train", "Queen"}


def test_in_small_letters_more_names_are_ordinary() -> None:
    names = gazetteer(song=["The Who", "Abba"])
    assert set(forms(names).forms) == {"The Who", "the Who", "Abba"}
    folded = forms(names, case="lower")
    assert (set(folded.forms), folded.fold) == ({"abba"}, True)


def test_only_labels_of_nouns_are_found_in_small_letters() -> None:
    fields = [f"Science of {thing}" for thing in ("stones", "plants", "stars", "words", "bones")]
    names = gazetteer(
        field=[*fields, "Chemistry"], journal=["Chemistry", "Deep sea", *(f"Acta {n} Terra" for n in "XYZ")]
    )
    built = forms(names)
    assert labels_of_bits(built.labels, built.forms["Chemistry"]) == ("field", "journal")
    assert labels_of_bits(built.labels, built.forms["chemistry"]) == ("field",)
    assert "deep sea" not in built.forms
