"""`adapt` turns files and names into an experiment."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import nerbridge
from nerbridge.config.effects import idle_notes
from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import load_experiment
from nerbridge.config.reading import ReadSettings
from nerbridge.config.transfer import SelfTrainingSettings
from nerbridge.errors import ConfigError
from nerbridge.pipeline import adaptation
from nerbridge.pipeline.adapting import adapt_experiment
from nerbridge.pipeline.adapting_raw import raw_tables

RECIPES = Path(__file__).parents[3] / "recipes" / "crossner"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("chess/train.txt", "chess/dev.txt", "chess.v2.jsonl", "news.txt", "schön.txt", "enc=1/config.json"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("")


def test_own_files_are_named_by_their_folder_and_stand_with_whole_paths(tmp_path: Path) -> None:
    experiment = adapt_experiment(
        target_train="chess/train.txt", target_dev="chess/dev.txt", source=("news.txt", "conll2003")
    )
    assert experiment.name == "adapt-chess"
    files = experiment.target.files
    assert files is not None
    assert files.model_dump() == {
        "train": str(tmp_path / "chess/train.txt"),
        "dev": str(tmp_path / "chess/dev.txt"),
        "test": None,
        "domain": "chess",
        "read": ReadSettings().model_dump(),
    }
    first, second = experiment.source
    assert (first.files[0].train, first.files[0].domain) == (str(tmp_path / "news.txt"), "news")
    assert second.datasets == ("conll2003",)
    assert experiment.transfer.kind == "sequential"


@pytest.mark.parametrize(
    ("path", "name"),
    [("chess.v2.jsonl", "chess"), ("news.txt", "news"), ("schön.txt", "schon"), ("crossner/ai", "crossner-ai")],
)
def test_the_domain_is_named_by_file_folder_or_data_set(path: str, name: str) -> None:
    assert adapt_experiment(target_train=path).name == f"adapt-{name}"


def test_a_registered_target_brings_its_own_splits() -> None:
    experiment = adapt_experiment(target_train="crossner/ai")
    assert (experiment.target.dataset, experiment.target.files) == ("crossner/ai", None)
    assert [stage.datasets for stage in experiment.source] == [("conll2003",)]
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="crossner/ai", target_dev="chess/dev.txt")
    assert str(caught.value) == (
        "'crossner/ai' is a registered data set and brings its own splits\n"
        "  where: --target-train with --target-dev\n"
        "  expected: a registered name alone, or files of your own\n"
        "  hint: drop --target-dev; `nerbridge evaluate RUN FILE` scores the finished run on other sentences"
    )


@pytest.mark.parametrize(
    ("given", "kind", "num_sources"),
    [
        ({"source": ()}, "direct", 0),
        ({"transfer": "direct"}, "direct", 0),
        ({"transfer": "joint"}, "joint", 1),
        ({}, "sequential", 1),
    ],
)
def test_transfer_and_sources_fit_each_other(given: dict[str, Any], kind: str, num_sources: int) -> None:
    experiment = adapt_experiment(target_train="news.txt", **given)
    assert (experiment.transfer.kind, len(experiment.source)) == (kind, num_sources)


def test_a_whole_family_is_a_source() -> None:
    experiment = adapt_experiment(target_train="crossner/ai", source=("conll2003", "crossner/others"))
    assert [stage.datasets for stage in experiment.source] == [("conll2003",), ("crossner/others",)]


def test_a_source_that_is_nothing_is_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="news.txt", source=("conll2004",))
    message = str(caught.value).splitlines()
    assert message[0] == "source 'conll2004' is neither a registered data set nor a file"
    assert message[1] == "  where: --source"
    assert message[2].startswith("  expected: one of ")
    assert message[2].endswith(", or the path of a labelled file")
    assert message[3] == (
        "  hint: nearest is 'conll2003'; `nerbridge data list` describes the registered ones; "
        "--source '' trains on the target alone"
    )


def test_choices_and_overrides_are_settings(tmp_path: Path) -> None:
    experiment = adapt_experiment(
        target_train="news.txt", encoder="enc=1", tagger="crf", overrides=("training.target.epochs=3", "name=mine")
    )
    assert experiment.encoder.checkpoint == str(tmp_path / "enc=1")
    assert (experiment.tagger.kind, experiment.name) == ("crf", "mine")
    assert experiment.training.for_stage("target").epochs == 3


def test_a_head_over_a_transformer_learns_as_in_the_recipes() -> None:
    crf, ours = (adapt_experiment(target_train="news.txt", tagger=kind) for kind in ("crf", "label_aware"))
    assert crf.tagger.transition_rate == 10
    assert ours.tagger.label_noise == 0.2
    assert ours.training.for_stage("target").head_learning_rate == 2e-3
    for experiment, recipe in ((crf, "sequential-crf"), (ours, "sequential-label-aware")):
        like = load_experiment(RECIPES / f"{recipe}.toml")
        assert experiment.tagger == like.tagger
        rates = [one.training.for_stage("target").head_learning_rate for one in (experiment, like)]
        assert rates[0] == rates[1]
    chosen = adapt_experiment(target_train="news.txt", tagger="label_aware", overrides=("tagger.label_noise=0.0",))
    assert chosen.tagger.label_noise == 0.0
    light = adapt_experiment(target_train="news.txt", encoder="word_char", tagger="label_aware")
    assert (light.tagger.label_noise, light.training.for_stage("target").head_learning_rate) == (0.0, 1e-3)


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        ("multi_task", "--set transfer.kind=multi_task in its place, with keys of its own (docs/recipes.md)"),
        ("zero_shot", "other kinds are for recipes: `nerbridge train recipes/...` (docs/methods.md)"),
    ],
)
def test_a_transfer_of_recipes_is_none_of_adapt(kind: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="news.txt", transfer=kind)
    assert str(caught.value).splitlines() == [
        f"'{kind}' is no transfer that `nerbridge adapt` knows",
        "  where: --transfer",
        "  expected: one of direct, sequential, joint",
        f"  hint: {hint}",
    ]


def test_a_hub_name_stays_as_it_is() -> None:
    assert adapt_experiment(target_train="news.txt", encoder="org/model").encoder.checkpoint == "org/model"


def test_an_unknown_tagger_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match=r"tagger\.kind: should be one of linear, "):
        adapt_experiment(target_train="news.txt", tagger="crff")


def test_links_stay_as_they_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link that leads to itself is a fault of the file, and the pipe of a shell has a name only as a link."""
    monkeypatch.chdir(tmp_path)
    Path("circle.txt").symlink_to("circle.txt")
    experiment = adapt_experiment(target_train="circle.txt", source=())
    assert experiment.target.files is not None
    assert experiment.target.files.train == str(tmp_path / "circle.txt")


