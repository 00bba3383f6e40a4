"""What a command line that cannot be understood is turned into: the same four parts as every other fault."""

import typer

from nerbridge.errors import ConfigError

# Some versions of typer bring a copy of click: the base of all usage errors is taken from a class that typer exports.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def help_instead(error: Exception) -> str | None:
    """The help text to show when a group of commands was called without one, None for any other usage error."""
    context = getattr(error, "ctx", None)
    return context.get_help() if context is not None and type(error).__name__ == "NoArgsIsHelpError" else None


def as_config_error(error: Exception) -> ConfigError:
    """The usage error as one of ours: its message, the command, how it is called, and where its options are listed."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "nerbridge"
    usage = context.get_usage() if context is not None else "Usage: nerbridge COMMAND"
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return ConfigError(
        _lowered(message.rstrip(".")),
        where=f"the command line of `{path}`",
        expected=" ".join(usage.removeprefix("Usage:").split()),
        hint=f"`{path} --help` lists its arguments and options",
    )


def _lowered(text: str) -> str:
    """Our messages begin in lower case."""
    return text[:1].lower() + text[1:]
