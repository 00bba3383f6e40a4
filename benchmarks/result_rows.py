"""Runs of `crossner_bench.py` -> rows of results, which `results_page.py` gathers into docs/results.md.

    python benchmarks/result_rows.py RUNS --name crossner-mpnet --encoder mpnet [--rows a,b] [--note TEXT]

Writes benchmarks/results/rows-NAME.json. Every grid can write such a file, whatever its own page is:

    schema     1
    note       a sentence about these runs
    made_with  lines about machine, versions and data, as the runs' own folders tell
    data       target -> SHA-256 of its test sentences: rows on different sentences are never put into one table
    rows       row (its name), said (what it is called), recipe, encoder, tagger, transfer, source, raw_text (does it
               read some?), pre_trained (kind of pre-training of the encoder, empty without), scores (target -> f1 of
               every seed, interval), intervals (benchmark -> of the average over its targets), seconds (to train, mean
               over runs: all stages, and the pre-training of the encoder; none where it would mislead), device

Scores are fractions, micro F1 of exact spans on test, conlleval reading. Intervals hold 95 % of 2,000 resamplings of
sentences, mean over seeds, the same draws in every seed; those of an average resample inside every target.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from crossner_cells import DOMAINS, recipe_path
from dapt_cells import Cell, encoder_lines
from grid_provenance import describe
from grid_results import Key, Results, read_results
from kept_cells import opened
from label_aware_grid import Row

from nerbridge.config.loading import load_experiment
from nerbridge.evaluation.files import write_text
from nerbridge.evaluation.uncertainty import Floats, f1_of, percentiles, resample

SCHEMA, ROUNDS = 1, 2000
LANGUAGE_MODEL = "language model"
RESULTS = Path(__file__).parent / "results"
BENCHMARKS = {  # targets that are averaged
    "crossner": DOMAINS,
    "mit": ("mit_movie", "mit_restaurant"),
    "bionlp": ("bionlp13pc", "bionlp13cg"),
    "twitter": ("broad_twitter", "twitter2017"),
    "scitech": ("cbs_scitech",),
}


def write_rows(
    path: Path, results: Results, rows: Sequence[Row], *, encoder: str, note: str = "", timed: bool = True
) -> Path:
    """Writes the file of those `rows` that have a run.

    encoder: what the runs' encoder is called. timed: False where the machine had other work, so that seconds mislead.
    """
    found = [one for row in rows if (one := result_row(results, row, encoder)) is not None]
    found = [one if timed else {**one, "seconds": None} for one in found]
    content = {
        "schema": SCHEMA,
        "note": note,
        "made_with": describe(results),
        "data": _fingerprints(results),
        "rows": found,
    }
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    return path


def result_row(results: Results, row: Row, encoder: str) -> dict[str, Any] | None:
    """One row over all targets that it has runs of; none without a run."""
    keys = sorted(key for key in results.lines if key[0] == row.name and key[2] in results.seeds)
    if not keys:
        return None
    targets = [target for several in BENCHMARKS.values() for target in several]
    order = sorted(
        {domain for _, domain, _ in keys}, key=lambda one: (targets.index(one) if one in targets else 99, one)
    )
    scores: dict[str, Any] = {}
    draws: dict[str, Floats] = {}
    for target in order:
        seeds = [key for key in keys if key[1] == target]
        found = {str(key[2]): results.f1(row, target, key[2], "test") for key in seeds}
        scores[target] = {"f1": found}
        if (drawn := _drawn(results, seeds, order.index(target))) is not None:
            draws[target] = drawn
            scores[target]["interval"] = _interval(drawn)
    intervals = {
        name: _interval(np.mean([draws[target] for target in several], axis=0))
        for name, several in BENCHMARKS.items()
        if all(target in draws for target in several)
    }
    return {
        "row": row.name,
        "said": row.said or row.name,
        "recipe": row.recipe,
        **_made_of(results, keys[0], row, encoder),
        "scores": scores,
        "intervals": intervals,
        "seconds": round(fmean(_seconds(results, key) for key in keys), 1),
        "device": _device(results, keys),
    }


def _drawn(results: Results, keys: Sequence[Key], seed: int) -> Floats | None:
    """F1 of every resampling, mean over seeds; none where the predictions of one are not there.

    seed: of the draws, another one for each target, or those of targets of one size would go up and down together.
    """
    counts = [one for key in keys if (one := results.counts(key, "test")) is not None]
    if len(counts) < len(keys):
        return None
    drawn: Floats = np.mean([f1_of(resample(one, rounds=ROUNDS, seed=seed)) for one in counts], axis=0)
    return drawn


def _interval(drawn: Floats) -> list[float]:
    found = percentiles(drawn, 0.95)
    return [round(found.low, 6), round(found.high, 6)]


def _made_of(results: Results, key: Key, row: Row, encoder: str) -> dict[str, Any]:
    """What the row is made of, as the run's own settings say, or its recipe where they were not brought back."""
    folder = results.run_folder(key)
    path = None if folder is None else folder / "experiment.json"
    settings = [one.replace("{domain}", key[1]) for one in results.lines[key]["settings"]]
    if path is not None and path.is_file():
        made = json.loads(path.read_text(encoding="utf-8"))
    else:
        made = load_experiment(recipe_path(row.recipe), settings).model_dump(mode="json")
    kind = _kind(results, key)
    transfer = made["transfer"]
    encoder = _encoder(made["encoder"], encoder)
    learnt = LANGUAGE_MODEL in encoder
    raw = bool(kind or learnt or made.get("corpus") or transfer.get("target_raw") or transfer.get("source_raw"))
    return {
        "encoder": f"{encoder} + {kind}" if kind else encoder,
        "pre_trained": kind,
        "tagger": _tagger(made),
        "transfer": transfer["kind"],
        "source": _source(made["source"]),
        "raw_text": raw,
    }


