"""Settings of a pre-training that has no recipe, from overrides alone."""

from collections.abc import Sequence

from pydantic import ValidationError

from nerbridge.config.faults import fault_lines
from nerbridge.config.loading import apply_overrides
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.errors import ConfigError


def pretraining_settings(overrides: Sequence[str]) -> PretrainingSettings:
    """The default settings after `overrides` such as 'max_steps=500'. Raises ConfigError listing every wrong key."""
    tables = apply_overrides({}, overrides)
    try:
        return PretrainingSettings.model_validate(tables)
    except ValidationError as fault:
        lines = fault_lines(fault, tables)
        raise ConfigError(
            f"{len(lines)} setting{'s' if len(lines) > 1 else ''} cannot be used:\n    " + "\n    ".join(lines),
            where="--set",
            expected="the keys and values listed in docs/pretraining.md",
            hint="correct them: --set max_steps=500",
        ) from None
