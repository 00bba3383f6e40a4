"""Built corpora hold the words and sentences that tagging sees."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nerbridge.corpus.segmentation import sentences_of
from nerbridge.inference.segmentation import sentences_of_text

TEXTS = [
    "",
    "  ",
    'Dr. J. R. Smith didn\'t go. Who knew? "He did." No',
    "See https://a.org/b. Then U.S. troops left...  and so on!",
    "One.\nTwo\n\n three.",
    "委员会发布了报告。居民们讨论了它！真的吗？",
    "half \ud83d a character. And more.",
    "e\u0301 \u200d x\u2028y. Z",
]


def as_tagged(text: str) -> list[list[str]]:
    return [list(sentence.words) for sentence in sentences_of_text(text)]


@pytest.mark.parametrize("text", TEXTS)
def test_sentences_are_those_of_tagging(text: str) -> None:
    assert sentences_of(text) == as_tagged(text)


@given(st.lists(st.sampled_from([*"aB. ?!\"'’)\n。1-", "Dr.", "etc.", " U.S. ", "\u0301"]), max_size=60))
def test_sentences_are_those_of_tagging_whatever_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    assert sentences_of(text) == as_tagged(text)


@pytest.mark.data
def test_sentences_of_public_text_are_those_of_tagging(corpora_root: Path) -> None:
    import gzip
    from itertools import islice

    with gzip.open(corpora_root / "newswire" / "reuters-21578.txt.gz", "rt", encoding="utf-8") as stream:
        for line in islice(stream, 1_000):
            assert sentences_of(line) == as_tagged(line)
