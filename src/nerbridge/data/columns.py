"""Column files: one word per line with its tag, blank lines between sentences.

Two passes, so that nothing is guessed from the first sentences: the first finds separator, columns and scheme, the
second yields sentences. Faults are collected and raised together behind the last sentence.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path

from nerbridge.data.column_detection import detect_layout
from nerbridge.data.column_faults import check_columns, joined_remark, row_fault, shortened
from nerbridge.data.column_format import ColumnFormat
from nerbridge.data.column_layout import LineKind
from nerbridge.data.counts import ReadCounts
from nerbridge.data.lines import TextFile
from nerbridge.data.scheme_detection import Detection
from nerbridge.data.sentence import Annotation, Origin, Sentence
from nerbridge.data.sentence_columns import settle_sentences
from nerbridge.data.separators import Separator
from nerbridge.data.tag_grammar import OUTSIDE
from nerbridge.data.tag_reading import ReadTags, TagReader
from nerbridge.errors import DataError, FileFaults

__all__ = ["ColumnFormat", "ColumnReader", "Separator", "read_columns"]

Row = tuple[int, str, str]  # line number, word, tag ('' where the file has no tags)
Kept = tuple[Iterable[list[Row]], list[DataError], ReadCounts]  # rows by sentence, what is wrong, what was counted
KEPT_SENTENCES = 50_000  # of a sound file are kept between its second pass and its third; others are read again


def read_columns(path: str | Path, *, settings: ColumnFormat | None = None) -> Iterator[Sentence]:
    """The sentences of a column file, one at a time.

    Raises FileFaults behind the last sound sentence when lines are at fault (wrong number of columns, unknown tags,
    undecodable bytes, ...), and DataError when the file cannot be opened, holds no word or has an ambiguous scheme.
    """
    return iter(ColumnReader(path, settings))


class ColumnReader:
    """Iterate to get the sentences of a column file; `counts` then says what was found.

    layout and tag_reader (None without tags) are known from the start: they take one pass over the whole file each.
    """

    def __init__(self, path: str | Path | TextFile, settings: ColumnFormat | None = None) -> None:
        self.settings = settings or ColumnFormat()
        self._file = TextFile(path, self.settings.encoding)
        self._path = str(self._file.path)
        layout = detect_layout(self._file.lines([]), self.settings)
        check_columns(layout, self._path)
        self.layout, self._remark = settle_sentences(layout, lambda: self._file.lines([]), self._path)
        self._kept: Kept | None = None
        self.tag_reader = self._tag_reader()
        self.counts = self._described(ReadCounts())

    def _described(self, counts: ReadCounts) -> ReadCounts:
        """`counts`, with what the whole file is like."""
        layout = self.layout
        alone = layout.width == 1 and layout.tag_column is None
        counts.format = self._describe()
        counts.one_column = alone
        counts.named_columns = layout.taken_by_name()
        counts.suspicions = tuple(filter(None, (self._remark, joined_remark(layout) if alone else "")))
        return counts

    @property
    def detection(self) -> Detection | None:
        """The tag scheme, how sure it is, and why; None where the file has no tags."""
        return self.tag_reader.detection if self.tag_reader else None

    def __iter__(self) -> Iterator[Sentence]:
        blocks, faults, counts = self._kept or self._from_file()
        self.counts, self._kept = self._described(counts), None
        for rows in blocks:
            sentence = self._sentence(rows, faults, counts)
            if sentence is None:
                counts.left_out += 1
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
        layout, column = self.layout, self.layout.sentence_column
        word, tag, width = layout.word_column, layout.tag_column, layout.width
        name = ""  # what the sentence column calls the sentence
        rows: list[Row] = []
        for number, kind, line, fields in layout.kinds(self._file.lines(faults)):
            counts.lines = number
            ends = kind is not LineKind.WORD
            if not ends and column is not None and column < len(fields) and fields[column] not in ("", name):
                name, ends = fields[column], True
            if ends and rows:
                yield rows
                rows = []
            if kind is not LineKind.WORD:
                _note(counts, kind)
                continue
            sound = len(fields) == width and fields[word] and (tag is None or fields[tag]) and "\r" not in line
            fault = None if sound else row_fault(layout, fields, line, f"{self._path}:{number}")
            if fault:
                faults.append(fault)
            else:
                rows.append((number, fields[word], "" if tag is None else fields[tag]))
        if rows:
            yield rows

    def _sentence(self, rows: list[Row], faults: list[DataError], counts: ReadCounts) -> Sentence | None:
        words = tuple(word for _, word, _ in rows)
        origin = Origin(self._path, rows[0][0])
        if self.tag_reader is None:
            return Sentence(words, annotation=Annotation.NONE, domain=self.settings.domain, origin=origin)
        tags = [tag for _, _, tag in rows]
        read: ReadTags | None = ReadTags(())
        if any(tag != OUTSIDE for tag in tags):
            read = self.tag_reader.read(tags, lambda index: self._place(rows[index]), faults, counts)
        if read is None:
            return None
        return Sentence(words, read.spans, domain=self.settings.domain, origin=origin, malformed=read.malformed)

    def _place(self, row: Row) -> str:
        number, word, _ = row
        return f"{self._path}:{number}, word '{shortened(word)}'"

    def _tag_reader(self) -> TagReader | None:
        if self.layout.tag_column is None:
            return None
        blocks, faults, counts = self._from_file()
        kept = list(islice(blocks, KEPT_SENTENCES))
        tags = ([tag for _, _, tag in rows] for rows in chain(kept, blocks))
        settings = self.settings
        found = TagReader(
            tags, scheme=settings.scheme, repair=settings.repair, delimiter=settings.delimiter, path=self._path
        )
        if len(kept) < KEPT_SENTENCES and not faults:
            self._kept = kept, faults, counts
        return found

    def _from_file(self) -> Kept:
        faults: list[DataError] = []
        counts = ReadCounts()
        return self._blocks(faults, counts), faults, counts

    def _describe(self) -> str:
        layout = self.layout
        columns = "1 column" if layout.width == 1 else f"{layout.width} columns, {layout.separator}"
        sentences = "" if layout.sentence_column is None else f"sentences by column {layout.sentence_column}, "
        return f"{columns}, {sentences}{self.tag_reader.describe() if self.tag_reader else 'no tags'}"


def _note(counts: ReadCounts, kind: LineKind) -> None:
    counts.blank_lines += kind is LineKind.BLANK
    counts.marker_lines += kind is LineKind.MARKER
    counts.comment_lines += kind is LineKind.COMMENT
    counts.header_lines += kind is LineKind.NAMES
