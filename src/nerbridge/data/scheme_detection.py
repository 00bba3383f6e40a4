"""Which scheme a whole file's tags use: decided from all of them, with the reason and how sure it is."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from nerbridge.data.tag_grammar import OUTSIDE, Scheme
from nerbridge.data.uncut_tags import cutting_hint, uncut_tags
from nerbridge.errors import DataError
from nerbridge.wording import counted

ANY_PREFIX = frozenset("BIESLUM")
# Tags such as B_PER, PER-B or B/PER would pass for label names, and every word would become its own span.
PREFIXED = r"[BIESLUM][_/:|.+][^\W_].*"
OTHER_SPELLING = re.compile(rf"{PREFIXED}|.+[-_/:|][BIESLUM]")


@dataclass(frozen=True, slots=True)
class Detection:
    """The scheme found. certain: no other scheme fits. labelled: tags carry labels (not bare B, I, O)."""

    scheme: Scheme
    certain: bool
    reason: str
    labelled: bool = True


@dataclass(slots=True)
class _Evidence:
    tags: Counter[str] = field(default_factory=Counter)
    opened_by_b: int = 0  # B after O or another label: impossible in IOB1
    opened_by_i: int = 0  # I after O or another label: impossible in BIO

    def add(self, tags: Sequence[str], delimiter: str) -> None:
        self.tags.update(tags)
        if all(tag == OUTSIDE for tag in tags):
            return
        before = None
        for tag in tags:
            prefix, _, label = tag.partition(delimiter)
            if prefix == "B" and label != before:
                self.opened_by_b += 1
            elif prefix == "I" and label != before:
                self.opened_by_i += 1
            before = None if tag == OUTSIDE else label


def detect_scheme(tag_sequences: Iterable[Sequence[str]], *, delimiter: str = "-") -> Scheme:
    """The scheme of all `tag_sequences`; see `examine_tags`, which also says how sure that is."""
    return examine_tags(tag_sequences, delimiter=delimiter).scheme


def examine_tags(tag_sequences: Iterable[Sequence[str]], *, delimiter: str = "-") -> Detection:
    """The scheme of all `tag_sequences` (one per sentence; read to the end), how sure, and why.

    Raises DataError when the tags fit several schemes that read them differently, or none.

    >>> examine_tags([["B-PER", "L-PER", "O"]]).scheme
    <Scheme.BILOU: 'BILOU'>
    """
    evidence = _Evidence()
    for tags in tag_sequences:
        evidence.add(tags, delimiter)
    counts = {tag: number for tag, number in evidence.tags.items() if tag != OUTSIDE}
    if not counts:
        return Detection(Scheme.BIO, False, "every tag is O, which all schemes share")
    prefixed = {tag for tag in counts if tag[0:1] in ANY_PREFIX and tag[1 : 1 + len(delimiter)] == delimiter}
    letters = {tag for tag in counts if tag in ANY_PREFIX}
    names = set(counts) - prefixed - letters
    if not prefixed and names:
        return _bare(names | letters)
    if sum(counts[tag] for tag in names) > sum(counts[tag] for tag in prefixed):
        _refuse(
            f"most tags are label names ({_some(names)}), yet others look prefixed ({_some(prefixed)})",
            hint=_spelling_hint(names),
        )
    found = {tag[0] for tag in prefixed} or letters
    return _by_letters(found, evidence, labelled=bool(prefixed))


def _bare(names: set[str]) -> Detection:
    if uncut := uncut_tags(names):
        _refuse(f"labels such as {_some(uncut)} hold a separator and a tag", hint=cutting_hint(uncut))
    odd = {name for name in names if OTHER_SPELLING.fullmatch(name)}
    pairs = {name for name in odd if delimiter_in(name) and {f"B{name[1:]}", f"I{name[1:]}"} <= odd}
    if odd and (len(odd) == len(names) or pairs):
        _refuse(
            f"tags such as {_some(pairs or odd)} do not have the form 'B-label'",
            hint="name what parts letter and label, as in `--read delimiter=_`, or rewrite the tags as B-label",
        )
    return Detection(Scheme.BARE, True, f"label names without prefix: {_some(names)}")


def delimiter_in(tag: str) -> str:
    """What parts letter and label of a tag such as 'B_person'; '' for a tag of another form."""
    return tag[1] if re.fullmatch(PREFIXED, tag) else ""


def _spelling_hint(names: set[str]) -> str:
    """For tags of which some are B_label and others B-label."""
    mark = next((mark for mark in map(delimiter_in, sorted(names)) if mark), "")
    if not mark:
        return ""
    return f"spell all tags alike: as B-label, or all as B{mark}label, and read them with `--read delimiter={mark}`"


def _by_letters(letters: set[str], evidence: _Evidence, *, labelled: bool) -> Detection:
    shown = ", ".join(sorted(letters))
    if letters & set("LU"):
        if letters & set("ESM"):
            _refuse(f"prefixes {shown} belong to no single scheme")
        return Detection(Scheme.BILOU, letters >= set("LU"), f"prefixes {shown}", labelled)
    if "M" in letters:
        if "I" in letters:
            _refuse(f"prefixes {shown} belong to no single scheme")
        return Detection(Scheme.BMES, True, f"prefixes {shown}", labelled)
    if letters & set("ES"):
        return Detection(Scheme.BIOES, letters >= set("ES"), f"prefixes {shown}", labelled)
    if letters == {"I"}:
        return Detection(Scheme.IO, False, "prefix I only; IOB1 would read the same", labelled)
    return _bio_or_iob1(evidence.opened_by_b, evidence.opened_by_i, labelled=labelled)


def _bio_or_iob1(by_b: int, by_i: int, *, labelled: bool) -> Detection:
    """Hand edits and taggers do produce an I- that opens a span in BIO; nothing writes a needless B- in IOB1."""
    if not by_i:
        return Detection(Scheme.BIO, True, f"B opens {counted(by_b, 'span')}, I none", labelled)
    if not by_b:
        return Detection(Scheme.IOB1, True, f"I opens {counted(by_i, 'span')}, B only parts neighbours", labelled)
    if by_i <= by_b:
        return Detection(Scheme.BIO, False, f"B opens {counted(by_b, 'span')}, I {by_i}", labelled)
    if by_i > 4 * by_b:
        return Detection(Scheme.IOB1, False, f"I opens {counted(by_i, 'span')}, B {by_b} needlessly", labelled)
    return _refuse(f"I opens {counted(by_i, 'span')} and B {by_b}: neither IOB1 nor BIO")


def _refuse(what: str, hint: str = "") -> NoReturn:
    raise DataError(
        f"the tag scheme is ambiguous: {what}",
        where="the tags of the file",
        expected=f"tags of one scheme: {', '.join(Scheme)}",
        hint=hint or "name the scheme, as in `--scheme BIO` (in a recipe: read = { scheme = 'BIO' })",
    )


def _some(tags: set[str], shown: int = 4) -> str:
    listed = sorted(tags)[:shown]
    return ", ".join(f"'{tag}'" for tag in listed) + (", ..." if len(tags) > shown else "")
