"""Parts (sentences or paragraphs) -> rows that are short enough; a row never crosses parts."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nerbridge.pretraining.language_model.text import WordText
from nerbridge.pretraining.masking import Flags, Ids


@dataclass(frozen=True)
class TextRows:
    """Row i has the words begins[i] to ends[i] - 1. first, last: it begins, or ends, where its part does."""

    begins: Ids
    ends: Ids
    first: Flags
    last: Flags

    def __len__(self) -> int:
        return len(self.begins)

    def words(self, numbers: Ids) -> Ids:
        """Places of all words of the rows `numbers`, row after row."""
        lengths = (self.ends - self.begins)[numbers]
        behind = np.cumsum(lengths)
        return np.repeat(self.begins[numbers] - (behind - lengths), lengths) + np.arange(int(lengths.sum()))


def cut_words(text: WordText, chosen: Flags, length: int) -> TextRows:
    """Rows of at most `length` words of the `chosen` documents; a longer part is cut into equal ones."""

    def borders(begin: int, end: int) -> Ids:
        number = -(-(end - begin) // length)
        return begin + np.arange(number + 1) * (end - begin) // number

    return _cut(text, chosen, np.diff(text.parts) > length, borders)


def cut_characters(text: WordText, chosen: Flags, length: int, sizes: Ids) -> TextRows:
    """Rows of at most `length` characters, at least one word each.

    sizes: characters of every distinct word, the space behind it included; a row has one more in front.
    """
    behind = np.concatenate([[0], np.cumsum(sizes[text.ids])])
    totals = behind[text.parts[1:]] - behind[text.parts[:-1]]

    def borders(begin: int, end: int) -> Ids:
        found = [begin]
        while found[-1] < end:
            fitting = int(np.searchsorted(behind, behind[found[-1]] + length - 1, side="right")) - 1
            found.append(min(max(fitting, found[-1] + 1), end))
        return np.array(found, np.int64)

    return _cut(text, chosen, totals + 1 > length, borders)


def _cut(text: WordText, chosen: Flags, long: Flags, borders: Callable[[int, int], Ids]) -> TextRows:
    begins, ends = text.parts[:-1], text.parts[1:]
    document = np.searchsorted(text.documents, begins, side="right") - 1
    wanted = (ends > begins) & chosen[np.minimum(document, len(chosen) - 1)]
    short = wanted & ~long
    whole = np.ones(int(short.sum()), np.bool_)
    found = [(begins[short], ends[short], whole, whole)]
    for begin, end in zip(begins[wanted & long].tolist(), ends[wanted & long].tolist(), strict=True):
        cuts = borders(begin, end)
        found.append((cuts[:-1], cuts[1:], cuts[:-1] == begin, cuts[1:] == end))
    columns = [np.concatenate(column) for column in zip(*found, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return TextRows(*(column[order] for column in columns))
