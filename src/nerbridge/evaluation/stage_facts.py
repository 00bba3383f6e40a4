"""What the journal of a run says of its stages beside scores: how large the model is, whether a discriminator is
fooled, what a tagger has kept of its own answers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
KEPT = ("kept", "dropped", "kept_without_entity")  # of the sentences that a stage learns from its own answers
ACCURACY = "discriminator_accuracy"


def stage_facts(journal: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Stage -> its facts, as far as the journal has them.

    "parameters": numbers of all, trainable, and those of encoder, context and heads. "discriminator_accuracy": share
    (0 to 1) at the evaluation whose weights were kept. "own_labels": counts of what was kept and dropped.
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
        if event == "evaluation":
            evaluations.setdefault(stage, []).append(row)
        if event == "finished" and (kept := _kept(evaluations.get(stage, []), row)) is not None and ACCURACY in kept:
            found[ACCURACY] = kept[ACCURACY]
    return {stage: found for stage, found in facts.items() if found}


def stage_rows(facts: Mapping[str, Mapping[str, Any]]) -> list[dict[str, object]]:
    """The facts as rows of a table; a column that no stage has is left out."""
    rows = []
    for stage, found in facts.items():
        row: dict[str, object] = {"stage": stage}
        row |= {f"{name} parameters": number for name, number in found.get("parameters", {}).items()}
        if found.get(ACCURACY) is not None:
            row["discriminator accuracy (%)"] = round(100 * found[ACCURACY], 1)
        own = found.get("own_labels", {})
        row |= {f"sentences {key.replace('_', ' ')}": own[key] for key in KEPT if key in own}
        for label, counts in own.get("labels", {}).items():
            row[f"{label} kept / dropped"] = f"{counts['kept']:,} / {counts['dropped']:,}"
        rows.append(row)
    return rows


def _kept(evaluations: Sequence[Row], finished: Row) -> Row | None:
    """The evaluation of the weights that the stage kept: the best one, or the last."""
    if finished.get("f1") == finished.get("best_f1"):
        best = [row for row in evaluations if row.get("step") == finished.get("best_step")]
        evaluations = best or evaluations
    return evaluations[-1] if evaluations else None
