"""What an experiment names becomes domains; what is held out, left out or cannot be learnt is said."""

import json
from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.experiment import Experiment
from nerbridge.config.loading import parse_experiment
from nerbridge.data.sentence import Annotation
from nerbridge.errors import ConfigError, DataError, LabelError
from nerbridge.pipeline.data import ExperimentData, load_data


def write(path: Path, *sentences: str) -> str:
    """A column file: words are separated by spaces, 'Ada/B-person' carries a tag, others are O."""
    blocks = []
    for sentence in sentences:
        pairs = [(word, tag or "O") for word, _, tag in (part.partition("/") for part in sentence.split())]
        blocks.append("".join(f"{word}\t{tag}\n" for word, tag in pairs))
    path.write_text("\n".join(blocks), encoding="utf-8")
    return str(path)


TRAIN = [f"Ada/B-person sang song{number}" for number in range(20)]


@pytest.fixture
def train(tmp_path: Path) -> str:
    return write(tmp_path / "train.txt", *TRAIN)


def experiment(files: dict[str, Any], **tables: Any) -> Experiment:
    target = {"files": {**files, "domain": "music"}, **tables.pop("target", {})}
    return parse_experiment({"name": "t", "target": target, "transfer": {"kind": "direct"}, **tables}, where="test")


def load(files: dict[str, Any], **tables: Any) -> ExperimentData:
    return load_data(experiment(files, **tables), None)


def test_without_dev_a_tenth_of_train_is_held_out_and_said(train: str) -> None:
    data = load({"train": train})
    assert (len(data.target.train), len(data.target.dev)) == (18, 2)
    assert not {s.words for s in data.target.train} & {s.words for s in data.target.dev}
    assert data.notes[0] == "music: no dev split; 2 of 20 training sentences held out for it (seed 1)"


def test_how_much_is_held_out_and_which_follows_the_recipe(train: str) -> None:
    first = load({"train": train}, target={"holdout": 0.25}).target
    again = load({"train": train}, target={"holdout": 0.25}).target
    other = load({"train": train}, target={"holdout": 0.25, "holdout_seed": 2}).target
    assert len(first.dev) == 5
    assert first.dev == again.dev != other.dev


def test_nothing_is_held_out_where_dev_is_given_or_steps_are_fixed(train: str, tmp_path: Path) -> None:
    dev = write(tmp_path / "dev.txt", *["Bob/B-person sang"] * 30)
    assert load({"train": train, "dev": dev}).notes == ()
    fixed = load({"train": train}, training={"target": {"selection": "last"}})
    assert (len(fixed.target.train), fixed.target.dev, fixed.notes) == (20, (), ())


def test_num_train_keeps_a_seeded_part(train: str) -> None:
    data = load({"train": train}, target={"num_train": 5})
    assert (len(data.target.train), len(data.target.dev)) == (5, 2)
    assert "music: 5 of 18 training sentences used" in data.notes
    assert load({"train": train}, target={"num_train": 500}).target.train == load({"train": train}).target.train


def test_labels_are_those_of_train_and_dev_and_what_train_lacks_is_counted(train: str, tmp_path: Path) -> None:
    dev = write(tmp_path / "dev.txt", "Abba/B-band met Queen/B-band", "Ada/B-person slept")
    test = write(tmp_path / "test.txt", "Abba/B-band won Eurovision/B-award", "Grammy/B-award night")
    data = load({"train": train, "dev": dev, "test": test})
    assert data.target.labels.names == ("band", "person")
    assert data.notes[:2] == (
        "music: label 'award' has no training sentence; its entities can only be missed: 2 in test",
        "music: label 'band' has no training sentence; its entities can only be missed: 2 in dev, 1 in test",
    )


