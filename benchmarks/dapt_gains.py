"""What pre-training adds: taggers on a pre-trained encoder minus the same taggers without, and one test over them."""

from collections.abc import Sequence
from statistics import fmean

from dapt_grid import LINEAR, NONE, OURS, recipe
from dapt_sections import Plan, begun
from grid_results import Results
from label_aware_grid import Row
from label_aware_page import Section
from label_aware_sections import Table

from nerbridge.evaluation.paired_test import compare_paired

Pair = tuple[Row, Row]  # without pre-training, and with it
COLUMNS = ("linear", "label-aware", "both")


def gain_section(results: Results, plan: Plan) -> Section | None:
    """The linear and the label-aware tagger, apart and together, over all domains and in each; none without a cell."""
    taggers = (recipe(LINEAR), recipe(OURS))
    rows = {kind: [plan.row(kind, tagger) for tagger in taggers] for kind in (NONE, *plan.whole)}
    shown = {kind: several for kind, several in rows.items() if kind != NONE and begun(results, several)}
    if not shown:
        return None
    lines = []
    for kind, several in shown.items():
        pairs = list(zip(rows[NONE], several, strict=True))
        there = [domain for domain in plan.domains if together(results, pairs, [domain], plan.rounds)[0] != "-"]
        for domains in ([there] if len(there) > 1 else []) + [[domain] for domain in there]:
            said = domains[0] if len(domains) == 1 else f"{len(domains)} domains"
            several_tests = [together(results, one, domains, plan.rounds) for one in (pairs[:1], pairs[1:], pairs)]
            lines.append([plan.said(kind), said, *(text for test in several_tests for text in test)])
    header = ["encoder", "target", *(f"{name}{text}" for name in COLUMNS for text in ("", ": p", ": pairs"))]
    every = [row for several in (rows[NONE], *shown.values()) for row in several]
    after = ("Means over the cells that both have, in points of F1; pairs are runs of one target and seed.",)
    return Section("gains", results.cells(every, plan.domains), Table(header, lines, after))


def together(results: Results, pairs: Sequence[Pair], domains: Sequence[str], rounds: int) -> tuple[str, str, str]:
    """Mean of second - first over all cells of all pairs, p of one test over them, and the number of tested pairs."""
    differences, counts = [], []
    for first, second in pairs:
        for domain in domains:
            for seed in results.seeds:
                scores = [results.f1(row, domain, seed, "test") for row in (first, second)]
                if scores[0] is None or scores[1] is None:
                    continue
                differences.append(scores[1] - scores[0])
                both = [results.counts((row.name, domain, seed), "test") for row in (first, second)]
                counts += [(both[0], both[1])] if both[0] is not None and both[1] is not None else []
    if not differences:
        return "-", "-", "0"
    p_value = f"{compare_paired(counts, rounds=rounds).p_value:.4f}" if counts else "-"
    return f"{100 * fmean(differences):+.2f}", p_value, str(len(counts))
