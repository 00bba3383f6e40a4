"""The project around the code: what a fresh clone needs, and what keeps the house in order."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import nerbridge

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCE = ROOT / "src" / "nerbridge"
LIGHT_ROOMS = ("config", "data", "corpus", "evaluation")


def rooms() -> list[str]:
    return sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))


def normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.split("==") for line in lines if not line.startswith("#")]
    return {normalized(name): version for name, version in pins}


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("room", rooms())
def test_every_room_says_in_one_line_what_it_is_for(room: str) -> None:
    first, _, _ = (SOURCE / room / "__init__.py").read_text(encoding="utf-8").partition("\n")
    assert first.startswith('"""')
    assert len(first) > 20


def test_the_layers_name_every_room() -> None:
    layers = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    named = [room.strip() for layer in layers for room in layer.split("|")]
    assert sorted(named) == sorted([*rooms(), "errors", "wording", "__main__"])


def test_the_light_rooms_leave_torch_alone() -> None:
    modules = [
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__")
        for room in LIGHT_ROOMS
        for path in sorted((SOURCE / room).rglob("*.py"))
    ]
    code = (
        "import importlib, sys\n"
        f"for name in {['nerbridge', *modules]}: importlib.import_module(name)\n"
        "print(sorted({'torch', 'transformers', 'accelerate'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_versions_agree() -> None:
    assert PROJECT["project"]["version"] == nerbridge.__version__


def test_constraints_pin_everything_that_the_project_asks_for() -> None:
    asked = [*PROJECT["project"]["dependencies"]]
    for extra in PROJECT["project"]["optional-dependencies"].values():
        asked += extra
    names = {normalized(re.split(r"[\[<>=~!; ]", requirement)[0]) for requirement in asked} - {"nerbridge"}
    assert names - pinned().keys() == set()


def test_constraints_hold_on_any_machine() -> None:
    for name, version in pinned().items():
        assert re.fullmatch(r"[0-9][0-9A-Za-z.]*", version), f"{name}=={version}"
    assert "nerbridge" not in pinned()


def test_ci_is_executable_and_ends_with_all_tests() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & stat.S_IXUSR
    assert script.read_text(encoding="utf-8").splitlines()[-1] == "make test SELECT="


def test_readme_names_the_commands_that_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make quickstart" in readme
    assert "make test" in readme


def test_an_old_python_is_refused_with_a_way_out(tmp_path: Path) -> None:
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    old = tmp_path / "python3.10"
    old.write_text('#!/bin/sh\ncase "$1" in --version) echo Python 3.10.4;; *) exit 1;; esac\n', encoding="utf-8")
    old.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}
    done = subprocess.run(
        ["make", "--no-print-directory", "quickstart", f"PYTHON={old}"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.splitlines()[:4] == [
        f"error: '{old}' is not a Python that nerbridge runs on",
        f"  where: {old}, Python 3.10.4",
        "  expected: Python 3.11 or newer",
        "  hint: name one, such as: make quickstart PYTHON=python3.12",
    ]


def test_what_is_installed_is_said_before_pip_is_silent(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "--dry-run", "setup", f"VENV={tmp_path / 'new'}"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    said = done.stdout.index(f"installing into {tmp_path / 'new'}: about 2 GB")
    assert said < done.stdout.index("-m pip install")


def test_hooks_download_nothing() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"repo: (.*)", text) == ["local"]
    assert set(re.findall(r"language: (.*)", text)) == {"system"}
    assert all(entry.startswith(".venv/bin/") for entry in re.findall(r"entry: (.*)", text))


def test_no_tracked_file_names_a_machine() -> None:
    places = ["/" + "work/", "/" + "root/", "/" + "opt/"]
    found = [
        f"{path.relative_to(ROOT)}: {place}"
        for path in tracked_files()
        for place in places
        if place.encode() in path.read_bytes()
    ]
    assert found == []


def test_no_tracked_file_is_large() -> None:
    kept = ROOT / "benchmarks" / "results" / "cells"  # hundreds of runs in a file
    large = {
        path for path in tracked_files() if path.stat().st_size > (3_000_000 if path.parent == kept else 1_000_000)
    }
    assert large == set()
