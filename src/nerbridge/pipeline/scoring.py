"""The scores of a run: what its last stage's tagger says about dev and test, and how right that is.

What an earlier command has tagged with the same tagger is not tagged again (`evaluation/kept_answers.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from nerbridge.assembly.gold_spans import type_accuracy
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.sentence import Sentence
from nerbridge.errors import BundleError, DataError, FileFaults
from nerbridge.evaluation.kept_answers import answers_changed, scored_path
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import read_predictions, write_predictions
from nerbridge.evaluation.run_folder import SCORES, predictions_path
from nerbridge.evaluation.summary import Summary, summarize, write_scores
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.transfer.stage import DomainData
from nerbridge.wording import counted


def score_run(
    folder: Path,
    key: str,
    target: DomainData,
    domain: str,
    tagger: Callable[[], Tagger],
    say: Callable[[str], None],
) -> dict[str, Summary]:
    """Predictions and scores of the target's dev and test sentences, written into `folder`.

    key: of the stage that `tagger` has learnt in, which is loaded where something is to be tagged. say: told what
    is.
    """
    splits = {split: sentences for split, sentences in (("dev", target.dev), ("test", target.test)) if sentences}
    kept = _kept(folder, key, splits)
    if kept is None:
        if splits:
            parts = (f"{counted(len(sentences), 'sentence')} of {split}" for split, sentences in splits.items())
            say(f"tagging  {', '.join(parts)}")
        kept = _tagged(folder, splits, domain, tagger) if splits else {}
        files = {split: file_sha256(predictions_path(folder, split)) for split in kept}
        accuracies = {split: accuracy for split, (_, accuracy) in kept.items()}
        write_json(scored_path(folder), {"key": key, "sha256": files, "type_accuracy": accuracies})
    summaries = {split: summarize(answers, type_accuracy=accuracy) for split, (answers, accuracy) in kept.items()}
    write_scores(folder / SCORES, summaries)
    return summaries


def predict_gold(model: Tagger, sentences: Sequence[Sentence], domain: str) -> list[Prediction]:
    """What `model` says about labelled sentences, beside what is right."""
    scheme = model.head(domain).vocabulary.scheme
    return [
        Prediction.of(
            sentence, answer.spans, span_scores=answer.scores, predicted_tags=answer.tags, predicted_scheme=scheme
        )
        for sentence, answer in zip(sentences, predict(model, sentences, domain), strict=True)
    ]


_Answers = dict[str, tuple[list[Prediction], float | None]]  # per split, with the accuracy of types on gold spans


def _tagged(
    folder: Path, splits: Mapping[str, Sequence[Sentence]], domain: str, tagger: Callable[[], Tagger]
) -> _Answers:
    model = tagger()
    answers: _Answers = {}
    for split, sentences in splits.items():
        predictions = predict_gold(model, sentences, domain)
        write_predictions(predictions_path(folder, split), predictions)
        answers[split] = predictions, type_accuracy(model, sentences, domain)
    return answers


def _kept(folder: Path, key: str, splits: Mapping[str, Sequence[Sentence]]) -> _Answers | None:
    """What is there of the same tagger and the same sentences; None where anything of it is not."""
    if answers_changed(folder):
        return None
    try:
        known = read_json(scored_path(folder))
        if known["key"] != key or set(known["sha256"]) != set(splits):
            return None
        accuracies = known["type_accuracy"]
        answers = {split: (read_predictions(predictions_path(folder, split)), accuracies[split]) for split in splits}
    except (BundleError, DataError, FileFaults, KeyError, TypeError):  # missing or damaged: made again
        return None
    return answers if all(_is_about(answers[split][0], sentences) for split, sentences in splits.items()) else None


def _is_about(predictions: Sequence[Prediction], sentences: Sequence[Sentence]) -> bool:
    """Are the predictions of just these sentences, in their order and from the same places?"""
    return len(predictions) == len(sentences) and all(
        (one.words, one.gold, one.origin) == (bare.words, bare.gold, bare.origin)
        for one, bare in zip(predictions, (Prediction.of(sentence, ()) for sentence in sentences), strict=True)
    )
