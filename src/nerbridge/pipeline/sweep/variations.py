"""What is varied: 'target.num_train=10,25,40' -> a key and its values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.config.loading import parse_value
from nerbridge.errors import ConfigError

EXAMPLE = "--vary target.num_train=10,25,40"
WITHOUT_EFFECT = ("name", "description")  # keys that change no score
OPENING, CLOSING = "[{", "]}"


@dataclass(frozen=True)
class Variation:
    """A dotted key, and its values as they are written and as TOML reads them."""

    key: str
    texts: tuple[str, ...]
    values: tuple[Any, ...]


def parse_variations(options: Sequence[str], overrides: Sequence[str] = ()) -> tuple[Variation, ...]:
    """The settings that the `--vary` options name, in their order. overrides: those of `--set`.

    Raises ConfigError without options, and when one cannot be read, gives a value twice, or meets another about a key.
    """
    if not options:
        raise ConfigError(
            "nothing is varied",
            where="--vary",
            expected="at least one key with its values, separated by commas",
            hint=f"{EXAMPLE}; several seeds of one setting are `nerbridge train RECIPE --seeds 1,2,3`",
        )
    variations = tuple(parse_variation(option) for option in options)
    keys = [variation.key for variation in variations]
    fixed = {override.partition("=")[0].strip() for override in overrides}
    for position, key in enumerate(keys):
        if key in keys[:position] or key in fixed:
            raise ConfigError(
                f"'{key}' is varied twice" if key in keys[:position] else f"'{key}' is both varied and set",
                where="--vary" if key in keys[:position] else "--vary and --set",
                expected="every key once",
                hint="give all values of a key in one --vary, and drop the other",
            )
    return variations


def parse_variation(option: str) -> Variation:
    """'tagger.kind=linear,crf' -> its key and two values. Raises ConfigError."""
    key, sign, text = option.partition("=")
    key = key.strip()
    if not sign or not key or not text.strip():
        raise _unreadable(option, "has no key or no values")
    if key == "seed" or key in WITHOUT_EFFECT:
        raise ConfigError(
            f"'{key}' cannot be varied",
            where=f"--vary {option}",
            expected="a key that changes what is trained",
            hint="seeds have an option of their own: --seeds 1,2,3" if key == "seed" else EXAMPLE,
        )
    texts = tuple(part.strip() for part in _split(text, option))
    if not all(texts):
        raise _unreadable(option, "has an empty value")
    values = tuple(parse_value(part) for part in texts)
    for position, value in enumerate(values):
        if any(_same(value, earlier) for earlier in values[:position]):
            raise ConfigError(
                f"value {texts[position]} of '{key}' is given twice",
                where=f"--vary {option}",
                expected="different values",
                hint="drop one of the two",
            )
    return Variation(key, texts, values)


def _split(text: str, option: str) -> Iterator[str]:
    """The parts of `text` between commas that stand outside quotes, lists and tables."""
    quote, depth, start = "", 0, 0
    for position, character in enumerate(text):
        if quote:
            escaped = quote == '"' and text[position - 1] == "\\"
            quote = "" if character == quote and not escaped else quote
        elif character in "'\"" and (depth or not text[start:position].strip()):  # an apostrophe within a word is none
            quote = character
        elif character in OPENING:
            depth += 1
        elif character in CLOSING:
            depth -= 1
        elif character == "," and not depth:
            yield text[start:position]
            start = position + 1
    if quote or depth:
        raise _unreadable(option, "has a quote or a bracket without its partner")
    yield text[start:]


def _same(first: Any, second: Any) -> bool:
    """Equal, where true is not 1."""
    return bool(first == second) and isinstance(first, bool) == isinstance(second, bool)


def _unreadable(option: str, what: str) -> ConfigError:
    return ConfigError(
        f"'{option}' {what}",
        where="--vary",
        expected="key=value,value,...; a value that holds a comma stands in quotes, a list in brackets",
        hint=f'{EXAMPLE}, or --vary \'source.0.datasets=["conll2003"],["conll2003", "mit_movie"]\'',
    )
