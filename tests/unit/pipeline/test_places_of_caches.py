"""Where things are kept when nobody says otherwise."""

from pathlib import Path

import pytest

from nerbridge.errors import ConfigError
from nerbridge.pipeline.places import default_cache


def test_a_user_without_a_home_is_told_to_name_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(ConfigError, match="the home folder of this user is not known"):
        default_cache()
