"""From a user's files to the experiment that adapts a tagger to them."""

import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import apply_overrides, parse_experiment
from nerbridge.data.registry import card_names
from nerbridge.errors import ConfigError
from nerbridge.pipeline.places import default_cache
from nerbridge.pipeline.run import RunResult, Surroundings, run_experiment
from nerbridge.training.progress import PlainProgress

logger = logging.getLogger(__name__)


def adapt(
    target_train: str | Path,
    *,
    target_dev: str | Path | None = None,
    target_test: str | Path | None = None,
    source: Sequence[str | Path] | None = None,
    encoder: str | Path = "minilm",
    tagger: str = "linear",
    transfer: str | None = None,
    overrides: Sequence[str] = (),
    output: str | Path | None = None,
    data_root: str | Path | None = None,
    cache: str | Path | None = None,
) -> RunResult:
    """From labelled sentences of a new domain to a measured tagger in a run folder; `nerbridge adapt` from Python.

    target_train, target_dev, target_test: labelled files; or target_train alone as the name of a registered data set.
    source: registered names or labelled files, a source stage each; by default conll2003, none for direct transfer.
    encoder: "minilm", a folder or a hub name. tagger, transfer: kinds, as in a recipe. overrides: "key=value", as
    `--set` takes them.
    output: the run folder, by default runs/<name>; the same call continues a run that was stopped there.
    data_root: folder of the registered data sets. cache: where finished source stages are kept.
    Raises NerbridgeError with the way out for everything that the caller can mend. Progress goes to the log.

    >>> import nerbridge
    >>> result = nerbridge.adapt("train.txt", target_test="test.txt", source=["news.txt"])  # doctest: +SKIP
    >>> result.summaries["test"].f1                                                         # doctest: +SKIP
    """
    experiment = adapt_experiment(
        target_train=str(target_train),
        target_dev=None if target_dev is None else str(target_dev),
        target_test=None if target_test is None else str(target_test),
        source=None if source is None else tuple(str(one) for one in source),
        encoder=str(encoder),
        tagger=tagger,
        transfer=transfer,
        overrides=tuple(overrides),
    )
    surroundings = Surroundings(
        None if data_root is None else Path(data_root),
        default_cache() if cache is None else Path(cache),
        PlainProgress(),
        logger.info,
    )
    return run_experiment(experiment, Path(output or Path("runs") / experiment.name), surroundings)


def adapt_experiment(
    *,
    target_train: str,
    target_dev: str | None = None,
    target_test: str | None = None,
    source: tuple[str, ...] | None = None,
    encoder: str = "minilm",
    tagger: str = "linear",
    transfer: str | None = None,
    overrides: tuple[str, ...] = (),
) -> Experiment:
    """The experiment of `nerbridge adapt`.

    target_train: labelled file, or name of a registered data set, which then brings its own dev and test. source:
    registered names or labelled files, each a source stage of its own; by default conll2003, none for direct transfer.
    encoder, tagger, transfer, overrides: see `adapt`; transfer is sequential by default, direct without sources.
    Raises ConfigError for combinations that make no sense.
    """
    if source is None:
        source = () if transfer == "direct" else ("conll2003",)
    registered = target_train in card_names()
    if registered and (target_dev or target_test):
        raise ConfigError(
            f"'{target_train}' is a registered data set and brings its own splits",
            where="--target-train with --target-dev or --target-test",
            expected="a registered name alone, or files of your own",
            hint="drop --target-dev and --target-test",
        )
    files = {"train": target_train, "dev": target_dev, "test": target_test, "domain": _domain(target_train)}
    tables: dict[str, Any] = {
        "name": f"adapt-{_domain(target_train)}",
        "source": [_source(one) for one in source],
        "target": {"dataset": target_train}
        if registered
        else {"files": {key: _absolute(key, value) for key, value in files.items() if value}},
    }
    tables["encoder"] = {"kind": "transformer", "checkpoint": _folder_or_name(encoder)}
    tables["tagger"] = {"kind": tagger}
    tables["transfer"] = {"kind": transfer or ("sequential" if source else "direct")}
    return parse_experiment(apply_overrides(tables, overrides), where="nerbridge adapt")


def _source(name: str) -> dict[str, Any]:
    if name in card_names() or name.endswith("/others"):
        return {"datasets": [name]}
    if not Path(name).exists():
        raise ConfigError(
            f"source '{name}' is neither a registered data set nor a file",
            where="--source",
            expected=f"one of {', '.join(card_names())}, or the path of a labelled file",
            hint="`nerbridge data list` describes the registered ones; --source '' trains on the target alone",
        )
    return {"files": [{"train": _whole(name), "domain": _domain(name)}]}


def _folder_or_name(encoder: str) -> str:
    """A folder as an absolute path, so that the recipe runs from anywhere."""
    return _whole(encoder) if Path(encoder).is_dir() else encoder


def _absolute(key: str, value: str) -> str:
    return value if key == "domain" else _whole(value)


def _whole(path: str) -> str:
    """The absolute path; links stay, because those that a shell makes for pipes have no other name."""
    return os.path.abspath(path)  # noqa: PTH100 (`resolve` follows links, `absolute` keeps '..')


def _domain(path: str) -> str:
    """A short name for reports and heads, from a file's folder or stem: 'data/chess/train.txt' -> 'chess'."""
    stem = Path(path).name.split(".")[0]
    name = Path(path).resolve().parent.name if stem in {"train", "dev", "test"} else stem
    plain = path if path in card_names() else name
    return "".join(c if (c.isascii() and c.isalnum()) or c in "-_" else "-" for c in plain).strip("-") or "target"
