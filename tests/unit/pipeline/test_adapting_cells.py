"""`adapt --context multi_cell`: the experiments of recipes/multicell, with files of one's own."""

from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import load_experiment
from nerbridge.config.transfer import MultiTaskSettings
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting import adapt_experiment
from nerbridge.pipeline.adapting_multi_task import CELLS

RECIPES = Path(__file__).parents[3] / "recipes" / "multicell"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with lists of names and a labelled file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").mkdir()
    (tmp_path / "names" / "person.txt").write_text("Ada\n", encoding="utf-8")
    (tmp_path / "news.txt").write_text(
        "\n".join(f"Ada\tB-person\nsang\tO\nsong{number}\tO\n" for number in range(300)), encoding="utf-8"
    )
    return tmp_path


def cells(**options: Any) -> Experiment:
    return adapt_experiment(**{"target_train": None, "context": CELLS, **options})


def streams(experiment: Experiment) -> MultiTaskSettings:
    assert isinstance(experiment.transfer, MultiTaskSettings)
    return experiment.transfer


def test_with_labels_the_tags_of_both_domains_are_learnt() -> None:
    found, recipe = cells(target_train="bands.txt"), load_experiment(RECIPES / "bionlp-multi-cell.toml")
    assert found.name == "adapt-bands"
    assert [stage.datasets for stage in found.source] == [("conll2003",)]
    assert streams(found).streams == ("source/tags", "target/tags")
    assert (found.encoder, found.context, found.tagger) == (recipe.encoder, recipe.context, recipe.tagger)
    assert found.training.base == recipe.training.base


def test_with_raw_text_the_target_has_a_language_model_too(folder: Path) -> None:
    found = streams(cells(target_train="bands.txt", raw=("a.txt",), gazetteer=("names",)))
    assert found.streams == ("source/tags", "target/tags", "target/words")
    assert (found.target_raw, found.words_weight) == ((str(folder / "a.txt"),), 0.1)
    assert (found.dictionary.files, found.dictionary.ordinary) == ((str(folder / "names"),), "inner")


def test_raw_text_of_the_source_is_learnt_where_it_is_given(folder: Path) -> None:
    found = streams(cells(raw=("a.txt",), raw_source=("b.txt",)))
    assert found.streams == ("source/tags", "source/words", "target/words")
    assert found.source_raw == (str(folder / "b.txt"),)


@pytest.mark.parametrize(("lists", "recipe"), [((), "-lm"), (("names",), "-lm-dictionary")])
def test_without_labels_it_is_the_recipe_of_zero_shot(lists: tuple[str, ...], recipe: str, folder: Path) -> None:
    names = [str(folder / one) for one in lists]
    overrides = [f'transfer.target_raw=["{folder / "a.txt"}"]', f"transfer.dictionary={{files={names}}}"]
    expected = load_experiment(RECIPES / f"scitech-multi-cell{recipe}.toml", overrides if lists else overrides[:1])
    found = cells(raw=("a.txt",), gazetteer=lists, target_test="cbs_scitech")
    for table in ("source", "target", "encoder", "context", "tagger", "transfer"):
        assert getattr(found, table) == getattr(expected, table)
    assert found.training.base == expected.training.base
    assert found.training.for_stage("joint").max_steps == 3000


def test_over_a_transformer_it_is_the_recipe_of_crossner() -> None:
    expected = load_experiment(RECIPES / "crossner-multi-cell.toml")
    found = cells(target_train="crossner/ai", encoder="minilm")
    for table in ("source", "target", "encoder", "context", "tagger", "transfer"):
        assert getattr(found, table) == getattr(expected, table)
    ours, theirs = found.training.for_stage("joint"), expected.training.for_stage("joint")
    for key in (
        "learning_rate",
        "head_learning_rate",
        "schedule",
        "warmup",
        "batch_sentences",
        "patience",
        "max_steps",
    ):
        assert getattr(ours, key) == getattr(theirs, key)


