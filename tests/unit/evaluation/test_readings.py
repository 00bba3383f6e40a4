"""Malformed tags under both readings, and how many of them there are."""

import pytest

from nerbridge.data.sentence import Span
from nerbridge.evaluation.readings import count_malformed, read_tags


@pytest.mark.parametrize(
    ("tags", "lenient", "strict", "malformed"),
    [
        ("B-a I-a O", "0:2a", "0:2a", 0),
        ("O I-a I-a", "1:3a", "", 1),
        ("B-a I-b I-b", "0:1a 1:3b", "0:1a", 1),
        ("B-a I-b I-a", "0:1a 1:2b 2:3a", "0:1a", 2),
        ("B-a B-a I-a", "0:1a 1:3a", "0:1a 1:3a", 0),
        ("O O", "", "", 0),
        ("", "", "", 0),
    ],
)
def test_bio(tags: str, lenient: str, strict: str, malformed: int) -> None:
    assert shown(read_tags(tags.split())) == lenient
    assert shown(read_tags(tags.split(), reading="strict")) == strict
    assert count_malformed(tags.split()) == malformed


@pytest.mark.parametrize(
    ("tags", "lenient", "strict", "malformed"),
    [
        ("B-a I-a E-a S-b", "0:3a 3:4b", "0:3a 3:4b", 0),
        ("B-a O", "0:1a", "", 1),
        ("B-a I-a", "0:2a", "", 1),
        ("E-a", "0:1a", "", 1),
        ("B-a E-b", "0:1a 1:2b", "", 1),
        ("S-a I-a E-a", "0:1a 1:3a", "0:1a", 1),
        ("B-a B-a E-a", "0:1a 1:3a", "1:3a", 1),
    ],
)
def test_bioes(tags: str, lenient: str, strict: str, malformed: int) -> None:
    assert shown(read_tags(tags.split(), scheme="BIOES")) == lenient
    assert shown(read_tags(tags.split(), scheme="BIOES", reading="strict")) == strict
    assert count_malformed(tags.split(), "BIOES") == malformed


@pytest.mark.parametrize("tag", ["E-a", "B-", "B", "x", "", "BI-a"])
def test_tags_outside_the_scheme_are_refused(tag: str) -> None:
    with pytest.raises(ValueError, match=f"^'{tag}' is not a tag of scheme BIO$"):
        read_tags(["O", tag])


def test_a_label_may_hold_hyphens() -> None:
    assert shown(read_tags(["B-a-b", "I-a-b"])) == "0:2a-b"


def shown(spans: tuple[Span, ...]) -> str:
    return " ".join(f"{span.start}:{span.end}{span.label}" for span in spans)
