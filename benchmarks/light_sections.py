"""Tables of the light experiments: rows of the grid beside what the papers print."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import fmean
from typing import Any

from cell_lines import Key
from grid_results import Results
from kept_later import is_there
from label_aware_grid import Row
from label_aware_sections import Table, compared, deviation, mean, percent
from light_journals import last_watched
from light_published import SCITECH_2020, TABLE_4, TABLE_5
from light_rows import SCITECH, SCITECH_2019

from nerbridge.evaluation.predictions import read_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.scoring import score
from nerbridge.evaluation.uncertainty import Spread, spread
from nerbridge.wording import counted

TOLD_APART = 0.05  # the p below which one row is said to be above another


def ordered(results: Results, rows: Sequence[Row], names: Sequence[str], rounds: int) -> tuple[str, ...]:
    """Whether each of `names` (best first) is above the next one, below it, or not told apart from it, per domain and
    over all, with the paired tests."""
    found = {row.name: row for row in rows}
    said = []
    for better, worse in pairwise(names):
        first, second = found.get(better), found.get(worse)
        if first is None or second is None:
            continue
        found_here = [above(results, replace(second, domains=(one,)), first, one, rounds) for one in first.domains]
        if len(found_here) > 1 and all(found_here):  # a target without cells would be left out of the sum unsaid
            found_here.append(above(results, replace(second, domains=first.domains), first, "together", rounds))
        said += found_here
    return tuple(filter(None, said))


def above(results: Results, base: Row, row: Row, where: str, rounds: int) -> str:
    """Whether `row` is above or below `base` on the targets of `base`, or the paired test does not tell them apart;
    with the pairs that were tested, and how many there will be while some are missing. Empty where no cell tells."""
    difference, p, pairs = compared(results, base, replace(row, domains=base.domains), "test", rounds)
    if difference == "-":
        return ""
    planned = len(base.domains) * len(results.seeds)
    tested = "" if pairs == str(planned) else f"{pairs} of "
    numbers = f"({where}: {difference}, p {p}, {tested}{counted(planned, 'pair')})"
    if p == "-" or float(p) >= TOLD_APART:
        return f"{row.said} and {base.said} are not told apart {numbers}."
    return f"{row.said} is {'above' if difference.startswith('+') else 'below'} {base.said} {numbers}."


def watched_table(results: Results, rows: Sequence[Row], domains: Sequence[str]) -> Table:
    """What the journals say at the weights that were kept: perplexities, the other domain's F1, the discriminator."""
    lines, names = [], dict[str, None]()
    seen = {(row.name, domain): last_watched(results, row, domain) for row in rows for domain in domains}
    for numbers in seen.values():
        names |= dict.fromkeys(numbers)
    for row in rows:
        for domain in domains:
            numbers = seen[row.name, domain]
            if numbers:
                cells = [f"{numbers[name].mean:.4g}" if name in numbers else "" for name in names]
                lines.append([row.said, domain, *cells])
    return Table(["row", "target", *names], lines)


def folder_scores(results: Results, row: Row, domain: str) -> dict[str, Spread]:
    """Precision, recall and F1 of the test set of `domain`, as fractions; nothing where no run has predictions."""
    found: dict[str, list[float]] = {}
    for seed in results.seeds:
        folder = results.run_folder((row.name, SCITECH, seed))
        if folder is None or (row.name, SCITECH, seed) not in results.lines:
            continue
        place = folder if domain == SCITECH else folder / "2019"
        path = predictions_path(place, "test")
        if is_there(path):
            scores = score(read_predictions(path))
            for name in ("precision", "recall", "f1"):
                found.setdefault(name, []).append(getattr(scores, name))
    return {name: spread(values) for name, values in found.items()}