@pytest.mark.parametrize(
    ("overrides", "length"),
    [
        ((), (200, 3000, 10)),  # 5 steps of 60 sentences an epoch, 1,000 in all
        (("training.joint.epochs=7",), (7, None, 1)),
        (("training.joint.max_steps=500",), (100, 500, 5)),
        (("training.joint.max_steps=50",), (20, 50, 1)),
        (("training.joint.epochs=7", "training.max_steps=9"), (7, 9, 1)),
        (("training.joint.evaluate_every=2",), (200, 3000, 2)),
        (("training.joint.max_steps=500", "training.evaluate_every=3"), (100, 500, 3)),
    ],
)
def test_small_files_are_read_until_the_steps_are_enough(overrides: tuple[str, ...], length: tuple[Any, ...]) -> None:
    stage = cells(target_train="news.txt", source=(), overrides=overrides).training.for_stage("joint")
    assert (stage.epochs, stage.max_steps, stage.evaluate_every) == length


def test_of_large_data_dev_is_asked_as_often() -> None:
    stage = cells(raw=("a.txt",)).training.for_stage("joint")  # 235 steps an epoch of conll2003
    assert (stage.epochs, stage.max_steps, stage.evaluate_every) == (20, 3000, 0.64)


def test_what_is_given_is_taken() -> None:
    found = cells(
        target_train="bands.txt", tagger="linear", vectors="none", overrides=("context.hidden=8", "tagger.dropout=0.2")
    )
    assert (found.tagger.kind, found.tagger.scheme, found.tagger.dropout) == ("linear", "BIO", 0.2)
    assert found.encoder.kind == "word_char"
    assert (found.encoder.vectors, found.encoder.frequent) == (None, 100_000)
    assert found.context.kind == "multi_cell"
    assert found.context.hidden == 8


