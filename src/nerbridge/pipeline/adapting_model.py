"""The model of an adaptation: encoder and head, and where a context is chosen, all that goes with it."""

from collections.abc import Mapping
from typing import Any

from nerbridge.pipeline.adapting_cells import cells_tables
from nerbridge.pipeline.adapting_encoder import LIGHT, encoder_tables
from nerbridge.pipeline.adapting_generation import generation_tables
from nerbridge.pipeline.adapting_heads import head_tables
from nerbridge.pipeline.adapting_multi_task import CELLS, Given, check_given
from nerbridge.pipeline.adapting_raw import check_lists, check_raw


def model_tables(
    context: str | None, runs: str, encoder: str | None, vectors: str | None, tagger: str | None
) -> dict[str, Any]:
    """The encoder and the head, by default those that go with the context. runs: kind of transfer."""
    usual = ("minilm", "linear") if context is None else (LIGHT, "crf")
    tables = encoder_tables(encoder or usual[0], vectors, runs)
    over_transformer = tables["encoder"]["kind"] == "transformer"
    return {**tables, **head_tables(tagger or usual[1], over_transformer=over_transformer)}


def context_tables(context: str, given: Given, tables: Mapping[str, Any]) -> dict[str, Any]:
    """Tables of a context, from what there is to learn from. tables: those of encoder and head.

    Raises ConfigError where that is nothing, or is not there.
    """
    check_given(given, context)
    check_raw([*given.raw, *given.raw_source])
    if context == CELLS:
        check_lists(given.lists, "cells learn their labels from labelled sentences alone")
        return cells_tables(given, tables)
    return generation_tables(given)
