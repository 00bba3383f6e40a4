"""Where things are kept when nobody says otherwise."""

from pathlib import Path

import pytest

from nerbridge.errors import ConfigError
from nerbridge.pipeline.adaptation import adapt
from nerbridge.pipeline.places import default_cache, default_data_root


def test_a_user_without_a_home_is_told_to_name_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("NERBRIDGE_CACHE", raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(ConfigError, match="the home folder of this user is not known"):
        default_cache()


def test_the_environment_names_cache_and_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NERBRIDGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NERBRIDGE_DATA", str(tmp_path / "data"))
    assert default_cache() == tmp_path / "cache"
    assert default_data_root() == tmp_path / "data"
    monkeypatch.setenv("NERBRIDGE_CACHE", "")
    monkeypatch.setenv("NERBRIDGE_DATA", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "nerbridge"
    assert default_data_root() is None


def test_adapt_from_python_takes_the_places_that_the_environment_names(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NERBRIDGE_CACHE", str(project / "cache"))
    monkeypatch.setenv("NERBRIDGE_DATA", str(project / "nowhere"))
    quick = ["training.target.epochs=1", "training.source.epochs=1"]
    files = {"target_train": project / "train.txt", "encoder": project / "encoder", "output": project / "run"}
    adapt(**files, source=project / "news.txt", target_dev=project / "dev.txt", overrides=quick)
    assert list((project / "cache" / "stages").iterdir())
    with pytest.raises(ConfigError, match=r"the data root .*nowhere"):
        adapt(**{**files, "output": project / "other"}, source="conll2003")
