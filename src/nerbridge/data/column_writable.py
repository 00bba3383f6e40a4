"""What a column file can hold so that it is read back as it was."""

from nerbridge.data.column_faults import shortened
from nerbridge.data.column_format import BLANK, MARKERS, marker_pattern
from nerbridge.data.column_names import names_columns
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.data.separators import Separator
from nerbridge.errors import DataError


def check_writable(
    sentence: Sentence, where: str, *, separator: Separator, scheme: Scheme, follows: bool | None
) -> None:
    """Raises DataError unless a column file gives `sentence` back as it is.

    follows: whether the sentence before has tags; None for the first.
    """
    has_tags = sentence.annotation is not Annotation.NONE
    if sentence.annotation is Annotation.PARTIAL:
        _refuse("partial annotation", where, "sentences labelled completely or not at all")
    if follows is not None and follows is not has_tags:
        _refuse("sentences with and without annotation", where, "the one or the other")
    if follows is None and scheme is Scheme.BARE and sentence.spans[:1] and sentence.spans[0].start == 0:
        _check_opening(sentence.words[0], sentence.spans[0].label, where)
    forbidden = "\t\n\0" if separator is Separator.TAB and has_tags else " \t\n\0"
    for word in sentence.words:
        holds = any(character in word for character in forbidden)
        bare = not has_tags and (word != word.rstrip(BLANK) or marker_pattern(MARKERS).fullmatch(word))
        if holds or bare or not word.strip(BLANK) or word != word.strip(" ") or word == "-DOCSTART-":
            _refuse(f"the word {shortened(word)!r}", where, "words that cannot be taken for something else")
    first = sentence.words[0]
    looks_like_comment = first == "#" or (first.startswith("#") and " " in first)
    if scheme is Scheme.BARE and looks_like_comment and sentence.spans[:1] and sentence.spans[0].start == 0:
        _refuse(f"the word {shortened(first)!r}", where, "words that cannot be taken for a comment")
    for span in sentence.spans:
        label = span.label
        if any(character in label for character in forbidden) or label != label.strip(BLANK):
            _refuse(f"the label {label!r}", where, "labels without white space")
        if scheme is Scheme.BARE and label == "O":
            _refuse("the label 'O' without prefix", where, "another label or scheme: O means no entity")


def _check_opening(word: str, label: str, where: str) -> None:
    if names_columns((word, label)):
        _refuse(f"the word {word!r} with the label {label!r} in its first line", where, "a line that names no columns")


def _refuse(what: str, where: str, expected: str) -> None:
    raise DataError(f"a column file cannot hold {what}", where=where, expected=expected, hint="write JSONL instead")
