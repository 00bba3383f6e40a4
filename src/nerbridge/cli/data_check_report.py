"""How the findings of a check are printed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby

from nerbridge.cli.console import console, visible
from nerbridge.data.checks import (
    Finding,
    Kind,
    SeenMentions,
    Shared,
    Survey,
    count_seen_mentions,
    count_shared,
)
from nerbridge.wording import counted

ORDER = {kind: number for number, kind in enumerate(Kind)}


def print_json(name: str, surveys: Mapping[str, Survey], findings: Sequence[Finding]) -> None:
    """Everything, as one JSON object."""
    splits = {split: survey.sentences for split, survey in surveys.items()}
    console.json(
        {
            "name": name,
            "splits": {split: {"path": survey.path, **asdict(survey.counts)} for split, survey in surveys.items()},
            "counts": {kind.value: len(group) for kind, group in _grouped(findings)},
            "findings": [asdict(finding) for _, group in _grouped(findings) for finding in group],
            "shared": [asdict(shared) for shared in count_shared(splits)],
            "mentions_seen_in_train": [asdict(seen) for seen in count_seen_mentions(splits)],
        }
    )


def print_text(
    name: str, surveys: Mapping[str, Survey], findings: Sequence[Finding], show: int, *, names: Mapping[str, str]
) -> None:
    """The files, the first `show` findings of each kind (0: all), and what splits have in common.

    names: split -> what it is called here, the same as in the findings.
    """
    splits = {names[split]: survey.sentences for split, survey in surveys.items()}
    train = names.get("train", "train")
    lines = [name]
    for split, survey in surveys.items():
        size, *details = survey.counts.report()
        role = split if names[split] == split else f"{names[split]}, read as {split}"
        lines += [f"  {role}: {size}", *(f"    {detail}" for detail in details)]
    for kind, group in _grouped(findings):
        lines += ["", f"{kind}: {len(group):,} ({kind.meaning})"]
        shown = group[: show or None]
        lines += [f"  {finding.where}: {finding.what}" for finding in shown]
        if len(shown) < len(group):
            lines.append(f"  ... and {len(group) - len(shown):,} more (--show 0 lists all)")
    common = [*_shared_lines(count_shared(splits)), *_seen_lines(count_seen_mentions(splits, train=train), train)]
    lines += ["", *common] if common else []
    lines += ["", _total(len(findings))]
    console.result(visible("\n".join(lines)))


def _grouped(findings: Sequence[Finding]) -> list[tuple[Kind, list[Finding]]]:
    """The findings by kind, the gravest kind first, each kind in the order found."""
    ordered = sorted(findings, key=lambda finding: ORDER[finding.kind])
    return [(kind, list(group)) for kind, group in groupby(ordered, key=lambda finding: finding.kind)]


def _shared_lines(counts: Sequence[Shared]) -> list[str]:
    return [
        f"{shared.later} sentences found in {shared.earlier}: {shared.sentences} ({shared.distinct} distinct; "
        f"{shared.same_tags} with the same tags, {shared.other_tags} with other tags)"
        for shared in counts
    ]


def _seen_lines(counts: Sequence[SeenMentions], train: str) -> list[str]:
    return [
        f"{seen.split} mentions seen in {train}: {seen.seen:,} of {seen.mentions:,} ({_percent(seen)}) with the same "
        f"label, {seen.other_label:,} with another label only"
        for seen in counts
    ]


def _total(number: int) -> str:
    return counted(number, "finding") if number else "nothing found"


def _percent(seen: SeenMentions) -> str:
    return f"{100 * seen.seen / seen.mentions:.1f} %" if seen.mentions else "0 %"
