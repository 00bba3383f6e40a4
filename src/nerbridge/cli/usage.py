"""What a command line that cannot be understood is turned into: the same four parts as every other fault."""

from collections.abc import Sequence
from typing import Any

import typer

from nerbridge.errors import ConfigError

# Some versions of typer bring a copy of click: the base of all usage errors is taken from a class that typer exports.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def help_instead(error: Exception) -> str | None:
    """The help text to show when a group of commands was called without one, None for any other usage error."""
    context = getattr(error, "ctx", None)
    return context.get_help() if context is not None and type(error).__name__ == "NoArgsIsHelpError" else None


# What people call a setting that has no option of its own -> its key; {stage}: what the chosen transfer trains.
CALLED = {
    "lr": "training.{stage}.learning_rate",
    "batch_size": "training.{stage}.batch_sentences",
    "steps": "training.{stage}.max_steps",
    "num_epochs": "training.{stage}.epochs",
    "warmup_ratio": "training.{stage}.warmup",
    "model": "encoder.checkpoint",
    "dropout": "tagger.dropout",
    "seed": "seed",
}
DEVICE = "a GPU is used where torch finds one; the variable CUDA_VISIBLE_DEVICES chooses, and empty it leaves the CPU"


def as_config_error(error: Exception, arguments: Sequence[str] = ()) -> ConfigError:
    """The usage error as one of ours: its message, the command, how it is called, and where its options are listed.

    arguments: of the command line. An option that a command with --set does not have, but a recipe has as a setting, is
    said as the latter.
    """
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "nerbridge"
    usage = context.get_usage() if context is not None else "Usage: nerbridge COMMAND"
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return ConfigError(
        _lowered(message.rstrip(".").replace("Value error, ", "")),  # which typer puts before
        where=f"the command line of `{path}`",
        expected=" ".join(usage.removeprefix("Usage:").split()),
        hint=_setting_hint(error, context, arguments) or f"`{path} --help` lists its arguments and options",
    )


def _setting_hint(error: Exception, context: Any, arguments: Sequence[str]) -> str | None:
    """'--set training.target.epochs=5' for '--epochs 5'; None for what is no setting, or a command without --set."""
    option = getattr(error, "option_name", None)
    if option is None or type(error).__name__ != "NoSuchOption" or context is None:
        return None
    if not any("--set" in one.opts for one in context.command.params):
        return None
    name = option.lstrip("-").replace("-", "_")
    if name in ("device", "gpu", "cpu", "cuda"):
        return DEVICE
    if context.info_name == "pretrain":
        key = _pretraining_key(name, arguments)
    else:
        key = _key(name, "joint" if "joint" in arguments else "target")
    return None if key is None else f"--set {key}={_value(option, arguments)}"


def _key(name: str, stage: str) -> str | None:
    """The key of a recipe that is called `name`: one of the last stage before all others."""
    from nerbridge.config.listing import known_keys

    if name in CALLED:
        return CALLED[name].format(stage=stage)
    own = f"training.{stage}.{name}"
    known = sorted(known_keys())
    return own if own in known else next((key for key in known if key.rpartition(".")[2] == name), None)


def _pretraining_key(name: str, arguments: Sequence[str]) -> str | None:
    """The same of `pretrain`, whose settings have no tables: '--max-steps' -> 'max_steps'."""
    from nerbridge.config.base import Settings
    from nerbridge.config.language_models import ElmoSettings, FlairSettings
    from nerbridge.config.listing import known_keys
    from nerbridge.config.pretraining import PretrainingSettings

    model = _value("--model", arguments)
    kinds: dict[str, type[Settings]] = {"elmo": ElmoSettings, "flair": FlairSettings}
    key = "batch_rows" if name == "batch_size" else CALLED.get(name, name).rpartition(".")[2]
    return key if key in known_keys(kinds.get(model, PretrainingSettings)) else None


def _value(option: str, arguments: Sequence[str]) -> str:
    """What was given for an option: '--epochs 5' and '--epochs=5' -> '5'; '...' where there was nothing."""
    for word, following in zip(arguments, [*arguments[1:], "-"], strict=True):
        if word == option:
            return "..." if following.startswith("-") else following
        if word.startswith(f"{option}="):
            return word.partition("=")[2]
    return "..."


def _lowered(text: str) -> str:
    """Our messages begin in lower case."""
    return text[:1].lower() + text[1:]
