"""A run folder <-> the record that is kept of it: what pages read of environment, experiment, data, scores, journal,
and the spans of every split.

Of environment.json the keys that pages name; experiment.json whole; of data.json domains, labels, counts, fingerprints
and the notes on dev splits and dictionaries; of scores.json what spans do not say (whether it was there, and the
accuracy of types); of the journal the evaluations of the last stage, of which learning curves are drawn. Where a file
was missing, it is missing after the way back too. No path of the machine stays: `without_paths`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from grid_provenance import MACHINE
from kept_answers import count_answers, pack_answers, pack_gold, unpack_answers
from kept_later import Count, Make, at_once, is_there
from light_rows import WATCHED

from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import read_predictions, write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.scoring import score
from nerbridge.training.journal import read_journal

Store = Callable[[str, Any], str]  # kind and value of something that runs share -> its name
Write = Callable[[Path, Make, Count | None], None]
PLACES = {"": "", "2019/": "2019"}  # of predictions in a run folder: before a split's name -> folder
SPLITS = ("dev", "test")
TYPES = "type_accuracy_on_gold_spans"
NOTES = ("no dev split", "the dictionary finds")  # what is said in the notes that pages read
_START = r"(?:(?:~|\.{1,2})?/|[A-Za-z]:[/\\])(?=\S)"  # of a path that is one of a machine
_PATH = re.compile(_START)
_INSIDE = re.compile(rf"""(?<=["'=:,(\[\s])({_START}[^"',)\]]*)""")


def read_splits(folder: Path) -> dict[str, list[Prediction]]:
    """The predictions of a run by split; those of another test file as '2019/test'. Raises DataError."""
    found = {
        f"{before}{split}": predictions_path(folder / place, split)
        for before, place in PLACES.items()
        for split in SPLITS
    }
    return {name: read_predictions(path) for name, path in found.items() if is_there(path)}


def pack_run(folder: Path, seed: int, splits: Mapping[str, list[Prediction]], store: Store) -> dict[str, Any]:
    """The record of a run folder. splits: of `read_splits`. Raises ValueError where a file is damaged."""
    record: dict[str, Any] = {}
    if (environment := _read(folder / "environment.json")) is not None:
        record["environment"] = store(
            "environment", {name: environment[name] for name in MACHINE if name in environment}
        )
    if (experiment := _read(folder / "experiment.json")) is not None:
        shared = {**experiment, "seed": None} if experiment.get("seed") == seed else experiment
        record["experiment"] = store("experiment", without_paths(shared))
    if (data := _read(folder / "data.json")) is not None:
        record["data"] = store("data", without_paths(_data(data)))
    if (scores := _read(folder / "scores.json")) is not None:
        record["scores"] = {split: one.get(TYPES) for split, one in scores.items() if split in splits}
    if (folder / "journal.jsonl").is_file():
        record["journal"] = list(_evaluations(folder / "journal.jsonl"))
    record["splits"] = {
        name: {"gold": store("gold", pack_gold(found)), **pack_answers(found)} for name, found in splits.items()
    }
    return record


def unpack_run(
    record: Mapping[str, Any], folder: Path, seed: int, shared: Mapping[str, Any], write: Write = at_once
) -> None:
    """Writes the run folder of a record. shared: what its names stand for. write: predictions and scores.

    Raises ValueError, KeyError, IndexError or TypeError where the record is no such record.
    """
    splits = {name: (shared[one["gold"]], one) for name, one in record["splits"].items()}
    files = {name: shared[record[name]] for name in ("environment", "experiment", "data") if name in record}
    if "seed" in files.get("experiment", ()) and files["experiment"]["seed"] is None:
        files["experiment"] = {**files["experiment"], "seed": seed}
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    if "journal" in record:
        lines = [json.dumps({"event": "evaluation", **line}, ensure_ascii=False) for line in record["journal"]]
        (folder / "journal.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if "scores" in record:
        scored = {split: (*splits[split], types) for split, types in record["scores"].items()}
        write(folder / "scores.json", partial(_write_scores, folder / "scores.json", scored), None)
    for name, answers in splits.items():
        before, _, split = name.rpartition("/")
        path = predictions_path(folder / PLACES[f"{before}/" if before else ""], split)
        write(path, partial(_write_answers, path, *answers), partial(count_answers, *answers))


def _write_answers(path: Path, gold: dict[str, Any], answers: dict[str, Any]) -> None:
    write_predictions(path, unpack_answers(gold, answers))


def _write_scores(path: Path, scored: Mapping[str, tuple[dict[str, Any], dict[str, Any], float | None]]) -> None:
    """scored: of every split gold, answers, and the accuracy of types."""
    found = {split: _scores(unpack_answers(gold, answers), types) for split, (gold, answers, types) in scored.items()}
    path.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def without_paths(value: Any) -> Any:
    """`value` (of JSON) with the last component in the place of every path of a machine.

    A path is of a machine when it is absolute or begins with '~', '.' or '..'; names such as crossner/ai, and folders
    beside the place where the bench was started, are as they are.
    """
    match value:
        case str():
            return _last(value) if _PATH.match(value) else _INSIDE.sub(lambda found: _last(found[1]), value)
        case list() | tuple():
            return [without_paths(one) for one in value]
        case dict():
            return {key: without_paths(one) for key, one in value.items()}
        case _:
            return value


def _last(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8")) if is_there(path) else None


def _data(data: dict[str, Any]) -> dict[str, Any]:
    kept = {name: data[name] for name in ("encoder",) if name in data}
    domains = [
        {
            **{name: domain[name] for name in ("domain", "labels") if name in domain},
            "splits": {
                split: {name: facts[name] for name in ("sentences", "fingerprint") if name in facts}
                for split, facts in domain["splits"].items()
            },
        }
        for domain in data["domains"]
    ]
    said = {
        key: [note for note in data.get(key, ()) if any(begun in note for begun in NOTES)] for key in ("notes", "plan")
    }
    return {"domains": domains, "notes": said["notes"], **kept, **({"plan": said["plan"]} if said["plan"] else {})}


def _evaluations(path: Path) -> Iterator[dict[str, Any]]:
    """Those of the last stage, with the numbers that pages read."""
    found = [line for line in read_journal(path) if line.get("event") == "evaluation"]
    for line in found:
        if line["stage"] == found[-1]["stage"]:
            yield {
                name: value
                for name, value in line.items()
                if name in ("stage", "step", "f1") or name.startswith(WATCHED)
            }


def _scores(predictions: list[Prediction], types: float | None) -> dict[str, Any]:
    """An entry of scores.json as far as spans and the accuracy of types make it."""
    lenient = score(predictions).to_json()
    known = {name: value for name, value in lenient.items() if not name.startswith("malformed")}  # needs tags
    return {"f1": lenient["f1"], **({} if types is None else {TYPES: types}), "conlleval": known}
