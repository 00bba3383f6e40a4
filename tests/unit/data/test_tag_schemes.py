"""Tags <-> spans, one behaviour per test."""

import pytest

from nerbridge.data.schemes import (
    Repair,
    Scheme,
    count_merges,
    detect_scheme,
    examine_tags,
    spans_from_tags,
    tags_from_spans,
)
from nerbridge.data.sentence import Span
from nerbridge.errors import DataError

SPANS = (Span(0, 2, "A"), Span(2, 3, "A"), Span(4, 7, "Multi-tissue_structure"), Span(7, 8, "A"))
SPELLED = {
    Scheme.BIO: "B-A I-A B-A O B-Multi-tissue_structure I-Multi-tissue_structure I-Multi-tissue_structure B-A",
    Scheme.IOB1: "I-A I-A B-A O I-Multi-tissue_structure I-Multi-tissue_structure I-Multi-tissue_structure I-A",
    Scheme.BIOES: "B-A E-A S-A O B-Multi-tissue_structure I-Multi-tissue_structure E-Multi-tissue_structure S-A",
    Scheme.BMES: "B-A E-A S-A O B-Multi-tissue_structure M-Multi-tissue_structure E-Multi-tissue_structure S-A",
    Scheme.BILOU: "B-A L-A U-A O B-Multi-tissue_structure I-Multi-tissue_structure L-Multi-tissue_structure U-A",
}


def spans_of(tags: str, scheme: Scheme, repair: Repair) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in spans_from_tags(tags.split(), scheme, repair)[0]]


@pytest.mark.parametrize("scheme", SPELLED)
def test_each_scheme_spells_and_reads_spans_with_hyphens_in_labels(scheme: Scheme) -> None:
    tags = SPELLED[scheme].split()
    assert tags_from_spans(SPANS, 8, scheme) == tags
    assert spans_from_tags(tags, scheme, Repair.STRICT) == (SPANS, [])


@pytest.mark.parametrize("scheme", [Scheme.IO, Scheme.BARE])
def test_schemes_without_openers_merge_neighbours_and_the_merges_are_counted(scheme: Scheme) -> None:
    tags = tags_from_spans(SPANS, 8, scheme)
    assert spans_from_tags(tags, scheme)[0] == (Span(0, 3, "A"), SPANS[2], SPANS[3])
    assert count_merges(SPANS, scheme) == 1
    assert count_merges(SPANS, Scheme.IOB1) == 0


@pytest.mark.parametrize(
    ("tags", "scheme", "lenient", "strict", "places"),
    [
        ("O I-A I-A O", Scheme.BIO, [(1, 3, "A")], [], [1]),
        ("I-A O", Scheme.BIO, [(0, 1, "A")], [], [0]),
        ("B-A I-B I-B", Scheme.BIO, [(0, 1, "A"), (1, 3, "B")], [(0, 1, "A")], [1]),
        ("B-A O S-A", Scheme.BIOES, [(0, 1, "A"), (2, 3, "A")], [(2, 3, "A")], [1]),
        ("B-A I-A", Scheme.BIOES, [(0, 2, "A")], [], [1]),
        ("S-A E-A", Scheme.BIOES, [(0, 1, "A"), (1, 2, "A")], [(0, 1, "A")], [1]),
        ("B-A I-B E-B", Scheme.BIOES, [(0, 1, "A"), (1, 3, "B")], [], [1]),
        ("E-A I-A S-A", Scheme.BIOES, [(0, 1, "A"), (1, 2, "A"), (2, 3, "A")], [(2, 3, "A")], [0, 1, 2]),
        ("B-A B-A E-A", Scheme.BMES, [(0, 1, "A"), (1, 3, "A")], [(1, 3, "A")], [1]),
        ("L-A U-A", Scheme.BILOU, [(0, 1, "A"), (1, 2, "A")], [(1, 2, "A")], [0]),
        ("O B-A I-A", Scheme.IOB1, [(1, 3, "A")], [(1, 3, "A")], [1]),
    ],
)
def test_malformed_tags_are_counted_and_read_by_the_policy(
    tags: str, scheme: Scheme, lenient: list[object], strict: list[object], places: list[int]
) -> None:
    assert spans_of(tags, scheme, Repair.CONLLEVAL) == lenient
    assert spans_of(tags, scheme, Repair.STRICT) == strict
    faults = spans_from_tags(tags.split(), scheme, Repair.REJECT)[1]
    assert [fault.position for fault in faults] == places
    assert all(fault.repairable for fault in faults)