def test_sentences_of_train_in_dev_or_test_are_counted_and_stay(train: str, tmp_path: Path) -> None:
    test = write(tmp_path / "test.txt", TRAIN[3], TRAIN[4], "Bob/B-person left")
    data = load({"train": train, "dev": write(tmp_path / "dev.txt", "Eve/B-person left"), "test": test})
    assert data.notes[0] == "music: 2 of 3 test sentences found in train too (kept)"
    assert len(data.target.train) == 20


def test_sentences_without_annotation_are_left_out_and_counted(tmp_path: Path) -> None:
    records = [
        {"words": ["Ada", "sang"], "spans": [{"start": 0, "end": 1, "label": "person"}]},
        {"words": ["raw", "text"]},
        {"words": ["Bob", "left"], "spans": [], "known": [False, True]},
    ]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    for split in ("train", "dev"):
        (tmp_path / f"{split}.jsonl").write_text(lines, encoding="utf-8")
    data = load({split: str(tmp_path / f"{split}.jsonl") for split in ("train", "dev")})
    assert [s.annotation for s in data.target.train] == [Annotation.COMPLETE, Annotation.PARTIAL]
    assert [s.annotation for s in data.target.dev] == [Annotation.COMPLETE]
    assert data.notes[:2] == (
        "music train: 1 of 3 sentences left out, without annotation",
        "music dev: 2 of 3 sentences left out, without complete annotation",
    )


def test_raw_text_as_training_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("Ada\nsang\n", encoding="utf-8")
    with pytest.raises(LabelError) as caught:
        load({"train": str(tmp_path / "raw.txt")})
    assert str(caught.value) == (
        "no training sentence of 'music' is annotated\n"
        f"  where: {tmp_path / 'raw.txt'}:1\n"
        "  expected: a tag beside every word, or spans beside every text\n"
        "  hint: the file was read as one column; `nerbridge data check FILE` shows how the file was read"
    )


def test_a_training_file_with_spans_under_an_unknown_key_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "raw.jsonl"
    path.write_text('{"text": "Ada sang.", "annotations": [[0, 3, "person"]]}\n', encoding="utf-8")
    with pytest.raises(LabelError) as caught:
        load({"train": str(path)})
    assert caught.value.hint == (
        "1 record has the key 'annotations', which is not read; spans are named 'spans' or 'entities'; "
        "`nerbridge data check FILE` shows how the file was read"
    )


def test_a_training_file_without_entities_is_refused_in_the_target_and_in_sources(train: str, tmp_path: Path) -> None:
    plain = write(tmp_path / "plain.txt", "nothing here", "nor there", "or anywhere")
    message = (
        "no training sentence of '{name}' has an entity\n"
        f"  where: {plain}:1\n"
        "  expected: labelled spans in the training file\n"
        "  hint: `nerbridge data check FILE` shows how the file was read"
    )
    with pytest.raises(LabelError) as caught:
        load({"train": plain, "dev": train})
    assert str(caught.value) == message.format(name="music")
    with pytest.raises(LabelError) as caught:
        load(
            {"train": train},
            source=[{"files": [{"train": plain, "domain": "news"}]}],
            transfer={"kind": "sequential"},
        )
    assert str(caught.value) == message.format(name="news")


def test_one_sentence_cannot_be_train_and_dev(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="1 distinct sentence cannot be split into train and dev"):
        load({"train": write(tmp_path / "one.txt", TRAIN[0])})


def test_descriptions_of_the_recipe_reach_the_labels(train: str) -> None:
    data = load({"train": train}, target={"descriptions": {"person": "somebody"}})
    assert data.target.labels.descriptions == {"person": "somebody"}


def test_malformed_tags_keep_both_readings_through_everything(train: str, tmp_path: Path) -> None:
    test = write(tmp_path / "test.txt", "Ada/I-person sang", "Bob/B-person left", "Eve/B-person left")
    data = load({"train": train, "test": test})
    assert [s.malformed is not None for s in data.target.test] == [True, False, False]
    assert f"{test}: 1 malformed tag place read by the policy 'conlleval'" in data.notes


