"""The ground that every settings class stands on."""

from dataclasses import dataclass
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

HIGHEST_SEED = 2**32 - 1  # what every random generator takes


class _Truth:
    """true or false in the place of a number; pydantic, which takes them for 1 and 0, refuses it."""

    def __init__(self, value: bool) -> None:
        self._value = value

    def __repr__(self) -> str:
        return repr(self._value)


class Settings(BaseModel):
    """Frozen settings without unknown keys, infinity and NaN. `kind` tells variants apart: each has its own fields.

    true and false are no numbers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _truths_are_no_numbers(cls, values: Any) -> Any:
        if not isinstance(values, dict) or not any(isinstance(value, bool) for value in values.values()):
            return values
        numbers = {name for name, field in cls.model_fields.items() if _is_number(field.annotation)}
        return {
            name: _Truth(value) if isinstance(value, bool) and name in numbers else value
            for name, value in values.items()
        }


def _is_number(annotation: Any) -> bool:
    """Is it int, float, or one of them beside None?"""
    return not {int, float}.isdisjoint(kinds := {annotation, *get_args(annotation)}) and bool not in kinds


def _none_from_word(value: Any) -> Any:
    return None if value == "none" else value


# TOML has no null: the word "none" in a recipe or an override means it.
OptionalInteger = Annotated[int | None, BeforeValidator(_none_from_word)]
OptionalNumber = Annotated[float | None, BeforeValidator(_none_from_word)]
OptionalText = Annotated[str | None, BeforeValidator(_none_from_word)]


@dataclass(frozen=True)
class NamesPlace:
    """Marks a field that names a file or a folder: in a recipe file, relative ones start from the recipe's folder.

    only_folders: the text may also be something else, such as a hub name; it counts as a place where there is a folder
    of that name, or where it begins with a dot. names: texts that never are a place, such as that of a package.
    """

    only_folders: bool = False
    names: tuple[str, ...] = ()


OptionalFile = Annotated[OptionalText, NamesPlace()]