def test_files_of_target_and_source_are_read_in_their_own_way() -> None:
    experiment = adapt_experiment(
        target_train="chess.v2.jsonl",
        source=("news.txt", "conll2003"),
        read={"end_shift": 1, "borders": "snap"},
        source_read={"scheme": "IOB1"},
    )
    assert experiment.target.files is not None
    assert experiment.target.files.read == ReadSettings(end_shift=1, borders="snap")
    assert [one.read for stage in experiment.source for one in stage.files] == [ReadSettings(scheme="IOB1")]


def test_a_registered_target_is_read_as_its_card_says() -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="crossner/ai", read={"scheme": "IOB1"})
    assert str(caught.value) == (
        "'crossner/ai' is a registered data set: how its files are read stands in its card\n"
        "  where: --target-train with options of reading (scheme)\n"
        "  expected: options of reading with files of your own only\n"
        "  hint: drop them"
    )


def test_a_key_without_its_table_is_answered_with_all_that_have_it() -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="news.txt", transfer="direct", overrides=("epochs=3",))
    assert str(caught.value) == (
        "1 setting cannot be used:\n"
        "    epochs: there is no such key; nearest is 'training.target.epochs' or 'training.epochs'\n"
        "  where: nerbridge adapt\n"
        "  expected: the keys and values listed in docs/recipes.md\n"
        "  hint: --set training.target.epochs=3"
    )


def test_an_override_of_a_stage_that_does_not_run_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"'training.source.epochs=3' has no effect: direct transfer trains on"):
        adapt_experiment(target_train="news.txt", transfer="direct", overrides=("training.source.epochs=3",))


