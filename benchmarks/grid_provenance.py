"""What the runs behind a page were made with, as their own folders say it: machine, versions, encoder, data."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cell_lines import Key
from grid_results import Results
from kept_later import is_there

MACHINE = ("device", "nerbridge", "revision", "torch", "transformers", "accelerate", "python")
SCORER = (
    "micro F1 of exact spans, conlleval reading, sentences scored one by one (nerbridge.evaluation); models are "
    "selected on dev; the paired test is approximate randomisation over sentences, domains pooled, a sentence swapped "
    "in all seeds or in none"
)


def describe(results: Results) -> list[str]:
    """Lines of Markdown about the runs that were used: every value that occurs, with the number of its runs."""
    found: dict[str, Counter[str]] = {}
    notes: set[str] = set()
    missing = 0
    for key in sorted(results.used):
        environment, experiment, data = (
            record_of(results, key, name) for name in ("environment", "experiment", "data")
        )
        if environment is None or data is None:
            missing += 1
            continue
        for name, value in (*_of_machine(environment), *_of_experiment(experiment), *_of_data(data)):
            found.setdefault(name, Counter())[value] += 1
        notes |= {note for note in data.get("notes", ()) if "no dev split" in note}
    lines = [f"- {name}: {_values(values)}" for name, values in found.items()]
    lines += [f"- {note}" for note in sorted(notes)]
    lines.append(f"- seeds: {', '.join(map(str, results.seeds))}; scores: {SCORER}.")
    return [*lines, f"- **{missing} runs without their own records**"] if missing else lines


def record_of(results: Results, key: Key, name: str) -> Any:
    """What a run's own file of this name says, such as 'environment'; none where it is not there."""
    folder = results.run_folder(key)
    path = None if folder is None else folder / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path is not None and is_there(path) else None


def _values(values: Counter[str]) -> str:
    if len(values) == 1:
        return next(iter(values))
    return ", ".join(f"{value} ({number} runs)" for value, number in values.most_common())


def _of_machine(environment: dict[str, Any]) -> list[tuple[str, str]]:
    return [(name, str(environment[name])) for name in MACHINE if environment.get(name) is not None]


def _of_experiment(experiment: dict[str, Any] | None) -> list[tuple[str, str]]:
    if experiment is None:
        return [("encoder and precision", "not brought back with the runs, see where they were started")]
    settings = experiment["encoder"]
    encoder = Path(
        settings["checkpoint"] if "checkpoint" in settings else settings["kind"]
    ).name  # a folder's name, not where it lies
    precision = experiment["training"].get("base", {}).get("precision", "float32")
    return [("encoder", encoder), ("precision", precision)]


def _of_data(data: dict[str, Any]) -> list[tuple[str, str]]:
    """Fingerprints of what was scored, and of whole source data; a target's train may be a part on purpose."""
    *sources, target = data["domains"]
    wanted = [(source, ("train",)) for source in sources] + [(target, ("dev", "test"))]
    return [
        (f"data, {domain['domain']} {split}", _fingerprint(domain["splits"][split]))
        for domain, splits in wanted
        for split in splits
        if split in domain["splits"]
    ]


def _fingerprint(split: dict[str, Any]) -> str:
    return f"{split['sentences']} sentences, `{split['fingerprint'][:12]}`"


def versions_differ(results: Results, names: Sequence[str] = ("device", "torch", "revision")) -> list[str]:
    """Which of `names` have several values among the runs used."""
    seen: dict[str, set[str]] = {name: set() for name in names}
    for key in results.used:
        environment = record_of(results, key, "environment")
        for name in names if environment else ():
            seen[name].add(str(environment[name]))
    return [name for name in names if len(seen[name]) > 1]