def _encoder(made: dict[str, Any], said: str) -> str:
    """What the encoder is called; of several side by side the first one bears the name that was given."""
    if made["kind"] == "concatenated":
        first, *others = made["parts"]
        return " + ".join([_encoder(first, said), *(_encoder(other, _usual(other)) for other in others)])
    return f"{said}, words alone" if made["kind"] == "word_char" and made["characters"] == "none" else said


def _usual(made: dict[str, Any]) -> str:
    match made["kind"]:
        case "language_model":
            return LANGUAGE_MODEL
        case "transformer":
            return Path(made["checkpoint"]).name
        case kind:
            return str(kind).replace("_", " ")


def _tagger(made: dict[str, Any]) -> str:
    context, head = made["context"], made["tagger"]["kind"].replace("_", "-")
    if context["kind"] == "none":
        return str(head)
    layers = f"{context['layers']} x " if context.get("layers", 1) > 1 else ""
    kind = "one cell" if context.get("one_cell") else context["kind"].replace("_", " ")
    return f"{kind} {layers}{context['hidden']}, {head}"


def _source(stages: Sequence[dict[str, Any]]) -> str:
    """The data sets of every source stage; many of them are counted."""
    names = [[*stage["datasets"], *(one["domain"] for one in stage["files"])] for stage in stages]
    return ", then ".join(" + ".join(several) if len(several) < 3 else f"{len(several)} others" for several in names)


def _kind(results: Results, key: Key) -> str:
    """The kind of the encoder that was pre-trained for each domain (`dapt_cells.py`); empty where none was."""
    _, found, kind = _checkpoint(results, key).replace("=", "/", 1).rpartition("/{domain}-")
    kinds = {cell.kind for cell, _ in _encoders(results) if key[0].startswith(f"{cell.kind}-")}
    return kind if found else max(kinds, key=len, default="")


def _encoders(results: Results) -> list[tuple[Cell, dict[str, Any]]]:
    """What `dapt_bench.py` wrote of encoders, in the folders of the runs or above them."""
    places = [place for folder in results.folders for place in (folder, folder.parent)]
    found = encoder_lines([place / "encoders.jsonl" for place in dict.fromkeys(places)])
    return [(cell, line) for cell, line in found if "failed" not in line]


def _checkpoint(results: Results, key: Key) -> str:
    found = [one for one in results.lines[key]["settings"] if one.startswith("encoder.checkpoint=")]
    return found[-1] if found else ""


def _seconds(results: Results, key: Key) -> float:
    """Of all stages, and of the pre-training whose encoder they start from."""
    stages = sum(float(stage["seconds"]) for stage in results.lines[key]["stages"].values())
    if not (kind := _kind(results, key)):
        return stages
    own = [float(line["seconds"]) for cell, line in _encoders(results) if cell.name == f"{key[1]}-{kind}"]
    return stages + (own[-1] if own else 0.0)


def _device(results: Results, keys: Sequence[Key]) -> str:
    """Where the runs were made; several devices are all named."""
    found = dict.fromkeys(
        str(one["device"]) for key in keys if (one := _record(results, key, "environment")) is not None
    )
    return ", ".join(found)


def _fingerprints(results: Results) -> dict[str, str]:
    """SHA-256 of the test sentences of every target. Raises ValueError where two runs differ."""
    found: dict[str, str] = {}
    for key in sorted(results.used):
        data = _record(results, key, "data")
        test = data["domains"][-1]["splits"].get("test") if data else None
        if test and found.setdefault(key[1], test["fingerprint"]) != test["fingerprint"]:
            raise ValueError(f"the runs of {key[1]} were scored on different test sentences")
    return found


def _record(results: Results, key: Key, name: str) -> Any:
    folder = results.run_folder(key)
    path = None if folder is None else folder / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path is not None and path.is_file() else None


def rows_of_lines(paths: Sequence[Path]) -> list[Row]:
    """The rows that good lines belong to, by name."""
    found: dict[str, Row] = {}
    for text in (text for path in paths for text in path.read_text(encoding="utf-8").splitlines()):
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if "failed" not in line:
            found[line["row"]] = Row(line["row"], line["recipe"])
    return sorted(found.values(), key=lambda row: row.name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of crossner_bench.py, or kept cells")
    parser.add_argument("--name", required=True, help="of the file")
    parser.add_argument("--encoder", required=True, help="what the encoder of these runs is called")
    parser.add_argument("--rows", default="", help="names of rows, in order; default: all")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--note", default="")
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    seeds = [int(seed) for seed in arguments.seeds.split(",")]
    with opened(arguments.runs) as places:
        files = [folder / "cells.jsonl" for folder in places.folders]
        there = {row.name: row for row in rows_of_lines(files)}
        rows = [there[name] for name in arguments.rows.split(",")] if arguments.rows else list(there.values())
        results = read_results(files, places.folders, seeds, rows, places.notes)
        path = arguments.output / f"rows-{arguments.name}.json"
        print(write_rows(path, results, rows, encoder=arguments.encoder, note=arguments.note))


if __name__ == "__main__":
    main()
