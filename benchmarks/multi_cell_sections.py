"""Tables of the multi-cell experiments: rows of the grid beside what the paper prints."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from grid_results import Results
from label_aware_grid import Row
from label_aware_sections import Table, compared, deviation, mean
from light_rows import SCITECH
from light_sections import above, folder_scores
from multi_cell_numbers import found_by_dictionary, parameters, raw_text
from multi_cell_published import CALLED, OTHER_TWITTER, TABLE_2, TABLE_3, TABLE_3_ALL, TABLE_5
from multi_cell_rows import FULL, SYSTEMS, TARGETS, ZERO_SHOT_FULL, Target

ORDER = (  # what must hold on every target: better, worse
    (FULL, "multitask"),
    (FULL, "target"),
    (FULL, "target-bilstm"),
)
ZERO_SHOT_ORDER = ((ZERO_SHOT_FULL, "bilstm-lm-dictionary"), ("bilstm-lm-dictionary", "bilstm-lm"))
TESTED = ["full - row", "p", "pairs", "cells"]


def orders(results: Results, pairs: Sequence[tuple[Row, Row]], rounds: int) -> tuple[str, ...]:
    """Whether the first of each pair is above the second on its targets, below it, or not told apart from it, with the
    paired test; pairs that lack a run are named too."""
    said = []
    for better, worse in pairs:
        where = "together" if len(better.domains) > 1 else better.domains[0]
        told = above(results, worse, better, where, rounds)
        said.append(told or f"Not told yet: {better.said} above {worse.said} ({where}).")
    return tuple(said)


def system_table(results: Results, target: Target, rows: Sequence[Row], rounds: int) -> Table:
    """Table 2 of one target, and the BiLSTMs of table 5 that are as large."""
    named = dict(zip(SYSTEMS, rows, strict=True))
    full, printed, domain = named[FULL], TABLE_2[target.dataset], target.dataset
    header = ["row", "test F1", "±", "dev F1", "parameters", *TESTED]
    lines = []
    for name, row in named.items():
        if name in printed:
            f1, number = printed[name]
            lines.append([_paper(name, row), f"{f1:.2f}", "", "", number, *[""] * len(TESTED)])
        elif (larger := TABLE_5.get(name, {}).get(domain)) is not None:
            lines.append([_paper(name, row), f"{larger:.2f}", *[""] * (len(TESTED) + 3)])
        test, dev = (results.average(row, split) for split in ("test", "dev"))
        numbers = [mean(test), deviation(test), mean(dev), parameters(results, row)]
        lines.append([row.said, *numbers, *compared(results, row, full, "test", rounds), results.cells(row)])
    said = orders(results, [(named[better], named[worse]) for better, worse in ORDER], rounds)
    return Table(header, lines, (*said, *([OTHER_TWITTER] if domain == "twitter2017" else [])))


def zero_shot_table(results: Results, rows: Mapping[str, Row], others: Sequence[Row], rounds: int) -> Table:
    """Table 3, with what the dictionary found, and the BiLSTMs of table 5 that are as large. rows: by their endings.

    others: rows with other dictionaries, BiLSTM and cells in turn; those of which there is a run follow the table.
    """
    full = rows[ZERO_SHOT_FULL]
    pairs = [pair for pair in zip(others[::2], others[1::2], strict=True) if results.begun(pair)]
    header = ["row", "P", "R", "F1", "±", "parameters", "raw text", "known by the dictionary", *TESTED]
    lines = []
    for name, row in {**rows, **{row.name: row for pair in pairs for row in pair}}.items():
        f1 = TABLE_3[name][0] if name in TABLE_3 else TABLE_5.get(name, {}).get(SCITECH)
        if f1 is not None:
            _, number, words = TABLE_3.get(name, (f1, "", ""))
            lines.append([_paper(name, row), "", "", f"{f1:.2f}", "", number, words, "", *[""] * len(TESTED)])
        scores, f1s = folder_scores(results, row, SCITECH), results.average(row, "test")
        numbers = [mean(scores.get("precision")), mean(scores.get("recall")), mean(f1s), deviation(f1s)]
        numbers += [parameters(results, row), raw_text(row), found_by_dictionary(results, row, SCITECH, brief=True)]
        lines.append([row.said, *numbers, *compared(results, row, full, "test", rounds), results.cells(row)])
    asked = [(rows[better], rows[worse]) for better, worse in ZERO_SHOT_ORDER]
    for bilstm, cells in pairs:
        asked += [(cells, bilstm), (cells, full), (bilstm, rows["bilstm-lm"])]
    said = orders(results, asked, rounds)
    coverage = found_by_dictionary(results, full, SCITECH)
    return Table(header, lines, (*said, *([f"Dictionary: {coverage}."] if coverage else []), TABLE_3_ALL))


def _paper(ending: str, row: Row) -> str:
    return f"*paper: {CALLED.get(ending, row.said)}*"


class Ablated(NamedTuple):
    """A row of table 5. printed: its name in `TABLE_5`; rows: by target."""

    printed: str
    said: str
    rows: Mapping[str, Row]


def ablated(supervised: Sequence[Row], ablations: Sequence[Row], zero_shot: Mapping[str, Row]) -> list[Ablated]:
    """The rows of table 5, each with a row of the grid for every target."""
    by_name = {row.name: row for row in (*supervised, *ablations)}

    def several(printed: str, said: str, ending: str, scitech: Row) -> Ablated:
        rows = {target.dataset: by_name[f"multicell-{target.short}-{ending}"] for target in TARGETS}
        return Ablated(printed, said, {**rows, SCITECH: scitech})

    without = {ending: by_name[f"multicell-scitech-{ending}"] for ending in TABLE_5 if ending.startswith("without")}
    return [
        several("full", "MULTI-CELL LSTM", FULL, zero_shot[ZERO_SHOT_FULL]),
        *(several(ending, row.said, ending, row) for ending, row in without.items()),
        several("bilstm", "BILSTM-BASED", "multitask", zero_shot["bilstm-lm-dictionary"]),
        several("stacked", "STACKED BILSTMS", "stacked", zero_shot["stacked"]),
        several("expanded", "HIDDEN EXPANSION", "expanded", zero_shot["expanded"]),
    ]


def ablation_table(results: Results, found: Sequence[Ablated], rounds: int) -> Table:
    """Table 5: every row minus the full model, by target, with the paired test."""
    full, domains = found[0], list(found[0].rows)
    header = ["row", *(text for domain in domains for text in (domain, "- full", "p")), "cells"]
    lines = []
    for one in found:
        printed = TABLE_5[one.printed]
        paper = [text for domain in domains for text in _printed(printed.get(domain), TABLE_5["full"].get(domain))]
        lines.append([f"*paper: {one.said}*", *paper, ""])
        cells = [text for domain, row in one.rows.items() for text in _measured(results, full, row, domain, rounds)]
        lines.append([one.said, *cells, _cells(results, one)])
    said = (
        "BILSTM-BASED is MULTI-TASK (LSTM), and BILSTM+LM+DICT on SciTech.",
        "On SciTech the row without both losses reads raw text alone: a dictionary has nothing to teach then.",
    )
    return Table(header, lines, said)


def _printed(f1: float | None, full: float | None) -> Iterator[str]:
    difference = "" if f1 is None or full is None or f1 == full else f"{f1 - full:+.2f}"
    yield from ("" if f1 is None else f"{f1:.2f}", difference, "")


def _measured(results: Results, full: Ablated, row: Row, domain: str, rounds: int) -> list[str]:
    difference, p, _ = compared(results, full.rows[domain], row, "test", rounds)
    return [mean(results.average(row, "test")), difference, p]


def _cells(results: Results, one: Ablated) -> str:
    counts = [results.cells(row).split(" of ") for row in one.rows.values()]
    have, planned = (sum(int(count[place]) for count in counts) for place in (0, 1))
    return f"{have} of {planned}"


def feature_orders(results: Results, rows: Sequence[Row], rounds: int) -> tuple[str, ...]:
    """Both contexts over the same features; rows: BiLSTM and multi-cell in turn, and so on with other features."""
    domains = rows[0].domains
    pairs = [(replace(ours, domains=domains), base) for base, ours in zip(rows[::2], rows[1::2], strict=True)]
    return orders(results, pairs, rounds)
