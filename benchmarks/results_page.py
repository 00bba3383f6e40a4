"""All result files -> docs/results.md: every method that was measured, on equal terms, beside what papers print.

    python benchmarks/results_page.py

Reads benchmarks/results/rows-*.json (written by `result_rows.py` and the tables of each grid) and the files of the
speed benchmarks. Nothing on the page is written by hand; a test compares it with what this command would write.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from result_rows import RESULTS, SCHEMA
from results_published import AVERAGES, PUBLISHED, Printed
from results_sections import marks_of, sections
from results_speed import short_device, speed_of
from results_texts import ABOUT, INTRODUCTION, TITLES
from row_scores import BENCHMARKS

PRE_TRAINED = "integrated-span"  # how the kind of encoders begins that were pre-trained as the papers' best ones
PAGE = Path(__file__).parents[1] / "docs" / "results.md"


def read_files(folder: Path) -> list[dict[str, Any]]:
    """The result files by name. Raises ValueError for another schema, or where two files scored different sentences."""
    files = []
    prints: dict[str, tuple[str, str]] = {}
    for path in sorted(folder.glob("rows-*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        if content.get("schema") != SCHEMA:
            raise ValueError(f"{path.name} has schema {content.get('schema')}, this script reads {SCHEMA}")
        for target, fingerprint in content["data"].items():
            other, there = prints.setdefault(target, (path.name, fingerprint))
            if there != fingerprint:
                raise ValueError(f"{path.name} and {other} were scored on different test sentences of {target}")
        files.append({"file": path.name, **content})
    return files


def page(folder: Path) -> str:
    """The whole page."""
    files = read_files(folder)
    marks = marks_of(files)
    rows = [{**row, "mark": marks[one["file"]]} for one in files for row in one["rows"]]
    parts = [INTRODUCTION]
    missing = []
    for name, title in TITLES.items():
        mine = [row for row in rows if set(row["scores"]) & set(BENCHMARKS[name])]
        if mine:
            parts += [f"## {title}\n", ABOUT[name] + "\n", *_table(name, mine, folder)]
        else:
            missing.append(title)
    parts += list(_absent(rows, missing))
    parts += list(sections(files))
    return "\n".join(parts).rstrip("\n") + "\n"


def _table(name: str, rows: Sequence[dict[str, Any]], folder: Path) -> Iterator[str]:
    """Ours by average, then what is printed; a row that lacks a target has no average and comes behind."""
    targets = BENCHMARKS[name]
    scores = {id(row): [_mean(row, target) for target in targets] for row in rows}
    averages = {key: _average(several) for key, several in scores.items()}
    best = [_best([several[place] for several in scores.values()]) for place in range(len(targets))]
    best_average = _best(list(averages.values()))
    ordered = sorted(rows, key=lambda row: (averages[id(row)] is None, -(averages[id(row)] or 0), row["said"]))
    several = len(targets) > 1
    header = ["row", "encoder", "tagger", "source", *targets, *(["average"] if several else [])]
    header += ["95 % interval", "seeds", "minutes to train", "words per second", "made with"]
    yield _line(header)
    yield _line(["---"] * len(header))
    for row in ordered:
        each = [_shown(value, top) for value, top in zip(scores[id(row)], best, strict=True)]
        average = [_shown(averages[id(row)], best_average)] if several else []
        last = [
            _interval(row, name, targets),
            _seeds(row, targets),
            "" if row["seconds"] is None else f"{row['seconds'] / 60:.1f}{_on(row['device'])}",
            speed_of(row, folder),
            row["mark"],
        ]
        yield _line([row["said"], row["encoder"], row["tagger"], row["source"] or "none", *each, *average, *last])
    for one in PUBLISHED[name]:
        yield _line(_printed(name, one))
    yield ""


def _printed(name: str, one: Printed) -> list[str]:
    each = ["" if score is None else f"{score:.2f}" for score in one.scores]
    known = [score for score in one.scores if score is not None]
    whole = len(known) == len(one.scores)
    average = [f"{AVERAGES.get((name, one.name), fmean(known)):.2f}" if whole else ""] if len(one.scores) > 1 else []
    return [f"*{one.name}*", f"*{one.encoder}*", f"*{one.paper}*", "", *each, *average, "", "", "", "", ""]


def _mean(row: dict[str, Any], target: str) -> float | None:
    found = row["scores"].get(target)
    return None if found is None else 100 * fmean(found["f1"].values())


def _average(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if len(known) == len(values) else None


def _best(values: Sequence[float | None]) -> float | None:
    return max((value for value in values if value is not None), default=None)


def _shown(value: float | None, best: float | None) -> str:
    if value is None:
        return ""
    return f"**{value:.2f}**" if f"{value:.2f}" == f"{best:.2f}" else f"{value:.2f}"


def _interval(row: dict[str, Any], name: str, targets: Sequence[str]) -> str:
    """Of the average; of the only target where there is one."""
    there = [target for target in targets if target in row["scores"]]
    found = row["intervals"].get(name)
    alone = found is None and len(there) == 1
    found = row["scores"][there[0]].get("interval") if alone else found
    return f"{100 * found[0]:.1f} to {100 * found[1]:.1f}" if found else ""


def _seeds(row: dict[str, Any], targets: Sequence[str]) -> str:
    numbers = sorted({len(row["scores"][target]["f1"]) for target in targets if target in row["scores"]})
    return " to ".join(map(str, numbers[:1] + numbers[-1:] if len(numbers) > 1 else numbers))


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _absent(rows: Sequence[dict[str, Any]], missing: Sequence[str]) -> Iterator[str]:
    """What the papers have and no result file here has yet."""
    yield "## Not measured yet\n"
    for title in missing:
        yield f"- {title}: nothing"
    for name, title in TITLES.items():
        if title in missing:
            continue
        mine = [row for row in rows if set(row["scores"]) & set(BENCHMARKS[name])]
        there = {
            (row["recipe"], raw)
            for row in mine
            for raw in ({False} | ({True} if row["pre_trained"].startswith(PRE_TRAINED) else set()))
        }
        lacking = [
            one.name
            for one in PUBLISHED[name]
            if one.recipe and not any((recipe, one.raw_text) in there for recipe in one.recipe.split())
        ]
        if lacking:
            yield f"- {title}: what stands beside {'; '.join(lacking)}"
        nothing = [one.name for one in PUBLISHED[name] if not one.recipe]
        if nothing:
            yield f"- {title}, no recipe here: {'; '.join(nothing)}"
    yield ""


def _on(device: str) -> str:
    return f" ({short_device(device)})" if device else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--output", type=Path, default=PAGE)
    arguments = parser.parse_args()
    arguments.output.write_text(page(arguments.results), encoding="utf-8")
    print(arguments.output)


if __name__ == "__main__":
    main()
