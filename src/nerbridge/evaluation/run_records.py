"""Whether the predictions of a run are those that its other files tell of: data.json, scores.json, and the checksum of
what its tagger said. A file that is not there, as older versions have left it, tells nothing, and that is said."""

import logging
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerbridge.data.fingerprint import fingerprint
from nerbridge.data.run_model import refuse_other_model
from nerbridge.data.sentence import Sentence
from nerbridge.errors import BundleError, DataError
from nerbridge.evaluation.kept_answers import split_changed
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import READINGS, Reading
from nerbridge.evaluation.record_files import damaged, read_record
from nerbridge.evaluation.run_folder import DATA, EXPERIMENT, OF_TRAINING, SCORES, predictions_path
from nerbridge.evaluation.scores import Scores, Tally
from nerbridge.evaluation.scoring import score

DIGITS = 8  # of a fingerprint
HEADLINE: Reading = "conlleval"  # the reading whose F1 stands first
TRAINED_AGAIN = "run the training command again: it makes anew what is missing or does not fit"
EVALUATED_AGAIN = "give the `nerbridge evaluate` that wrote the folder again: it replaces both"
logger = logging.getLogger(__name__)


def told_data(run: Path, split: str) -> Mapping[str, Any]:
    """What data.json tells of the target's dev or test set; nothing where it does not."""
    try:
        told = read_record(run / DATA)["domains"][-1]["splits"][split] if split in OF_TRAINING else {}
    except (BundleError, LookupError, OSError, TypeError):
        return {}
    return told if isinstance(told, dict) else {}


def was_scored(run: Path) -> bool:
    """Does a file of the run tell that it was scored on sentences of its target?"""
    try:
        scores = read_record(run / SCORES)
    except (BundleError, OSError):
        scores = {}
    return bool(scores) or any(told_data(run, split) for split in OF_TRAINING)


def refuse_unfit(run: Path, split: str, predictions: Sequence[Prediction]) -> None:
    """Raises DataError where the predictions of a split are not those that the run's files tell of, BundleError where
    scores.json is damaged or tells of other splits alone, or the model is another run's.

    Logs which files are missing.
    """
    refuse_other_model(run)
    _check_data(run, split, predictions)
    _check_scores(run, split, predictions)
    if split_changed(run, split):
        raise _unfit(run, split, "were changed since the tagger gave them", "the file as the run wrote it")


def _check_data(run: Path, split: str, predictions: Sequence[Prediction]) -> None:
    known = told_data(run, split).get("fingerprint")
    if known is None:
        if split in OF_TRAINING:
            _miss(run, split, DATA)
        return
    found = _fingerprint(predictions)
    if found != known:
        expected = f"those with the fingerprint {str(known)[:DIGITS]} in {run / DATA}, not {found[:DIGITS]}"
        what = "are about other sentences or gold entities than the run was scored on"
        raise _unfit(run, split, what, expected)


def _fingerprint(predictions: Sequence[Prediction]) -> str:
    """That of the sentences with their gold spans; "none" for spans that no sentence has."""
    try:
        return fingerprint(Sentence(one.words, one.gold) for one in predictions)
    except ValueError:
        return "none"


def _check_scores(run: Path, split: str, predictions: Sequence[Prediction]) -> None:
    path = run / SCORES
    if not path.is_file():
        _miss(run, split, SCORES)
        return
    told = read_record(path).get(split)
    if told is None:
        raise BundleError(
            f"'{SCORES}' of the run has no scores of split '{split}', whose predictions are there",
            where=str(path),
            expected=f"the scores of {predictions_path(run, split)}",
            hint=_again(run),
        )
    scores = {reading: score(predictions, reading=reading) for reading in READINGS}
    try:
        differing = _differing(told, scores)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise damaged(path, f"it has another form ({error})") from error
    if differing is not None:
        here, there = differing
        raise _unfit(run, split, f"give {here}; '{SCORES}' of the run says {there}", f"those whose scores {path} holds")


def _differing(told: Mapping[str, Any], scores: Mapping[Reading, Scores]) -> tuple[str, str] | None:
    """What predictions give and what is told instead; None where both are the same."""
    for reading, found in scores.items():
        counts = told.get(reading, {}).get("micro", found.exact.to_json())
        known = Tally(int(counts["gold"]), int(counts["predicted"]), int(counts["correct"]))
        if known != found.exact:
            return _counts(found.exact, reading), _counts(known, reading)
    here, there = scores[HEADLINE].f1, float(told["f1"])
    return None if math.isclose(here, there, abs_tol=1e-9) else (f"F1 {100 * here:.6g}", f"{100 * there:.6g}")


def _counts(tally: Tally, reading: Reading) -> str:
    read = "" if reading == HEADLINE else f", {reading} reading"
    counts = f"{tally.gold:,} gold, {tally.predicted:,} predicted, {tally.correct:,} right"
    return f"F1 {100 * tally.f1:.2f} ({counts}{read})"


def _miss(run: Path, split: str, name: str) -> None:
    """Says that a run lacks a record; a folder of predictions alone has none to lack."""
    if (run / EXPERIMENT).is_file():
        said = "%s: no %s tells of split '%s', whose predictions are taken as they are; %s"
        logger.warning(said, run, name, split, TRAINED_AGAIN)


def _unfit(run: Path, split: str, what: str, expected: str) -> DataError:
    return DataError(
        f"the predictions of split '{split}' {what}",
        where=str(predictions_path(run, split)),
        expected=expected,
        hint=_again(run),
    )


def _again(run: Path) -> str:
    return TRAINED_AGAIN if (run / EXPERIMENT).is_file() else EVALUATED_AGAIN
