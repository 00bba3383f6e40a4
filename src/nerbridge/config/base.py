"""The ground that every settings class stands on."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

HIGHEST_SEED = 2**32 - 1  # what every random generator takes


class Settings(BaseModel):
    """Frozen settings without unknown keys, infinity and NaN. `kind` tells variants apart: each has its own fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


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