def scitech_table(results: Results, rows: Sequence[Row], rounds: int) -> Table:
    """Table 4: precision, recall and F1 on the file of 2020, beside it F1 on that of 2019, which the paper has."""
    full = rows[-1]
    header = [
        "row",
        "P",
        "R",
        "F1",
        "±",
        "full - row",
        "p",
        "pairs",
        "2019: F1",
        "±",
        "paper, 2019: P / R / F1",
        "cells",
    ]
    lines = []
    for row in rows:
        here, there = (folder_scores(results, row, domain) for domain in (SCITECH, SCITECH_2019))
        f1 = results.average(row, "test")
        tests = compared(results, row, full, "test", rounds)
        paper = " / ".join(f"{number:.2f}" for number in TABLE_4.get(row.name, ()))
        numbers = [mean(here.get("precision")), mean(here.get("recall")), mean(f1), deviation(f1), *tests]
        lines.append([row.said, *numbers, mean(there.get("f1")), deviation(there.get("f1")), paper, results.cells(row)])
    said = (
        "Main columns: the test file of 2020, never compared with that of 2019.",
        f"Published on the file of 2020: {SCITECH_2020}.",
    )
    return Table(header, lines, said)


def found_table(results: Results, before: Row, full: Row) -> Table | None:
    """Table 5: correctly found entities by label, of STM-SOURCE and of the full model, mean over seeds."""
    counts: dict[str, dict[str, list[int]]] = {}
    gold: dict[str, int] = {}
    for row in (before, full):
        for seed in results.seeds:
            predictions = results.predictions((row.name, SCITECH, seed), "test")
            for label, tally in score(predictions).per_label.items() if predictions else ():
                if tally.gold:
                    counts.setdefault(label, {}).setdefault(row.name, []).append(tally.correct)
                    gold[label] = tally.gold
    whole = {label: by for label, by in counts.items() if len(by) == 2}
    if not whole:
        return None
    lines, sums = [], (0.0, 0.0)
    for label, by in sorted(whole.items(), key=lambda pair: -gold[pair[0]]):
        first, second = fmean(by[before.name]), fmean(by[full.name])
        sums = sums[0] + first, sums[1] + second
        paper = "{} -> {}".format(*TABLE_5[label]) if label in TABLE_5 else ""
        lines.append(
            [label, str(gold[label]), f"{first:.1f}", f"{second:.1f}", _growth(first, second, gold[label]), paper]
        )
    total = sum(gold[label] for label in whole)
    lines.append(["all", str(total), f"{sums[0]:.1f}", f"{sums[1]:.1f}", _growth(*sums, total), "3045 -> 3324"])
    said = "Growth is relative to the gold entities of the label, as in the paper."
    return Table(["label", "gold", before.said, full.said, "growth", "paper, 2019"], lines, (said,))


def _growth(first: float, second: float, gold: int) -> str:
    return f"{100 * (second - first) / gold:+.2f} %"


def _scores(results: Results, key: Key) -> dict[str, Any] | None:
    """What the run's scores.json says of test."""
    folder = results.run_folder(key) if key in results.lines else None
    path = None if folder is None else folder / "scores.json"
    if path is None or not is_there(path):
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["test"]
    return found


def coach_table(results: Results, rows: Sequence[Row], domains: Sequence[str]) -> Table | None:
    """F1 of boundaries and accuracy of types on gold spans, test, mean over domains and seeds."""
    lines = []
    for row in rows:
        keys = [(row.name, domain, seed) for domain in domains for seed in results.seeds]
        scores = [one for key in keys if (one := _scores(results, key)) is not None]
        boundary = [one["conlleval"]["boundary_only"]["f1"] for one in scores]
        types = [one["type_accuracy_on_gold_spans"] for one in scores if "type_accuracy_on_gold_spans" in one]
        if boundary:
            lines.append([row.said, percent(fmean(boundary)), percent(fmean(types)) if types else "", str(len(scores))])
    return Table(["row", "boundary F1", "type accuracy on gold spans", "runs"], lines) if lines else None
