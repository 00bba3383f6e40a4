"""Recipe files: overrides, and errors that name the key as the recipe has it."""

import re
from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.loading import apply_overrides, load_experiment, parse_experiment
from nerbridge.errors import ConfigError

RECIPE = """
name = "news-to-ai"
[[source]]
datasets = ["conll2003"]
[target]
dataset = "crossner/ai"
[tagger]
kind = "crf"
[training]
batch_sentences = 8
[training.target]
epochs = 3
"""


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text(RECIPE, encoding="utf-8")
    return path


def message(**tables: Any) -> str:
    """What is said about a recipe that has `tables` beside what it needs; without the parts that never change."""
    recipe = {"name": "x", "source": [{"datasets": ["a"]}], "target": {"dataset": "b"}, **tables}
    with pytest.raises(ConfigError) as caught:
        parse_experiment(recipe, where="recipe.toml")
    return caught.value.what


def test_a_recipe_is_read_and_stages_get_their_keys(recipe: Path) -> None:
    experiment = load_experiment(recipe)
    assert experiment.tagger.kind == "crf"
    source, target = (experiment.training.for_stage(kind) for kind in ("source", "target"))
    assert (source.epochs, source.batch_sentences, source.selection) == (2, 8, "last")
    assert (target.epochs, target.batch_sentences, target.selection) == (3, 8, "dev")


def test_overrides_are_toml_values_or_bare_words(recipe: Path) -> None:
    overrides = [
        "seed=7",
        "tagger.kind=linear",
        "encoder.freeze=true",
        'source.0.datasets=["conll2003", "mit_movie"]',
        "training.target.epochs = 5",
        "training.clip_norm=none",
    ]
    experiment = load_experiment(recipe, overrides)
    assert experiment.seed == 7
    assert experiment.tagger.kind == "linear"
    assert experiment.encoder.freeze
    assert experiment.source[0].datasets == ("conll2003", "mit_movie")
    assert experiment.training.for_stage("target").epochs == 5
    assert experiment.training.for_stage("target").clip_norm is None


def test_overrides_leave_the_given_tables_alone() -> None:
    tables: dict[str, Any] = {"source": [{"datasets": ["a"]}], "training": {}}
    apply_overrides(tables, ["source.0.datasets=[]", "training.epochs=1"])
    assert tables == {"source": [{"datasets": ["a"]}], "training": {}}


