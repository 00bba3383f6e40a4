"""From a user's files to the experiment that adapts a tagger to them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.config.effects import refuse_idle
from nerbridge.config.experiment import Experiment
from nerbridge.config.files import domain_of
from nerbridge.config.loading import apply_overrides, parse_experiment
from nerbridge.data.encoder_files import is_language_model
from nerbridge.data.packaged_vectors import GLOVE
from nerbridge.data.registry import card_names
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting_generation import GENERATION, check_options, generation_tables
from nerbridge.pipeline.adapting_raw import raw_tables, whole
from nerbridge.pipeline.adapting_sources import check_sources, no_source

LIGHT = "word_char"  # what --encoder calls word vectors and characters, read by a BiLSTM
LIGHT_TRAINING: Mapping[str, float] = {"learning_rate": 1e-3, "head_learning_rate": 1e-3, "weight_decay": 0.0}
LIGHT_EPOCHS: Mapping[str, Mapping[str, Any]] = {
    "sequential": {"source": {"epochs": 10}},
    "joint": {"joint": {"epochs": 20}},
}


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
    context: str | None = None,
    raw_source: tuple[str, ...] = (),
) -> Experiment:
    """The experiment of `nerbridge adapt`.

    target_train: labelled file, or name of a registered data set, which then brings its own dev and test; None for
    zero-shot adaptation with generated parameters, whose target_test may be such a name. source:
    registered names or labelled files, each a source stage of its own; by default conll2003, none for direct transfer.
    encoder, vectors, tagger, transfer, read, source_read, overrides: see `nerbridge.adapt`; transfer is sequential by
    default, direct without sources. raw, gazetteer, level: raw text, lists of names, corpus level. context, raw_source:
    "parameter_generation", and raw text of the source for it.
    Raises ConfigError for combinations that make no sense.
    """
    options = {"--transfer": transfer, "--gazetteer": gazetteer, "--level": level, "--raw-source": raw_source}
    check_options(context, options, labelled=target_train is not None)
    generated = context == GENERATION
    if source is None:
        source = () if transfer == "direct" else ("conll2003",)
    elif not any(one.startswith(("source", "transfer")) for one in overrides):
        check_sources(transfer, source)
    files = {"train": target_train, "dev": target_dev, "test": target_test}
    name = target_train or target_test or target_dev or "".join(raw[:1])
    tables: dict[str, Any] = {
        "name": f"adapt-{_domain(name)}",
        "source": [_source(one, source_read) for one in source],
        "target": _target(name, {split: path for split, path in files.items() if path}, read),
    }
    tables["tagger"] = {"kind": tagger or ("crf" if generated else "linear")}
    kind = transfer or ("sequential" if source else "direct")
    tables["transfer"] = {"kind": kind}
    tables |= _encoder(encoder or (LIGHT if generated else "minilm"), vectors, kind)
    if generated:
        labelled = target_train is not None
        selects = labelled or all(one in card_names() for one in source)
        tables |= generation_tables(raw, raw_source, labelled=labelled, sourced=bool(source), selects=selects)
    else:
        tables |= raw_tables(raw, gazetteer, level)
    experiment = parse_experiment(
        apply_overrides(tables, overrides), where="nerbridge adapt", hint="correct the option, or the key behind --set"
    )
    refuse_idle(experiment, overrides)
    return experiment


def _target(name: str, files: Mapping[str, str], read: Mapping[str, Any] | None) -> dict[str, Any]:
    if name not in card_names():
        return {"files": _files(files, name, read)}
    if len(files) > 1:
        raise ConfigError(
            f"'{name}' is a registered data set and brings its own splits",
            where="--target-train with --target-dev or --target-test",
            expected="a registered name alone, or files of your own",
            hint="drop --target-dev and --target-test",
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


def _encoder(encoder: str, vectors: str | None, transfer: str) -> dict[str, Any]:
    """The tables that go with the encoder: a light one needs a context, and learns faster and longer.

    A language model stands beside word vectors.
    """
    over_words = is_language_model(Path(encoder))
    if encoder != LIGHT and not over_words:
        if vectors is not None:
            raise ConfigError(
                f"encoder '{encoder}' reads no word vectors",
                where="--vectors",
                expected=f"--vectors with --encoder {LIGHT}",
                hint=f"--encoder {LIGHT} --vectors {vectors}, or drop --vectors",
            )
        return {"encoder": {"kind": "transformer", "checkpoint": _folder_or_name(encoder)}}
    named = vectors in (None, GLOVE, "none")
    place = {} if vectors is None else {"vectors": vectors if named else whole(vectors)}
    training = {**LIGHT_TRAINING, **{stage: dict(keys) for stage, keys in LIGHT_EPOCHS.get(transfer, {}).items()}}
    light: dict[str, Any] = {"kind": LIGHT, **place}
    if over_words:
        model = {"kind": "language_model", "checkpoint": whole(encoder)}
        light = {"kind": "concatenated", "parts": [light, model]}
    return {"encoder": light, "context": {"kind": "bilstm"}, "training": training}


def _folder_or_name(encoder: str) -> str:
    """A folder as an absolute path, so that the recipe runs from anywhere."""
    return whole(encoder) if Path(encoder).is_dir() else encoder


def _domain(name: str) -> str:
    """'crossner/ai' -> 'crossner-ai'; a file is called after itself or its folder."""
    return name.replace("/", "-") if name in card_names() else domain_of(name)
