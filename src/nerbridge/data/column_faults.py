"""What can be wrong with the columns of a file and of one line."""

from nerbridge.data.column_layout import BLANK, MARKERS, ColumnLayout, Separator, marker_pattern
from nerbridge.data.format_options import with_options
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.errors import DataError
from nerbridge.wording import counted


def row_fault(layout: ColumnLayout, fields: tuple[str, ...], line: str, where: str) -> DataError | None:
    """What is wrong with a word line that was cut into `fields`, or None.

    Every line needs as many columns as most lines have, unless word and tag column are both counted from the front.
    """
    settings, tag_column = layout.settings, layout.tag_column
    needed = max(layout.word_column, -1 if tag_column is None else tag_column) + 1
    from_front = settings.word_column >= 0 and settings.tag_column is not None and settings.tag_column >= 0
    mark = "\t" if layout.separator is Separator.TAB else " "
    rows = [row for row in line.split("\r") if row]
    if len(rows) > 1 and all(mark in row.strip(mark) for row in rows):
        return DataError(
            f"the line is {len(rows)} lines that end with CR alone: {shortened(line)!r}",
            where=where,
            expected="lines that end with LF or CRLF",
            hint="convert the file, as in: tr '\\r' '\\n' < OLD > NEW",
        )
    if len(fields) < needed or (len(fields) != layout.width and not from_front):
        return DataError(
            f"the line has {counted(len(fields), 'column')}: '{shortened(line)}'",
            where=where,
            expected=f"{counted(layout.width, 'column')}, {layout.separator} between, as in most lines",
            hint=_hint(layout, line),
        )
    empty = "word" if not fields[layout.word_column] else ""
    if not empty and tag_column is not None and not fields[tag_column]:
        empty = "tag"
    if empty:
        return DataError(
            f"the {empty} is empty: '{shortened(line)}'",
            where=where,
            expected="a word and a tag",
            hint="fill it in, or remove the line",
        )
    return None


def _hint(layout: ColumnLayout, line: str) -> str:
    comment = layout.settings.comment
    if comment and line.startswith(comment):
        return f"if the line is a comment, put a space behind '{comment}'; else give the word its tag"
    if layout.settings.tag_column is None:  # words only, as `nerbridge predict` reads them
        return "mend the line, or name the columns and the separator: `--read word_column=1 --read separator=tab`"
    return f"mend the line, or name columns and separator: read {with_options('tag_column=1', 'separator=tab')}"


def check_columns(layout: ColumnLayout, path: str) -> None:
    """Raises DataError for running text, and when the settings name a column that the file does not have."""
    width, settings = layout.width, layout.settings
    if layout.text_lines and settings.separator is None and settings.tag_column == -1:
        raise DataError(
            f"the file looks like running text: {counted(layout.text_lines, 'line')} without tags",
            where=path,
            expected="labelled sentences: a word and its tag on each line, or JSON lines with spans",
            hint="label some of its sentences first, a tagger cannot learn from text alone; if these are columns, "
            "name that of the tags, as in `--read tag_column=1` (in a recipe: read = { tag_column = 1 })",
        )
    for name, column in (("word", layout.settings.word_column), ("tag", layout.settings.tag_column)):
        if column is not None and not -width <= column < width:
            raise DataError(
                f"there is no {name} column {column}: most lines have {counted(width, 'column')}",
                where=path,
                expected=f"a column from 0 to {width - 1}, or from -1 to -{width} counted from the last",
                hint="look at a line of the file and count its columns from 0",
            )


def shortened(text: str, length: int = 60) -> str:
    """`text`, cut behind `length` characters with its true length."""
    return text if len(text) <= length else f"{text[:length]}... ({counted(len(text), 'character')})"


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


def _refuse(what: str, where: str, expected: str) -> None:
    raise DataError(f"a column file cannot hold {what}", where=where, expected=expected, hint="write JSONL instead")
