"""The part of an adaptation that generated parameters take: multi-task streams, with the target's labels or without."""

from collections.abc import Mapping, Sequence
from typing import Any

from nerbridge.data.registry import card_names
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting_encoder import LIGHT
from nerbridge.pipeline.adapting_raw import whole
from nerbridge.pipeline.adapting_steps import EPOCHS

GENERATION = "parameter_generation"  # what --context calls it
# Without labels the target's tagger is derived from parameters of other streams, so these start alike and stay so.
ZERO_SHOT: Mapping[str, Any] = {"likeness": 0.99, "task_likeness": 0.9, "start": "shared", "embedding_rate": 0.1}
# Contexts that other options choose.
OTHERWISE: Mapping[str, str] = {
    "multi_cell": "--encoder word_char --tagger crf --set context.kind=multi_cell",
    "bilstm": "--encoder word_char",
}
# The zero-shot way of a multi-cell tagger, with what a recipe of a public data set needs for files of one's own.
CELLS_RECIPE = "recipes/multicell/scitech-multi-cell-lm.toml"
CELLS_OVERRIDES = (
    "--data-root DATA --set 'target={files={domain=\"NAME\"}}' --set 'transfer.target_raw=[\"FILE\"]' "
    "(docs/multi-cell.md, also with lists of names)"
)
WORDS_WEIGHT = 0.1  # a predicted word costs some 50 times what a tag costs
TRAINING: Mapping[str, Any] = {
    "learning_rate": 1e-3,
    "head_learning_rate": 1e-3,
    "weight_decay": 0.0,
    "clip_norm": 5.0,
    "batch_sentences": 30,
    "joint": {"epochs": EPOCHS},
}


def generation_tables(
    raw: Sequence[str], raw_source: Sequence[str], *, labelled: bool, sourced: bool
) -> dict[str, Any]:
    """The tables [context], [transfer] and [training].

    labelled: are there labelled sentences of the target? sourced: is there a source?
    Raises ConfigError without labels and raw text, and without any labels.
    """
    if not labelled and not raw:
        raise ConfigError(
            "there is nothing of the target to learn from",
            where="nerbridge adapt",
            expected=f"--raw FILE with raw text of the new domain, for zero-shot --context {GENERATION}",
            hint="add --raw, or --target-train with labelled sentences",
        )
    if not labelled and not sourced:
        raise ConfigError(
            "there is no labelled sentence to learn from, neither of the target nor of a source",
            where="nerbridge adapt",
            expected="--source NAME or FILE, for zero-shot, or --target-train",
            hint="leave --source out to take conll2003, or name labelled sentences of your own",
        )
    tags = [side for side, there in (("source", sourced), ("target", labelled)) if there]
    words = [side for side, there in (("source", sourced), ("target", True)) if there]
    streams = [*(f"{side}/tags" for side in tags), *(f"{side}/words" for side in words)]
    training = {key: dict(value) if isinstance(value, dict) else value for key, value in TRAINING.items()}
    return {
        "context": {"kind": GENERATION, **({} if labelled else ZERO_SHOT)},
        "transfer": {
            "kind": "multi_task",
            "streams": streams,
            "words_weight": WORDS_WEIGHT,
            "target_raw": [whole(path) for path in raw],
            "source_raw": [whole(path) for path in raw_source],
        },
        "training": training,
    }


def check_options(
    context: str | None, options: Mapping[str, Any], *, labelled: bool, overrides: Sequence[str] = ()
) -> None:
    """Raises ConfigError for options that go with another context only. options: by name; empty ones were not given.

    overrides: for hints.
    """
    if context not in (None, GENERATION):
        options_instead = OTHERWISE.get(context)
        raise ConfigError(
            f"there is no context '{context}' to choose",
            where="--context",
            expected=GENERATION,
            hint="without --context it follows from --encoder; docs/recipes.md lists those of recipes"
            if options_instead is None
            else f"instead of --context: nerbridge adapt {options_instead}, and your other options",
        )
    if context is None:
        if options.get("--raw-source"):
            raise _idle("--raw-source", f"--context {GENERATION}")
        if not labelled:
            raise ConfigError(
                "no labelled sentence of the target is given",
                where="nerbridge adapt",
                expected="--target-train FILE, or a registered name",
                hint=_without_labels(overrides, raw=options.get("--raw") or (), source=options.get("--source") or ()),
            )
        return
    for name in ("--transfer", "--gazetteer", "--level", "--pretraining"):
        if options.get(name):
            raise _idle(name, "other contexts only", _lists_instead(options[name]) if name == "--gazetteer" else "")


def check_streams(source: Sequence[str], raw_source: Sequence[str], encoder: str | None, *, labelled: bool) -> None:
    """Raises ConfigError for options whose streams cannot be learnt. labelled: has the target labelled sentences?"""
    if raw_source and not source:
        raise ConfigError(
            "--raw-source has no effect without a source, and --source '' names none",
            where="--raw-source with --source",
            expected="the raw text of a source that is learnt",
            hint="drop --raw-source, or name a --source; more raw text of the target is another --raw",
        )
    if len(source) > 1 and (raw_source or not labelled):
        reason = (
            "zero-shot tags with the head of one source" if not labelled else "--raw-source is the text of one source"
        )
        other = "" if not labelled else ", or drop --raw-source: each source then has the words of its sentences"
        raise ConfigError(
            f"{reason}, but --source names {len(source)}: {', '.join(source)}",
            where="--source" if not labelled else "--raw-source with --source",
            expected="a single --source",
            hint=f"name one; labelled files of one format can be joined: cat a.txt b.txt > both.txt{other}",
        )
    if encoder not in (None, LIGHT):
        raise ConfigError(
            f"encoder '{encoder}' has read the whole sentence, so that language models have nothing to learn from it",
            where=f"--encoder with --context {GENERATION}",
            expected=f"--encoder {LIGHT}, the default with --context: word vectors and characters",
            hint="drop --encoder; or drop --context: that encoder then has labelled sentences (--target-train) to "
            "learn from",
        )


def _without_labels(overrides: Sequence[str], *, raw: Sequence[str], source: Sequence[str]) -> str:
    """How a tagger is adapted without labels of the target."""
    if any(one.partition("=")[0].strip() == "context.kind" and "multi_cell" in one for one in overrides):
        own = CELLS_OVERRIDES if len(raw) != 1 else CELLS_OVERRIDES.replace("FILE", raw[0])
        if len(source) == 1 and source[0] not in card_names():
            files = f"--set 'source=[{{files=[{{train=\"{source[0]}\"}}]}}]'"
            own = own.replace("--data-root DATA", files)
        return f"without labels a multi-cell tagger is a recipe's: nerbridge train {CELLS_RECIPE} {own}"
    if raw:
        return f"add --context {GENERATION}: without labels it learns from --raw alone (zero-shot)"
    return f"without labels: --context {GENERATION} --raw FILE learns from raw text alone (zero-shot)"


def _lists_instead(lists: Sequence[str]) -> str:
    """How lists of names are given to language models."""
    files = ", ".join(f'"{one}"' for one in lists)
    return f"here names of lists teach words of the raw text: --set 'transfer.dictionary.files=[{files}]' in its place"


def _idle(name: str, place: str, hint: str = "") -> ConfigError:
    return ConfigError(
        f"{name} has no effect here",
        where="nerbridge adapt",
        expected=f"{name} with {place}",
        hint=hint or f"drop {name}",
    )
