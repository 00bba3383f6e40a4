"""What `--vary` says becomes cells; whatever is wrong with it is said before anything is trained."""

from pathlib import Path

import pytest
from sweeping import plan_in

from nerbridge.errors import ConfigError
from nerbridge.pipeline.sweep.naming import cell_names, short_keys
from nerbridge.pipeline.sweep.plan import plan_sweep
from nerbridge.pipeline.sweep.variations import Variation, parse_variation, parse_variations


@pytest.mark.parametrize(
    ("option", "key", "texts", "values"),
    [
        ("target.num_train=10,25,none", "target.num_train", ("10", "25", "none"), (10, 25, "none")),
        ("tagger.kind = linear , crf", "tagger.kind", ("linear", "crf"), ("linear", "crf")),
        ("training.learning_rate=1e-5,3e-5", "training.learning_rate", ("1e-5", "3e-5"), (1e-5, 3e-5)),
        ("encoder.freeze=true,false", "encoder.freeze", ("true", "false"), (True, False)),
        ("a.b=\"x,y\",'z'", "a.b", ('"x,y"', "'z'"), ("x,y", "z")),
        ("a.b=it's,o'clock", "a.b", ("it's", "o'clock"), ("it's", "o'clock")),
        ('s.0.d=["a"],["a", "b,c"]', "s.0.d", ('["a"]', '["a", "b,c"]'), (["a"], ["a", "b,c"])),
        ("t.bridge={a='b', c='d'},{}", "t.bridge", ("{a='b', c='d'}", "{}"), ({"a": "b", "c": "d"}, {})),
        ("a.b=1,true", "a.b", ("1", "true"), (1, True)),
        ("a.b=x=1,y=2", "a.b", ("x=1", "y=2"), ("x=1", "y=2")),
    ],
)
def test_values_are_parsed_as_overrides_are(option: str, key: str, texts: tuple[str, ...], values: object) -> None:
    assert parse_variation(option) == Variation(key, texts, values)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ([], "nothing is varied"),
        (["target.num_train"], "'target.num_train' has no key or no values"),
        (["=1,2"], "'=1,2' has no key or no values"),
        (["a.b= "], "'a.b= ' has no key or no values"),
        (["a.b=1,,2"], "'a.b=1,,2' has an empty value"),
        (["a.b=1,"], "'a.b=1,' has an empty value"),
        (["a.b=1,'2"], "'a.b=1,'2' has a quote or a bracket without its partner"),
        (["a.b=[1,2"], "'a.b=[1,2' has a quote or a bracket without its partner"),
        (["a.b=1,2,1"], "value 1 of 'a.b' is given twice"),
        (["a.b=1,1.0"], "value 1.0 of 'a.b' is given twice"),
        (["seed=1,2"], "'seed' cannot be varied"),
        (["name=a,b"], "'name' cannot be varied"),
        (["a.b=1,2", "a.b=3"], "'a.b' is varied twice"),
        (["c.d=1,2"], "'c.d' is both varied and set"),
    ],
)
def test_what_cannot_be_varied_is_refused_in_four_parts(options: list[str], what: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_variations(options, ["c.d=3"])
    error = caught.value
    assert error.what == what
    assert "--vary" in error.where
    assert error.expected
    assert error.hint


def test_seeds_have_an_option_of_their_own() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_variation("seed=1,2")
    assert caught.value.hint == "seeds have an option of their own: --seeds 1,2,3"


def test_keys_are_as_short_as_tells_them_apart() -> None:
    assert short_keys(["target.num_train", "training.source.epochs", "training.target.epochs", "tagger.kind"]) == {
        "target.num_train": "num_train",
        "training.source.epochs": "source.epochs",
        "training.target.epochs": "target.epochs",
        "tagger.kind": "tagger.kind",
    }
    assert short_keys(["training.epochs", "training.target.epochs"]) == {
        "training.epochs": "training.epochs",
        "training.target.epochs": "target.epochs",
    }


def test_names_are_readable_and_safe() -> None:
    names = cell_names(
        [
            {"target.dataset": "crossner/ai", "target.num_train": "10"},
            {"target.dataset": '"a b/../c"', "target.num_train": "-1"},
            {"target.dataset": "x" * 300, "target.num_train": "10"},
        ]
    )
    assert names[:2] == ["dataset=crossner-ai,num_train=10", "dataset=a-b-..-c,num_train=-1"]
    assert len(names[2]) < 100
    assert names[2] not in cell_names([{"target.dataset": "x" * 301, "target.num_train": "10"}])


def test_equal_names_are_told_apart() -> None:
    first, second, third = cell_names([{"a.b": "x/y"}, {"a.b": "X-Y"}, {"a.b": "z"}])
    assert (first[:5], second[:5], third) == ("b=x-y", "b=X-Y", "b=z")
    assert first.lower() != second.lower()


def test_cells_are_the_product_of_values_and_seeds(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", "tagger.kind=linear,crf", seeds=(3, 1))
    assert [str(cell) for cell in plan.cells][:3] == [
        "num_train=10,tagger.kind=linear, seed 3",
        "num_train=10,tagger.kind=linear, seed 1",
        "num_train=10,tagger.kind=crf, seed 3",
    ]
    assert len(plan.cells) == 8
    last = plan.cells[-1]
    assert (last.experiment.target.num_train, last.experiment.tagger.kind, last.experiment.seed) == (25, "crf", 1)
    assert last.folder == tmp_path / "out" / "num_train=25,tagger.kind=crf" / "seed-1"
    assert [len(cells) for cells in plan.settings] == [2, 2, 2, 2]
    assert plan_in(tmp_path, "target.num_train=10", seeds=()).seeds == (1,)


def test_a_wrong_key_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        plan_in(tmp_path, "target.num_trian=10,25")
    assert str(caught.value) == (
        "2 of 2 settings of the sweep cannot be used:\n"
        "    target.num_trian: there is no such key; nearest is 'target.num_train'\n"
        f"  where: {tmp_path / 'recipe.toml'} with --vary\n"
        "  expected: the keys and values listed in docs/recipes.md, in every cell; nothing was trained\n"
        "  hint: correct --vary, or the recipe"
    )


def test_every_wrong_value_is_named_with_its_cells(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        plan_in(tmp_path, "target.num_train=10,-2", "tagger.dropout=0.1,0.2,2")
    assert caught.value.what.splitlines() == [
        "4 of 6 settings of the sweep cannot be used:",
        "    tagger.dropout: should be less than 1, not 2 (num_train=10,dropout=2 and 1 more)",
        "    target.num_train: should be greater than or equal to 1, not -2 (num_train=-2,dropout=0.1 and 2 more)",
    ]


def test_a_combination_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"direct transfer has no source stages.*\(transfer.kind=direct\)"):
        plan_in(tmp_path, "transfer.kind=sequential,direct")


def test_two_spellings_of_one_setting_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        plan_in(tmp_path, 'target.num_train=10,"10"')
    assert caught.value.what == 'target.num_train=10 and target.num_train="10" are one and the same setting'


def test_a_key_through_a_value_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="goes through 'name', which is no table") as caught:
        plan_in(tmp_path, "name.length=1,2")
    assert caught.value.where == "--vary"


def test_a_key_of_a_stage_that_no_cell_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        plan_in(tmp_path, "training.joint.epochs=1,2")
    assert str(caught.value) == (
        "override 'training.joint.epochs=1,2' has no effect: "
        "sequential transfer trains source stages, then the target\n"
        "  where: --vary\n"
        "  expected: keys of stages that run: [training.source] and [training.target]\n"
        "  hint: --vary training.target.epochs=..., or another transfer.kind"
    )
    recipe, varied = tmp_path / "recipe.toml", parse_variations(["transfer.kind=sequential,joint"])
    plan_sweep(recipe, varied, overrides=["training.joint.epochs=3"])  # one of the cells runs it
    with pytest.raises(ConfigError, match="no effect: sequential transfer"):
        plan_sweep(recipe, parse_variations(["tagger.kind=linear,crf"]), overrides=["training.joint.epochs=3"])


def test_cells_that_differ_in_stages_that_do_not_run_are_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        plan_in(tmp_path, "transfer.kind=sequential,joint", "training.joint.epochs=1,2")
    assert caught.value.what == (
        "transfer.kind=sequential, training.joint.epochs=1 and transfer.kind=sequential, training.joint.epochs=2 "
        "are one and the same setting"
    )


def test_seeds_that_make_no_difference_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="2 seeds would train the same 2 times"):
        plan_in(tmp_path, "training.seed=1,2")
    assert len(plan_in(tmp_path, "training.seed=1,2", seeds=(1,)).cells) == 2
