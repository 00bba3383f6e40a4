"""Words and sentences by rules."""

import time

import pytest

from nerbridge.data.tokenization import split_sentences, tokenize


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in tokenize(text)]


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Turing Award.", "The Turing Award ."),
        ("in the U.S. today", "in the U.S. today"),
        ("a U.S.-led team", "a U.S.-led team"),
        ("I don't, can't, WON'T.", "I do n't , ca n't , WO N'T ."),
        ("Ada's and the Bells'", "Ada 's and the Bells '"),
        ("NATO'S, 'S, it’s", "NATO 'S , 'S , it ’s"),
        ("they've I'm we'll he'd you're", "they 've I 'm we 'll he 'd you 're"),
        ("O'Brien's rock'n'roll o'clock", "O'Brien 's rock'n'roll o'clock"),
        ("well-known 19-year-old co‑op", "well-known 19-year-old co‑op"),
        ('(so-called) "x" [y]', '( so-called ) " x " [ y ]'),
        ("3.5% of 10,000 at 10:30, 1/2, 1996/97", "3.5 % of 10,000 at 10:30 , 1/2 , 1996/97"),
        ("$5 £6 1990s '90s", "$ 5 £ 6 1990s '90s"),
        ("Mr. Bell, Dr. J. R. Smith (Ph.D.), e.g. p.m.", "Mr. Bell , Dr. J. R. Smith ( Ph.D. ) , e.g. p.m."),
        ("Acme Inc. said No. 5 is Acme Inc. No.", "Acme Inc. said No. 5 is Acme Inc . No ."),
        ("see https://a.org/b?c=d(e). Or www.b.de, x@y.org!", "see https://a.org/b?c=d(e ) . Or www.b.de , x@y.org !"),
        ("node.js v2.0 U.S.A. AT&T R&D a&b C++ C#", "node.js v2.0 U.S.A. AT&T R&D a & b C++ C#"),
        ("end.Next and/or snake_case", "end . Next and / or snake_case"),
        ("wait... no -- ''x''", "wait ... no -- '' x ''"),
        ("@you #NBA", "@ you # NBA"),
        ("👩‍🔬🇩🇪🇫🇷👍🏽x 1️⃣ ❤️", "👩‍🔬 🇩🇪 🇫🇷 👍🏽 x 1️⃣ ❤️"),
        ("cafe\u0301 Aus\u00adtralian \u200b \u200e", "cafe\u0301 Aus\u00adtralian \u200b \u200e"),
        ("a\x14b \x13", "a \x14 b \x13"),
        ("हिन्दी עִבְרִית", "हिन्दी עִבְרִית"),
        ("", ""),
        (" \n\u00a0", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert words(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Bell met J. R. Smith. He left.", ["Dr. Bell met J. R. Smith.", "He left."]),
        ("It cost 3.5 million. e.g. this stays.", ["It cost 3.5 million. e.g. this stays."]),
        ("It is No. 5 vs. Rome, i.e. big.", ["It is No. 5 vs. Rome, i.e. big."]),
        ('He said: "Go." She went. (Yes.) No.', ['He said: "Go."', "She went.", "(Yes.)", "No."]),
        ("Wait ... what? So... Then", ["Wait ... what?", "So...", "Then"]),
        ("Yahoo! was here. iPhone sold.", ["Yahoo! was here. iPhone sold."]),
        ("Head line\n\nText one.\nText two", ["Head line", "Text one.", "Text two"]),
        ("  \n a \n ", ["a"]),
        ("", []),
        ("In the U.S. Senate", ["In the U.S. Senate"]),
        ("In 1999. 20 came.", ["In 1999.", "20 came."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "piece", ["a", ".", "-.", " ", "a.", "'", "http://", "\n", " . ", "!) ", "@", "a@", "\u0301", "A. "]
)
def test_odd_texts_take_time_in_proportion_to_their_length(piece: str) -> None:
    """Twenty times the length: 20 times the time if in proportion, 400 times if with its square."""
    short = min(seconds(piece * (10_000 // len(piece))) for _ in range(3))
    assert seconds(piece * (200_000 // len(piece))) < 100 * max(short, 0.001)


def seconds(text: str) -> float:
    start = time.process_time()
    tokenize(text)
    split_sentences(text)
    return time.process_time() - start