def test_others_of_a_family_that_does_not_exist_are_refused(train: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({"train": train}, source=[{"datasets": ["operas/others"]}], transfer={"kind": "sequential"})
    assert str(caught.value) == (
        "source data set 'operas/others' stands for no data set\n"
        "  where: source.datasets\n"
        "  expected: a family of registered data sets before '/others', such as 'crossner/others'\n"
        "  hint: `nerbridge data list` shows all names"
    )


@pytest.mark.data
def test_others_are_the_domains_of_the_family_but_the_target(data_root: Path) -> None:
    tables = {
        "name": "t",
        "source": [{"datasets": ["conll2003"]}, {"datasets": ["crossner/others"]}],
        "target": {"dataset": "crossner/music"},
    }
    data = load_data(parse_experiment(tables, where="test"), data_root)
    assert [[part.name for part in stage] for stage in data.sources] == [
        ["conll2003"],
        ["crossner/ai", "crossner/literature", "crossner/politics", "crossner/science"],
    ]
    assert [len(part.train) for part in data.sources[1]] == [100, 100, 200, 200]
    assert (len(data.target.train), len(data.target.labels)) == (100, 13)
    assert "crossner/music: 6 of 465 test sentences found in train too (kept)" in data.notes


@pytest.mark.data
def test_a_registered_target_without_dev_gets_one(data_root: Path) -> None:
    tables = {"name": "t", "target": {"dataset": "mit_restaurant"}, "transfer": {"kind": "direct"}}
    data = load_data(parse_experiment(tables, where="test"), data_root)
    assert len(data.target.dev) == 766
    assert data.notes[0] == "mit_restaurant: no dev split; 766 of 7,660 training sentences held out for it (seed 1)"


@pytest.mark.parametrize("split", ["dev", "test"])
def test_a_dev_or_test_file_without_labels_is_refused(train: str, tmp_path: Path, split: str) -> None:
    """Nobody names a file to have it left out."""
    (tmp_path / "raw.txt").write_text("ada\nsang\n", encoding="utf-8")
    with pytest.raises(LabelError) as caught:
        load({"train": train, split: str(tmp_path / "raw.txt")})
    assert str(caught.value) == (
        f"no {split} sentence of 'music' is labelled word by word\n"
        f"  where: {tmp_path / 'raw.txt'}:1\n"
        "  expected: a tag beside every word, or spans beside every text\n"
        "  hint: the file was read as one column; `nerbridge data check FILE` shows how the file was read; "
        "leave the file out if it is raw text"
    )


SMALL_DEV = (
    "music: the weights are chosen on {size}, fewer than 30, so mostly by chance; {more}, or train a fixed number of "
    "epochs (--set training.{stage}.selection=last{epochs})"
)


def test_a_dev_too_small_to_choose_by_is_said_with_the_way_out(train: str, tmp_path: Path) -> None:
    assert load({"train": train}).notes[1:] == (
        SMALL_DEV.format(
            size="2 dev sentences with 2 entities",
            more="label a dev file, hold out more (--set target.holdout=0.3)",
            stage="target",
            epochs=" --set training.target.epochs=20, or 60 with word vectors",
        ),
    )
    dev = write(tmp_path / "dev.txt", "Bob/B-person sang")
    joint = load(
        {"train": train, "dev": dev},
        transfer={"kind": "joint"},
        source=[{"files": [{"train": train}]}],
    )
    more = "label more dev sentences"
    assert joint.notes == (SMALL_DEV.format(size="1 dev sentence with 1 entity", more=more, stage="joint", epochs=""),)
    assert load({"train": train, "dev": dev}, training={"selection": "last"}).notes == ()


def test_zero_shot_holds_out_a_part_of_a_source_without_dev_to_choose_on(train: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {
        "transfer": {"kind": "multi_task", "streams": ["source/tags"]},
        "encoder": {"kind": "word_char"},
    }
    source = {"files": [{"train": train, "domain": "news"}]}
    data = load({}, **asked, source=[source])
    ((news,),) = data.sources
    assert (len(news.train), len(news.dev)) == (18, 2)
    small = SMALL_DEV.format(
        size="2 dev sentences with 2 entities",
        more="label a dev file, hold out more (--set source.0.holdout=0.3)",
        stage="joint",
        epochs="",
    ).replace("music", "news")
    assert data.notes == ("news: no dev split; 2 of 20 training sentences held out for it (seed 1)", small)
    ((more,),) = load({}, **asked, source=[{**source, "holdout": 0.25}]).sources
    ((other,),) = load({}, **asked, source=[{**source, "holdout": 0.25, "holdout_seed": 2}]).sources
    assert len(more.dev) == 5
    assert more.dev != other.dev
    dev = write(tmp_path / "dev.txt", *["Bob/B-person sang"] * 30)
    ((given,),) = load({}, **asked, source=[{"files": [{"train": train, "dev": dev}]}]).sources
    ((last,),) = load({}, **asked, source=[source], training={"selection": "last"}).sources
    assert (len(given.train), len(given.dev), len(last.train), len(last.dev)) == (20, 30, 20, 0)


def test_sources_that_choose_no_weights_stay_whole(train: str, tmp_path: Path) -> None:
    data = load({"train": train}, transfer={"kind": "joint"}, source=[{"files": [{"train": train}]}])
    ((whole,),) = data.sources
    assert (len(whole.train), whole.dev) == (20, ())


def test_splits_without_any_entity_are_said(train: str, tmp_path: Path) -> None:
    dev, test = (write(tmp_path / f"{split}.txt", "it rained", "nobody came") for split in ("dev", "test"))
    notes = load({"train": train, "dev": dev, "test": test}, training={"selection": "last"}).notes
    assert notes == tuple(
        f"music: no {split} sentence has an entity; an F1 of 0.00 there says nothing, for nothing can be found"
        for split in ("dev", "test")
    )


def test_settings_of_stages_that_do_not_run_are_said(train: str) -> None:
    notes = load({"train": train}, training={"joint": {"epochs": 3}}).notes
    assert notes[0] == (
        "training.joint.epochs: no effect, because direct transfer trains on the target alone ([training.target])"
    )


def test_files_are_read_as_the_recipe_says(tmp_path: Path) -> None:
    """Ends are inclusive in this file."""
    record = {"text": "Ada Lovelace sang.", "spans": [{"start": 0, "end": 11, "label": "person"}]}
    path = tmp_path / "train.jsonl"
    path.write_text(f"{json.dumps(record)}\n" * 2, encoding="utf-8")
    files: dict[str, Any] = {"train": str(path), "read": {"end_shift": 1}}
    data = load(files, training={"selection": "last"})
    assert [sentence.spans[0].end for sentence in data.target.train] == [2, 2]


def test_a_domain_without_a_name_is_called_after_its_file(train: str, tmp_path: Path) -> None:
    news = write(tmp_path / "news.txt", *TRAIN)
    data = load({"train": train}, source=[{"files": [{"train": news}]}], transfer={"kind": "sequential"})
    assert data.sources[0][0].name == "news"


def test_labels_of_nearly_one_name_are_said_and_stay_apart(tmp_path: Path) -> None:
    path = write(tmp_path / "train.txt", *TRAIN, "Bob/B-Person sang")
    dev = write(tmp_path / "dev.txt", *(f"Eve/B-person{'s' * (number == 0)} hummed" for number in range(30)))
    data = load({"train": path, "dev": dev})
    assert data.target.labels.names == ("Person", "person", "persons")
    assert [note for note in data.notes if "differs" in note] == [
        "music: label 'Person' (1 mention) differs from 'person' (49) by case only",
        "music: label 'persons' (1 mention) differs from 'person' (49) by one letter",
    ]
