"""What raw_text.json of a run says of the text that its encoder learnt from, as rows of a table."""

from collections.abc import Iterator, Mapping
from typing import Any

from nerbridge.wording import counted, counted_as

Record = Mapping[str, Any]
Row = tuple[str, str]
NO_REASON = "too few words to pre-train on"  # records of earlier versions do not give their words
SHOWN = 8  # files, labels or reasons that a row names


def raw_text_rows(record: Record) -> list[Row]:
    """What is known and how much of it, in the order of the steps; nothing for a run without raw text.

    Records of earlier versions lack some facts, and their rows. Raises AttributeError, KeyError or TypeError for a
    record of another form.
    """
    if not record:
        return []
    return [*_corpus(record["corpus"]), *_names(record.get("names")), _level(record["level"]), *_pretraining(record)]


def _corpus(corpus: Record) -> Iterator[Row]:
    if files := corpus.get("files"):
        yield "files", f"{corpus['num_files']:,}, of {_listed(files)}"
    kept = corpus["counts"]["kept"]
    yield "kept", ", ".join(counted(kept[f"{unit}s"], unit) for unit in ("document", "sentence", "word"))
    if reasons := corpus.get("left_out"):
        yield "left out", _listed([counted_as(number, reason) for reason, number in _largest_first(reasons)])
    elif reasons is not None:
        yield "left out", "nothing"


def _names(names: Record | None) -> Iterator[Row]:
    if names is None:
        return
    labels = _listed([f"{number:,} {label}" for label, number in _largest_first(names["labels"])])
    yield "names", f"{names['number']:,}, of {_listed(names['from'])}" + (f"; {labels}" if labels else "")


def _level(level: Record) -> Row:
    copies = ", copies counted" if level["name"] == "integrated" else ""
    sizes = f"{counted(level['sentences'], 'sentence')}, {counted(level['words'], 'word')}"
    return "level", f"{level['name']}: {sizes}{copies}"


def _pretraining(record: Record) -> Iterator[Row]:
    result = record["pretraining"]
    if result is None:
        yield "pre-training", f"none: {record.get('reason', NO_REASON)}"
        return
    alone = f", and {counted(result['head_steps'], 'step')} of a new head alone before" if result["head_steps"] else ""
    yield "pre-training", f"{counted(result['steps'], 'step')}{alone}; {counted(result['pieces'], 'piece')}"
    if "masking" in result:
        yield "masking", result["masking"]
    if "precision" in result:
        yield "precision", result["precision"]
    yield from _perplexities(result)


def _perplexities(result: Record) -> Iterator[Row]:
    evaluations = result["evaluations"]
    if not evaluations:
        yield "held-out perplexity", "not known: no text was held out"
        return
    before = [one for one in evaluations if one["step"] <= result["head_steps"]]
    moments = [(evaluations[0], "before"), (evaluations[-1], "after")]
    if len(before) > 1:
        moments.insert(1, (before[-1], "once the new head had learnt"))
    for masks in ("token", "span"):
        yield f"held-out perplexity, {masks} masks", ", ".join(f"{one[masks]:,.2f} {moment}" for one, moment in moments)


def _largest_first(numbers: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(numbers.items(), key=lambda item: -item[1])


def _listed(parts: list[str]) -> str:
    more = [f"{len(parts) - SHOWN:,} more"] if len(parts) > SHOWN else []
    return ", ".join([*parts[:SHOWN], *more])
