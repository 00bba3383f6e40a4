"""The cargo between reading and building: one paragraph of raw text."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Paragraph:
    """One paragraph on its way: its sentences as lines, its words, and why it is dropped, if it is.

    document: which one of its batch it belongs to. compared: its normalised words. sizes: how many of them each part
    has that may be left out alone: the paragraph as a whole, or, of built corpora, each sentence.
    """

    document: int
    lines: list[str]
    words: int
    compared: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    reason: str = ""
