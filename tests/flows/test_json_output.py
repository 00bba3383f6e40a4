"""`--json` of evaluate, compare and sweep is what docs/evaluation.md says: every key, its kind and its unit."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from nerbridge.cli import main
from tiny_project import write_project, write_recipe_file

PAGE = Path(__file__).parents[2] / "docs" / "evaluation.md"
SEVERAL = "evaluate, several seeds"
OPTIONAL = {"dev", "test", "error"}
Json = Callable[..., Any]


def documented() -> dict[str, dict[str, str]]:
    """Heading of the section JSON -> key -> what the table says that it is."""
    text = PAGE.read_text(encoding="utf-8").split("\n## JSON\n")[1].split("\n## ")[0]
    tables: dict[str, dict[str, str]] = {}
    for section in text.split("\n### ")[1:]:
        heading, _, body = section.partition("\n")
        rows = [re.split(r" *\| *", line.strip("| ")) for line in body.splitlines() if line.startswith("| `")]
        tables[heading] = {key: row[1] for row in rows for key in re.findall(r"`(\w[\w-]*)`", row[0])}
    return tables


TABLES = documented()
PARTS = {part: re.findall(r"`(\w+)`", keys) for part, keys in TABLES.pop("Parts").items()}
# What holds more than plain numbers and texts inside a part; the tables say it in words.
INSIDE = {
    ("side", "name"): "text", ("side", "f1"): "spread", ("side", "interval"): "interval",
    ("label-spread", "f1"): "spread", ("label-spread", "gold"): "count", ("spread", "values"): "list of fraction",
    ("tally", "gold"): "count", ("tally", "predicted"): "count", ("tally", "correct"): "count",
    ("label-difference", "gold"): "count", ("label-difference", "sentences"): "count",
    ("label-difference", "interval"): "interval", ("difference", "gain"): "count",
    ("difference", "run"): "text", ("difference", "origin"): "text", ("difference", "text"): "text",
    ("difference", "gold"): "list of span", ("difference", "first"): "list of span",
    ("difference", "second"): "list of span",
}  # fmt: skip
NULL = {("spread", "deviation"), ("label-difference", "interval")}


def check(value: Any, kind: str, place: str) -> None:
    """`value` is of the documented `kind`, down to its last number."""
    if kind.startswith(("map of ", "list of ")):
        many, _, inner = kind.partition(" of ")
        assert isinstance(value, dict if many == "map" else list), place
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            check(one, inner, f"{place}.{name}")
    elif kind == "fraction":
        assert isinstance(value, int | float), place
        assert -1 <= value <= 1, f"{place} is {value}: no fraction"
    elif kind in ("count", "text", "number"):
        assert isinstance(value, {"count": int, "text": str, "number": float}[kind]), f"{place} is {value!r}"
    elif kind == "span":
        assert [type(part) for part in value] == [int, int, str], place
    elif kind == "pair":
        adjusted = value.pop("adjusted_p_value")
        check(adjusted, "fraction", place)
        check({**value, "differing": []}, "compare", place)
    elif kind == "averaged":
        assert set(value) == {"f1", "targets"}, place
        check(value["f1"], "spread", place)
        check(value["targets"], "map of fraction", place)
    else:
        check_keys(value, kind, place)


def check_keys(value: Mapping[str, Any], kind: str, place: str) -> None:
    kinds = {key: INSIDE.get((kind, key), "fraction") for key in PARTS[kind]} if kind in PARTS else TABLES[kind]
    missing = set(kinds) - set(value) - (OPTIONAL if kind in ("row", "average", "cell") else set())
    assert (missing, set(value) - set(kinds)) == (set(), set()), f"{place}: {kind}"
    for key, one in value.items():
        if one is not None or (kind, key) not in NULL:
            check(one, kinds[key], f"{place}.{key}")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_project(tmp_path_factory.mktemp("json") / "project")
    training = {"learning_rate": 1e-3, "target": {"epochs": 1, "evaluate_every": 1.0}}
    write_recipe_file(folder, training=training, source=[], transfer={"kind": "direct"})
    return folder


@pytest.fixture
def printed(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Json:
    """Runs a command in the project with --json and returns what it printed."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(project / "cache"))

    def run(*arguments: str) -> Any:
        capsys.readouterr()
        assert main([*arguments, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def train(printed: Json) -> None:
    for name in ("a", "b"):
        printed("train", "recipe.toml", "--output", name, "--seeds", "1,2")
    printed("train", "recipe.toml", "--output", "c", "--seeds", "1,2", "--set", "training.target.max_steps=1")


def test_the_page_has_the_tables() -> None:
    assert set(TABLES) >= {
        "evaluate",
        SEVERAL,
        "reading",
        "compare",
        "compare, more than two runs",
        "sweep",
        "row",
        "cell",
    }
    assert set(PARTS) >= {"interval", "spread", "tally", "macro", "side", "label-difference", "difference"}


def test_evaluate_and_compare(printed: Json) -> None:
    train(printed)
    check(printed("evaluate", "a/seed-1", "test.txt"), "evaluate", "evaluate")
    check(json.loads(Path("a/seed-1/scores.json").read_text())["dev"], "evaluate", "scores.json")
    check(printed("evaluate", "a", "test.txt"), SEVERAL, "evaluate seeds")
    above = json.loads(Path("a/scores.json").read_text())
    check({**above["test"], "runs": {}}, SEVERAL, "scores.json of seeds")
    compared = printed("compare", "a", "c", "--rounds", "50")
    check(compared, "compare", "compare")
    assert compared["difference"] == pytest.approx(compared["second"]["f1"]["mean"] - compared["first"]["f1"]["mean"])
    check(printed("compare", "a/seed-1", "c/seed-1", "--rounds", "50"), "compare", "compare of single runs")
    check(printed("compare", "a", "b", "c", "--rounds", "50"), "compare, more than two runs", "compare of three")


def test_sweep(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the sweep writes it; that the command prints the same is tested with worker processes elsewhere."""
    from nerbridge.pipeline.sweep.outcome import gather
    from nerbridge.pipeline.sweep.plan import plan_sweep
    from nerbridge.pipeline.sweep.variations import parse_variations
    from nerbridge.pipeline.sweep.worker import carry_out
    from nerbridge.pipeline.sweep.worker_process import make_order

    monkeypatch.chdir(project)
    vary = parse_variations(["training.target.max_steps=1,2"])
    plan = plan_sweep(Path("recipe.toml"), vary, seeds=[1], folder=project / "sweep")
    assert carry_out(dict(make_order(plan.cells[0], None, project / "cache"))) is None
    content = gather(plan, "dev", [(plan.cells[1], "no room")]).to_json()
    check(json.loads(json.dumps(content)), "sweep", "sweep")
    assert [cell["state"] for cell in content["cells"]] == ["finished", "failed"]
