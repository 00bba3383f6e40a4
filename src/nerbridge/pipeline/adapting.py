"""From a user's files to the experiment that adapts a tagger to them."""

from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import apply_overrides, parse_experiment
from nerbridge.data.registry import card_names
from nerbridge.errors import ConfigError


def adapt_experiment(
    *,
    target_train: str,
    target_dev: str | None = None,
    target_test: str | None = None,
    source: tuple[str, ...] = ("conll2003",),
    choices: dict[str, str] | None = None,
    overrides: tuple[str, ...] = (),
) -> Experiment:
    """The experiment of `nerbridge adapt`.

    target_train: labelled file, or name of a registered data set, which then brings its own dev and test. source:
    registered names or labelled files, each a source stage of its own; none for direct transfer. choices: values of
    encoder.checkpoint, tagger.kind, transfer.kind. overrides: 'key=value' as in `--set`.
    Raises ConfigError for combinations that make no sense.
    """
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
    if not source:
        tables["transfer"] = {"kind": "direct"}
    chosen = [f"{key}={value}" for key, value in (choices or {}).items()]
    return parse_experiment(apply_overrides(tables, [*chosen, *overrides]), where="nerbridge adapt")


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
    return {"files": [{"train": str(Path(name).resolve()), "domain": _domain(name)}]}


def _absolute(key: str, value: str) -> str:
    return value if key == "domain" else str(Path(value).resolve())


def _domain(path: str) -> str:
    """A short name for reports and heads, from a file's folder or stem: 'data/chess/train.txt' -> 'chess'."""
    stem = Path(path).name.split(".")[0]
    name = Path(path).resolve().parent.name if stem in {"train", "dev", "test"} else stem
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in (path if path in card_names() else name)) or "target"
