"""Labels renamed by the user, and reader options given as text."""

from dataclasses import fields

import pytest

from nerbridge.data.column_format import ColumnFormat
from nerbridge.data.jsonl_format import JsonlFormat, OffsetUnit
from nerbridge.data.reader_options import OPTIONS, parse_reader_options
from nerbridge.data.renaming import count_joined, parse_renames, rename_labels
from nerbridge.data.schemes import Repair
from nerbridge.data.sentence import Sentence, Span, labels_of
from nerbridge.errors import ConfigError, LabelError

SENTENCES = [Sentence(("Ada", "Oslo"), (Span(0, 1, "PER"), Span(1, 2, "LOC")))]


def test_labels_are_renamed_at_once() -> None:
    swapped = rename_labels(SENTENCES, parse_renames(["PER=LOC", "LOC=PER"]))
    assert swapped[0].spans == (Span(0, 1, "LOC"), Span(1, 2, "PER"))


def test_labels_that_become_one_are_said() -> None:
    assert count_joined(SENTENCES, {"PER": "LOC"}) == ["LOC, PER all become 'LOC'"]
    assert count_joined(SENTENCES, {"PER": "person"}) == []


@pytest.mark.parametrize("pair", ["PER", "PER=", "=person"])
def test_a_renaming_needs_two_sides(pair: str) -> None:
    with pytest.raises(ConfigError, match="is no renaming"):
        parse_renames([pair])


def test_a_label_is_renamed_once() -> None:
    with pytest.raises(ConfigError, match="label 'PER' is renamed twice"):
        parse_renames(["PER=a", "PER=b"])


def test_an_unknown_label_gets_the_nearest() -> None:
    with pytest.raises(LabelError) as caught:
        rename_labels(SENTENCES, {"PERS": "person"})
    assert str(caught.value) == (
        "label 'PERS' does not occur\n"
        "  where: --rename\n"
        "  expected: one of 2 labels: LOC, PER\n"
        "  hint: nearest is 'PER'"
    )
    assert labels_of(SENTENCES) == ("LOC", "PER")


def test_reader_options_have_the_types_of_the_readers() -> None:
    assert parse_reader_options(["tag_column=none", "repair=strict", "offsets=utf16", "start_shift=-1"]) == {
        "tag_column": None,
        "repair": Repair.STRICT,
        "offsets": OffsetUnit.UTF16,
        "start_shift": -1,
    }


def test_every_option_of_the_readers_can_be_given() -> None:
    known = {field.name for kind in (ColumnFormat, JsonlFormat) for field in fields(kind)}
    assert known - set(OPTIONS) == {"domain", "markers"}
    assert set(OPTIONS) - known == {"format"}


def test_unknown_options_and_values_are_explained() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_reader_options(["tag_colum=1"])
    assert caught.value.hint == "nearest is 'tag_column'"
    with pytest.raises(ConfigError) as caught:
        parse_reader_options(["repair=magic"])
    assert str(caught.value) == (
        "reader option 'repair' cannot be 'magic'\n"
        "  where: --read\n"
        "  expected: one of conlleval, strict, reject\n"
        "  hint: correct it, or leave the option out"
    )


def test_letter_and_label_need_something_between() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_reader_options(["delimiter="])
    assert str(caught.value) == (
        "reader option 'delimiter' cannot be ''\n"
        "  where: --read\n"
        "  expected: the characters between letter and label of a tag\n"
        "  hint: correct it, or leave the option out"
    )
