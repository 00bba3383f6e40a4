"""Column files: one word per line with its tag, blank lines between sentences.

Two passes, so that nothing is guessed from the first sentences: the first finds separator, columns and scheme, the
second yields sentences. Faults are collected and raised together behind the last sentence.
"""

from collections.abc import Iterator
from pathlib import Path

from nerbridge.data.column_layout import ColumnFormat, ColumnLayout, LineKind, Separator, detect_layout
from nerbridge.data.counts import ReadCounts
from nerbridge.data.lines import TextFile
from nerbridge.data.schemes import Detection, Repair, TagFault, examine_tags, spans_from_tags
from nerbridge.data.sentence import Annotation, Origin, Sentence
from nerbridge.data.tag_grammar import UNNAMED_LABEL, expected_tags
from nerbridge.errors import DataError, FileFaults

__all__ = ["ColumnFormat", "ColumnReader", "Separator", "read_columns"]

Row = tuple[int, str, str]  # line number, word, tag ('' where the file has no tags)


def read_columns(path: str | Path, *, settings: ColumnFormat | None = None) -> Iterator[Sentence]:
    """The sentences of a column file, one at a time.

    Raises FileFaults behind the last sound sentence when lines are at fault (wrong number of columns, unknown tags,
    undecodable bytes, ...), and DataError when the file cannot be opened, holds no word or has an ambiguous scheme.
    """
    return iter(ColumnReader(path, settings))


class ColumnReader:
    """Iterate to get the sentences of a column file; `counts` then says what was found.

    layout and detection are known from the start: they take one pass over the whole file each.
    """

    def __init__(self, path: str | Path, settings: ColumnFormat | None = None) -> None:
        self.settings = settings or ColumnFormat()
        self._file = TextFile(path, self.settings.encoding)
        self._path = str(path)
        self.layout = detect_layout(self._file.lines([]), self.settings)
        self._check_columns()
        self.detection = self._detect()
        self.counts = ReadCounts(format=self._describe())

    def __iter__(self) -> Iterator[Sentence]:
        faults: list[DataError] = []
        self.counts = counts = ReadCounts(format=self._describe())
        for rows in self._blocks(faults, counts):
            sentence = self._sentence(rows, faults, counts)
            if sentence is None:
                continue
            counts.sentences += 1
            counts.words += len(sentence.words)
            counts.spans += len(sentence.spans)
            counts.unlabelled += sentence.annotation is Annotation.NONE
            yield sentence
        if faults:
            raise FileFaults(faults)
        if not counts.sentences:
            raise DataError(
                "the file holds no sentence" if counts.lines else "the file is empty",
                where=self._path,
                expected="one word per line, blank lines between sentences",
                hint="check that the file was written completely",
            )

    def _blocks(self, faults: list[DataError], counts: ReadCounts) -> Iterator[list[Row]]:
        """The rows of one sentence after another; rows at fault go to `faults`."""
        layout = self.layout
        word_column, tag_column = layout.word_column, layout.tag_column
        rows: list[Row] = []
        for number, kind, line, fields in layout.kinds(self._file.lines(faults)):
            counts.lines = number
            if kind is LineKind.WORD:
                fault = self._row_fault(number, line, fields)
                if fault:
                    faults.append(fault)
                else:
                    tag = "" if tag_column is None else fields[tag_column].strip(" ")
                    rows.append((number, fields[word_column], tag))
                continue
            counts.blank_lines += kind is LineKind.BLANK
            counts.marker_lines += kind is LineKind.MARKER
            counts.comment_lines += kind is LineKind.COMMENT
            if rows:
                yield rows
                rows = []
        if rows:
            yield rows

    def _row_fault(self, number: int, line: str, fields: list[str]) -> DataError | None:
        layout, column = self.layout, self.layout.tag_column
        where = f"{self._path}:{number}"
        needed = max(layout.word_column, -1 if column is None else column) + 1
        fixed = self.settings.word_column >= 0 and (self.settings.tag_column or 0) >= 0
        if len(fields) < needed or (len(fields) != layout.width and not fixed):
            return DataError(
                f"the line has {len(fields)} columns: {_shortened(line)}",
                where=where,
                expected=f"{layout.width} columns parted by {layout.separator}, as in most lines",
                hint="mend the line, or name the columns and the separator",
            )
        if not fields[layout.word_column] or (column is not None and not fields[column].strip(" ")):
            part = "word" if not fields[layout.word_column] else "tag"
            return DataError(f"the {part} is empty: {_shortened(line)}", where=where, expected="a word and a tag")
        return None

    def _sentence(self, rows: list[Row], faults: list[DataError], counts: ReadCounts) -> Sentence | None:
        words = tuple(word for _, word, _ in rows)
        origin = Origin(self._path, rows[0][0])
        domain = self.settings.domain
        if self.detection is None:
            return Sentence(words, annotation=Annotation.NONE, domain=domain, origin=origin)
        settings = self.settings
        spans, broken = spans_from_tags(
            [tag for _, _, tag in rows],
            self.detection.scheme,
            settings.repair,
            delimiter=settings.delimiter,
            unnamed_label=None if self.detection.labelled else UNNAMED_LABEL,
        )
        fatal = [fault for fault in broken if settings.repair is Repair.REJECT or not fault.repairable]
        faults.extend(self._tag_fault(fault, rows) for fault in fatal)
        counts.repaired += len(broken) - len(fatal)
        return None if fatal else Sentence(words, spans, domain=domain, origin=origin)

    def _tag_fault(self, fault: TagFault, rows: list[Row]) -> DataError:
        assert self.detection is not None
        number, word, _ = rows[fault.position]
        scheme = self.detection.scheme
        mend = "correct the tag, or name another scheme"
        repair = "correct the tags, or choose the repair policy conlleval or strict"
        return DataError(
            fault.what,
            where=f"{self._path}:{number}, word '{_shortened(word)}'",
            expected=f"{scheme} tags: {expected_tags(scheme, self.settings.delimiter)}",
            hint=repair if fault.repairable else mend,
        )

    def _detect(self) -> Detection | None:
        if self.layout.tag_column is None:
            return None
        tags = ([tag for _, _, tag in rows] for rows in self._blocks([], ReadCounts()))
        try:
            found = examine_tags(tags, delimiter=self.settings.delimiter)
        except DataError as error:
            if self.settings.scheme is None:
                raise DataError(error.what, where=self._path, expected=error.expected, hint=error.hint) from error
            return Detection(self.settings.scheme, True, "named by the user")
        if self.settings.scheme is None:
            return found
        return Detection(self.settings.scheme, True, "named by the user", found.labelled)

    def _check_columns(self) -> None:
        width = self.layout.width
        for name, column in (("word", self.settings.word_column), ("tag", self.settings.tag_column)):
            if column is not None and not -width <= column < width:
                raise DataError(
                    f"there is no {name} column {column}: the lines have {width} columns",
                    where=self._path,
                    expected=f"a column from 0 to {width - 1}, or from -1 to -{width} counted from the last",
                )

    def _describe(self) -> str:
        layout: ColumnLayout = self.layout
        columns = "1 column" if layout.width == 1 else f"{layout.width} columns, {layout.separator}"
        if self.detection is None:
            return f"{columns}, no tags"
        sure = "" if self.detection.certain else f", taken from: {self.detection.reason}"
        return f"{columns}, {self.detection.scheme}{sure}"


def _shortened(text: str, length: int = 60) -> str:
    return text if len(text) <= length else f"{text[:length]}... ({len(text):,} characters)"
