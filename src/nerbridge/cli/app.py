"""The table of commands, and the one place where an exception becomes a message and an exit code.

To add a command: write `cli/NAME.py` with `def command(...) -> None`, whose docstring is its help, and add a row to
COMMANDS (or to the COMMANDS of a group such as `cli/data.py`). At module level import typer, `nerbridge.cli` and the
standard library only: every command file is loaded for `nerbridge --help`, and the work is imported inside `command`.
"""

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import ModuleType
from typing import Annotated, Any

import typer

import nerbridge
from nerbridge.cli import (
    adapt,
    compare,
    corpus,
    data,
    evaluate,
    plot,
    predict,
    pretrain,
    quickstart,
    report,
    sweep,
    train,
)
from nerbridge.cli.console import LogHandler, console
from nerbridge.cli.once import OnceCommand
from nerbridge.cli.refusals import BROKEN_PIPE, as_name_fault
from nerbridge.cli.usage import UsageError, as_config_error, help_instead
from nerbridge.errors import NerbridgeError, memory_fault, system_fault

COMMANDS: Mapping[str, Callable[..., None]] = {
    "quickstart": quickstart.command,
    "adapt": adapt.command,
    "train": train.command,
    "sweep": sweep.command,
    "pretrain": pretrain.command,
    "evaluate": evaluate.command,
    "compare": compare.command,
    "report": report.command,
    "plot": plot.command,
    "predict": predict.command,
}
GROUPS: Mapping[str, ModuleType] = {"data": data, "corpus": corpus}  # each has a docstring and COMMANDS of its own


def _version(wanted: bool) -> None:
    if wanted:
        console.result(f"nerbridge {nerbridge.__version__}")
        raise typer.Exit


def _root(
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show what the library logs for debugging.")] = False,
) -> None:
    """Move a named-entity tagger into a new domain: few labelled sentences, raw text, lists of names."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[LogHandler()], force=True)
    logging.getLogger("nerbridge").setLevel(logging.DEBUG if verbose else logging.INFO)


def build_app() -> typer.Typer:
    """The typer application of all COMMANDS and GROUPS."""
    app = _group((_root.__doc__ or "").strip())
    app.callback()(_root)
    for name, command in COMMANDS.items():
        app.command(name, cls=OnceCommand)(_interruptible(command))
    for name, module in GROUPS.items():
        group = _group((module.__doc__ or "").strip())
        for inner, command in module.COMMANDS.items():
            group.command(inner, cls=OnceCommand)(_interruptible(command))
        app.add_typer(group, name=name)
    return app


def _interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """`command`, whose Ctrl-C is said: typer itself would end it without a word."""

    @wraps(command)
    def called(*arguments: Any, **options: Any) -> None:
        try:
            command(*arguments, **options)
        except KeyboardInterrupt:
            raise typer.Abort from None

    return called


def _group(help_text: str) -> typer.Typer:
    return typer.Typer(
        help=help_text,
        no_args_is_help=True,
        rich_markup_mode=None,  # plain help: fast, and brackets such as nerbridge[plot] stay as they are
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; exceptions that are not the user's pass through."""
    console.prepare_streams()
    command = typer.main.get_command(build_app())
    try:
        result = command.main(args=arguments, prog_name="nerbridge", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except NerbridgeError as error:
        console.error(error)
        return 2
    except BrokenPipeError:
        console.give_up_results()
        return BROKEN_PIPE
    except SystemExit as stop:  # how typer answers a broken pipe
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        return BROKEN_PIPE
    except OSError as refusal:
        logging.getLogger(__name__).debug("where it happened:", exc_info=True)
        console.error(system_fault(refusal))
        console.give_up_results()
        return 2
    except UnicodeEncodeError as error:
        console.error(as_name_fault(error))
        return 2
    except typer.Abort:
        console.once("interrupted")
        return 130
    except UsageError as error:
        if help_text := help_instead(error):
            console.note(help_text)
        else:
            console.error(as_config_error(error, sys.argv[1:] if arguments is None else arguments))
        return 2
    except (MemoryError, RuntimeError) as error:  # typer's own are RuntimeErrors too, and stand above
        fault = memory_fault(error)
        if fault is None:
            raise
        logging.getLogger(__name__).debug("where it happened:", exc_info=True)
        console.error(fault)
        return 2
