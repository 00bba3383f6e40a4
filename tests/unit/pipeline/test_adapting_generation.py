"""`adapt --context parameter_generation`: with labelled sentences of the target, or zero-shot from raw text."""

from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.experiment import Experiment
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting import adapt_experiment


def generated(**options: Any) -> Experiment:
    return adapt_experiment(**{"target_train": None, "context": "parameter_generation", **options})


def test_with_labels_all_four_streams_are_learnt(tmp_path: Path) -> None:
    found = generated(target_train="bands.txt", raw=("b.txt",), raw_source=("/n.txt",))
    assert found.name == "adapt-bands"
    assert (found.encoder.kind, found.context.kind, found.tagger.kind) == ("word_char", "parameter_generation", "crf")
    assert found.transfer.kind == "multi_task"
    assert found.transfer.streams == ("source/tags", "target/tags", "source/words", "target/words")
    assert found.transfer.target_raw == (str(Path.cwd() / "b.txt"),)
    assert found.transfer.source_raw == ("/n.txt",)
    assert found.training.for_stage("joint").selection == "dev"


def test_without_labels_it_is_zero_shot() -> None:
    found = generated(raw=("texts/chess.txt",))
    assert found.name == "adapt-chess"
    assert found.transfer.kind == "multi_task"
    assert found.transfer.zero_shot
    assert found.context.kind == "parameter_generation"
    assert (found.context.likeness, found.context.task_likeness, found.context.start) == (0.99, 0.9, "shared")
    assert found.target.files is not None
    assert (found.target.files.domain, found.target.files.train, found.target.files.test) == ("chess", None, None)
    assert found.training.for_stage("joint").selection == "dev"  # conll2003 has a dev split


def test_a_registered_data_set_may_be_the_test_of_zero_shot() -> None:
    assert generated(raw=("a.txt",), target_test="cbs_scitech").target.dataset == "cbs_scitech"


def test_weights_are_chosen_on_a_part_of_a_source_file(tmp_path: Path) -> None:
    (tmp_path / "news.txt").write_text("Ada\tB-person\n")
    found = generated(raw=("a.txt",), source=(str(tmp_path / "news.txt"),))
    assert found.training.for_stage("joint").selection == "dev"
    assert found.source[0].holdout == 0.1


def labelled(path: Path, sentences: int) -> str:
    path.write_text("\n".join(f"Ada\tB-person\nsang\tO\nsong{number}\tO\n" for number in range(sentences)))
    return str(path)


@pytest.mark.parametrize(
    ("sentences", "epochs"),
    [
        (270, 120),  # a tenth is held out: 9 steps of 30 sentences an epoch, 1,080 in all
        (40, 200),  # 2 steps; not more than ten times the usual epochs
        (1700, 20),  # 51 steps, 1,020 in all
    ],
)
def test_small_files_are_read_until_the_steps_are_enough(tmp_path: Path, sentences: int, epochs: int) -> None:
    file = labelled(tmp_path / "news.txt", sentences)
    for options in ({"source": (file,), "raw": ("a.txt",)}, {"source": (), "target_train": file}):
        stage = generated(**options).training.for_stage("joint")
        assert (stage.epochs, stage.evaluate_every) == (epochs, epochs / 20)


def test_the_longest_stream_of_tags_decides_how_often_files_are_read(tmp_path: Path) -> None:
    small = labelled(tmp_path / "small.txt", 60)
    assert generated(target_train=small).training.for_stage("joint").epochs == 20  # beside conll2003
    assert generated(target_train="crossner/ai", source=(small,)).training.for_stage("joint").epochs == 200
    assert (
        generated(target_train=str(tmp_path / "missing.txt"), source=(small,)).training.for_stage("joint").epochs == 20
    )


def test_of_other_transfers_and_paces_no_stage_is_made_longer(tmp_path: Path) -> None:
    small = labelled(tmp_path / "small.txt", 40)
    direct = generated(target_train=small, source=(), overrides=('transfer={kind="direct"}',))
    assert direct.transfer.kind == "direct"
    paced = generated(target_train=small, source=(small,), overrides=("transfer.pace=longest",))
    assert paced.training.for_stage("joint").epochs == 20


@pytest.mark.parametrize("override", ["training.joint.epochs=7", "training.max_steps=9"])
def test_who_says_how_long_to_train_is_heard(tmp_path: Path, override: str) -> None:
    small = labelled(tmp_path / "small.txt", 60)
    stage = generated(source=(small,), raw=("a.txt",), overrides=(override,)).training.for_stage("joint")
    assert (stage.epochs, stage.max_steps, stage.evaluate_every) in [(7, None, 1), (20, 9, 1)]


