"""What a check finds: a kind, the place, and a sentence about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from nerbridge.data.reading import FileFormat, detect_format
from nerbridge.data.sentence import Sentence
from nerbridge.wording import counted

Splits = Mapping[str, list[Sentence]]  # train, dev, test (or fewer), in this order


class Kind(StrEnum):
    """The kinds of findings, gravest first; the text says what a kind means."""

    UNREADABLE = "unreadable"
    COMMON_FAULT = "common-fault"
    TAG_GRAMMAR = "tag-grammar"
    UNKNOWN_LABEL = "unknown-label"
    LABEL_SPELLING = "label-spelling"
    NEAR_LABEL = "near-label"
    UNREAD = "unread"
    UNLABELLED = "unlabelled"
    SHARED = "shared-sentence"
    DUPLICATE = "duplicate"
    CONFLICT = "conflicting-tags"
    TAG_IN_WORD = "tag-in-word"
    HIDDEN_CHARACTER = "hidden-character"
    UNSEEN_WORD = "unseen-word"
    LONG_SENTENCE = "long-sentence"
    RARE_LABEL = "rare-label"

    @property
    def meaning(self) -> str:
        """What findings of this kind are, and why they matter."""
        return MEANINGS[self]


MEANINGS: Mapping[Kind, str] = {
    Kind.UNREADABLE: "lines that cannot be read; training on this file stops here",
    Kind.COMMON_FAULT: "what most unreadable lines have in common; mend this first",
    Kind.TAG_GRAMMAR: "tags that break their scheme; read as conlleval reads them",
    Kind.UNKNOWN_LABEL: "labels that train lacks; a tagger can never find them",
    Kind.LABEL_SPELLING: "labels that mean the same and are spelled differently",
    Kind.NEAR_LABEL: "labels of nearly the same name, perhaps by a slip; each stays a label of its own",
    Kind.UNREAD: "what stands in a file and is not read; it may hold the annotation",
    Kind.UNLABELLED: "sentences without annotation; they teach and test nothing",
    Kind.SHARED: "sentences that another split holds too; scores on them flatter",
    Kind.DUPLICATE: "sentences that stand twice in a split",
    Kind.CONFLICT: "equal sentences of a split with different tags",
    Kind.TAG_IN_WORD: "words that look like tags",
    Kind.HIDDEN_CHARACTER: "words with control, format or replacement characters",
    Kind.UNSEEN_WORD: "words the encoder cannot see; they are labelled by their neighbours alone",
    Kind.LONG_SENTENCE: "long sentences: slow, and split into windows beyond the encoder's limit",
    Kind.RARE_LABEL: "labels with few mentions in train; micro F1 hides them",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault or oddity. where: file:line, or the split when it concerns all of it."""

    kind: Kind
    where: str
    what: str


def place(sentence: Sentence, split: str, word: int = 0) -> str:
    """file:line of a word: in column files every word has its line, in JSONL the sentence's is given."""
    origin = sentence.origin
    if origin is None:
        return split
    return f"{origin.path}:{origin.line + (word if _has_line_per_word(origin.path) else 0)}"


def opening(sentence: Sentence, shown: int = 5) -> str:
    """The first words of a sentence and its length, to recognise it by."""
    words = " ".join(sentence.words[:shown])[:60]
    dots = " ..." if len(sentence) > shown else ""
    return f"'{words}{dots}' ({counted(len(sentence), 'word')})"


@cache
def _has_line_per_word(path: str) -> bool:
    return Path(path).is_file() and detect_format(path) is FileFormat.COLUMNS
