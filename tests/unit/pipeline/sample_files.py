"""The files of the embedded sample project, read by the plainest possible parser."""

import re
from collections import Counter
from importlib.resources import files
from typing import NamedTuple

SAMPLE = files("nerbridge.pipeline") / "sample"
LABELLED = ("source_train.txt", "target_train.txt", "target_test.txt")


class Tagged(NamedTuple):
    words: list[str]
    tags: list[str]


def read(name: str) -> list[Tagged]:
    """The sentences of a column file."""
    blocks = (SAMPLE / name).read_text(encoding="utf-8").strip("\n").split("\n\n")
    columns = [[line.split("\t") for line in block.split("\n")] for block in blocks]
    return [Tagged([word for word, _ in rows], [tag for _, tag in rows]) for rows in columns]


def mentions(sentence: Tagged) -> list[tuple[str, str]]:
    """(label, lower-cased text) of each mention."""
    found: list[tuple[str, str]] = []
    for word, tag in zip(*sentence, strict=True):
        if tag.startswith("B-"):
            found.append((tag[2:], word.lower()))
        elif tag.startswith("I-"):
            found[-1] = (found[-1][0], f"{found[-1][1]} {word.lower()}")
    return found


def label_counts(sentences: list[Tagged]) -> Counter[str]:
    return Counter(label for sentence in sentences for label, _ in mentions(sentence))


def raw_paragraphs() -> list[str]:
    return (SAMPLE / "raw.txt").read_text(encoding="utf-8").splitlines()


def raw_sentences() -> list[str]:
    return [text for paragraph in raw_paragraphs() for text in re.split(r"(?<=[.?!]) (?=[A-Z])", paragraph)]


def names_by_label() -> dict[str, list[str]]:
    lists = [entry for entry in (SAMPLE / "names").iterdir() if entry.name.endswith(".txt")]
    return {entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8").splitlines() for entry in lists}