def test_a_key_of_all_stages_is_not_hidden_by_what_adapt_chose_for_one() -> None:
    light = adapt_experiment(target_train="news.txt", encoder="word_char", overrides=("training.epochs=5",))
    assert [light.training.for_stage(kind).epochs for kind in ("source", "target")] == [5, 5]
    one = adapt_experiment(target_train="news.txt", encoder="word_char", overrides=("training.target.epochs=5",))
    assert [one.training.for_stage(kind).epochs for kind in ("source", "target")] == [10, 5]


@pytest.mark.parametrize(("kind", "epochs"), [("multi_task", 20), ("joint", 20), ("direct", None)])
def test_of_a_transfer_that_an_override_chooses_no_table_is_idle(kind: str, epochs: int | None) -> None:
    overrides = (f"transfer.kind={kind}", *(("source=[]",) if kind == "direct" else ()))
    experiment = adapt_experiment(target_train="news.txt", encoder="word_char", tagger="crf", overrides=overrides)
    assert experiment.transfer.kind == kind
    assert idle_notes(experiment) == []
    assert experiment.training.joint == ({} if epochs is None else {"epochs": epochs})


def test_a_key_of_another_transfer_is_answered_with_the_transfers_that_have_it() -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(
            target_train="news.txt", encoder="word_char", overrides=('transfer.dictionary.files=["names"]',)
        )
    assert str(caught.value) == (
        "1 setting cannot be used:\n"
        "    transfer.dictionary: kind 'sequential' has no such key; it goes with transfer.kind = 'multi_task' or "
        "'self_training'\n"
        "  where: nerbridge adapt\n"
        "  expected: the keys and values listed in docs/recipes.md\n"
        "  hint: --set transfer.kind=multi_task, or leave transfer.dictionary out"
    )


SELF_TRAINING = 'transfer={kind="self_training",target_raw=["raw.txt"]}'


@pytest.mark.parametrize(
    ("overrides", "streams"),
    [
        (["transfer.kind=self_training"], ("source/tags", "target/tags")),
        ([SELF_TRAINING], ("source/tags", "target/tags")),
        (["transfer.kind=self_training", "source=[]"], ("target/tags",)),
        (["transfer.kind=self_training", 'transfer.streams=["source/tags"]'], ("source/tags",)),
        (["transfer.kind=self_training", 'target={files={domain="chess"}}'], ("source/tags",)),
    ],
)
def test_self_training_learns_the_labels_that_were_given(overrides: list[str], streams: tuple[str, ...]) -> None:
    experiment = adapt_experiment(
        target_train="chess/train.txt", source=("news.txt",), encoder="word_char", overrides=tuple(overrides)
    )
    assert isinstance(experiment.transfer, SelfTrainingSettings)
    assert experiment.transfer.streams == streams


def test_zero_shot_self_training_learns_no_labels_of_the_target() -> None:
    experiment = adapt_experiment(
        target_train=None,
        source=("news.txt",),
        context="parameter_generation",
        raw=("raw.txt",),
        overrides=("transfer.kind=self_training", 'context={kind="bilstm"}', "training.joint.epochs=1"),
    )
    assert isinstance(experiment.transfer, SelfTrainingSettings)
    assert experiment.transfer.streams == ("source/tags", "source/words", "target/words")


