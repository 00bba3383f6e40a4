"""Words and sentences that give encoders trouble: unseen, with hidden characters, tags in their place, too long."""

import re
import unicodedata
from collections.abc import Iterator

from nerbridge.data.checks.finding import Finding, Kind, Splits, opening, place
from nerbridge.data.encoder_words import EncoderWords

HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Cn"})  # control, format, private use, surrogate, unassigned
JOINERS = frozenset("\u200c\u200d")  # part of the spelling in several scripts, and of emoji
REPLACEMENT = "\ufffd"  # stands where a character was lost
TAG_PREFIX = re.compile(r"(?:^|.)[BIESLUM]-(.+)$")


def find_word_faults(splits: Splits) -> Iterator[Finding]:
    """Words that look like tags of the data's own labels, and words with hidden characters."""
    labels = {span.label for sentences in splits.values() for s in sentences for span in s.spans}
    verdicts: dict[str, tuple[Kind, str] | None] = {}
    for split, sentences in splits.items():
        for sentence in sentences:
            for position, word in enumerate(sentence.words):
                if word not in verdicts:
                    verdicts[word] = _verdict(word, labels)
                if (verdict := verdicts[word]) is not None:
                    yield Finding(verdict[0], place(sentence, split, position), verdict[1])


def find_encoder_faults(splits: Splits, encoder: EncoderWords) -> Iterator[Finding]:
    """Words that `encoder` cannot see, and sentences beyond its limit."""
    encoder.prepare(word for sentences in splits.values() for s in sentences for word in s.words)
    for split, sentences in splits.items():
        for sentence in sentences:
            for position, word in enumerate(sentence.words):
                if (reason := encoder.blindness(word)) is not None:
                    what = f"word {_shown(word)} {reason} for '{encoder.name}'"
                    yield Finding(Kind.UNSEEN_WORD, place(sentence, split, position), what)
            if encoder.limit is not None and (pieces := encoder.num_pieces(sentence)) > encoder.limit:
                what = f"{opening(sentence)} has {pieces:,} pieces; '{encoder.name}' takes {encoder.limit:,} at once"
                yield Finding(Kind.LONG_SENTENCE, place(sentence, split), what)


def find_long_sentences(splits: Splits, *, longest: int) -> Iterator[Finding]:
    """Sentences of more than `longest` words."""
    for split, sentences in splits.items():
        for sentence in sentences:
            if len(sentence) > longest:
                what = f"{opening(sentence)} is longer than {longest:,} words"
                yield Finding(Kind.LONG_SENTENCE, place(sentence, split), what)


def _verdict(word: str, labels: set[str]) -> tuple[Kind, str] | None:
    match = TAG_PREFIX.search(word)
    if match is not None and match[1].rpartition("-")[2] in labels:
        return Kind.TAG_IN_WORD, f"word {_shown(word)} looks like a tag"
    if word.isascii() and word.isprintable():
        return None
    hidden = [c for c in word if c == REPLACEMENT or (c not in JOINERS and unicodedata.category(c) in HIDDEN)]
    if hidden:
        names = ", ".join(f"U+{ord(c):04X}" for c in dict.fromkeys(hidden))
        return Kind.HIDDEN_CHARACTER, f"word {_shown(word)} holds {names}"
    return None


def _shown(word: str, longest: int = 40) -> str:
    return repr(word) if len(word) <= longest else f"{word[:longest]!r}... ({len(word):,} characters)"
