"""What `adapt` knows of heads over a transformer: settings that CrossNER's dev sets chose, as in recipes/crossner."""

from collections.abc import Mapping
from typing import Any

HEADS: Mapping[str, Mapping[str, Any]] = {
    "crf": {"transition_rate": 10},  # transition scores must grow large within a few hundred steps
    "label_aware": {"label_noise": 0.2},  # in use some of the tags before a word are wrong
}
RATES: Mapping[str, float] = {"label_aware": 2e-3}  # of the head; of all others it is the default


def head_tables(tagger: str, *, over_transformer: bool) -> dict[str, Any]:
    """The tables of a head: its kind, and over a transformer what it learns best with."""
    if not over_transformer:
        return {"tagger": {"kind": tagger}}
    tables: dict[str, Any] = {"tagger": {"kind": tagger, **HEADS.get(tagger, {})}}
    if tagger in RATES:
        tables["training"] = {"head_learning_rate": RATES[tagger]}
    return tables
