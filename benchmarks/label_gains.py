"""F1 by label of several systems and what each gains over the first, labels that the source has apart from new ones.

    python benchmarks/label_gains.py NAME 'direct=RUNS/bionlp-target-bilstm-*' 'multi-cell=RUNS/bionlp-multi-cell-*'

Each system is a name and the folders of its runs, one per seed (a pattern); the first is what the others are compared
with. Table 4 of Jia and Zhang 2020 is of this form. What labels the source has is read off the runs: a label counts as
one of the source when it is spelled so there, or in another way by the product's table of spellings. F1 is exact, of
the test sentences, conlleval reading, the mean over runs; a group's F1 is over all its entities together.
"""

import argparse
import glob
import json
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from measuring import RESULTS, table

from nerbridge.data.labels import canonical

Counts = Mapping[str, Mapping[str, float]]  # label -> gold, predicted, correct
KNOWN, NEW, ALL = "in the source", "not in the source", "all"


def read_run(folder: Path) -> tuple[Counts, frozenset[str]]:
    """The counts of every label in the test sentences, and the labels of the source, by their compared names."""
    counts = json.loads((folder / "scores.json").read_text("utf-8"))["test"]["conlleval"]["per_label"]
    *sources, _ = json.loads((folder / "data.json").read_text("utf-8"))["domains"]
    return counts, frozenset(canonical(label) for source in sources for label in source["labels"])


def f1(counts: Sequence[Mapping[str, float]]) -> float:
    """Micro F1 over some labels."""
    correct, gold, predicted = (sum(one[key] for one in counts) for key in ("correct", "gold", "predicted"))
    return 2 * correct / (gold + predicted) if correct else 0.0


def groups(labels: Sequence[str], of_source: frozenset[str]) -> dict[str, list[str]]:
    """Rows of the table -> the labels that they are over: labels of the source, then new ones, each with its sum."""
    known = [label for label in labels if canonical(label) in of_source]
    new = [label for label in labels if label not in known]
    rows: dict[str, list[str]] = {}
    for name, members in ((KNOWN, known), (NEW, new)):
        rows |= {label: [label] for label in members}
        if members:
            rows[name] = members
    return {**rows, ALL: list(labels)}


def gains(systems: Mapping[str, Sequence[Path]]) -> list[dict[str, Any]]:
    """One row per label, group and all together: gold entities, and per system its mean F1 and gain, in percent."""
    runs = {name: [read_run(folder) for folder in folders] for name, folders in systems.items()}
    # Systems without a source, such as direct transfer, do not say which labels it has: the others do.
    of_source = frozenset(label for found in runs.values() for _, labels in found for label in labels)
    names = sorted({label for found in runs.values() for counts, _ in found for label in counts})
    first = next(iter(runs))
    rows = []
    for row, members in groups(names, of_source).items():
        scores = {
            name: 100 * statistics.mean(f1([counts[one] for one in members if one in counts]) for counts, _ in found)
            for name, found in runs.items()
        }
        gold = sum(runs[first][0][0][one]["gold"] for one in members if one in runs[first][0][0])
        rows.append({"row": row, "gold": gold, **{n: (score, score - scores[first]) for n, score in scores.items()}})
    return rows


def page(rows: Sequence[Mapping[str, Any]], systems: Mapping[str, Sequence[Path]]) -> str:
    """The table for people."""
    first, *others = systems
    columns = ["label", "entities", first, *(f"{name} (gain)" for name in others)]
    lines = []
    for row in rows:
        bold = "**" if row["row"] in (KNOWN, NEW, ALL) else ""
        cells = [f"{row[first][0]:.2f}", *(f"{row[name][0]:.2f} ({row[name][1]:+.2f})" for name in others)]
        lines.append([f"{bold}{row['row']}{bold}", row["gold"], *cells])
    runs = ", ".join(f"{name} {len(folders)}" for name, folders in systems.items())
    return f"# F1 by label\n\nRuns: {runs}.\n\n{table(columns, lines)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("name", help="of the files of results: label-gains-NAME")
    parser.add_argument("systems", nargs="+", help="NAME=PATTERN of run folders; the first is compared with")
    asked = parser.parse_args()
    systems: dict[str, list[Path]] = {}
    for one in asked.systems:
        name, _, pattern = one.partition("=")
        found = map(Path, glob.glob(pattern))  # noqa: PTH207 (absolute patterns too)
        systems[name] = sorted(folder for folder in found if (folder / "scores.json").exists())
        if not systems[name]:
            parser.error(f"no finished run at '{pattern}'")
    rows = gains(systems)
    path = RESULTS / f"label-gains-{asked.name}"
    path.with_suffix(".json").write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(page(rows, systems), encoding="utf-8")
    print(page(rows, systems))
    return 0


if __name__ == "__main__":
    sys.exit(main())
