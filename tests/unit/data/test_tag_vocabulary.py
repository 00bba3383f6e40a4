"""Which tag sequences are legal, counted by hand: decoding and constrained training rest on these tables."""

import pytest

from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary

# For each tag the tags that may follow it, with $ for the end of a sentence; ^ is its start.
LEGAL = {
    "BIO": {
        "^": "O B-x B-y",
        "O": "O B-x B-y $",
        "B-x": "O B-x I-x B-y $",
        "I-x": "O B-x I-x B-y $",
        "B-y": "O B-x B-y I-y $",
        "I-y": "O B-x B-y I-y $",
    },
    "BIOES": {
        "^": "O B-x S-x B-y S-y",
        "O": "O B-x S-x B-y S-y $",
        "B-x": "I-x E-x",
        "I-x": "I-x E-x",
        "E-x": "O B-x S-x B-y S-y $",
        "S-x": "O B-x S-x B-y S-y $",
        "B-y": "I-y E-y",
        "I-y": "I-y E-y",
        "E-y": "O B-x S-x B-y S-y $",
        "S-y": "O B-x S-x B-y S-y $",
    },
}


@pytest.mark.parametrize("scheme", LEGAL)
def test_legal_moves(scheme: str) -> None:
    space, legal = TagVocabulary(LabelSet.of(["x", "y"]), scheme), LEGAL[scheme]
    assert set(space.tags) == legal.keys() - {"^"}
    for number, tag in enumerate(space.tags):
        following = {after for after, may in zip(space.tags, space.may_follow()[number], strict=True) if may}
        assert following == set(legal[tag].split()) - {"$"}, tag
        assert space.may_end()[number] == ("$" in legal[tag]), tag
        assert space.may_start()[number] == (tag in legal["^"].split()), tag
