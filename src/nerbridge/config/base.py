"""The ground that every settings class stands on."""

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Frozen settings; unknown keys are refused. `kind` tells variants apart, so each has only its own fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")
