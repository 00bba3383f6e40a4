"""Which run is compared with which, and whether the two were scored on the same sentences."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from nerbridge.errors import DataError
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading


def pair_runs(
    first: Mapping[str, Sequence[Prediction]], second: Mapping[str, Sequence[Prediction]], names: tuple[str, str]
) -> dict[str, tuple[Sequence[Prediction], Sequence[Prediction]]]:
    """The pairs by run name; a lone run pairs with a lone run, whatever their names. Raises DataError without pairs."""
    if len(first) == len(second) == 1:
        return {next(iter(first)): (next(iter(first.values())), next(iter(second.values())))}
    common = [name for name in first if name in second]
    if not common:
        raise DataError(
            "no run of the first has a partner in the second",
            where=f"{names[0]} has {_list_names(first)}; {names[1]} has {_list_names(second)}",
            expected="two single runs, or runs of the same seeds",
            hint="train both with the same --seeds, or name one run on each side",
        )
    return {name: (first[name], second[name]) for name in common}


def _list_names(runs: Mapping[str, object]) -> str:
    return ", ".join(name or "a single run" for name in runs) or "no run"


def check_same_sentences(
    first: Sequence[Prediction], second: Sequence[Prediction], names: tuple[str, str], reading: Reading
) -> None:
    """Raises DataError naming the first sentence whose words or gold spans differ, or that only one run has."""
    for number, (one, other) in enumerate(zip_longest(first, second), start=1):
        if one is None or other is None:
            count = f"{len(first)} sentences against {len(second)}"
            raise _different(f"the runs were scored on different data: {count}", number, one, other, names)
        if one.words != other.words:
            texts = f"'{_shorten(one)}' against '{_shorten(other)}'"
            raise _different(f"sentence {number} differs: {texts}", number, one, other, names)
        if one.read_gold(reading) != other.read_gold(reading):
            spans = f"{_list_spans(one, reading)} against {_list_spans(other, reading)}"
            raise _different(f"the gold spans of sentence {number} differ: {spans}", number, one, other, names)
    if not first:
        raise _different("there are no sentences to compare", 0, None, None, names)


def _different(
    what: str, number: int, first: Prediction | None, second: Prediction | None, names: tuple[str, str]
) -> DataError:
    places = [
        f"{name}: {(one.origin or f'sentence {number}') if one else 'no such sentence'}"
        for name, one in zip(names, (first, second), strict=True)
    ]
    return DataError(
        what,
        where="; ".join(places),
        expected="the same sentences in the same order with the same gold spans",
        hint="`nerbridge evaluate RUN FILE --output FOLDER` for each run on one file, then compare the folders",
    )


def _shorten(prediction: Prediction, num_words: int = 8) -> str:
    return " ".join(prediction.words[:num_words]) + (" ..." if len(prediction.words) > num_words else "")


def _list_spans(prediction: Prediction, reading: Reading) -> str:
    return ", ".join(f"{s.start}:{s.end} {s.label}" for s in prediction.read_gold(reading)) or "none"
