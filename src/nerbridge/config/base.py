"""The ground that every settings class stands on."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Settings(BaseModel):
    """Frozen settings; unknown keys are refused. `kind` tells variants apart, so each has only its own fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _none_from_word(value: Any) -> Any:
    return None if value == "none" else value


# TOML has no null: the word "none" in a recipe or an override means it.
OptionalInteger = Annotated[int | None, BeforeValidator(_none_from_word)]
OptionalNumber = Annotated[float | None, BeforeValidator(_none_from_word)]
