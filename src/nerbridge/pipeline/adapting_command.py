"""The command of `adapt` with a context, as somebody who gave other options would write it."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nerbridge.pipeline.adapting_encoder import LIGHT

OTHER_CONTEXTS = ("--transfer", "--level", "--pretraining")  # options that go with them only
OTHERWISE = "with --data-root, --output and the like as before"  # what a hint does not know


def key_of(override: str) -> str:
    """'context.kind = "multi_cell"' -> 'context.kind'."""
    return override.partition("=")[0].strip()


def command_line(context: str, options: Mapping[str, Any]) -> str:
    """`nerbridge adapt --context ...` with the options that were given, ready for a shell.

    An encoder that has read the whole sentence is left out where raw text is learnt. options: by name; empty ones were
    not given.
    """
    given = {name: value for name, value in options.items() if value is not None and name not in OTHER_CONTEXTS}
    if given.get("--encoder", LIGHT) != LIGHT and given.get("--raw"):
        del given["--encoder"]
    words = ["nerbridge", "adapt", "--context", context]
    for name, value in given.items():
        words += (word for text in _texts(name, value) for word in (name, text))
    return shlex.join(words)


def _texts(name: str, value: str | Sequence[str] | Mapping[str, Any]) -> Iterator[str]:
    """The values of one option, one for each time that it is given."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (f"{key}={'none' if one is None else one}" for key, one in value.items())
    elif name == "--source":
        yield ",".join(value)
    else:
        yield from (one for one in value if not (name == "--set" and key_of(one) == "context.kind"))
