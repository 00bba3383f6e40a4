"""Experiments with a multi-cell context: every transfer, the dictionary, what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from running import Runner, weights

from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.cells import read_cells
from nerbridge.assembly.prediction import predict
from nerbridge.data.sentence import Sentence, Span
from nerbridge.errors import ConfigError, DataError
from nerbridge.models.context.multi_cell import MultiCellNetwork
from nerbridge.pipeline.data import load_data
from nerbridge.training.journal import read_journal

ZERO_SHOT = ["source/tags", "target/words"]


@pytest.fixture
def runner(project: Path) -> Runner:
    (project / "raw.txt").write_text("The band sang in London. Ada wrote to the band.\nBob sang.\n", encoding="utf-8")
    (project / "names").mkdir()
    (project / "names" / "person.txt").write_text("Ada\nBob\nLondon\n", encoding="utf-8")
    (project / "names" / "location.txt").write_text("London\n", encoding="utf-8")
    (project / "names" / "disease.txt").write_text("measles\n", encoding="utf-8")
    return Runner(project)


def tables(runner: Runner, kind: str = "multi_task", context: str = "multi_cell", **transfer: Any) -> dict[str, Any]:
    news = str(runner.project / "news.txt")
    source = [{"files": [{"train": news, "dev": news, "domain": "news"}]}]
    return {
        "source": [] if kind == "direct" else source,
        "encoder": {
            "kind": "word_char",
            "vectors": "none",
            "word_width": 8,
            "character_width": 4,
            "character_hidden": 4,
        },
        "context": {"kind": context, "hidden": 8},
        "tagger": {"kind": "crf"},
        "transfer": {"kind": kind, **transfer},
        "training": {"epochs": 2, "learning_rate": 0.01, "head_learning_rate": 0.01, "batch_sentences": 8},
    }


def context_of(folder: Path) -> MultiCellNetwork:
    context = load_bundle(folder / "model").model.context
    assert isinstance(context, MultiCellNetwork)
    return context


OWN = ("O", "band", "location", "person")
CELLS = {
    "direct": {"music": OWN},
    "sequential": {"music": OWN},
    "joint": {"music": OWN},
    "multi_task": {"news": ("O", "location", "person"), "music": OWN},
}


@pytest.mark.parametrize("kind", CELLS)
def test_the_cells_are_those_of_the_labels(runner: Runner, kind: str) -> None:
    streams = {"streams": ["source/tags", "target/tags"]} if kind == "multi_task" else {}
    result = runner.run(**tables(runner, kind, **streams))
    assert context_of(result.folder).labels == CELLS[kind]
    assert context_of(result.folder).cells.labels == OWN
    events = read_journal(result.folder / "journal.jsonl")
    last = [event for event in events if event["event"] == "evaluation"][-1]
    assert 0 <= last["entity_f1"] <= 1
    assert 0 <= last["attention_f1"] <= 1
    again = runner.run("again", **tables(runner, kind, **streams))
    assert weights(again.folder) == weights(result.folder)


def test_sequential_transfer_keeps_the_cells_of_shared_labels(runner: Runner) -> None:
    """With a rate of almost nothing the target's cells are those of the source, but for the new label's."""
    asked = tables(runner, "sequential")
    asked["training"]["target"] = {"learning_rate": 1e-12, "head_learning_rate": 1e-12, "weight_decay": 0.0}
    result = runner.run(**asked)
    (cached,) = runner.cached()
    before, after = context_of(cached), context_of(result.folder)
    assert before.cells.labels == ("O", "location", "person")
    for name, rows in after.cells.by_cell().items():
        old = before.cells.by_cell()[name]
        for label in before.cells.labels:
            place = before.cells.labels.index(label)
            torch.testing.assert_close(rows[:, OWN.index(label)], old[:, place], rtol=0, atol=1e-6)
    torch.testing.assert_close(after.cells.attend_cells, before.cells.attend_cells, rtol=0, atol=1e-6)
    assert before.entity is not None
    assert after.entity is not None
    torch.testing.assert_close(after.entity.vectors[:, 3], before.entity.vectors[:, 2], rtol=0, atol=1e-6)


def test_a_bridge_lets_a_cell_start_from_another(runner: Runner) -> None:
    asked = tables(runner, "sequential", bridge={"band": "person"})
    asked["training"]["target"] = {"learning_rate": 1e-12, "head_learning_rate": 1e-12, "weight_decay": 0.0}
    cells = context_of(runner.run(**asked).folder).cells
    torch.testing.assert_close(cells.inward[:, 1], cells.inward[:, 3], rtol=0, atol=1e-6)


@pytest.mark.parametrize("streams", [["source/tags"], ZERO_SHOT])
def test_without_labels_of_its_own_a_target_is_read_by_the_attention_of_the_source(
    streams: list[str], runner: Runner
) -> None:
    asked = tables(runner, streams=streams, target_raw=[str(runner.project / "raw.txt")])
    if streams == ["source/tags"]:
        del asked["transfer"]["target_raw"]
    asked["context"]["attention_apart"] = True
    result = runner.run(**asked, target={"files": {"domain": "bands"}})
    context = context_of(result.folder)
    assert context.cells.attend_cells.shape[0] == 1
    assert context.settings.read_as == {"bands": "news"}


def test_one_cell_is_a_shared_lstm_without_losses_of_its_own(runner: Runner) -> None:
    asked = tables(runner, streams=["source/tags", "target/tags"])
    result = runner.run(**{**asked, "context": {"kind": "multi_cell", "hidden": 8, "one_cell": True}})
    context = context_of(result.folder)
    assert context.cells.labels == ("any",)
    assert context.entity is None
    assert not any(name.startswith("attend") for name, _ in context.cells.named_parameters())
    events = read_journal(result.folder / "journal.jsonl")
    assert not any("entity_f1" in event for event in events)


@pytest.mark.parametrize("context", ["multi_cell", "bilstm", "parameter_generation", "none"])
def test_zero_shot_with_a_dictionary(runner: Runner, context: str) -> None:
    asked = tables(
        runner,
        context=context,
        streams=ZERO_SHOT,
        target_raw=[str(runner.project / "raw.txt")],
        dictionary={"files": [str(runner.project / "names")], "ordinary": "keep"},
    )
    if context == "none":
        asked["context"] = {"kind": "none"}
    result = runner.run(**asked, target={"files": {"domain": "bands"}})
    notes = [line.removeprefix("note     ") for line in runner.said if line.startswith("note") and "bands: " in line]
    assert notes == [
        "bands: its perplexity is not watched: for that 2,000 raw sentences are needed, 200 of which are held out, and "
        "there are 3",
        "bands: label 'location' of the dictionary is read as 'LOC'",
        "bands: label 'person' of the dictionary is read as 'PER'",
        "bands: lists of the dictionary left out, for news lacks their labels: disease",
        "bands: names of the dictionary: 1 of several labels",
        "bands: the dictionary finds 2 names in raw text, LOC 0, PER 2; 2 of 15 words are known by them",
        "bands: 1 find of the dictionary with several labels left unknown",
    ]
    model = load_bundle(result.folder / "model").model
    assert not [name for name in model.state_dict() if name.startswith("heads.types")]
    (answer,) = predict(model, [Sentence(("Ada", "sang"))], "bands")
    assert len(answer.tags) == 2
    if context == "multi_cell":
        assert context_of(result.folder).labels == {"news": ("O", "LOC", "PER"), "bands": ("O", "LOC", "PER")}


def test_a_tagger_of_the_source_alone_reads_the_target_with_its_cells(runner: Runner) -> None:
    result = runner.run(**tables(runner, streams=["source/tags"]), target={"files": {"domain": "bands"}})
    assert context_of(result.folder).labels == {"news": ("O", "LOC", "PER"), "bands": ("O", "LOC", "PER")}
    model = load_bundle(result.folder / "model").model
    assert len(predict(model, [Sentence(("Ada", "sang"))], "bands")[0].tags) == 2


def test_the_dictionary_is_learnt_and_changes_the_key(runner: Runner) -> None:
    raw, names = [str(runner.project / "raw.txt")], runner.project / "names"
    runs = {}
    for name in ("without", "with", "more"):
        dictionary = {} if name == "without" else {"files": [str(names)]}
        if name == "more":
            (names / "location.txt").write_text("London\nThe band\n", encoding="utf-8")
        asked = tables(runner, streams=ZERO_SHOT, target_raw=raw, dictionary=dictionary)
        runs[name] = runner.run(name, **asked, target={"files": {"domain": "bands"}}).folder
    keys = {json.loads((folder / "stage" / "stage.json").read_text())["key"] for folder in runs.values()}
    assert len(keys) == 3
    assert len({weights(folder) for folder in runs.values()}) == 3


def test_another_dictionary_is_refused_and_runs_that_tell_of_none_go_on(runner: Runner) -> None:
    names = runner.project / "names"
    asked = tables(runner, target_raw=[str(runner.project / "raw.txt")], dictionary={"files": [str(names)]})
    folder = runner.run(**asked).folder
    record = json.loads((folder / "data.json").read_text())
    before = weights(folder)
    (names / "person.txt").write_text("Ada\nBob\nLondon\nLovelace\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"was made from other data: dictionary 4 names \(.{8}\) then, 5 names \("):
        runner.run(**asked)
    assert weights(folder) == before
    del record["dictionary"]
    (folder / "data.json").write_text(json.dumps(record))
    runner.run(**asked)


def test_labels_of_the_target_are_not_learnt_by_its_words_stream(runner: Runner) -> None:
    """Without raw text the words of the labelled training set are read; zero-shot must not see their labels."""
    train = (runner.project / "train.txt").read_text(encoding="utf-8")
    found = []
    swapped = train.replace("-person", "-?").replace("-location", "-person").replace("-?", "-location")
    assert swapped != train
    for content in (train, swapped):
        (runner.project / "train.txt").write_text(content, encoding="utf-8")
        asked = tables(runner, streams=ZERO_SHOT, dictionary={"files": [str(runner.project / "names")]})
        target = {"files": {"train": str(runner.project / "train.txt"), "domain": "music"}}
        found.append(weights(runner.run(f"run-{len(found)}", **asked, target=target).folder))
    assert found[0] == found[1]


@pytest.mark.data
def test_a_registered_dictionary_is_found_under_the_data_root(runner: Runner, data_root: Path) -> None:
    raw = [str(runner.project / "raw.txt")]
    asked = tables(runner, streams=ZERO_SHOT, target_raw=raw, dictionary={"datasets": ["entity_dictionary"]})
    experiment = runner.experiment(**asked, target={"files": {"domain": "bands"}})
    data = load_data(experiment, data_root)
    assert data.raw.dictionary is not None
    assert data.raw.dictionary.names.labels == ("location", "misc", "organization", "person")
    with pytest.raises(ConfigError, match="'entity_dictionary' is a public data set that is read from there"):
        load_data(experiment, None)


def test_a_data_set_of_sentences_is_no_dictionary(runner: Runner) -> None:
    asked = tables(runner, streams=ZERO_SHOT, dictionary={"datasets": ["conll2003"]})
    experiment = runner.experiment(**asked, target={"files": {"domain": "bands"}})
    with pytest.raises(DataError, match="'conll2003' holds sentences, not lists of names"):
        load_data(experiment, None)


def test_a_dictionary_without_a_label_of_the_target_is_refused(runner: Runner) -> None:
    for name in ("person", "location"):
        (runner.project / "names" / f"{name}.txt").unlink()
    asked = tables(runner, streams=ZERO_SHOT, dictionary={"files": [str(runner.project / "names")]})
    with pytest.raises(DataError) as caught:
        runner.run(**asked, target={"files": {"domain": "bands", "train": str(runner.project / "train.txt")}})
    assert str(caught.value) == (
        "no list of the dictionary is of a label of news, whose head tags bands: disease\n"
        "  where: transfer.dictionary.files\n"
        "  expected: lists named for labels: location, person\n"
        "  hint: rename the lists: the name of a list <label>.txt is its label; or name the label that theirs is a "
        "kind of: --set transfer.dictionary.broader.guitarist=person"
    )


def test_the_cells_can_be_read_for_pictures(runner: Runner) -> None:
    result = runner.run(**tables(runner, streams=["source/tags", "target/tags"]))
    model = load_bundle(result.folder / "model").model
    sentences = [
        Sentence(("Bob", "sang", "in", "London"), (Span(0, 1, "person"), Span(3, 4, "planet"))),
        Sentence(("the", "band"), (Span(1, 2, "band"),)),
    ]
    (found,) = read_cells(model, sentences, "music")
    assert found.indices == (0, 1)
    assert found.reading.labels == OWN
    assert found.reading.cells.shape == (2, 4, 4, 8)
    assert found.types.tolist() == [[3, 0, 0, 0], [0, 1, -100, -100]]
    batch_states = found.reading.states
    assert batch_states.shape == (2, 4, 8)
    with pytest.raises(ValueError, match="a BiLstm has no cells"):
        list(read_cells(load_bundle(runner.run("plain", **plain(runner)).folder / "model").model, sentences, "music"))


def plain(runner: Runner) -> dict[str, Any]:
    return tables(runner, "direct", "bilstm")