def test_a_fault_says_which_pair_is_wrong() -> None:
    faults = spans_from_tags(["B-A", "I-B"], Scheme.BIO)[1]
    assert faults[0].what == "'I-B' cannot follow 'B-A' in BIO"
    faults = spans_from_tags(["O", "B-A"], Scheme.BIOES)[1]
    assert faults[0].what == "the sentence end cannot follow 'B-A' in BIOES"


@pytest.mark.parametrize("tag", ["E-A", "X-A", "PER", "B-", "o", "b-A", "B_A", ""])
def test_tags_unknown_to_the_scheme_cannot_be_repaired(tag: str) -> None:
    spans, faults = spans_from_tags(["O", tag], Scheme.BIO)
    assert spans == ()
    assert [(fault.position, fault.tag, fault.repairable) for fault in faults] == [(1, tag, False)]
    assert faults[0].what == f"tag '{tag}' is not a BIO tag (O, B-<label>, I-<label>)"


def test_bare_letters_get_a_label_or_are_refused() -> None:
    assert spans_of("B I O B", Scheme.BIO, Repair.STRICT) == [(0, 2, "entity"), (3, 4, "entity")]
    spans, faults = spans_from_tags(["B", "O"], Scheme.BIO, unnamed_label=None)
    assert (spans, faults[0].repairable) == ((), False)


def test_another_delimiter() -> None:
    assert spans_from_tags(["B_PER", "I_PER"], Scheme.BIO, delimiter="_")[0] == (Span(0, 2, "PER"),)
    assert tags_from_spans([Span(0, 1, "PER")], 1, Scheme.BIO, delimiter="_") == ["B_PER"]


@pytest.mark.parametrize(
    ("tags", "scheme", "certain"),
    [
        ("B-A I-A O B-A", Scheme.BIO, True),
        ("O O", Scheme.BIO, False),
        ("B-A I-A O I-A", Scheme.BIO, False),
        ("I-A I-A B-A O I-A", Scheme.IOB1, True),
        ("I-A O I-A O I-A O I-A O I-A O B-A", Scheme.IOB1, False),
        ("I-A O I-B", Scheme.IO, False),
        ("S-A O", Scheme.BIOES, False),
        ("S-A B-A E-A O", Scheme.BIOES, True),
        ("B-A E-A O", Scheme.BIOES, False),
        ("B-A M-A E-A S-A", Scheme.BMES, True),
        ("B-A I-A L-A O", Scheme.BILOU, False),
        ("U-A O", Scheme.BILOU, False),
        ("B-A L-A U-A", Scheme.BILOU, True),
        ("PER O LOC", Scheme.BARE, True),
        ("B I O", Scheme.BIO, True),
        ("B-Multi-tissue_structure I-Multi-tissue_structure", Scheme.BIO, True),
    ],
)
def test_schemes_are_found_with_their_certainty(tags: str, scheme: Scheme, certain: bool) -> None:
    found = examine_tags([tags.split()])
    assert (found.scheme, found.certain) == (scheme, certain)


def test_the_whole_file_decides_not_its_first_sentences() -> None:
    assert detect_scheme([["B-A", "I-A"]] * 1000 + [["S-A"]]) is Scheme.BIOES
    assert detect_scheme([["I-A", "O"]] * 1000 + [["I-A", "B-A"]]) is Scheme.IOB1


@pytest.mark.parametrize(
    ("tags", "what"),
    [
        ("I-A O I-A O B-A", "I opens 2 spans and B 1: neither IOB1 nor BIO"),
        ("B-A E-A U-A", "prefixes B, E, U belong to no single scheme"),
        ("B-A M-A I-A", "prefixes B, I, M belong to no single scheme"),
        ("PER LOC B-A", "most tags are label names ('LOC', 'PER'), yet others look prefixed ('B-A')"),
        ("B_PER I_PER O", "tags such as 'B_PER', 'I_PER' do not have the form 'B-label'"),
        ("PER-B PER-I O", "tags such as 'PER-B', 'PER-I' do not have the form 'B-label'"),
    ],
)
def test_ambiguous_tags_are_refused_and_the_user_is_asked(tags: str, what: str) -> None:
    with pytest.raises(DataError) as caught:
        detect_scheme([tags.split()])
    assert caught.value.what == f"the tag scheme is ambiguous: {what}"
    assert caught.value.expected == "tags of one scheme: BIO, IOB1, BIOES, BMES, BILOU, IO, bare"
    assert caught.value.hint


def test_schemes_have_other_names() -> None:
    assert [Scheme(name) for name in ("IOB2", "iobes", "bilou", "Bare")] == [
        Scheme.BIO,
        Scheme.BIOES,
        Scheme.BILOU,
        Scheme.BARE,
    ]
