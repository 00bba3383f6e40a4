"""The page of the benchmarks names every script, and calls them by options that exist."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def test_every_script_is_named() -> None:
    scripts = sorted(path.name for path in FOLDER.glob("*.py"))
    assert scripts
    assert [name for name in scripts if f"`{name}`" not in PAGE] == []


def test_scripts_are_called_as_they_can_be() -> None:
    calls = re.findall(r"`python benchmarks/(\w+\.py)([^`]*)`", PAGE)
    assert len(calls) > 5
    for script, arguments in calls:
        text = (FOLDER / script).read_text(encoding="utf-8")
        assert "__main__" in text, f"{script} is no program"
        known = text + "".join(path.read_text(encoding="utf-8") for path in beside(text))
        for option in re.findall(r"--[a-z-]+", arguments):
            assert f'"{option}"' in known, f"{script} has no {option}"


def beside(text: str) -> list[Path]:
    """The files here that a script takes its parser from."""
    names = re.findall(r"^from (\w+) import .*\b\w+_parser\b", text, re.MULTILINE)
    return [FOLDER / f"{name}.py" for name in names]


def test_what_make_bench_runs_is_on_the_page() -> None:
    makefile = (FOLDER.parent / "Makefile").read_text(encoding="utf-8")
    (names,) = re.findall(r"for name in ([a-z_ ]+); do", makefile)
    assert [name for name in names.split() if f"`{name}_bench.py`" not in PAGE] == []
