"""The labels that `adapt` was given are learnt, whatever `--set` makes of the transfer."""

from collections.abc import Mapping
from typing import Any


def with_given_labels(tables: Mapping[str, Any]) -> dict[str, Any]:
    """`tables` with the streams of self-training, where the target has labelled sentences and no streams are named.

    A recipe's default is the source alone, as zero-shot has it. tables: of a recipe, overrides applied.
    """
    transfer, target = tables.get("transfer"), tables.get("target")
    if not isinstance(transfer, Mapping) or transfer.get("kind") != "self_training" or "streams" in transfer:
        return dict(tables)
    if not _is_labelled(target):
        return dict(tables)
    sides = ["source", "target"] if tables.get("source") else ["target"]
    return {**tables, "transfer": {**transfer, "streams": [f"{side}/tags" for side in sides]}}


def _is_labelled(target: object) -> bool:
    """Does the table name sentences to learn from? Those of another form are refused later."""
    if not isinstance(target, Mapping):
        return False
    files = target.get("files")
    return bool(target.get("dataset")) or (isinstance(files, Mapping) and bool(files.get("train")))
