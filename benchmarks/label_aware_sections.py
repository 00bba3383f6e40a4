"""Tables of the label-aware tagger's experiments: rows of the grid beside what the paper prints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from crossner_cells import DOMAINS
from grid_results import Results
from label_aware_grid import MIT, Row
from laner_published import GAINS, TABLE_3, TABLE_3_MIT, Published

from nerbridge.evaluation.paired_test import compare_paired
from nerbridge.evaluation.uncertainty import Spread


@dataclass(frozen=True)
class Table:
    """header and rows: cells as they are shown, for Markdown and CSV alike; after: sentences behind the table."""

    header: list[str]
    rows: list[list[str]]
    after: tuple[str, ...] = ()


def percent(fraction: float | None) -> str:
    return "-" if fraction is None else f"{100 * fraction:.2f}"


def mean(spread: Spread | None) -> str:
    return percent(spread.mean if spread else None)


def deviation(spread: Spread | None) -> str:
    return percent(spread.deviation if spread else None)


def compared(results: Results, base: Row, row: Row, split: str, rounds: int) -> tuple[str, str, str]:
    """row - base over the cells that both have: mean difference, p of the paired test, number of pairs tested."""
    keys = [(domain, seed) for domain in row.domains for seed in results.seeds]
    scores = [(results.f1(base, *key, split), results.f1(row, *key, split)) for key in keys]
    differences = [second - first for first, second in scores if first is not None and second is not None]
    if row.name == base.name or not differences:
        return "-", "-", "-"
    counts = [tuple(results.counts((one.name, *key), split) for one in (base, row)) for key in keys]
    pairs = [(first, second) for first, second in counts if first is not None and second is not None]
    value = f"{100 * sum(differences) / len(differences):+.2f}"
    return value, f"{compare_paired(pairs, rounds=rounds).p_value:.4f}" if pairs else "-", str(len(pairs))


def option_table(results: Results, rows: Sequence[Row], rounds: int) -> Table:
    """Each option against the recipe as it is: averages over domains on dev and test, and paired tests."""
    base = rows[0]
    header = [
        "option",
        "dev average",
        "±",
        "dev - base",
        "p",
        "test average",
        "±",
        "test - base",
        "p",
        "pairs",
        "cells",
    ]
    lines, averages = [], {row.name: results.average(row, "dev") for row in rows}
    for row in rows:
        test = results.average(row, "test")
        on_dev, on_test = (compared(results, base, row, split, rounds) for split in ("dev", "test"))
        line = [row.said, mean(averages[row.name]), deviation(averages[row.name]), *on_dev[:2]]
        lines.append([*line, mean(test), deviation(test), *on_test, results.cells(row)])
    whole = {row.name: row for row in rows if (one := averages[row.name]) and len(one.values) == len(results.seeds)}
    means = {name: average.mean for name, average in averages.items() if average and name in whole}
    best = whole[max(means, key=means.__getitem__)] if means else None
    said = (
        f"Best dev average among the {len(whole)} rows that have all cells: {best.said}."
        if best
        else "No row is whole."
    )
    return Table(header, lines, (said,))


def domain_table(
    results: Results,
    rows: Sequence[Row],
    base: Row,
    rounds: int,
    *,
    published: Published,
    domains: Sequence[str] = DOMAINS,
    called: Mapping[str, str] | None = None,
) -> Table:
    """Test F1 per domain, beside the paper's; the row minus `base` with the paired test.

    called: row -> what the paper calls it, where that is less or more than is said here.
    """
    header = [
        "row",
        *(f"{domain}" for domain in domains),
        "average",
        "±",
        "dev average",
        "minus base",
        "p",
        "pairs",
        "cells",
    ]
    lines = []
    for row in rows:
        if row.plain in published:
            paper = [f"{score:.2f}" for score in published[row.plain]]
            name = (called or {}).get(row.plain, row.said)
            lines.append([f"*paper: {name}*", *paper, *[""] * (len(header) - len(paper) - 1)])
        each = [mean(results.average(row, "test", [domain])) for domain in domains]
        test, dev = (results.average(row, split, domains) for split in ("test", "dev"))
        numbers = [*each, mean(test), deviation(test), mean(dev), *compared(results, base, row, "test", rounds)]
        lines.append([row.said, *numbers, results.cells(row, domains)])
    return Table(header, lines)


def order_of_averages(
    results: Results, rows: Sequence[Row], rounds: int, published: Published = TABLE_3
) -> tuple[str, ...]:
    """Is the order of the average the printed one? Every pair that stands the other way round, with its test."""
    found = {row.name: one for row in rows if (one := results.average(row, "test")) is not None}
    whole = [row for row in rows if row.name in found and len(found[row.name].values) == len(results.seeds)]
    if len(whole) < 2:
        return ("The order of the averages cannot be told yet: fewer than two rows are whole.",)
    ranked = sorted(whole, key=lambda row: -found[row.name].mean)
    printed = sorted(whole, key=lambda row: -published[row.plain][-1])
    sentences = [
        f"{len(whole)} of {len(rows)} rows are whole.",
        f"Order here: {_order(ranked)}. In the paper: {_order(printed)}.",
    ]
    if ranked == printed:
        return (*sentences, "The order is the same.")
    for better, worse in combinations(printed, 2):
        if ranked.index(better) > ranked.index(worse):
            difference, p, pairs = compared(results, better, worse, "test", rounds)
            sentences.append(
                f"Other way round: {worse.said} is {difference} from {better.said} (p {p}, {pairs} pairs)."
            )
    return tuple(sentences)


def _order(rows: Sequence[Row]) -> str:
    return " > ".join(row.said for row in rows)


def gains(results: Results, inside: tuple[Row, Row], across: tuple[Row, Row]) -> tuple[str, ...]:
    """What the label-aware head adds without and with a source; less without, says the paper.

    inside, across: the linear and the label-aware row.
    """
    said = []
    for (where, paper), (linear, ours) in zip(GAINS.items(), (inside, across), strict=True):
        first, second = results.average(linear, "test"), results.average(ours, "test")
        if first and second:
            value = f"{100 * (second.mean - first.mean):+.2f}"
            said.append(f"Label-aware minus linear {where}: {value} (paper {paper:+.2f}).")
    return tuple(said)


def mit_table(results: Results, rows: Sequence[Row], base: Row, rounds: int) -> Table:
    """MIT Movie and Restaurant; the paper's scores were chosen on test."""
    table = domain_table(results, rows, base, rounds, published=TABLE_3_MIT, domains=MIT)
    said = "The paper's dev file is its test file: its scores were chosen on test, ours on a held-out tenth of train."
    return Table(table.header, table.rows, (said,))
