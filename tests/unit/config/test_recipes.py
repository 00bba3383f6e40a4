"""Every recipe of the project parses, has a name of its own and says what it stands for."""

import re
from pathlib import Path

import pytest

from nerbridge.config.loading import load_experiment
from nerbridge.errors import ConfigError

RECIPES = Path(__file__).parents[3] / "recipes"
PATHS = sorted(RECIPES.rglob("*.toml"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(RECIPES)))
def test_a_recipe_parses_and_says_what_it_stands_for(path: Path) -> None:
    experiment = load_experiment(path)
    assert len(experiment.description) > 30
    assert path.read_text(encoding="utf-8").startswith("# ")


def head_of(path: Path) -> str:
    """What a recipe says of itself before its first key, in one line."""
    lines = path.read_text(encoding="utf-8").partition("\n\n")[0].splitlines()
    return " ".join(line.removeprefix("#").strip() for line in lines)


WEIGHTS = {"L_ent": "context.entity_weight=0", "L_atten": "context.attention_weight=0"}


@pytest.mark.parametrize("path", sorted((RECIPES / "multicell").glob("*.toml")), ids=lambda path: path.stem)
def test_rows_of_table_5_that_a_recipe_tells_of_are_accepted(path: Path) -> None:
    said = path.read_text(encoding="utf-8")
    for name, override in WEIGHTS.items():
        if f'0 is the row "- {name}"' in said:
            load_experiment(path, [override])
            assert load_experiment(path).source, "table 5 is of the full model"
    if re.search(r"; both 0 (is )?the row", said):
        load_experiment(path, list(WEIGHTS.values()))
    for other in re.findall(r"without either: ([a-z-]+), both 0", said):
        load_experiment(path.with_name(f"{other}.toml"), list(WEIGHTS.values()))
        with pytest.raises(ConfigError, match=f"{other}.toml with both 0"):
            load_experiment(path, list(WEIGHTS.values()))


def test_recipes_tell_of_rows_of_table_5_in_the_words_that_are_looked_for() -> None:
    said = {path.stem: path.read_text(encoding="utf-8") for path in (RECIPES / "multicell").glob("*.toml")}
    patterns = (r'0 is the row "- L_ent"', r"; both 0 (is )?the row", r"without either: [a-z-]+, both 0")
    assert [pattern for pattern in patterns if not any(re.search(pattern, text) for text in said.values())] == []


LIGHT = [path for path in PATHS if "AdamW at " in head_of(path)]


@pytest.mark.parametrize("path", LIGHT, ids=lambda path: str(path.relative_to(RECIPES)))
def test_a_recipe_has_the_rate_and_the_steps_that_it_says(path: Path) -> None:
    experiment, said = load_experiment(path), head_of(path)
    kind = {"direct": "target", "sequential": "target"}.get(experiment.transfer.kind, "joint")
    training = experiment.training.for_stage(kind)  # type: ignore[arg-type]
    (rate,) = re.findall(r"AdamW at (\d+e-\d+)", said)
    assert (training.optimizer, training.learning_rate) == ("adamw", float(rate))
    assert ("falling to 0" in said) == (training.schedule == "linear")
    (steps,) = re.findall(r"([\d,]+) steps of (\d+) sentences", said)
    assert steps == (f"{training.max_steps:,}", str(training.batch_sentences))


def test_the_recipes_that_name_a_rate_are_many() -> None:
    assert len(LIGHT) > 30


def test_names_tell_recipes_apart() -> None:
    names = [load_experiment(path).name for path in PATHS]
    assert len(names) == len(set(names)) >= 22


@pytest.mark.parametrize("path", sorted((RECIPES / "crossner").rglob("*.toml")), ids=lambda path: path.stem)
def test_another_domain_is_one_override_away(path: Path) -> None:
    experiment = load_experiment(path, ["target.dataset=crossner/politics"])
    assert experiment.target.dataset == "crossner/politics"
    assert "politics" not in str(experiment.source)


@pytest.mark.parametrize("strategy", ["direct", "sequential", "joint"])
def test_linear_and_crf_rows_differ_in_the_head_alone(strategy: str) -> None:
    pair = [load_experiment(RECIPES / "crossner" / f"{strategy}-{head}.toml") for head in ("linear", "crf")]
    kept = [one.model_dump(exclude={"name", "description", "tagger"}) for one in pair]
    assert kept[0] == kept[1]
    assert [one.tagger.kind for one in pair] == ["linear", "crf"]


@pytest.mark.parametrize("kind", ["direct", "sequential"])
def test_rows_of_mit_differ_in_the_head_and_its_rate_alone(kind: str) -> None:
    heads = {"linear": 1e-3, "crf": 1e-3, "label-aware": 2e-3}
    found = [
        load_experiment(RECIPES / "mit" / f"{kind}-{head}.toml", ["target.dataset=mit_restaurant"]) for head in heads
    ]
    assert [one.training.for_stage("target").head_learning_rate for one in found] == list(heads.values())
    for one in found:
        assert one.model_dump(exclude={"name", "description", "tagger", "training"}) == found[0].model_dump(
            exclude={"name", "description", "tagger", "training"}
        )
        assert one.training.target == found[0].training.target == {"epochs": 15, "evaluate_every": 0.5, "patience": 5}
        assert (one.target.holdout, one.target.holdout_seed) == (0.1, 1)


@pytest.mark.parametrize("head", ["linear", "crf", "label-aware"])
def test_mit_shares_the_source_stage_of_crossner(head: str) -> None:
    pair = [load_experiment(RECIPES / family / f"sequential-{head}.toml") for family in ("mit", "crossner")]
    found = [(one.tagger, one.encoder, one.source, one.transfer, one.training.for_stage("source")) for one in pair]
    assert found[0] == found[1]


@pytest.mark.data
@pytest.mark.parametrize(("name", "train", "dev"), [("mit_movie", 7034, 782), ("mit_restaurant", 6894, 766)])
def test_the_dev_of_mit_is_a_part_of_train_that_is_not_trained_on(
    data_root: Path, name: str, train: int, dev: int
) -> None:
    from nerbridge.pipeline.data import load_data

    experiment = load_experiment(RECIPES / "mit" / "direct-linear.toml", [f"target.dataset={name}"])
    target = load_data(experiment, data_root).target
    assert (len(target.train), len(target.dev)) == (train, dev)
    assert not {one.words for one in target.train} & {one.words for one in target.dev}
    assert target.dev != target.test


def test_paper_rows_use_the_values_of_the_paper() -> None:
    for path in (RECIPES / "crossner" / "bert").glob("*.toml"):
        experiment = load_experiment(path)
        training = experiment.training.for_stage("joint" if experiment.transfer.kind == "joint" else "target")
        assert experiment.encoder.checkpoint == "bert-base-cased"
        assert (training.learning_rate, training.head_learning_rate, training.weight_decay) == (5e-5, 5e-5, 0.0)
        assert (training.clip_norm, training.patience, training.evaluate_every) == (None, 8, 1.0)