@pytest.mark.parametrize(
    ("override", "what"),
    [
        ("seed", "override 'seed' has no '='"),
        ("=3", "override '=3' has no '='"),
        ("name.first=x", "override 'name.first=x' goes through 'name', which is no table"),
        ("source.4.datasets=[]", "override 'source.4.datasets=[]' goes through '4', which is no table"),
        ("source.0=x", "override 'source.0=x' ends in a list"),
    ],
)
def test_a_wrong_override_says_what_is_wrong(recipe: Path, override: str, what: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_experiment(recipe, [override])
    assert caught.value.what == what
    assert caught.value.where == "--set"


def test_every_wrong_key_is_named_at_once(recipe: Path) -> None:
    overrides = ["training.epoch=3", "training.target.learning_rate=fast", "tagger.dropuot=0.5", "seed=one"]
    with pytest.raises(ConfigError) as caught:
        load_experiment(recipe, overrides)
    assert str(caught.value) == (
        "4 settings cannot be used:\n"
        "    seed: should be a whole number, not 'one'\n"
        "    tagger.dropuot: there is no such key; nearest is 'tagger.dropout'\n"
        "    training.epoch: there is no such key; nearest is 'training.epochs'\n"
        "    training.target.learning_rate: should be a number, not 'fast'\n"
        f"  where: {recipe}\n"
        "  expected: the keys and values listed in docs/recipes.md\n"
        "  hint: correct the recipe, or override with --set key=value"
    )


@pytest.mark.parametrize(
    ("tables", "line"),
    [
        ({"tagger": {"dropout": 0.5}}, "tagger: needs its kind"),
        ({"tagger": {"kind": "crf", "dropout": 1}}, "tagger.dropout: should be less than 1, not 1"),
        ({"context": {"kind": "bilstm", "hidden": True}}, "context.hidden: should be a whole number, not True"),
        ({"target": {"dataset": "a", "num_train": False}}, "target.num_train: should be a whole number, not False"),
        ({"tagger": {"kind": "crf", "dropout": False}}, "tagger.dropout: should be a number, not False"),
        ({"encoder": "minilm"}, "encoder: should be a table, not 'minilm'"),
        ({"training": {"target": 3}}, "training.target: should be a table, not 3"),
        ({"training": {"targt": {"epochs": 1}}}, "training.targt: there is no such key; nearest is 'training.target'"),
        ({"training": {"joint": {"epochs": 0}}}, "training.joint.epochs: should be greater than or equal to 1, not 0"),
        ({"target": {}}, "target: the target needs either `dataset` or `files`"),
        ({"source": [{}]}, "source.0: a source stage needs `datasets` or `files`"),
        (
            {"source": [{"dataset": "a", "datasets": ["a"]}]},
            "source.0.dataset: there is no such key; nearest is 'source.datasets'",
        ),
        (
            {"source": [{"datasets": ["a"]}, {"datasets": ["a"], "training": {"epochs": 0}}]},
            "source.1.training.epochs: should be greater than or equal to 1, not 0",
        ),
        (
            {"source": [{"datasets": ["a"], "training": {"epochs": 2}}], "transfer": {"kind": "joint"}},
            "(whole recipe): joint transfer trains in one stage; write source.training keys into [training.joint]",
        ),
        (
            {"source": []},
            "(whole recipe): sequential transfer needs at least one [[source]]; add one or set transfer.kind to direct",
        ),
        (
            {"transfer": {"kind": "direct"}},
            "(whole recipe): direct transfer has no source stages; remove [[source]] (--set source=[]) "
            "or set transfer.kind",
        ),
        (
            {"epochs": 3},
            "epochs: there is no such key; nearest is 'training.target.epochs' or 'training.epochs' or "
            "'training.source.epochs'",
        ),
        (
            {"patiense": 3, "transfer": {"kind": "joint"}},
            "patiense: there is no such key; nearest is 'training.joint.patience' or 'training.patience'",
        ),
        (
            {"target": {"dataset": "a", "train": "train.txt"}},
            "target.train: there is no such key; nearest is 'target.files.train'",
        ),
        (
            {"source": [{"datasets": ["a"], "dev": "dev.txt"}]},
            "source.0.dev: there is no such key; nearest is 'source.files.dev'",
        ),
        ({"label_width": 5}, "label_width: there is no such key; nearest is 'tagger.label_width'"),
        ({"colour": "red"}, "colour: there is no such key"),
        (
            {"transfer": {"kind": "multi_task", "streams": []}},
            "transfer.streams: should have at least 1 item, not 0",
        ),
        (
            {"encoder": {"kind": "concatenated", "parts": [{"kind": "word_char"}, {"kind": "concatenated"}]}},
            "encoder.parts.1.kind: should be one of transformer, word_char, language_model, not 'concatenated'",
        ),
        (
            {"transfer": {"kind": "multi_task", "target_raw": "raw.txt"}},
            "transfer.target_raw: should be a list, not 'raw.txt'",
        ),
        ({"name": "news to AI"}, "name: should match pattern '^[A-Za-z0-9._-]+$', not 'news to AI'"),
    ],
)
def test_the_message_names_the_key_as_the_recipe_has_it(tables: dict[str, Any], line: str) -> None:
    assert message(**tables) == f"1 setting cannot be used:\n    {line}"


def test_an_unknown_kind_is_answered_with_the_known_ones() -> None:
    said = message(tagger={"kind": "crff"})
    assert re.fullmatch(
        r"1 setting cannot be used:\n    tagger\.kind: should be one of linear, crf(, \w+)*, not 'crff'", said
    )


def test_a_missing_target_is_said(recipe: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_experiment({"name": "x"}, where="recipe.toml")
    assert caught.value.what == "1 setting cannot be used:\n    target: must be given"


def test_a_long_wrong_value_is_cut() -> None:
    assert message(seed="x" * 500).endswith(f"not '{'x' * 56}...")


def test_keys_of_one_source_stage_win_over_all_others() -> None:
    recipe = {
        "name": "x",
        "source": [{"datasets": ["a"]}, {"datasets": ["b"], "training": {"epochs": 12}}],
        "target": {"dataset": "c"},
        "training": {"epochs": 9, "source": {"epochs": 4}},
    }
    experiment = parse_experiment(recipe, where="recipe.toml")
    epochs = [experiment.training.for_stage("source", stage.training).epochs for stage in experiment.source]
    assert [*epochs, experiment.training.for_stage("target").epochs] == [4, 12, 9]


def test_a_missing_recipe_is_said(tmp_path: Path) -> None:
    path = tmp_path / "absent.toml"
    with pytest.raises(ConfigError) as caught:
        load_experiment(path)
    assert str(caught.value) == (
        f"there is no recipe file '{path}'\n"
        f"  where: {path}\n"
        "  expected: a TOML file\n"
        "  hint: recipes shipped with the project are in recipes/; `nerbridge adapt` writes one for your files"
    )


def test_the_nearest_recipe_is_named(tmp_path: Path) -> None:
    for name in ("minilm-ai-sequential.toml", "crossner/direct-linear.toml"):
        (tmp_path / "recipes" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "recipes" / name).write_text("", encoding="utf-8")
    for given, near in (
        ("minilm-ai.toml", "minilm-ai-sequential.toml"),
        ("direct-liner.toml", "crossner/direct-linear.toml"),
    ):
        with pytest.raises(ConfigError) as caught:
            load_experiment(tmp_path / "recipes" / given)
        assert caught.value.hint == f"nearest is '{tmp_path / 'recipes' / near}'"


def test_a_folder_of_recipes_lists_them(tmp_path: Path) -> None:
    (tmp_path / "crossner").mkdir()
    for name in ("crossner/a.toml", "b.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_experiment(tmp_path)
    assert str(caught.value) == (
        f"'{tmp_path}' is a folder with 2 recipes: b.toml, crossner/a.toml\n"
        f"  where: {tmp_path}\n"
        "  expected: one recipe, a TOML file\n"
        f"  hint: name one, such as {tmp_path / 'b.toml'}"
    )


@pytest.mark.parametrize(
    "content",
    [
        b"name = ",
        b"name = '\xe9'",
        b"\x00",
        b"a = " + b"[" * 100_000,
        b"[" + b"a." * 50_000 + b"a]",
        b"seed = " + b"9" * 5_000,
    ],
)
def test_a_file_that_is_no_toml_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "recipe.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="the recipe cannot be read") as caught:
        load_experiment(path)
    assert caught.value.where == str(path)


def test_a_folder_is_no_recipe(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a folder\n"):
        load_experiment(tmp_path)


def test_an_experiment_survives_being_written_down(recipe: Path) -> None:
    experiment = load_experiment(recipe, ["training.clip_norm=none"])
    assert parse_experiment(experiment.model_dump(mode="json"), where="settings") == experiment


def test_an_override_that_toml_cannot_hold_is_a_text(recipe: Path) -> None:
    for value in ("9" * 5_000, "[" * 100_000):
        with pytest.raises(ConfigError, match="seed: "):
            load_experiment(recipe, [f"seed={value}"])


@pytest.mark.parametrize(
    ("tables", "what"),
    [
        ({"training": {"learning_rate": float("inf")}}, "training.learning_rate: should be a finite number, not inf"),
        ({"training": {"clip_norm": float("nan")}}, "training.clip_norm: should be a finite number, not nan"),
        ({"training": {"seed": 2**64}}, f"training.seed: should be less than or equal to 4294967295, not {2**64}"),
        ({"seed": -1}, "seed: should be greater than or equal to 0, not -1"),
        (
            {"tagger": {"kind": "label_aware", "label_width": 10**11}},
            "tagger.label_width: should be less than or equal to 10000, not 100000000000",
        ),
        (
            {"transfer": {"kind": "joint", "upsample": 10**11}},
            "transfer.upsample: should be less than or equal to 1000000, not 100000000000",
        ),
    ],
)
def test_numbers_that_no_machine_can_use_are_refused(tables: dict[str, Any], what: str) -> None:
    assert what in message(**tables)


def test_an_encoder_and_a_context_without_kind_are_those_that_were_first() -> None:
    recipe = {"name": "x", "source": [{"datasets": ["a"]}], "target": {"dataset": "b"}}
    experiment = parse_experiment({**recipe, "encoder": {"pooling": "mean"}, "context": {}}, where="recipe.toml")
    assert (experiment.encoder.kind, experiment.context.kind) == ("transformer", "none")
    line = "encoder.poolin: there is no such key; nearest is 'encoder.pooling'"
    assert message(encoder={"poolin": "mean"}) == f"1 setting cannot be used:\n    {line}"
    line = "encoder.word_dropout: kind 'transformer' has no such key; it goes with encoder.kind = 'word_char'"
    assert message(encoder={"word_dropout": 0.1}) == f"1 setting cannot be used:\n    {line}"
