"""Files of predictions.

A run folder keeps them in `predictions/<split>.jsonl`, one object per sentence:

    {"words": ["Ada", "wrote"], "gold": [[0, 1, "person"]], "predicted": [[0, 1, "person", 0.93]], "origin": "a.txt:7"}

The fourth number of a predicted span (the model's score) and the keys gold_tags, predicted_tags, gold_scheme,
predicted_scheme are there only where they are known.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nerbridge.data.sentence import Span
from nerbridge.errors import DataError, FileFaults
from nerbridge.evaluation.files import write_text
from nerbridge.evaluation.prediction import Prediction

__all__ = ["Prediction", "read_predictions", "write_predictions"]


def write_predictions(path: Path, predictions: Iterable[Prediction]) -> None:
    """Writes one JSON line per sentence, all or nothing; folders are made as needed."""
    write_text(path, "".join(json.dumps(_to_json(one), ensure_ascii=False) + "\n" for one in predictions))


def read_predictions(path: Path) -> list[Prediction]:
    """The predictions of a file that `write_predictions` wrote.

    Raises DataError when the file cannot be read, FileFaults with every line that holds no prediction.
    """
    predictions: list[Prediction] = []
    faults: list[DataError] = []
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"predictions cannot be read: {error}",
            where=str(path),
            expected="a JSONL file of predictions, UTF-8",
            hint="remove the file and run the training command again: it restores what is missing",
        ) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            predictions.append(_from_json(json.loads(line)))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            faults.append(_fault(error, f"{path}:{number}"))
    if faults:
        raise FileFaults(faults)
    return predictions


def _fault(error: Exception, where: str) -> DataError:
    reason = f"key {error} is missing" if isinstance(error, KeyError) else str(error)
    return DataError(
        f"line holds no prediction: {reason}",
        where=where,
        expected='{"words": [...], "gold": [[start, end, label], ...], "predicted": [[start, end, label], ...]}',
        hint="remove the file and run the training command again: it restores what is missing",
    )


def _to_json(prediction: Prediction) -> dict[str, Any]:
    scores = prediction.span_scores
    record: dict[str, Any] = {
        "words": prediction.words,
        "gold": [[span.start, span.end, span.label] for span in prediction.gold],
        "predicted": [
            [span.start, span.end, span.label, *([round(scores[number], 6)] if scores else [])]
            for number, span in enumerate(prediction.predicted)
        ],
    }
    if prediction.origin:
        record["origin"] = prediction.origin
    for side in ("gold", "predicted"):
        tags = getattr(prediction, f"{side}_tags")
        if tags is not None:
            record[f"{side}_tags"] = tags
            record[f"{side}_scheme"] = getattr(prediction, f"{side}_scheme")
    return record


def _from_json(record: dict[str, Any]) -> Prediction:
    _check_types(record)
    predicted = record["predicted"]
    scored = bool(predicted) and all(len(span) > 3 for span in predicted)
    tags: dict[str, Any] = {
        key: tuple(record[key]) if key.endswith("_tags") else record[key]
        for key in ("gold_tags", "predicted_tags", "gold_scheme", "predicted_scheme")
        if key in record
    }
    return Prediction(
        tuple(record["words"]),
        tuple(Span(*span) for span in record["gold"]),
        tuple(Span(*span[:3]) for span in predicted),
        span_scores=tuple(span[3] for span in predicted) if scored else None,
        origin=record.get("origin", ""),
        **tags,
    )


def _check_types(record: dict[str, Any]) -> None:
    words, origin = record["words"], record.get("origin", "")
    if not isinstance(words, list) or not all(isinstance(text, str) for text in (*words, origin)):
        raise TypeError("words and origin are no strings")
    for start, end, label, *scores in [*record["gold"], *record["predicted"]]:
        numbers = isinstance(start, int) and isinstance(end, int) and all(isinstance(s, int | float) for s in scores)
        if not numbers or not isinstance(label, str):
            raise TypeError("a span is not [start, end, label] or [start, end, label, score]")
