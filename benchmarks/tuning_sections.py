"""Settings that are tried on dev before tables are made: what each was worth, and which one dev chose."""

from collections.abc import Sequence
from statistics import fmean

from grid_results import Results
from label_aware_grid import Row
from label_aware_sections import Table, percent
from light_tuning import NO_DATASET


def tuning_table(results: Results, rows: Sequence[Row]) -> Table | None:
    """Dev F1 of every setting that was tried, by target, and their average; the best of each kind are marked.

    All settings of a kind are read at the seeds that all of them have, or the one with more of them would be judged by
    others.
    """
    targets = list(dict.fromkeys(map(tried_on, rows)))
    found = {(row.said, tried_on(row)): dev for row, dev in dev_alike(results, rows).items()}
    if not found:
        return None
    said = list(dict.fromkeys(row.said for row in rows))
    whole = {one: [found[one, target] for target in targets if (one, target) in found] for one in said}
    found |= {(one, ""): fmean(values) for one, values in whole.items() if len(values) == len(targets)}
    best = {
        (column, one.partition(",")[0]): one for (one, column), _ in sorted(found.items(), key=lambda pair: pair[1])
    }
    lines = [
        [
            one,
            *(
                percent(found.get((one, column))) + (" *" if best.get((column, one.partition(",")[0])) == one else "")
                for column in (*targets, "")
            ),
        ]
        for one in said
    ]
    return Table(["setting", *targets, "dev F1 (* best of its kind)"], lines)


def tried_on(row: Row) -> str:
    """The target of a setting that is tried on dev, one of files of its own by its name."""
    return row.name.rpartition("-")[2] if row.domains == (NO_DATASET,) else row.domains[0]


def dev_alike(results: Results, rows: Sequence[Row]) -> dict[Row, float]:
    """Dev F1 (a fraction) of every row that has been run, as a mean over the seeds that all rows of its kind and target
    have that were run at all; kind: what is said before the comma."""
    kinds: dict[tuple[str, str], dict[Row, dict[int, float]]] = {}
    for row in rows:
        found = {seed: one for seed in results.seeds if (one := tried(results, row, seed)) is not None}
        if found:
            kinds.setdefault((row.said.partition(",")[0], tried_on(row)), {})[row] = found
    alike: dict[Row, float] = {}
    for by in kinds.values():
        seeds = set[int].intersection(*map(set, by.values()))
        alike |= {row: fmean(found[seed] for seed in seeds) for row, found in by.items() if seeds}
    return alike


def tried(results: Results, row: Row, seed: int) -> float | None:
    """What chooses a setting: F1 on dev; of files of its own, whose test set is dev, that of test."""
    return results.f1(row, row.domains[0], seed, "test" if row.domains == (NO_DATASET,) else "dev")


def chosen_settings(results: Results, rows: Sequence[Row]) -> dict[str, dict[str, Row]]:
    """The setting of each kind that is best on dev of a target: target -> kind -> row."""
    best: dict[str, dict[str, Row]] = {}
    for row, _ in sorted(dev_alike(results, rows).items(), key=lambda pair: pair[1]):
        best.setdefault(tried_on(row), {})[row.said.partition(",")[0]] = row
    return best
