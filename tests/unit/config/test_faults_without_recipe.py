"""Wrong keys of commands that have settings and no recipe: hints are keys that these settings have."""

import pytest
from pydantic import ValidationError

from nerbridge.config.base import Settings
from nerbridge.config.corpus import CorpusSettings
from nerbridge.config.faults import config_error
from nerbridge.config.gazetteer import LevelSettings
from nerbridge.config.loading import apply_overrides
from nerbridge.config.pretraining_loading import pretraining_settings
from nerbridge.errors import ConfigError


@pytest.mark.parametrize(
    ("settings", "override", "line", "hint"),
    [
        (
            CorpusSettings,
            "filters.minwords=10",
            "filters.minwords: there is no such key; nearest is 'filters.min_words'",
            "H",
        ),
        (
            CorpusSettings,
            "min_words=10",
            "min_words: there is no such key; nearest is 'filters.min_words'",
            "--set filters.min_words=10",
        ),
        (CorpusSettings, "checkpoint=a", "checkpoint: there is no such key", "H"),
        (
            LevelSettings,
            "gazetteer.min_lenght=3",
            "gazetteer.min_lenght: there is no such key; nearest is 'gazetteer.min_length'",
            "H",
        ),
        (
            LevelSettings,
            "share=1",
            "share: there is no such key; nearest is 'selection.share'",
            "--set selection.share=1",
        ),
    ],
)
def test_the_nearest_key_is_one_of_the_command(settings: type[Settings], override: str, line: str, hint: str) -> None:
    tables = apply_overrides({}, [override])
    with pytest.raises(ValidationError) as caught:
        settings.model_validate(tables)
    found = config_error(caught.value, tables, "the command line", "H", settings=settings, page="docs/corpus.md")
    assert str(found) == (
        f"1 setting cannot be used:\n    {line}\n"
        "  where: the command line\n"
        "  expected: the keys and values listed in docs/corpus.md\n"
        f"  hint: {hint}"
    )


def test_the_nearest_key_of_a_pre_training_needs_no_table() -> None:
    with pytest.raises(ConfigError) as caught:
        pretraining_settings(["max_step=5"])
    assert "max_step: there is no such key; nearest is 'max_steps'" in caught.value.what