@dataclass
class Calls:
    """What `adapt` hands on."""

    experiment: Experiment | None = None
    seeds: list[int] | None = None


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Nothing is trained."""
    calls = Calls()

    def one(experiment: Experiment, folder: Path, surroundings: object) -> None:
        calls.experiment, calls.seeds = experiment, None

    def several(experiment: Experiment, seeds: list[int], folder: Path, surroundings: object) -> None:
        calls.experiment, calls.seeds = experiment, seeds

    monkeypatch.setattr(adaptation, "run_experiment", one)
    monkeypatch.setattr(adaptation, "run_seeds", several)
    return calls


@pytest.mark.parametrize("source", ["news.txt", Path("news.txt"), ["news.txt"], ("news.txt",)])
def test_one_source_may_stand_alone(calls: Calls, source: Any) -> None:
    nerbridge.adapt("chess/train.txt", source=source, overrides="seed=7")
    assert calls.experiment is not None
    assert [stage.files[0].domain for stage in calls.experiment.source] == ["news"]
    assert calls.experiment.seed == 7


@pytest.mark.parametrize("source", ["", [], ()])
def test_no_source_is_direct_transfer(calls: Calls, source: Any) -> None:
    nerbridge.adapt("chess/train.txt", source=source)
    assert calls.experiment is not None
    assert calls.experiment.transfer.kind == "direct"


def test_several_seeds_are_several_runs(calls: Calls) -> None:
    nerbridge.adapt("chess/train.txt", source="", seeds=(1, 2))
    assert calls.seeds == [1, 2]


@pytest.mark.parametrize("seeds", [[], "1,2", [1, 1], [-1], [1.5], 3, [2**32]])
def test_seeds_that_are_none_are_refused(calls: Calls, seeds: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        nerbridge.adapt("chess/train.txt", source="", seeds=seeds)
    assert str(caught.value) == (
        f"seeds {seeds!r} cannot be used\n"
        "  where: adapt(seeds=...)\n"
        "  expected: a list of different whole numbers from 0 to 4294967295\n"
        "  hint: seeds=[1, 2, 3]"
    )


def test_word_vectors_bring_a_bilstm_and_a_faster_rate(tmp_path: Path) -> None:
    experiment = adapt_experiment(target_train="chess/train.txt", encoder="word_char", vectors="news.txt", tagger="crf")
    assert experiment.encoder.model_dump()["vectors"] == str(tmp_path / "news.txt")
    assert (experiment.encoder.kind, experiment.context.kind, experiment.tagger.kind) == ("word_char", "bilstm", "crf")
    source, target = (experiment.training.for_stage(kind) for kind in ("source", "target"))
    assert (source.learning_rate, source.head_learning_rate, source.epochs, source.schedule) == (
        1e-3,
        1e-3,
        10,
        "linear",
    )
    assert (target.learning_rate, target.weight_decay, target.epochs) == (1e-3, 0.0, 60)


def test_a_language_model_stands_beside_word_vectors(tmp_path: Path) -> None:
    (tmp_path / "elmo").mkdir()
    (tmp_path / "elmo" / "config.json").write_text('{"kind": "language_model", "model": "elmo"}')
    experiment = adapt_experiment(target_train="chess/train.txt", encoder="elmo", vectors="none", tagger="crf")
    words, model = experiment.encoder.model_dump()["parts"]
    assert (words["kind"], words["vectors"]) == ("word_char", None)
    assert (model["kind"], model["checkpoint"]) == ("language_model", str(tmp_path / "elmo"))
    assert (experiment.context.kind, experiment.training.for_stage("target").learning_rate) == ("bilstm", 1e-3)


@pytest.mark.parametrize(("asked", "got"), [(None, "glove"), ("glove", "glove"), ("none", None)])
def test_vectors_may_be_the_packaged_ones_or_none(asked: str | None, got: str | None) -> None:
    experiment = adapt_experiment(target_train="news.txt", encoder="word_char", vectors=asked, transfer="direct")
    assert experiment.encoder.model_dump()["vectors"] == got
    assert experiment.training.source == {}


def test_vectors_of_an_encoder_that_reads_none_are_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="news.txt", vectors="glove")
    assert str(caught.value) == (
        "encoder 'minilm' reads no word vectors\n"
        "  where: --vectors\n"
        "  expected: --vectors with --encoder word_char\n"
        "  hint: --encoder word_char --vectors glove, or drop --vectors"
    )


def test_raw_text_brings_its_tables_and_a_small_pre_training(calls: Calls, tmp_path: Path) -> None:
    nerbridge.adapt("chess/train.txt", source="", raw=["news.txt", "text/*.gz"], gazetteer="chess", level="task")
    assert calls.experiment is not None
    assert calls.experiment.corpus is not None
    assert calls.experiment.corpus.files == (str(tmp_path / "news.txt"), str(tmp_path / "text/*.gz"))
    assert calls.experiment.gazetteer.files == (str(tmp_path / "chess"),)
    assert calls.experiment.selection.level == "task"
    pretraining = calls.experiment.pretraining
    assert (pretraining.max_steps, pretraining.batch_pieces) == (200, 4096)
    nerbridge.adapt("chess/train.txt", source="", raw=["news.txt"], pretraining="standard")
    assert calls.experiment.pretraining.batch_pieces == 16384


def test_an_encoder_that_cannot_be_pre_trained_is_refused_with_raw_text() -> None:
    with pytest.raises(ConfigError, match=r"word_char cannot be pre-trained on raw text; .*--context parameter_gen"):
        adapt_experiment(target_train="news.txt", source=(), encoder="word_char", raw=("news.txt",))


def test_the_file_nearest_to_a_misspelt_source_is_named(tmp_path: Path) -> None:
    (tmp_path / "news.txt").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="train.txt", source=(str(tmp_path / "nwes.txt"),))
    assert caught.value.hint.startswith(f"nearest is '{tmp_path / 'news.txt'}'; ")


@pytest.mark.parametrize(
    ("transfer", "source", "message"),
    [
        (
            "direct",
            ("news.txt", "conll2003"),
            "direct transfer has no source, but --source names news.txt, conll2003\n"
            "  where: --transfer with --source\n"
            "  expected: --transfer direct alone, or another transfer with a source\n"
            "  hint: leave --source out, or choose --transfer sequential",
        ),
        (
            "sequential",
            (),
            "sequential transfer needs a source, but --source '' names none\n"
            "  where: --transfer with --source\n"
            "  expected: a registered data set or a labelled file to learn from first\n"
            "  hint: name a --source, or choose --transfer direct",
        ),
    ],
)
def test_sources_and_transfer_that_do_not_go_together_are_said_in_options(
    transfer: str, source: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="train.txt", source=source, transfer=transfer)
    assert str(caught.value) == message


def test_an_empty_path_of_raw_text_is_not_the_current_folder() -> None:
    with pytest.raises(ConfigError) as caught:
        raw_tables(["texts", ""], [], None)
    assert str(caught.value) == (
        "a path of raw text is empty\n"
        "  where: --raw\n"
        "  expected: a file, a folder or a pattern\n"
        "  hint: '.' is the current folder; is a variable of the shell not set?"
    )
    with pytest.raises(ConfigError, match="there are no lists of names at ''"):
        raw_tables(["texts"], [""], None)


@pytest.mark.parametrize(
    ("amount", "max_steps", "batch_rows", "epochs"),
    [(None, 200, 16, 15), ("short", 200, 16, 15), ("standard", 1000, 64, 15), ("full", None, 64, 15)],
)
def test_how_much_is_learnt_has_names(
    tmp_path: Path, amount: str | None, max_steps: int | None, batch_rows: int, epochs: int
) -> None:
    raw = tmp_path / "raw.txt"
    raw.write_text("text")
    asked = {"target_train": "train.txt", "raw": (str(raw),), "pretraining": amount}
    settings = adapt_experiment(**asked).pretraining
    assert (settings.max_steps, settings.batch_rows, settings.epochs) == (max_steps, batch_rows, epochs)
    changed = adapt_experiment(**asked, overrides=("pretraining.max_steps=7", "pretraining.epochs=2")).pretraining
    assert (changed.max_steps, changed.batch_rows, changed.epochs) == (7, batch_rows, 2)


def test_an_amount_that_cannot_be_learnt_is_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        adapt_experiment(target_train="train.txt", raw=("raw.txt",), pretraining="long")
    assert str(caught.value) == (
        "'long' is no amount of pre-training\n"
        "  where: --pretraining\n"
        "  expected: one of short, standard, full\n"
        "  hint: single settings: --set pretraining.max_steps=500, pretraining.epochs=3, ... (docs/pretraining.md)"
    )
    with pytest.raises(ConfigError, match="--pretraining has no effect without raw text"):
        adapt_experiment(target_train="train.txt", pretraining="full")
    with pytest.raises(ConfigError, match="--pretraining"):
        adapt_experiment(target_train="train.txt", raw=("raw.txt",), context="parameter_generation", pretraining="full")
