"""Settings of stages that do not run: said of a recipe, refused of an override."""

from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.effects import idle_notes, refuse_equal_seeds, refuse_idle
from nerbridge.config.loading import load_experiment, parse_experiment
from nerbridge.errors import ConfigError

RECIPES = sorted((Path(__file__).parents[3] / "recipes").rglob("*.toml"))
SOURCE = [{"datasets": ["a"]}]


def notes(**tables: Any) -> list[str]:
    return idle_notes(parse_experiment({"name": "x", "target": {"dataset": "b"}, **tables}, where="test"))


def test_a_recipe_is_told_which_of_its_keys_do_nothing() -> None:
    training = {
        "epochs": 1,
        "source": {"epochs": 2, "seed": 3},
        "target": {"epochs": 4},
        "joint": {"patience": 1},
    }
    assert notes(transfer={"kind": "direct"}, training=training) == [
        "training.source.epochs, training.source.seed: no effect, because direct transfer trains on the target alone "
        "([training.target])",
        "training.joint.patience: no effect, because direct transfer trains on the target alone ([training.target])",
    ]
    assert notes(source=SOURCE, training=training) == [
        "training.joint.patience: no effect, because sequential transfer trains source stages, then the target "
        "([training.source] and [training.target])"
    ]
    assert [note.split(":")[0] for note in notes(source=SOURCE, transfer={"kind": "joint"}, training=training)] == [
        "training.source.epochs, training.source.seed",
        "training.target.epochs",
    ]
    assert notes(source=SOURCE, training={"epochs": 1}) == []


def test_losses_of_one_cell_and_settings_of_no_dictionary_do_nothing() -> None:
    cells = {"kind": "multi_cell", "one_cell": True, "attention_weight": 0.5, "attention_width": 4}
    streams = {"kind": "multi_task", "streams": ["source/tags", "target/tags"]}
    encoder = {"kind": "word_char", "vectors": "none"}
    asked = {"source": SOURCE, "encoder": encoder, "context": cells}
    assert notes(**asked, transfer={**streams, "dictionary": {"ordinary": "keep", "weight": 2.0}}) == [
        "context.attention_weight, context.attention_width: no effect, because one cell (context.one_cell) is merged "
        "with nothing and learns no label",
        "transfer.dictionary.ordinary, transfer.dictionary.weight: no effect, because the dictionary has neither files "
        "nor datasets",
    ]
    assert notes(**{**asked, "context": {"kind": "multi_cell", "one_cell": True}}, transfer=streams) == []


@pytest.mark.parametrize("kind", ["direct", "sequential", "joint", "multi_task", "zero-shot"])
def test_attentions_apart_want_several_domains_at_once(kind: str) -> None:
    labelled = {"multi_task": ["source/tags", "target/tags"], "zero-shot": ["source/tags"]}
    streams = {"streams": labelled[kind]} if kind in labelled else {}
    found = notes(
        source=[] if kind == "direct" else SOURCE,
        encoder={"kind": "word_char", "vectors": "none"},
        context={"kind": "multi_cell", "attention_apart": True},
        transfer={"kind": "multi_task" if streams else kind, **streams},
    )
    assert [note.split(":")[0] for note in found] == ([] if kind == "multi_task" else ["context.attention_apart"])


def test_a_part_of_a_source_is_held_out_by_zero_shot_transfer_alone() -> None:
    source = [{"datasets": ["a"], "holdout": 0.3}, {"datasets": ["c"], "holdout_seed": 4}]
    assert notes(source=source) == [
        "source.0.holdout, source.1.holdout_seed: no effect, because only zero-shot transfer chooses weights on its "
        "source"
    ]
    light = {"encoder": {"kind": "word_char", "vectors": "none"}}
    transfer = {"kind": "multi_task", "streams": ["source/tags"]}
    zero_shot = parse_experiment(
        {"name": "x", "target": {"dataset": "b"}, "source": source[:1], "transfer": transfer, **light}, where="test"
    )
    assert idle_notes(zero_shot) == []
    refuse_idle(zero_shot, ["source.0.holdout=0.3"])
    direct = parse_experiment({"name": "x", "target": {"dataset": "b"}, "source": SOURCE}, where="test")
    with pytest.raises(ConfigError, match=r"'source.0.holdout=0.3' has no effect(.|\n)*--set target.holdout="):
        refuse_idle(direct, ["source.0.holdout=0.3"])


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_no_recipe_of_the_project_has_such_keys(path: Path) -> None:
    assert idle_notes(load_experiment(path)) == []


@pytest.mark.parametrize(
    "override", ["training.target.epochs=3", "training.target={epochs = 3}", " training.target.epochs = 3"]
)
def test_an_override_without_effect_is_refused(tmp_path: Path, override: str) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text('name = "x"\ntarget.dataset = "b"\nsource = [{datasets = ["a"]}]\n', encoding="utf-8")
    assert load_experiment(path, [override]).training.target == {"epochs": 3}
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, ["transfer.kind=joint", override])
    assert str(caught.value) == (
        f"override '{override}' has no effect: joint transfer trains on everything in one stage\n"
        "  where: --set\n"
        "  expected: keys of stages that run: [training.joint]\n"
        "  hint: --set training.joint.epochs=..., or another transfer.kind"
    )


@pytest.mark.parametrize(
    ("training", "transfer", "equal"),
    [
        ({"seed": 3}, "sequential", True),
        ({"source": {"seed": 3}, "target": {"seed": 3}}, "sequential", True),
        ({"source": {"seed": 3}}, "sequential", False),
        ({"target": {"seed": 3}}, "sequential", False),
        ({"target": {"seed": 3}}, "direct", True),
        ({"target": {"seed": 3}}, "joint", False),
        ({}, "sequential", False),
    ],
)
def test_seeds_are_refused_where_every_stage_has_its_own(training: Any, transfer: str, equal: bool) -> None:
    tables = {
        "name": "x",
        "target": {"dataset": "b"},
        "source": [] if transfer == "direct" else SOURCE,
        "training": training,
        "transfer": {"kind": transfer},
    }
    experiment = parse_experiment(tables, where="test")
    refuse_equal_seeds(experiment, [1])
    if not equal:
        refuse_equal_seeds(experiment, [1, 2])
        return
    with pytest.raises(ConfigError) as caught:
        refuse_equal_seeds(experiment, [1, 2])
    assert str(caught.value) == (
        "2 seeds would train the same 2 times: every stage has a seed of its own\n"
        "  where: --seeds with training.seed\n"
        "  expected: at least one stage whose seed is that of the experiment\n"
        "  hint: drop training.seed, or --seeds"
    )
