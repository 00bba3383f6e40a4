"""What was read, kept and dropped, by reason: every unit that is read ends in exactly one of the other two."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from nerbridge.errors import DataError

# Why something is dropped, in the order in which it is looked at. The first half concerns whole records of a file.
REASONS: Mapping[str, str] = {
    "not_json": "lines that are no JSON object",
    "no_field": "records without text in the field",
    "long_record": "lines too long to be one JSON object",
    "long_page": "pages too long to be an article",
    "broken_page": "pages that are no sound XML",
    "redirect": "redirects to another page",
    "not_article": "pages outside the article namespace",
    "other_category": "articles outside the category",
    "empty": "documents without text",
    "unreadable": "paragraphs with control or replacement characters",
    "short": "paragraphs with too few words",
    "long": "paragraphs with too many words",
    "long_sentence": "paragraphs with a sentence of too many words",
    "long_word": "paragraphs with a word of too many characters",
    "language": "paragraphs of documents in another language",
    "overlap": "paragraphs that share words in a row with an evaluation set",
    "overlap_sentence": "sentences of built corpora that share words in a row with an evaluation set",
    "exact_duplicate": "paragraphs that were there before",
    "near_duplicate": "paragraphs much like an earlier one",
}

# What to do where nearly everything is dropped for one of these reasons.
HINTS: Mapping[str, str] = {
    "not_json": """one object a line, such as {"text": "..."}; `jq -c '.[]' FILE` makes lines of a list""",
    "no_field": "`--field NAME` says where the text is; numbers and lists are no text",
    "unreadable": "if they are not UTF-8, say what they are: `--encoding latin-1`, in a recipe corpus.text.encoding",
}


@dataclass(slots=True)
class Size:
    """How many documents, paragraphs, sentences and words."""

    documents: int = 0
    paragraphs: int = 0
    sentences: int = 0
    words: int = 0

    def add(self, *, documents: int = 0, paragraphs: int = 0, sentences: int = 0, words: int = 0) -> None:
        """Counts more of them."""
        self.documents += documents
        self.paragraphs += paragraphs
        self.sentences += sentences
        self.words += words

    def include(self, other: "Size") -> None:
        """Counts all of `other` too."""
        self.add(**asdict(other))


@dataclass(slots=True)
class Tally:
    """Counts of one run or of a part of it.

    read, kept: what came in and what stayed. dropped: by reason, see REASONS; a document counts where nothing of it
    stayed. overlaps: paragraphs that share words, by evaluation set; one may do so with several. cut: documents
    that were cut out of a longer one. undecoded: file -> its lines with bytes that are not its encoding (or with the
    mark U+FFFD that stands for them). faults: files that could not be read to their end.
    """

    read: Size = field(default_factory=Size)
    kept: Size = field(default_factory=Size)
    dropped: dict[str, Size] = field(default_factory=dict)
    overlaps: dict[str, int] = field(default_factory=dict)
    cut: int = 0
    undecoded: dict[str, int] = field(default_factory=dict)
    faults: list[DataError] = field(default_factory=list)

    def drop(self, reason: str, **counts: int) -> None:
        """Counts what is left out for `reason`: documents, paragraphs, sentences, words."""
        assert reason in REASONS, f"'{reason}' is not among REASONS"
        self.dropped.setdefault(reason, Size()).add(**counts)

    def refuse(self, reason: str) -> None:
        """Counts a record of a file that was read and left out before it became a document."""
        self.read.documents += 1
        self.drop(reason, documents=1)

    def include(self, other: "Tally") -> None:
        """Counts all of `other` too."""
        self.read.include(other.read)
        self.kept.include(other.kept)
        for reason, size in other.dropped.items():
            self.dropped.setdefault(reason, Size()).include(size)
        for name, number in other.overlaps.items():
            self.overlaps[name] = self.overlaps.get(name, 0) + number
        self.cut += other.cut
        for name, number in other.undecoded.items():
            self.undecoded[name] = self.undecoded.get(name, 0) + number
        self.faults += other.faults

    def as_json(self) -> dict[str, Any]:
        """The counts for a manifest, reasons in the order of REASONS; faults as their text."""
        return {
            "read": asdict(self.read),
            "kept": asdict(self.kept),
            "dropped": {reason: asdict(self.dropped[reason]) for reason in REASONS if reason in self.dropped},
            "overlaps": self.overlaps,
            "cut_documents": self.cut,
            **({"undecoded": self.undecoded} if self.undecoded else {}),
            "faults": [str(fault) for fault in self.faults],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Tally":
        """The tally that `as_json` wrote, without what is found again with the files: faults, and lines not decoded."""
        dropped = {reason: Size(**size) for reason, size in value["dropped"].items()}
        return cls(
            Size(**value["read"]), Size(**value["kept"]), dropped, dict(value["overlaps"]), value["cut_documents"]
        )
