"""The tags that a head predicts: a label set under a tag scheme, with its legal sequences.

Tag order is fixed: O first, then label by label in the label set's order (B-, I- for BIO; B-, I-, E-, S- for BIOES).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Span
from nerbridge.errors import LabelError
from nerbridge.wording import counted

PREFIXES = {"BIO": "BI", "BIOES": "BIES"}


@dataclass(frozen=True)
class TagVocabulary:
    """Tags <-> ids of one label space.

    >>> TagVocabulary(LabelSet.of(["person"])).tags
    ('O', 'B-person', 'I-person')
    """

    labels: LabelSet
    scheme: str = "BIO"

    def __post_init__(self) -> None:
        assert self.scheme in PREFIXES, self.scheme

    @cached_property
    def tags(self) -> tuple[str, ...]:
        return ("O", *(f"{prefix}-{name}" for name in self.labels.names for prefix in PREFIXES[self.scheme]))

    @cached_property
    def index(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags)}

    def __len__(self) -> int:
        return len(self.tags)

    def encode(self, spans: Sequence[Span], num_words: int) -> list[int]:
        """One tag id per word. Raises LabelError for a label outside the label set."""
        ids = [0] * num_words
        for span in spans:
            if span.label not in self.labels:
                raise LabelError(
                    f"label '{span.label}' is not in the label set",
                    where=f"words {span.start} to {span.end} of a sentence",
                    expected=f"one of {counted(len(self.labels), 'label')}: {', '.join(self.labels.names)}",
                    hint="rename it with `nerbridge data convert --rename`, or add it to the label set",
                )
            last = span.end - 1
            for position in range(span.start, span.end):
                prefix = "I" if position > span.start else "B"
                if self.scheme == "BIOES" and position == last:
                    prefix = "S" if span.start == last else "E"
                ids[position] = self.index[f"{prefix}-{span.label}"]
        return ids

    def decode(self, ids: Sequence[int]) -> tuple[Span, ...]:
        """The spans of a tag sequence; malformed pieces open or close a span as conlleval reads them."""
        spans: list[Span] = []
        start, label = 0, ""
        for position, number in enumerate([*ids, 0]):
            prefix, _, name = self.tags[number].partition("-")
            if label and (prefix in "OBS" or name != label):
                spans.append(Span(start, position, label))
                label = ""
            if prefix != "O" and not label:
                start, label = position, name
            if prefix in "ES":
                spans.append(Span(start, position + 1, label))
                label = ""
        return tuple(spans)

    def may_start(self) -> list[bool]:
        """For each tag: may it be a sentence's first?"""
        return [tag[0] in "OBS" for tag in self.tags]

    def may_end(self) -> list[bool]:
        """For each tag: may it be a sentence's last?"""
        return [self.scheme == "BIO" or tag[0] in "OES" for tag in self.tags]

    def may_follow(self) -> list[list[bool]]:
        """[previous][next]: is the pair legal? Made row by row, for there may be thousands of tags."""
        outside = [tag[0] not in "IE" for tag in self.tags]
        return [self._followers(tag, outside) for tag in self.tags]

    def _followers(self, tag: str, outside: list[bool]) -> list[bool]:
        """For each tag: may it follow `tag`? outside: the tags that continue nothing."""
        is_open = tag[0] in "BI"
        must_go_on = is_open and self.scheme == "BIOES"
        row = [False] * len(outside) if must_go_on else outside.copy()
        for prefix in "IE" if is_open else "":
            if (position := self.index.get(f"{prefix}-{tag[2:]}")) is not None:
                row[position] = True
        return row
