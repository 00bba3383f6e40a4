"""First lines that only name columns, as spreadsheets and data frames write them: 'Sentence #,Word,POS,Tag'."""

from collections.abc import Iterable
from dataclasses import dataclass

SENTENCES = frozenset({"sentence", "sentence #", "sentence#", "sentence_id", "sentence id", "sent", "sent_id"})
WORDS = frozenset({"word", "words", "token", "tokens"})
TAGS = frozenset({"tag", "tags", "label", "labels", "ner", "ner_tag", "ner_tags"})
OTHERS = frozenset({"text", "pos", "pos_tag", "lemma", "chunk", "chunk_tag", "id", "index", ""})  # '': an unnamed index
NAMES = SENTENCES | WORDS | TAGS | OTHERS


@dataclass(frozen=True, slots=True)
class NamedColumns:
    """The columns that a line of names tells, as indices from 0; None for what it names not at all or twice."""

    sentence: int | None
    word: int | None
    tag: int | None


def names_columns(fields: tuple[str, ...]) -> bool:
    """Are the `fields` of a line all names of columns, a word or a tag among them?"""
    names = {field.lower() for field in fields}
    return len(fields) > 1 and names <= NAMES and bool(names & (WORDS | TAGS))


def named_columns(fields: tuple[str, ...]) -> NamedColumns:
    """Which column is which, by the names in `fields`.

    >>> named_columns(("Sentence #", "Word", "POS", "Tag"))
    NamedColumns(sentence=0, word=1, tag=3)
    """
    names = [field.lower() for field in fields]
    word = _only(names, WORDS)
    if word is None and not WORDS & set(names):
        word = _only(names, {"text"})
    return NamedColumns(_only(names, SENTENCES), word, _only(names, TAGS))


def _only(names: list[str], wanted: Iterable[str]) -> int | None:
    places = [place for place, name in enumerate(names) if name in wanted]
    return places[0] if len(places) == 1 else None
