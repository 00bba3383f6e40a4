"""Matching finds what a slow search written from its definition finds: leftmost, then longest, none over another."""

from hypothesis import given
from hypothesis import strategies as st

from nerbridge.corpus.matching import Match, Matcher
from nerbridge.corpus.matching_names import NameForms

words = st.sampled_from(["a", "b", "aa", "ab", "é", "北", "a.", "A"])
sentences = st.lists(words, max_size=12)
names = st.sets(st.lists(words, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=8)


def naive(names: set[str], sentence: list[str]) -> list[Match]:
    matches, place = [], 0
    while place < len(sentence):
        ends = [end for end in range(len(sentence), place, -1) if " ".join(sentence[place:end]) in names]
        if ends:
            matches.append(Match(place, ends[0], ("x",)))
        place = ends[0] if ends else place + 1
    return matches


@given(names, sentences)
def test_matching_equals_a_naive_search(names: set[str], sentence: list[str]) -> None:
    assert Matcher(NameForms(("x",), dict.fromkeys(names, 1))).matches(sentence) == naive(names, sentence)


@given(names, sentences)
def test_folded_matching_equals_a_naive_search(names: set[str], sentence: list[str]) -> None:
    small = {name.lower() for name in names}
    finder = Matcher(NameForms(("x",), dict.fromkeys(small, 1), fold=True))
    assert finder.matches(sentence) == naive(small, [word.lower() for word in sentence])
