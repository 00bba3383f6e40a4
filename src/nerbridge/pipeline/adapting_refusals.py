"""Options of `adapt` that do not go with its context, and what to write in their place."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting_command import OTHER_CONTEXTS, OTHERWISE, command_line, key_of
from nerbridge.pipeline.adapting_encoder import LIGHT, is_light
from nerbridge.pipeline.adapting_multi_task import CELLS, CONTEXTS, GENERATION

BY_KEY = f"--encoder {LIGHT} --tagger crf --set context.kind={CELLS}"


def check_options(context: str | None, options: Mapping[str, Any]) -> None:
    """Raises ConfigError for options that go with another context only.

    options: all of them by name; None and empty ones were not given, but for --source.
    """
    if context is None:
        _check_without(options)
        return
    if context not in CONTEXTS:
        raise _no_context(context)
    for name in OTHER_CONTEXTS:
        if options.get(name):
            raise _idle(name, "other contexts only", _cells_by_key(name, options) if context == CELLS else "")
    if lists := options.get("--gazetteer"):
        if context == GENERATION:
            raise _idle("--gazetteer", "other contexts only", _lists_instead(lists))
        if not options.get("--raw"):
            raise ConfigError(
                "--gazetteer has no effect without raw text, in which its names would be looked up",
                where=f"--gazetteer with --context {CELLS}",
                expected="--raw FILE with raw text of the new domain",
                hint="add --raw, or drop --gazetteer: cells learn their labels from labelled sentences",
            )


def _no_context(context: str) -> ConfigError:
    near = get_close_matches(context, CONTEXTS, n=1)
    otherwise = "without --context it follows from --encoder; docs/recipes.md lists those of recipes"
    if context == "bilstm":
        otherwise = f"instead of --context: nerbridge adapt --encoder {LIGHT}, and your other options"
    return ConfigError(
        f"there is no context '{context}' to choose",
        where="--context",
        expected=" or ".join(CONTEXTS),
        hint=f"nearest is '{near[0]}'" if near else otherwise,
    )


def check_streams(context: str, options: Mapping[str, Any], source: Sequence[str]) -> None:
    """Raises ConfigError for options whose streams cannot be learnt. options: by name. source: given or by default."""
    labelled, raw_source = options["--target-train"] is not None, options["--raw-source"]
    if raw_source and not source:
        raise ConfigError(
            "--raw-source has no effect without a source, and --source '' names none",
            where="--raw-source with --source",
            expected="the raw text of a source that is learnt",
            hint="drop --raw-source, or name a --source; more raw text of the target is another --raw",
        )
    if len(source) > 1 and (raw_source or not labelled):
        raise _several(source, labelled=labelled, context=context)
    if options["--encoder"] not in (None, LIGHT):
        _check_encoder(context, options)


def _check_encoder(context: str, options: Mapping[str, Any]) -> None:
    """Raises ConfigError where language models are to learn from vectors that know all words."""
    given = [name for name in ("--raw", "--raw-source", "--gazetteer") if options[name]]
    if context == CELLS and not given:
        return
    place, dropped = "", "--context: that encoder then has"
    if context == CELLS:
        texts = " and ".join(given)
        place, dropped = f" beside {texts}", f"{texts}: cells over that encoder have"
    raise ConfigError(
        f"encoder '{options['--encoder']}' has read the whole sentence, so that language models have nothing to learn "
        "from it",
        where=f"--encoder with --context {context}{place}",
        expected=f"--encoder {LIGHT}, the default with --context: word vectors and characters",
        hint=f"drop --encoder; or drop {dropped} labelled sentences (--target-train) to learn from",
    )


def _several(source: Sequence[str], *, labelled: bool, context: str) -> ConfigError:
    reason = "--raw-source is the text of one source" if labelled else "zero-shot tags with the head of one source"
    other = ""
    if labelled:
        other = ", or drop --raw-source"
        other += ": each source then has the words of its sentences" if context == GENERATION else ""
    return ConfigError(
        f"{reason}, but --source names {len(source)}: {', '.join(source)}",
        where="--raw-source with --source" if labelled else "--source",
        expected="a single --source",
        hint=f"name one; labelled files of one format can be joined: cat a.txt b.txt > both.txt{other}",
    )


def _check_without(options: Mapping[str, Any]) -> None:
    """Raises ConfigError for what needs a context; of cells that --set chooses, with the command that has it."""
    overrides = options["--set"]
    cells = any(key_of(one) in ("context", "context.kind") and CELLS in one for one in overrides)
    if options["--raw-source"]:
        raise _idle("--raw-source", f"--context {CELLS if cells else GENERATION}")
    if options["--target-train"] is None:
        raise ConfigError(
            "no labelled sentence of the target is given",
            where="nerbridge adapt",
            expected="--target-train FILE, or a registered name",
            hint=f"without labels (zero-shot), {_cells_instead(options)}"
            if cells
            else _without_labels(options["--raw"]),
        )
    streams = any(key_of(one) == "transfer.kind" and "multi_task" in one for one in overrides)
    if cells and options["--raw"] and (streams or is_light(options["--encoder"] or "")):
        raise ConfigError(
            "--raw pre-trains a transformer here; beside word vectors, cells learn from it by language models",
            where="--raw with --set context.kind=multi_cell",
            expected=f"--context {CELLS} in place of --set context.kind={CELLS}",
            hint=_cells_instead(options),
        )


def _without_labels(raw: Sequence[str]) -> str:
    """How a tagger is adapted without labels of the target."""
    if raw:
        return f"add --context {GENERATION} or {CELLS}: without labels they learn from --raw alone (zero-shot)"
    return f"without labels: --context {GENERATION} or {CELLS}, and --raw FILE, learn from raw text alone (zero-shot)"


def _cells_instead(options: Mapping[str, Any]) -> str:
    """The command that learns cells from what was given."""
    missing = options["--target-train"] is None and not options["--raw"]
    wanted = {**options, "--raw": ("FILE",)} if missing else options
    return f"{OTHERWISE}: {command_line(CELLS, wanted)}"


def _cells_by_key(name: str, options: Mapping[str, Any]) -> str:
    """How cells go with the other options."""
    if options["--transfer"] == "multi_task":
        return "drop --transfer: --context is multi_task transfer"
    if name == "--transfer":
        return f"drop --transfer; or, in place of --context, for cells in that transfer: {BY_KEY}"
    if options["--raw"] and options["--target-train"] is not None:
        return (
            f"drop {name}; or, in place of --context, for cells over a transformer that learns from --raw first: "
            f"--tagger crf --set context.kind={CELLS}"
        )
    return ""


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
