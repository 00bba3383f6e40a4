"""What the journal of a run says of its stages beside scores: how large the model is, how well it predicts words,
whether a discriminator is fooled, what a tagger has kept of its own answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
KEPT = ("kept", "dropped", "kept_without_entity")  # of the sentences that a stage learns from its own answers
ACCURACY = "discriminator_accuracy"
PERPLEXITY, F1 = "perplexity ", "f1 "  # of a watched stream; the name of its domain follows


def stage_facts(journal: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Stage -> its facts, as far as the journal has them.

    "parameters": numbers of all, trainable, and those of encoder, context and heads. "discriminator_accuracy": share
    (0 to 1) at the evaluation whose weights were kept; "perplexity DOMAIN" and "f1 DOMAIN" (0 to 1): of streams that
    were watched, at the same evaluation. "own_labels": counts of what was kept and dropped. "repeats": the stage whose
    weights were taken, because there was nothing else to learn.
    """
    facts: dict[str, dict[str, Any]] = {}
    evaluations: dict[str, list[Row]] = {}
    for row in journal:
        stage, event = str(row.get("stage", "")), row.get("event")
        found = facts.setdefault(stage, {})
        if isinstance(row.get("parameters"), Mapping):
            found["parameters"] = dict(row["parameters"])
        if event == "own_labels":
            found["own_labels"] = {key: value for key, value in row.items() if key not in ("stage", "event", "step")}
        if event == "repeated":
            found["repeats"] = row.get("of")
        if event == "evaluation":
            evaluations.setdefault(stage, []).append(row)
        if event == "finished":
            kept = _kept(evaluations.get(stage, []), row)
            found |= {key: value for key, value in kept.items() if _is_watched(key)}
    return {stage: found for stage, found in facts.items() if found}


def stage_rows(facts: Mapping[str, Mapping[str, Any]]) -> list[dict[str, object]]:
    """The facts as rows of a table; a column that no stage has is left out."""
    rows = []
    for stage, found in facts.items():
        row: dict[str, object] = {"stage": stage}
        row |= {f"{name} parameters": number for name, number in found.get("parameters", {}).items()}
        row |= _watched_columns(found)
        row |= {"tagger of": found["repeats"]} if "repeats" in found else {}
        own = found.get("own_labels", {})
        row |= {f"sentences {key.replace('_', ' ')}": own[key] for key in KEPT if key in own}
        for label, counts in own.get("labels", {}).items():
            row[f"{label} kept / dropped"] = f"{counts['kept']:,} / {counts['dropped']:,}"
        rows.append(row)
    return rows


def watched_domains(found: Mapping[str, Any], kind: str) -> dict[str, float]:
    """Domain -> what stands among the facts of a stage under `kind`, PERPLEXITY or F1, and its name."""
    return {key.removeprefix(kind): value for key, value in found.items() if key.startswith(kind)}


def _watched_columns(found: Mapping[str, Any]) -> dict[str, object]:
    """What was watched beside the F1 that weights are chosen by, as columns of a table."""
    columns: dict[str, object] = {}
    for domain, perplexity in watched_domains(found, PERPLEXITY).items():
        columns[f"perplexity of {domain}"] = round(perplexity, 1)
    for domain, score in watched_domains(found, F1).items():
        columns[f"dev F1 of {domain} (%)"] = round(100 * score, 1)
    if found.get(ACCURACY) is not None:
        columns["discriminator accuracy (%)"] = round(100 * found[ACCURACY], 1)
    return columns


def _is_watched(key: str) -> bool:
    return key == ACCURACY or key.startswith((PERPLEXITY, F1))


def _kept(evaluations: Sequence[Row], finished: Row) -> Row:
    """The evaluation of the weights that the stage kept; an empty row where nothing was evaluated.

    Journals of earlier versions do not say which weights those are: the best ones where their F1 is the stage's.
    """
    best = finished.get("best_step") if finished.get("f1") == finished.get("best_f1") else None
    step = finished.get("kept_step", best)
    there = [row for row in evaluations if row.get("step") == step] or evaluations
    return there[-1] if there else {}
