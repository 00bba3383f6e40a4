"""What a model said about sentences whose answer is known: the input of every score, comparison and report.

A run folder keeps them in `predictions/<split>.jsonl`, one object per sentence:

    {"words": ["Ada", "wrote"], "gold": [[0, 1, "person"]], "predicted": [[0, 1, "person", 0.93]], "origin": "a.txt:7"}

The fourth number of a predicted span (the model's score) and the keys gold_tags, predicted_tags, gold_scheme,
predicted_scheme are there only where they are known.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerbridge.data.sentence import Sentence, Span
from nerbridge.errors import DataError, FileFaults
from nerbridge.evaluation.files import write_text
from nerbridge.evaluation.readings import Reading, check_tags, count_malformed, read_tags

Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One sentence with its gold and predicted spans; both are kept sorted and distinct.

    span_scores: one number per predicted span, as `predicted` was given. origin: "file:line" or "".
    gold_tags, predicted_tags: the raw tags under their scheme (BIO or BIOES) where they are known. The spans are then
    the conlleval reading of these tags; only the strict reading looks at the tags again.

    Raises ValueError when spans leave the sentence, lengths differ, or spans and tags disagree.

    >>> Prediction(("Ada", "wrote"), gold=(Span(0, 1, "person"),), predicted=()).mention(Span(0, 1, "person"))
    'Ada'
    """

    words: tuple[str, ...]
    gold: Spans
    predicted: Spans
    span_scores: tuple[float, ...] | None = None
    origin: str = ""
    gold_tags: tuple[str, ...] | None = None
    predicted_tags: tuple[str, ...] | None = None
    gold_scheme: str = "BIO"
    predicted_scheme: str = "BIO"

    def __post_init__(self) -> None:
        if self.span_scores is not None and len(self.span_scores) != len(self.predicted):
            raise ValueError(f"{len(self.span_scores)} scores for {len(self.predicted)} predicted spans")
        self._sort_spans()
        for span in (*self.gold, *self.predicted):
            if span.end > len(self.words):
                raise ValueError(f"{span} ends behind the last of {len(self.words)} words")
        _check_agreement(self.gold, self.gold_tags, self.gold_scheme, len(self.words))
        _check_agreement(self.predicted, self.predicted_tags, self.predicted_scheme, len(self.words))

    def _sort_spans(self) -> None:
        if self.span_scores is not None:
            scored = dict(zip(self.predicted, self.span_scores, strict=True))
            object.__setattr__(self, "span_scores", tuple(scored[span] for span in sorted(scored)))
        object.__setattr__(self, "gold", tuple(sorted(set(self.gold))))
        object.__setattr__(self, "predicted", tuple(sorted(set(self.predicted))))

    @classmethod
    def of(
        cls,
        sentence: Sentence,
        predicted: Sequence[Span],
        *,
        span_scores: Sequence[float] | None = None,
        predicted_tags: Sequence[str] | None = None,
        predicted_scheme: str = "BIO",
    ) -> "Prediction":
        """The prediction for a labelled `sentence`. Raises ValueError as the class does."""
        return cls(
            sentence.words,
            sentence.spans,
            tuple(predicted),
            span_scores=None if span_scores is None else tuple(span_scores),
            origin=str(sentence.origin or ""),
            predicted_tags=None if predicted_tags is None else tuple(predicted_tags),
            predicted_scheme=predicted_scheme,
        )

    def mention(self, span: Span) -> str:
        """The words of `span`, joined by single spaces."""
        return " ".join(self.words[span.start : span.end])

    def read_gold(self, reading: Reading) -> Spans:
        """The gold spans under `reading`; the same for both readings where no tags are known."""
        if self.gold_tags is None or reading == "conlleval":
            return self.gold
        return read_tags(self.gold_tags, scheme=self.gold_scheme, reading=reading)

    def read_predicted(self, reading: Reading) -> Spans:
        """The predicted spans under `reading`; the same for both readings where no tags are known."""
        if self.predicted_tags is None or reading == "conlleval":
            return self.predicted
        return read_tags(self.predicted_tags, scheme=self.predicted_scheme, reading=reading)

    def num_malformed(self) -> tuple[int, int]:
        """The numbers of illegal tag neighbours in gold and in predicted tags; 0 where no tags are known."""
        gold = count_malformed(self.gold_tags or (), self.gold_scheme)
        return gold, count_malformed(self.predicted_tags or (), self.predicted_scheme)


def _check_agreement(spans: Spans, tags: tuple[str, ...] | None, scheme: str, num_words: int) -> None:
    if tags is None:
        return
    check_tags(tags, scheme)
    if len(tags) != num_words:
        raise ValueError(f"{len(tags)} tags for {num_words} words")
    read = read_tags(tags, scheme=scheme)
    if read != spans:
        raise ValueError(f"the tags {' '.join(tags)} hold the spans {list(read)}, not {list(spans)}")


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
            hint="write it again with `nerbridge evaluate`",
        ) from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            predictions.append(_from_json(json.loads(line)))
        except (ValueError, KeyError, TypeError, IndexError) as error:
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
        hint="write the file again with `nerbridge evaluate`",
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
    predicted = record["predicted"]
    scored = bool(predicted) and all(len(span) > 3 for span in predicted)
    tags = {
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
