"""From a user's files to the experiment that adapts a tagger to them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nerbridge.config.effects import is_held_out, refuse_idle, transfer_kind
from nerbridge.config.experiment import Experiment
from nerbridge.config.files import domain_of
from nerbridge.config.loading import apply_overrides, parse_experiment
from nerbridge.data.registry import card_names
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting_model import context_tables, model_tables
from nerbridge.pipeline.adapting_multi_task import Given
from nerbridge.pipeline.adapting_raw import raw_tables, whole
from nerbridge.pipeline.adapting_refusals import check_options, check_streams
from nerbridge.pipeline.adapting_sources import check_sources, no_source
from nerbridge.pipeline.adapting_steps import lengthened_stage
from nerbridge.pipeline.adapting_streams import with_given_labels

TRANSFERS = ("direct", "sequential", "joint")
BY_KEY = ("multi_task", "self_training")  # which --set chooses


def adapt_experiment(
    *,
    target_train: str | None,
    target_dev: str | None = None,
    target_test: str | None = None,
    source: tuple[str, ...] | None = None,
    encoder: str | None = None,
    vectors: str | None = None,
    tagger: str | None = None,
    transfer: str | None = None,
    read: Mapping[str, Any] | None = None,
    source_read: Mapping[str, Any] | None = None,
    overrides: tuple[str, ...] = (),
    raw: tuple[str, ...] = (),
    gazetteer: tuple[str, ...] = (),
    level: str | None = None,
    pretraining: str | None = None,
    context: str | None = None,
    raw_source: tuple[str, ...] = (),
) -> Experiment:
    """The experiment of `nerbridge adapt`.

    target_train: labelled file, or name of a registered data set, which then brings its own dev and test; None for
    zero-shot adaptation with a context, whose target_test may be such a name. source: registered names or labelled
    files, each a source stage of its own; by default conll2003, none for direct transfer.
    encoder, vectors, tagger, transfer, read, source_read, overrides: see `nerbridge.adapt`; transfer is sequential by
    default, direct without sources. raw, gazetteer, level, pretraining: raw text, lists of names, corpus level, how
    much is learnt. context, raw_source: "parameter_generation" or "multi_cell", and raw text of the source for it.
    Raises ConfigError for combinations that make no sense.
    """
    options = {
        "--target-train": target_train,
        "--target-dev": target_dev,
        "--target-test": target_test,
        "--source": source,
        "--encoder": encoder,
        "--vectors": vectors,
        "--tagger": tagger,
        "--transfer": transfer,
        "--raw": raw,
        "--raw-source": raw_source,
        "--gazetteer": gazetteer,
        "--level": level,
        "--pretraining": pretraining,
        "--read": read,
        "--source-read": source_read,
        "--set": overrides,
    }
    check_options(context, options)
    _check_transfer(transfer)
    if source is None:
        source = () if transfer == "direct" else ("conll2003",)
    elif not _chosen_by_hand(overrides, ("source", "transfer")):
        check_sources(transfer, source)
    if context is not None and not _chosen_by_hand(overrides, ("source", "transfer", "encoder")):
        check_streams(context, options, source)
    files = {"train": target_train, "dev": target_dev, "test": target_test}
    name = target_train or target_test or target_dev or "".join(raw[:1])
    tables: dict[str, Any] = {
        "name": f"adapt-{_domain(name)}",
        "source": [_source(one, source_read) for one in source],
        "target": _target(name, {split: path for split, path in files.items() if path}, read),
    }
    tables["transfer"] = {"kind": transfer or ("sequential" if source else "direct")}
    runs = transfer_kind(apply_overrides({"transfer": tables["transfer"]}, _of("transfer", overrides)))
    tables |= model_tables(context, runs, encoder, vectors, tagger)
    if context is None:
        tables |= raw_tables(raw, gazetteer, level, pretraining)
    else:
        given = Given(target_train is not None, bool(source), raw, raw_source, gazetteer)
        tables |= context_tables(context, given, tables)
    if "training" in tables:
        tables["training"] = _without_overridden(tables["training"], overrides)
    experiment = _parsed(tables, overrides)
    refuse_idle(experiment, overrides)
    if context is not None and (longer := lengthened_stage(experiment, overrides)):
        tables["training"]["joint"] |= longer
        experiment = _parsed(tables, overrides)
    return experiment


def _parsed(tables: dict[str, Any], overrides: tuple[str, ...]) -> Experiment:
    hint = "correct the option, or the key behind --set"
    chosen = with_given_labels(apply_overrides(tables, overrides))
    return parse_experiment(chosen, where="nerbridge adapt", hint=hint)


def _without_overridden(training: Mapping[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """[training] as `adapt` chose it, without keys of single stages that an override sets for all stages."""
    chosen = {one.partition("=")[0].strip().removeprefix("training.") for one in _of("training", overrides)}
    return {
        key: {inner: one for inner, one in value.items() if inner not in chosen} if isinstance(value, dict) else value
        for key, value in training.items()
    }


def _chosen_by_hand(overrides: Sequence[str], tables: Sequence[str]) -> bool:
    """Do overrides write keys of these tables, other than how much of a source is held out?"""
    keys = [one.partition("=")[0].strip() for one in overrides]
    return any(key.partition(".")[0] in tables and not is_held_out(key) for key in keys)


def _of(table: str, overrides: Sequence[str]) -> list[str]:
    """The overrides of one table and its keys."""
    return [one for one in overrides if one.partition("=")[0].strip().partition(".")[0] == table]


def _check_transfer(transfer: str | None) -> None:
    if transfer not in (None, *TRANSFERS):
        raise ConfigError(
            f"'{transfer}' is no transfer that `nerbridge adapt` knows",
            where="--transfer",
            expected=f"one of {', '.join(TRANSFERS)}",
            hint=f"--set transfer.kind={transfer} in its place, with keys of its own (docs/recipes.md)"
            if transfer in BY_KEY
            else "other kinds are for recipes: `nerbridge train recipes/...` (docs/methods.md)",
        )


def _target(name: str, files: Mapping[str, str], read: Mapping[str, Any] | None) -> dict[str, Any]:
    if name not in card_names():
        return {"files": _files(files, name, read)}
    if len(files) > 1:
        first, *others = (f"--target-{split}" for split in files)
        raise ConfigError(
            f"'{name}' is a registered data set and brings its own splits",
            where=f"{first} with {' and '.join(others)}",
            expected="a registered name alone, or files of your own",
            hint=f"drop {' and '.join(others)}; `nerbridge evaluate RUN FILE` scores the finished run on other "
            "sentences",
        )
    if read:
        raise ConfigError(
            f"'{name}' is a registered data set: how its files are read stands in its card",
            where=f"--target-train with options of reading ({', '.join(read)})",
            expected="options of reading with files of your own only",
            hint="drop them",
        )
    return {"dataset": name}


def _files(files: Mapping[str, str], name: str, read: Mapping[str, Any] | None) -> dict[str, Any]:
    paths = {split: whole(path) for split, path in files.items()}
    return {**paths, "domain": _domain(name), **({"read": dict(read)} if read else {})}


def _source(name: str, read: Mapping[str, Any] | None) -> dict[str, Any]:
    if name in card_names() or name.endswith("/others"):
        return {"datasets": [name]}
    if not Path(name).exists():
        raise no_source(name)
    return {"files": [_files({"train": name}, name, read)]}


def _domain(name: str) -> str:
    """'crossner/ai' -> 'crossner-ai'; a file is called after itself or its folder."""
    return name.replace("/", "-") if name in card_names() else domain_of(name)
