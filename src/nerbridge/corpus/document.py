"""The cargo of this room: one document or paragraph of raw text, and where it came from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """Raw text, never altered: lines of `text` are its paragraphs.

    origin: the path of the file that it was read from. number: the line, record or page of that file, from 1.
    cut: is it of a built corpus? Then it is one paragraph, and its lines are sentences with one space between words.
    """

    text: str
    origin: str
    number: int
    cut: bool = False

    def __str__(self) -> str:
        return f"{self.origin}:{self.number}"