def test_steps_that_are_more_than_the_usual_epochs_are_run(tmp_path: Path) -> None:
    small = labelled(tmp_path / "small.txt", 60)  # 2 steps an epoch
    options = {"source": (small,), "raw": ("a.txt",)}
    stage = generated(**options, overrides=("training.joint.max_steps=100",)).training.for_stage("joint")
    assert (stage.epochs, stage.max_steps, stage.evaluate_every) == (50, 100, 2.5)


def test_without_a_source_the_target_alone_has_streams() -> None:
    found = generated(target_train="bands.txt", source=())
    assert found.transfer.kind == "multi_task"
    assert found.transfer.streams == ("target/tags", "target/words")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"context": None},
            "no labelled sentence of the target is given\n"
            "  where: nerbridge adapt\n"
            "  expected: --target-train FILE, or a registered name\n"
            "  hint: without labels: --context parameter_generation or multi_cell, and --raw FILE, learn from raw text "
            "alone (zero-shot)",
        ),
        (
            {"context": None, "raw": ("a.txt",)},
            "no labelled sentence of the target is given\n"
            "  where: nerbridge adapt\n"
            "  expected: --target-train FILE, or a registered name\n"
            "  hint: add --context parameter_generation or multi_cell: without labels they learn from --raw alone "
            "(zero-shot)",
        ),
        (
            {"raw": ("a.txt",), "gazetteer": ("names",)},
            "--gazetteer has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --gazetteer with other contexts only\n"
            "  hint: here names of lists teach words of the raw text: "
            "--set 'transfer.dictionary.files=[\"names\"]' in its place",
        ),
        (
            {},
            "there is nothing of the target to learn from\n"
            "  where: nerbridge adapt\n"
            "  expected: --raw FILE with raw text of the new domain, for zero-shot --context parameter_generation\n"
            "  hint: add --raw, or --target-train with labelled sentences",
        ),
        (
            {"context": "none"},
            "there is no context 'none' to choose\n"
            "  where: --context\n"
            "  expected: parameter_generation or multi_cell\n"
            "  hint: without --context it follows from --encoder; docs/recipes.md lists those of recipes",
        ),
        (
            {"context": "bilstm"},
            "there is no context 'bilstm' to choose\n"
            "  where: --context\n"
            "  expected: parameter_generation or multi_cell\n"
            "  hint: instead of --context: nerbridge adapt --encoder word_char, and your other options",
        ),
        (
            {"context": "multicell"},
            "there is no context 'multicell' to choose\n"
            "  where: --context\n"
            "  expected: parameter_generation or multi_cell\n"
            "  hint: nearest is 'multi_cell'",
        ),
        (
            {"context": None, "target_train": "a.txt", "raw_source": ("b.txt",)},
            "--raw-source has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --raw-source with --context parameter_generation\n"
            "  hint: drop --raw-source",
        ),
        (
            {"raw": ("a.txt",), "transfer": "joint"},
            "--transfer has no effect here\n"
            "  where: nerbridge adapt\n"
            "  expected: --transfer with other contexts only\n"
            "  hint: drop --transfer",
        ),
        (
            {"raw": ("a.txt",), "source": ("a.conll", "b.conll")},
            "zero-shot tags with the head of one source, but --source names 2: a.conll, b.conll\n"
            "  where: --source\n"
            "  expected: a single --source\n"
            "  hint: name one; labelled files of one format can be joined: cat a.txt b.txt > both.txt",
        ),
        (
            {"target_train": "a.txt", "source": ("a.conll", "b.conll"), "raw_source": ("c.txt",)},
            "--raw-source is the text of one source, but --source names 2: a.conll, b.conll\n"
            "  where: --raw-source with --source\n"
            "  expected: a single --source\n"
            "  hint: name one; labelled files of one format can be joined: cat a.txt b.txt > both.txt, or drop "
            "--raw-source: each source then has the words of its sentences",
        ),
        (
            {"target_train": "a.txt", "source": (), "raw_source": ("c.txt",)},
            "--raw-source has no effect without a source, and --source '' names none\n"
            "  where: --raw-source with --source\n"
            "  expected: the raw text of a source that is learnt\n"
            "  hint: drop --raw-source, or name a --source; more raw text of the target is another --raw",
        ),
        (
            {"raw": ("a.txt",), "encoder": "models/elmo"},
            "encoder 'models/elmo' has read the whole sentence, so that language models have nothing to learn from it\n"
            "  where: --encoder with --context parameter_generation\n"
            "  expected: --encoder word_char, the default with --context: word vectors and characters\n"
            "  hint: drop --encoder; or drop --context: that encoder then has labelled sentences (--target-train) to "
            "learn from",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        generated(**options)
    assert str(caught.value) == message
