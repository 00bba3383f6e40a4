"""Labels become tags: each tag of a carried label starts from the same tag of the old label."""

from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.transfer.bridge import label_bridge, tag_bridge


def vocabulary(*labels: str, scheme: str = "BIO") -> TagVocabulary:
    return TagVocabulary(LabelSet.of(labels), scheme)


def test_every_tag_of_a_carried_label_and_the_outside_tag_are_carried() -> None:
    new, old = vocabulary("person", "singer"), vocabulary("place", "person")
    assert tag_bridge(new, old, {"singer": "person"}) == {"O": "O", "B-singer": "B-person", "I-singer": "I-person"}


def test_all_four_letters_of_bioes_are_carried() -> None:
    one = vocabulary("person", scheme="BIOES")
    assert tag_bridge(one, one, {"person": "person"}) == {tag: tag for tag in one.tags}


def test_labels_with_hyphens_keep_their_whole_name() -> None:
    one = vocabulary("Multi-tissue_structure")
    assert tag_bridge(one, one, {"Multi-tissue_structure": "Multi-tissue_structure"})["B-Multi-tissue_structure"] == (
        "B-Multi-tissue_structure"
    )


def test_nothing_is_carried_where_no_label_is() -> None:
    assert tag_bridge(vocabulary("person"), vocabulary("place"), {}) == {}


def test_what_was_asked_for_wins_over_the_name() -> None:
    new, old = LabelSet.of(["person"]), LabelSet.of(["person", "singer"])
    assert label_bridge(new, old, {"person": "singer"}, carry=True) == {"person": "singer"}
