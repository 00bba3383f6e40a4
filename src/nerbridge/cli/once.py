"""Commands of which no option is read silently over another: what can be given once alone is refused twice."""

from collections import Counter
from typing import Any

from typer.core import TyperCommand

from nerbridge.errors import ConfigError
from nerbridge.wording import counted


class OnceCommand(TyperCommand):
    """A command that refuses a repeated option with a value, unless it takes several; flags may be repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse as typer does. Raises ConfigError for an option whose first value would be lost."""
        _, _, given = self.make_parser(ctx).parse_args(args=list(args))
        for option, number in Counter(filter(_has_one_value, given)).items():
            if number > 1:
                raise ConfigError(
                    f"{option.opts[0]} is given {counted(number, 'time')}, and would be read from the last alone",
                    where=f"the command line of `{ctx.command_path}`",
                    expected="once; options that take several values say so in --help: may be repeated",
                    hint="leave all but one out",
                )
        return super().parse_args(ctx, args)


def _has_one_value(given: Any) -> bool:
    """Is it an option, with a value, of which only one is kept?"""
    return given.param_type_name == "option" and not given.multiple and not given.is_flag
