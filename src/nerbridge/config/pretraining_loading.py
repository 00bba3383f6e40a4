"""Settings of a pre-training that has no recipe, from overrides alone."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import ValidationError

from nerbridge.config.base import Settings
from nerbridge.config.faults import fault_lines
from nerbridge.config.language_models import ElmoSettings, FlairSettings, LanguageModelName, LanguageModelPretraining
from nerbridge.config.loading import apply_overrides
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.errors import ConfigError

SettingsT = TypeVar("SettingsT", bound=Settings)


def pretraining_settings(overrides: Sequence[str]) -> PretrainingSettings:
    """The default settings after `overrides` such as 'max_steps=500'. Raises ConfigError listing every wrong key."""
    return _settings(PretrainingSettings, overrides, "docs/pretraining.md")


def language_model_settings(model: LanguageModelName, overrides: Sequence[str]) -> LanguageModelPretraining:
    """The default settings of a language model after `overrides`. Raises ConfigError listing every wrong key."""
    kind: type[LanguageModelPretraining] = ElmoSettings if model == "elmo" else FlairSettings
    return _settings(kind, overrides, "docs/language-models.md")


def _settings(kind: type[SettingsT], overrides: Sequence[str], page: str) -> SettingsT:
    tables = apply_overrides({}, overrides)
    try:
        return kind.model_validate(tables)
    except ValidationError as fault:
        lines = fault_lines(fault, tables, kind)
        raise ConfigError(
            f"{len(lines)} setting{'s' if len(lines) > 1 else ''} cannot be used:\n    " + "\n    ".join(lines),
            where="--set",
            expected=f"the keys and values listed in {page}",
            hint="correct them: --set max_steps=500",
        ) from None
