"""What a row of results is made of: encoder, tagger, transfer, source."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cell_lines import Key
from crossner_cells import recipe_path
from grid_provenance import record_of
from grid_results import Results
from label_aware_grid import Row
from row_pretraining import kind_of

from nerbridge.config.loading import load_experiment

LANGUAGE_MODEL = "language model"


def made_of(results: Results, key: Key, row: Row, encoder: str) -> dict[str, Any]:
    """What the row is made of, as the run's own settings say, or its recipe where they were not brought back."""
    made = record_of(results, key, "experiment") or _of_recipe(results, key, row)
    kind = kind_of(results, key)
    transfer = made["transfer"]
    encoder = _encoder(made["encoder"], encoder)
    learnt = LANGUAGE_MODEL in encoder
    raw = bool(kind or learnt or made.get("corpus") or transfer.get("target_raw") or transfer.get("source_raw"))
    return {
        "encoder": f"{encoder} + {kind}" if kind else encoder,
        "pre_trained": kind,
        "tagger": _tagger(made),
        "transfer": transfer["kind"],
        "source": _source(made["source"]),
        "raw_text": raw,
    }


def _of_recipe(results: Results, key: Key, row: Row) -> dict[str, Any]:
    settings = [one.replace("{domain}", key[1]) for one in results.lines[key]["settings"]]
    return load_experiment(recipe_path(row.recipe), settings).model_dump(mode="json")


def _encoder(made: dict[str, Any], said: str) -> str:
    """What the encoder is called; of several side by side the first one bears the name that was given."""
    if made["kind"] == "concatenated":
        first, *others = made["parts"]
        return " + ".join([_encoder(first, said), *(_encoder(other, _usual(other)) for other in others)])
    return f"{said}, words alone" if made["kind"] == "word_char" and made["characters"] == "none" else said


def _usual(made: dict[str, Any]) -> str:
    match made["kind"]:
        case "language_model":
            return LANGUAGE_MODEL
        case "transformer":
            return Path(made["checkpoint"]).name
        case kind:
            return str(kind).replace("_", " ")


def _tagger(made: dict[str, Any]) -> str:
    context, head = made["context"], made["tagger"]["kind"].replace("_", "-")
    if context["kind"] == "none":
        return str(head)
    layers = f"{context['layers']} x " if context.get("layers", 1) > 1 else ""
    kind = "one cell" if context.get("one_cell") else context["kind"].replace("_", " ")
    width = f", attention {context['attention_width']}" if context.get("attention_width") else ""
    return f"{kind} {layers}{context['hidden']}{width}, {head}"


def _source(stages: Sequence[dict[str, Any]]) -> str:
    """The data sets of every source stage; many of them are counted."""
    names = [[*stage["datasets"], *(one["domain"] for one in stage["files"])] for stage in stages]
    return ", then ".join(" + ".join(several) if len(several) < 3 else f"{len(several)} others" for several in names)
