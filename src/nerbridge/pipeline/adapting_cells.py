"""The part of an adaptation that a multi-cell LSTM takes: settings of recipes/multicell, for files of one's own."""

from collections.abc import Mapping
from typing import Any

from nerbridge.data.packaged_vectors import GLOVE
from nerbridge.pipeline.adapting_encoder import LIGHT
from nerbridge.pipeline.adapting_multi_task import CELLS, Given, transfer_table
from nerbridge.pipeline.adapting_raw import whole
from nerbridge.pipeline.adapting_steps import EPOCHS

ZERO_SHOT: Mapping[str, Any] = {"entity_weight": 0.1, "attention_weight": 0.5}  # without labels, as in the paper
WORDS: Mapping[str, Any] = {"negatives": 50, "max_words": 50_000}
KNOWN_WORDS = 400_000  # of the vector file: raw text is not to be what makes a word known
# All steps are run, because the rate falls over all of them; the best weights on dev are kept.
WHOLE: Mapping[str, Any] = {"schedule": "linear", "patience": 1000}
LIGHT_TRAINING: Mapping[str, Any] = {
    **WHOLE,
    "learning_rate": 3e-3,
    "head_learning_rate": 3e-3,
    "weight_decay": 0.0,
    "clip_norm": 5.0,
    "batch_sentences": 60,
}
TRAINING: Mapping[str, Any] = {**WHOLE, "warmup": 0.05}  # over a transformer
LIGHT_STEPS, STEPS = 3_000, 2_000


def cells_tables(given: Given, tables: Mapping[str, Any]) -> dict[str, Any]:
    """The tables [encoder], [context], [tagger], [transfer] and [training].

    Raw text is learnt where it is given; without, labelled sentences teach all. tables: of encoder and head so far.
    """
    over_transformer = tables["encoder"]["kind"] == "transformer"
    words = [side for side, paths in (("source", given.raw_source), ("target", given.raw)) if paths]
    transfer = transfer_table(given, words)
    if words:
        transfer["words"] = dict(WORDS)
    if given.lists:
        transfer["dictionary"] = {"files": [whole(path) for path in given.lists]}
    training = {**TRAINING, **tables.get("training", {})} if over_transformer else LIGHT_TRAINING
    return {
        "encoder": _encoder(tables["encoder"]),
        "context": {"kind": CELLS, **({} if given.labelled else ZERO_SHOT)},
        "tagger": _tagger(tables["tagger"], over_transformer=over_transformer),
        "transfer": transfer,
        "training": {
            **training,
            "joint": {"epochs": EPOCHS, "max_steps": STEPS if over_transformer else LIGHT_STEPS},
        },
    }


def _encoder(encoder: Mapping[str, Any]) -> dict[str, Any]:
    known = encoder["kind"] == LIGHT and encoder.get("vectors", GLOVE) != "none"
    return {**encoder, "frequent": KNOWN_WORDS} if known else dict(encoder)


def _tagger(tagger: Mapping[str, Any], *, over_transformer: bool) -> dict[str, Any]:
    """A CRF as in the recipes; another head as it is."""
    if tagger["kind"] != "crf":
        return dict(tagger)
    return {"kind": "crf", "scheme": "BIOES", **({} if over_transformer else {"dropout": 0.5})}
