"""Which packages a machine without network lacks, and what is packed for it."""

import importlib.metadata
import subprocess
import sys
import tarfile
from pathlib import Path

import carry
import pytest
from carried_packages import lacking, names_in, normal
from carry import pack


def installed() -> set[str]:
    return {normal(one.metadata["Name"]) for one in importlib.metadata.distributions()}


def test_names_are_read_from_any_list() -> None:
    listed = (
        "Package           Version\n----------------- -----------\nPyYAML            6.0.2\ntyping_extensions 4.1a1\n"
    )
    assert names_in(listed) == {"pyyaml", "typing-extensions"}
    assert names_in("torch, tomli-w") == {"torch", "tomli-w"}
    assert names_in("torch>=2.5\nnumpy==2.5.2\n") == {"torch", "numpy"}


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Editable project location: /home/numpy/scipy", set()),
        ("nerbridge         0.1.0       /home/numpy/scipy", {"nerbridge"}),
        ("Package Version Editable project location", set()),
        ("------- ------- -------------------------", set()),
        ("# packages in environment at /srv/torch:", set()),
        ("[notice] A new release of pip is available: 24.0 -> 25.0", set()),
        ("WARNING: torch is old", set()),
        ("numpy 1.26.4 py311_0 conda-forge", {"numpy"}),
        ("torch @ file:///srv/scipy/torch.whl", {"torch"}),
        ("torch[all] >= 2.5 ; python_version > '3'", {"torch"}),
        ("torch numpy, tomli-w", {"torch", "numpy", "tomli-w"}),
        ("/usr/lib/python3/numpy", set()),
        ("", set()),
    ],
)
def test_only_names_are_read(line: str, names: set[str]) -> None:
    assert names_in(line) == names


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


def carried(folder: Path, monkeypatch: pytest.MonkeyPatch, *, works: bool = True) -> None:
    """Carries what is made up, without pip and git."""

    def write(place: Path, *_: object) -> None:
        if not works:
            raise subprocess.CalledProcessError(1, ["pip", "download", "torch"])
        (place / "new.whl").touch()

    def unpack(place: Path, *_: object) -> None:
        (place / "benchmarks" / "results").mkdir(parents=True)

    monkeypatch.setattr(carry, "write_wheels", write)
    monkeypatch.setattr(carry, "unpack_committed", unpack)
    there, data = folder.parent / "there.txt", folder.parent / "data"
    there.write_text("\n".join(installed()), encoding="utf-8")
    data.mkdir(exist_ok=True)
    words = ["carry", str(folder), "--there", str(there), "--data-root", str(data)]
    monkeypatch.setattr(sys, "argv", words)
    carry.main()


def test_a_folder_of_something_else_is_refused_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "project"
    (folder / "wheels").mkdir(parents=True)
    (folder / "wheels" / "own").touch()
    with pytest.raises(SystemExit) as ended:
        carried(folder, monkeypatch)
    assert str(ended.value) == (
        f"error: '{folder}' is not empty, and carry.py did not make it\n"
        f"  where: {folder}\n"
        "  expected: a new folder, or one with the file .made-by-carry\n"
        "  hint: name another folder; nothing was removed from this one"
    )
    assert [path.name for path in folder.rglob("*")] == ["wheels", "own"]


def test_what_was_carried_goes_when_all_of_the_new_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "carried"
    carried(folder, monkeypatch)
    (folder / "wheels" / "new.whl").rename(folder / "wheels" / "old.whl")
    with pytest.raises(SystemExit, match="error: `pip download torch` ended with exit code 1"):
        carried(folder, monkeypatch, works=False)
    assert [path.name for path in (folder / "wheels").iterdir()] == ["old.whl"]
    carried(folder, monkeypatch)
    assert [path.name for path in (folder / "wheels").iterdir()] == ["new.whl"]
    names = sorted(path.name for path in folder.iterdir())
    assert names == [".made-by-carry", "bench", "ner.tar.xz", "setup.sh", "wheels"]