BY_KEY = ("context.kind=multi_cell",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"gazetteer": ("names",), "target_train": "a.txt"},
            "--gazetteer has no effect without raw text, in which its names would be looked up\n"
            "  where: --gazetteer with --context multi_cell\n"
            "  expected: --raw FILE with raw text of the new domain\n"
            "  hint: add --raw, or drop --gazetteer: cells learn their labels from labelled sentences",
        ),
        (
            {"gazetteer": ("nmes",), "raw": ("a.txt",)},
            "there are no lists of names at 'nmes'\n"
            "  where: --gazetteer\n"
            "  expected: a folder of <label>.txt, or a file of names; docs/gazetteers.md lists the kinds\n"
            "  hint: check the path; without --gazetteer, cells learn their labels from labelled sentences alone",
        ),
        (
            {"raw": ("a.txt",), "gazetteer": ("names",), "encoder": "minilm", "target_train": "b.txt"},
            "encoder 'minilm' has read the whole sentence, so that language models have nothing to learn from it\n"
            "  where: --encoder with --context multi_cell beside --raw and --gazetteer\n"
            "  expected: --encoder word_char, the default with --context: word vectors and characters\n"
            "  hint: drop --encoder; or drop --raw and --gazetteer: cells over that encoder have labelled sentences "
            "(--target-train) to learn from",
        ),
        (
            {},
            "there is nothing of the target to learn from\n"
            "  where: nerbridge adapt\n"
            "  expected: --raw FILE with raw text of the new domain, for zero-shot --context multi_cell\n"
            "  hint: add --raw, or --target-train with labelled sentences",
        ),
        (
            {"raw": ("",)},
            "a path of raw text is empty\n"
            "  where: --raw\n"
            "  expected: a file, a folder or a pattern\n"
            "  hint: '.' is the current folder; is a variable of the shell not set?",
        ),
        (
            {"target_train": "a.txt", "transfer": "joint"},
            "--transfer has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --transfer with other contexts only\n"
            "  hint: drop --transfer; or, in place of --context, for cells in that transfer: "
            "--encoder word_char --tagger crf --set context.kind=multi_cell",
        ),
        (
            {"target_train": "a.txt", "transfer": "multi_task"},
            "--transfer has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --transfer with other contexts only\n"
            "  hint: drop --transfer: --context is multi_task transfer",
        ),
        (
            {"target_train": "a.txt", "raw": ("b.txt",), "level": "task"},
            "--level has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --level with other contexts only\n"
            "  hint: drop --level; or, in place of --context, for cells over a transformer that learns from --raw "
            "first: --tagger crf --set context.kind=multi_cell",
        ),
        (
            {"raw": ("b.txt",), "level": "task"},
            "--level has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --level with other contexts only\n"
            "  hint: drop --level",
        ),
        (
            {"target_train": "a.txt", "source": ("a.conll", "b.conll"), "raw_source": ("c.txt",)},
            "--raw-source is the text of one source, but --source names 2: a.conll, b.conll\n"
            "  where: --raw-source with --source\n"
            "  expected: a single --source\n"
            "  hint: name one; labelled files of one format can be joined: cat a.txt b.txt > both.txt, or drop "
            "--raw-source",
        ),
        (
            {"context": None, "overrides": BY_KEY, "raw": ("my text.txt",), "gazetteer": ("names",)},
            "no labelled sentence of the target is given\n"
            "  where: nerbridge adapt\n"
            "  expected: --target-train FILE, or a registered name\n"
            "  hint: without labels (zero-shot), with --data-root, --output and the like as before: nerbridge adapt "
            "--context multi_cell --raw 'my text.txt' --gazetteer names",
        ),
        (
            {"context": None, "overrides": (*BY_KEY, "context.hidden=100"), "source": ("news.txt",)},
            "no labelled sentence of the target is given\n"
            "  where: nerbridge adapt\n"
            "  expected: --target-train FILE, or a registered name\n"
            "  hint: without labels (zero-shot), with --data-root, --output and the like as before: nerbridge adapt "
            "--context multi_cell --source news.txt --raw FILE --set context.hidden=100",
        ),
        (
            {
                "context": None,
                "overrides": BY_KEY,
                "target_train": "a.txt",
                "source": ("news.txt", "b.txt"),
                "raw": ("c", "d"),
                "gazetteer": ("names",),
                "encoder": "word_char",
                "read": {"end_shift": 1},
            },
            "--raw pre-trains a transformer here; beside word vectors, cells learn from it by language models\n"
            "  where: --raw with --set context.kind=multi_cell\n"
            "  expected: --context multi_cell in place of --set context.kind=multi_cell\n"
            "  hint: with --data-root, --output and the like as before: nerbridge adapt --context multi_cell "
            "--target-train a.txt --source news.txt,b.txt --encoder word_char --raw c --raw d --gazetteer names "
            "--read end_shift=1",
        ),
        (
            {
                "context": None,
                "overrides": (*BY_KEY, "transfer.kind=multi_task"),
                "target_train": "a.txt",
                "source": (),
                "raw": ("c",),
                "encoder": "minilm",
                "level": "task",
            },
            "--raw pre-trains a transformer here; beside word vectors, cells learn from it by language models\n"
            "  where: --raw with --set context.kind=multi_cell\n"
            "  expected: --context multi_cell in place of --set context.kind=multi_cell\n"
            "  hint: with --data-root, --output and the like as before: nerbridge adapt --context multi_cell "
            "--target-train a.txt --source '' --raw c --set transfer.kind=multi_task",
        ),
        (
            {"context": None, "overrides": BY_KEY, "target_train": "a.txt", "raw_source": ("b.txt",)},
            "--raw-source has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --raw-source with --context multi_cell\n"
            "  hint: drop --raw-source",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        cells(**options)
    assert str(caught.value) == message


def test_by_key_cells_over_a_transformer_still_learn_from_raw_text_first() -> None:
    found = cells(context=None, overrides=BY_KEY, target_train="a.txt", raw=("b.txt",), gazetteer=("names",))
    assert (found.encoder.kind, found.transfer.kind) == ("transformer", "sequential")
    assert found.corpus is not None
