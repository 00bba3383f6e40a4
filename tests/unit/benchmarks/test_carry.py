"""Which packages a machine without network lacks, and what is packed for it."""

import importlib.metadata
import tarfile
from pathlib import Path

import pytest
from carry import lacking, names_in, normal, pack


def installed() -> set[str]:
    return {normal(one.metadata["Name"]) for one in importlib.metadata.distributions()}


def test_names_are_read_from_any_list() -> None:
    listed = (
        "Package           Version\n----------------- -----------\nPyYAML            6.0.2\ntyping_extensions 4.1a1\n"
    )
    assert {"pyyaml", "typing-extensions"} <= names_in(listed)
    assert names_in("torch, tomli-w") == {"torch", "tomli-w"}
    assert names_in("torch>=2.5\nnumpy==2.5.2\n") == {"torch", "numpy"}


def test_where_everything_is_there_nothing_is_lacking() -> None:
    assert lacking(installed()) == {}


def test_what_a_lacking_package_needs_is_lacking_too() -> None:
    found = lacking(installed() - {"nerbridge", "pydantic", "pydantic-core", "mwparserfromhell", "torch"})
    assert {"nerbridge", "pydantic", "pydantic-core", "torch"} <= set(found)
    assert "mwparserfromhell" in found  # of an extra
    assert "seqeval" not in found  # of development alone
    assert found["pydantic"] == importlib.metadata.version("pydantic")


def test_what_only_a_package_needs_that_is_there_is_not_asked_for() -> None:
    assert set(lacking(installed() - {"nerbridge", "pydantic-core"})) == {"nerbridge"}


def test_a_package_that_is_not_here_either_ends_it() -> None:
    with pytest.raises(SystemExit, match="no-such-package is not installed here"):
        lacking(installed(), ["no_such_package"])


def test_a_folder_is_packed_under_its_name(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.txt").write_text("Ada", encoding="utf-8")
    pack(tmp_path / "x.tar.xz", tmp_path / "data", "ner")
    with tarfile.open(tmp_path / "x.tar.xz") as archive:
        assert sorted(archive.getnames()) == ["ner", "ner/a.txt"]
