"""Made-up runs with every file that pages read, whose paths and words must not get out."""

import json
import random
import zlib
from pathlib import Path
from typing import Any

from crossner_cells import dataset_of, recipe_path
from label_aware_grid import Row

from nerbridge.config.loading import load_experiment
from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.summary import summarize, write_scores

LABELS = ("person", "field", "Gene_or_gene_product")
ENVIRONMENT = {"device": "GPU", "nerbridge": "0.1", "revision": None, "python": "3", "platform": "unnamed"}
ENVIRONMENT |= {"torch": "2", "transformers": "5", "accelerate": "1"}


class WholeRuns:
    """A folder of runs with random answers, the same ones for the same row, domain and seed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "cells.jsonl"
        folder.mkdir(parents=True)

    def add(self, row: Row, domain: str, seed: int, *, encoder: str = "/secret/encoders/mpnet") -> Path:
        """Writes a run and its line; returns the run's folder."""
        place = self.folder / row.name / domain / f"seed-{seed}"
        summaries = {}
        for split in ("dev", "test"):
            predictions = answers(row.name, domain, seed, split)
            write_predictions(predictions_path(place, split), predictions)
            summaries[split] = summarize(predictions, rounds=10, type_accuracy=0.125 if "coach" in row.name else None)
        write_scores(place / "scores.json", summaries)
        if domain == "cbs_scitech":
            write_predictions(predictions_path(place / "2019", "test"), answers(row.name, "2019", seed, "test"))
        self._records(place, row, domain, seed)
        line: dict[str, Any] = {"row": row.name, "recipe": row.recipe, "domain": domain, "seed": seed}
        line |= {"settings": [f"encoder.checkpoint={encoder}", *row.settings], "seconds": 71.5}
        line |= {"stages": {"target": {"dev_f1": 0.5, "seconds": 60.25, "parameters": {"all": 7, "context": 5}}}}
        self.write(line | {split: {"f1": one.f1} for split, one in summaries.items()})
        return place

    def write(self, line: dict[str, Any]) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def _records(self, place: Path, row: Row, domain: str, seed: int) -> None:
        dataset = dataset_of("politics" if domain == "none" else domain)
        first = [f"target.dataset={dataset}", f"seed={seed}"]
        made = load_experiment(recipe_path(row.recipe), first).model_dump(mode="json")
        if "checkpoint" in made["encoder"]:
            made["encoder"]["checkpoint"] = f"/secret/encoders/{row.name}"
        split = {"sentences": 12, "words": 99, "entities": 9, "fingerprint": f"{zlib.crc32(domain.encode()):064x}"}
        source = {"domain": "conll2003", "labels": ["person"], "splits": {"train": split}}
        target = {"domain": dataset, "labels": list(LABELS), "splits": {"dev": split, "test": split}}
        notes = ["a: no dev split; 5 held out for it", "secret note about /secret/file"]
        finds = "a: the dictionary finds 9 names in raw text, person 9; 12 of 900 words are known by them"
        plan = [finds] if "dictionary" in row.recipe else []
        lines: list[dict[str, Any]] = [{"stage": "source", "event": "evaluation", "step": 5, "f1": 0.2}]
        for number in range(9):
            seen = {"f1 x": seed / 7, "perplexity x": 50 / (number + seed), "discriminator_accuracy": 0.5}
            seen |= {"entity_f1": number / 17, "attention_f1": number / 19} if "multi-cell" in row.recipe else {}
            step = {"stage": "target", "event": "evaluation", "step": 10 * number, "loss": 0.1}
            lines.append({**step, "f1": number / 13, "improved": True, **seen})
        (place / "environment.json").write_text(json.dumps(ENVIRONMENT))
        (place / "experiment.json").write_text(json.dumps(made))
        (place / "data.json").write_text(
            json.dumps({"domains": [source, target], "notes": notes, "encoder": "e1", "plan": plan})
        )
        (place / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def answers(row: str, domain: str, seed: int, split: str) -> list[Prediction]:
    """Of twelve sentences some spans are found, some have another label, some are made up."""
    gold, draw = random.Random(f"{domain} {split}"), random.Random(f"{row} {domain} {seed} {split}")
    predictions = []
    for number in range(12):
        words = tuple(f"unspoken{number}" for _ in range(6 + number))
        right = tuple(Span(start, start + 1 + start % 2, gold.choice(LABELS)) for start in (0, 1, 3))
        found = [Span(one.start, one.end, draw.choice([one.label, *LABELS])) for one in right if draw.random() < 0.8]
        found += [Span(5, 6, "made_up")] if draw.random() < 0.3 else []
        scores = tuple(draw.random() for _ in found)
        predictions.append(Prediction(words, right, tuple(found), span_scores=scores, origin=f"/secret/a.txt:{number}"))
    return predictions
