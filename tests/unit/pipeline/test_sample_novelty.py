"""No sentence of the embedded sample project is from a template or a copy of another."""

import re
from collections import Counter, defaultdict

from sample_files import LABELLED, Tagged, names_by_label, raw_sentences, read

LARGEST_COMMON_SHARE = 0.4


def masked(sentence: Tagged) -> list[str]:
    """The lower-cased words, each mention replaced by its label."""
    pairs = zip(*sentence, strict=True)
    return [word.lower() if tag == "O" else tag[2:].upper() for word, tag in pairs if not tag.startswith("I-")]


def masked_raw() -> list[list[str]]:
    """The raw sentences, with the names of the lists replaced by their labels."""
    labels = {name: label for label, names in names_by_label().items() for name in names}
    longest_first = sorted(labels, key=len, reverse=True)
    pattern = re.compile(r"\b(?:" + "|".join(re.escape(name) for name in longest_first) + r")\b|\w+|\S")
    return [
        [labels[piece].upper() if piece in labels else piece.lower() for piece in pattern.findall(text)]
        for text in raw_sentences()
    ]


def common_runs(sentences: list[list[str]], share: float) -> list[tuple[str, str]]:
    """Pairs whose longest common word run covers more than `share` of the shorter sentence.

    A run of n words or more exists exactly when some n words in a row are shared, so each sentence looks its own runs
    of that length up among those of every sentence at least as long.
    """
    ordered = sorted(sentences, key=len)
    found = []
    for length in sorted({len(words) for words in ordered}):
        run = int(share * length) + 1
        homes: dict[tuple[str, ...], set[int]] = defaultdict(set)
        longer = [number for number, words in enumerate(ordered) if len(words) >= length]
        for number in longer:
            words = ordered[number]
            for start in range(len(words) - run + 1):
                homes[tuple(words[start : start + run])].add(number)
        pairs = {
            (first, second)
            for numbers in homes.values()
            for first in numbers
            for second in numbers
            if first < second and len(ordered[first]) == length
        }
        found.extend((" ".join(ordered[first]), " ".join(ordered[second])) for first, second in sorted(pairs))
    return found


def all_masked() -> list[list[str]]:
    return [masked(sentence) for name in LABELLED for sentence in read(name)] + masked_raw()


def test_no_sentence_occurs_twice() -> None:
    labelled = [" ".join(sentence.words) for name in LABELLED for sentence in read(name)]
    # Spaces do not count: raw text is not tokenised.
    counts = Counter(re.sub(r"\s", "", text).lower() for text in [*labelled, *raw_sentences()])
    assert [text for text, count in counts.items() if count > 1] == []


def test_no_two_sentences_are_equal_but_for_their_names() -> None:
    counts = Counter(" ".join(words) for words in all_masked())
    assert [text for text, count in counts.items() if count > 1] == []


def test_no_two_sentences_share_a_long_run_of_words() -> None:
    assert common_runs(all_masked(), LARGEST_COMMON_SHARE) == []


def test_the_run_check_finds_a_template() -> None:
    first = ["the", "PERSON", "probe", "left", "orbit", "around", "MARS", "after", "a", "fault"]
    second = ["on", "sunday", "the", "PERSON", "probe", "left", "orbit", "with", "a", "bang", "."]
    assert common_runs([first, second], LARGEST_COMMON_SHARE) == [(" ".join(first), " ".join(second))]
    assert common_runs([first, second], 0.5) == []
