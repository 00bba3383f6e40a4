"""The runs of `crossner_bench.py` -> one table beside the published rows, with intervals and paired tests.

    python benchmarks/crossner_table.py RUNS --output benchmarks/results/crossner-mpnet --note "..." \\
        --compare sequential-linear:sequential-crf

Test F1, mean ± deviation over seeds, in brackets how many seeds were run. The interval of an average resamples
sentences inside each domain (percentile bootstrap, 2,000 rounds, all seeds on the same draws). Paired tests swap
sentences between two rows inside each domain, the same ones in every seed. Files of kept cells (`keep_cells.py`) may
stand for folders of runs, or beside them.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from endings import faults_said
from kept_cells import opened
from kept_later import is_there

from nerbridge.evaluation.paired_test import compare_paired
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import read_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.uncertainty import count_sentences, f1_of, resample

DOMAINS = ("politics", "science", "music", "literature", "ai")
PUBLISHED = {  # BERT-base-cased, mean of three runs
    "BERT tagger, direct (CrossNER)": (66.56, 63.73, 66.59, 59.95, 50.37, 61.44),
    "BERT tagger, sequential (CrossNER)": (68.71, 64.94, 68.30, 63.63, 58.88, 64.89),
    "BERT tagger, joint (CrossNER)": (68.85, 65.03, 67.59, 62.57, 58.57, 64.52),
    "BERT-CRF, sequential (LANER)": (70.47, 66.77, 70.34, 67.15, 58.03, 66.55),
    "LANER (LANER)": (71.65, 69.29, 73.07, 67.98, 61.72, 68.74),
}
Runs = dict[tuple[str, int], list[Prediction]]  # of one row, by domain and seed


def read_rows(folders: Sequence[Path]) -> dict[str, Runs]:
    """Test predictions of every row, by domain and seed; of a run that several folders have, those of the last one."""
    rows: dict[str, Runs] = {}
    for place in (place for folder in folders for place in sorted(folder.glob("*/*/seed-*"))):
        seed, domain, row = place.name, place.parent.name, place.parents[1].name
        if is_there(path := predictions_path(place, "test")):
            rows.setdefault(row, {})[domain, int(seed.removeprefix("seed-"))] = read_predictions(path)
    return rows


def summarize(runs: Runs) -> dict[str, Any]:
    """Mean and deviation per domain, the average of the domain means, and its interval."""
    domains = [domain for domain in DOMAINS if any(found == domain for found, _ in runs)]
    per_domain, draws = {}, []
    for domain in domains:
        counts = [count_sentences(found) for (name, _), found in sorted(runs.items()) if name == domain]
        scores = [float(f1_of(one.sum(axis=0))) for one in counts]
        deviation = float(np.std(scores, ddof=1)) if len(scores) > 1 else None
        per_domain[domain] = {"mean": float(np.mean(scores)), "deviation": deviation, "seeds": scores}
        draws.append(np.mean([f1_of(resample(one, rounds=2000, seed=0)) for one in counts], axis=0))
    low, high = np.percentile(np.mean(draws, axis=0), [2.5, 97.5])
    average = float(np.mean([value["mean"] for value in per_domain.values()]))
    return {"domains": per_domain, "average": average, "interval": [float(low), float(high)], "runs": len(runs)}


def paired(first: Runs, second: Runs) -> dict[str, Any]:
    """The paired test over all domains and seeds that both rows have."""
    shared = sorted(set(first) & set(second))
    pairs = [(count_sentences(first[key]), count_sentences(second[key])) for key in shared]
    test = compare_paired(pairs)
    return {"pairs": len(shared), "difference": test.difference, "p": test.p_value, "rounds": test.rounds}


def markdown(rows: dict[str, Any], tests: dict[str, Any], note: str, settings: str) -> str:
    """The page."""
    how = "Test F1 (conlleval reading), mean ± deviation over seeds, in brackets the number of seeds."
    lines = ["# CrossNER, source CoNLL-2003: test F1", "", note, "", how, "", settings, ""]
    lines += [f"| row | {' | '.join(DOMAINS)} | average | 95 % interval |", "|---" * (len(DOMAINS) + 3) + "|"]
    for name, values in PUBLISHED.items():
        lines.append(f"| *{name}* | {' | '.join(f'{value:.2f}' for value in values)} | |")
    for name, row in rows.items():
        cells = [_cell(row["domains"].get(domain)) for domain in DOMAINS]
        low, high = row["interval"]
        average = f"**{100 * row['average']:.2f}**"
        lines.append(f"| {name} | {' | '.join(cells)} | {average} | {100 * low:.2f} to {100 * high:.2f} |")
    if tests:
        lines += ["", "| first | second | second - first | p (paired randomisation) | runs |", "|---|---|---|---|---|"]
    for name, test in tests.items():
        first, _, second = name.partition(":")
        lines.append(f"| {first} | {second} | {100 * test['difference']:+.2f} | {test['p']:.4f} | {test['pairs']} |")
    return "\n".join(lines) + "\n"


def _cell(value: dict[str, Any] | None) -> str:
    if value is None:
        return "-"
    deviation = "" if value["deviation"] is None else f" ± {100 * value['deviation']:.2f}"
    return f"{100 * value['mean']:.2f}{deviation} ({len(value['seeds'])})"


def describe(folders: Sequence[Path]) -> str:
    """Data fingerprints and environment of the runs, as they wrote them down."""
    first = _in_runs(folders, "environment.json")
    environment = json.loads(first[0].read_text(encoding="utf-8"))
    kept = {key: environment[key] for key in ("device", "torch", "transformers", "accelerate", "python", "revision")}
    prints = {}
    for path in _in_runs(folders, "data.json"):
        for domain in json.loads(path.read_text(encoding="utf-8"))["domains"]:
            for split, facts in domain["splits"].items():
                if split == "test" or domain["domain"] == "conll2003":
                    prints[f"{domain['domain']} {split}"] = facts["fingerprint"][:12]
    machine = ", ".join(f"{key} {value}" for key, value in kept.items())
    return f"Machine: {machine}.\n\nData: {', '.join(f'{k} `{v}`' for k, v in sorted(prints.items()))}."


def _in_runs(folders: Sequence[Path], name: str) -> list[Path]:
    """The files called `name` of all runs, by row, domain and seed, whatever folder they lie in."""
    found = [path for folder in folders for path in folder.glob(f"*/*/seed-*/{name}")]
    return sorted(found, key=lambda path: path.parts[-4:])


@faults_said()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of crossner_bench.py, or kept cells")
    parser.add_argument("--output", type=Path, required=True, help="path of the .md and .json files, without suffix")
    parser.add_argument("--rows", help="names of the rows to show, in order")
    parser.add_argument("--compare", action="append", default=[], help="ROW:ROW, tested against each other")
    parser.add_argument("--note", default="")
    arguments = parser.parse_args()
    with opened(arguments.runs) as places:
        found, settings = read_rows(places.folders), describe(places.folders)
    for note in places.notes:
        print(note, file=sys.stderr)
    names = arguments.rows.split(",") if arguments.rows else sorted(found)
    rows = {name: summarize(found[name]) for name in names}
    tests = {pair: paired(*(found[name] for name in pair.split(":"))) for pair in arguments.compare}
    page = markdown(rows, tests, arguments.note, settings)
    arguments.output.with_suffix(".md").write_text(page, encoding="utf-8")
    content = {"note": arguments.note, "settings": settings, "rows": rows, "tests": tests}
    arguments.output.with_suffix(".json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
