"""Multi-task experiments from settings to a tagger of the target, supervised and zero-shot."""

import json
from pathlib import Path
from typing import Any

import pytest
from running import Runner

from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.prediction import predict
from nerbridge.config.loading import load_experiment
from nerbridge.data.sentence import Sentence
from nerbridge.errors import ConfigError, DataError
from nerbridge.models.context.parameter_generation import ParameterGenerationNetwork
from nerbridge.pipeline.raw_text import FEW, read_raw
from nerbridge.training.journal import read_journal

ZERO_SHOT = ["source/tags", "source/words", "target/words"]


@pytest.fixture
def runner(project: Path) -> Runner:
    (project / "raw.txt").write_text("The band sang in London. Ada wrote to the band.\nBob sang.\n", encoding="utf-8")
    return Runner(project)


def tables(runner: Runner, context: str = "parameter_generation", **transfer: Any) -> dict[str, Any]:
    files = {"train": str(runner.project / "news.txt"), "dev": str(runner.project / "news.txt"), "domain": "news"}
    return {
        "source": [{"files": [files]}],
        "encoder": {
            "kind": "word_char",
            "vectors": "none",
            "word_width": 8,
            "character_width": 4,
            "character_hidden": 4,
        },
        "context": {"kind": context, "hidden": 8},
        "tagger": {"kind": "crf"},
        "transfer": {"kind": "multi_task", **transfer},
        "training": {"epochs": 2, "learning_rate": 0.01, "head_learning_rate": 0.01, "batch_sentences": 8},
    }


@pytest.mark.parametrize("context", ["parameter_generation", "bilstm"])
def test_what_remains_is_a_tagger_of_the_target(runner: Runner, context: str) -> None:
    result = runner.run(**tables(runner, context, target_raw=[str(runner.project / "raw.txt")]))
    model = load_bundle(result.folder / "model").model
    assert model.domains == ("music",)
    assert model.words is None
    assert not [name for name in model.state_dict() if name.startswith("heads.words")]
    assert model.head("music").vocabulary.labels.names == ("band", "location", "person")
    assert set(result.summaries) == {"dev", "test"}
    (plan,) = [line for line in runner.said if line.startswith("plan")]
    assert plan == (
        "plan     1. multi-task: news/tags (40 sentences), news/words (40 sentences), music/tags (16 sentences), "
        "music/words (3 sentences), at most 2 epochs (about 10 steps), keeps the weights with the best dev F1"
    )
    first = next(event for event in read_journal(result.folder / "journal.jsonl") if event["event"] == "evaluation")
    assert {"f1", "f1 news", "perplexity news", "perplexity music"} <= first.keys()
    assert first["perplexity music"] > 1
    assert json.loads((result.folder / "data.json").read_text())["raw"]["target"]["sentences"] == 3


def test_zero_shot_tags_the_target_with_parameters_that_no_stream_has_learnt(runner: Runner) -> None:
    asked = tables(runner, streams=ZERO_SHOT, target_raw=[str(runner.project / "raw.txt")])
    result = runner.run(**asked, target={"files": {"domain": "bands"}})
    assert result.summaries == {}
    assert not (result.folder / "report.html").exists()
    model = load_bundle(result.folder / "model").model
    assert isinstance(model.context, ParameterGenerationNetwork)
    assert list(model.context.domains) == ["news", "bands"]
    assert model.domains == ("bands",)
    assert model.head("bands").vocabulary.labels.names == ("LOC", "PER")
    (answer,) = predict(model, [Sentence(("Ada", "sang"))], "bands")
    assert len(answer.tags) == 2
    assert "data     bands: no labelled sentence" in runner.said
    assert (
        "note     zero-shot: no labelled sentence of bands is learnt; its text is tagged by the head of news, "
        "the weights are chosen on its 40 dev sentences"
    ) in runner.said


def test_zero_shot_is_scored_where_the_target_has_test_sentences(runner: Runner) -> None:
    test = str(runner.project / "test.txt")
    asked = tables(runner, streams=ZERO_SHOT, target_raw=[str(runner.project / "raw.txt")])
    result = runner.run(**asked, target={"files": {"test": test, "domain": "bands"}})
    assert set(result.summaries) == {"test"}
    assert "note     bands: label 'location' is read as 'LOC'" in runner.said
    assert "note     bands: label 'person' is read as 'PER'" in runner.said
    gold = [json.loads(line) for line in (result.folder / "predictions" / "test.jsonl").read_text().splitlines()]
    assert {span[2] for line in gold for span in line["gold"]} == {"LOC", "PER", "band"}
    assert (result.folder / "report.html").exists()


def test_the_same_run_again_reuses_the_stage_and_another_setting_does_not(runner: Runner) -> None:
    first = runner.run(**tables(runner))
    assert load_experiment(first.folder / "recipe.toml") == runner.experiment(**tables(runner))
    assert runner.run(**tables(runner)).summaries == first.summaries
    assert runner.stages() == {"multi-task": "reused"}
    keys = set()
    changes: tuple[dict[str, Any], ...] = (
        {},
        {"words_weight": 0.5},
        {"mix_raw": True},
        {"pace": "scaled"},
        {"words": {"log_q": True}},
        {"target_raw": [str(runner.project / "raw.txt")]},
    )
    for number, change in enumerate(changes):
        folder = runner.run(f"run-{number}", **tables(runner, **change)).folder
        keys.add(json.loads((folder / "stage" / "stage.json").read_text())["key"])
    assert len(keys) == len(changes)


def test_raw_text_is_read_from_files_folders_and_built_corpora(tmp_path: Path) -> None:
    from nerbridge.corpus.folder import write_corpus

    write_corpus(tmp_path / "built", [[["Ada", "sang", "."]], [["Bob", "slept"], ["London"]]])
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("Ada sang. Bob slept.\n\nHe woke.\n", encoding="utf-8")
    found = read_raw([str(tmp_path / "built"), str(tmp_path / "texts")], notes := [])
    assert [" ".join(one.words) for one in found] == [
        "Ada sang .",
        "Bob slept",
        "London",
        "Ada sang .",
        "Bob slept .",
        "He woke .",
    ]
    assert notes == []
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_raw([str(tmp_path / "empty.txt")], [])
    assert str(caught.value) == (
        f"'{tmp_path / 'empty.txt'}' holds no sentence\n"
        f"  where: {tmp_path / 'empty.txt'}\n"
        "  expected: raw text, or a corpus that `nerbridge corpus build` has written\n"
        "  hint: look into the file"
    )


def test_a_part_of_the_raw_text_is_drawn_and_said(runner: Runner) -> None:
    raw = [str(runner.project / "raw.txt")]
    runner.run(**tables(runner, target_raw=raw, target_sentences=2))
    assert "note     raw text of the target: 2 of 3 sentences used" in runner.said
    runner.run("more", **tables(runner, target_raw=raw, target_sentences=1_000))
    assert "note     raw text of the target: all 3 sentences used, fewer than the 1,000 asked for" in runner.said


def test_what_is_watched_where_raw_text_is_too_little_is_said(runner: Runner) -> None:
    runner.run(**tables(runner, target_raw=[str(runner.project / "raw.txt")]))
    domain = json.loads((runner.project / "run" / "data.json").read_text())["domains"][-1]["domain"]
    assert (
        f"note     {domain}: its perplexity is watched on 8 labelled dev sentences, not on raw text: to hold out 200 "
        "of that, 2,000 raw sentences are needed, and there are 3"
    ) in runner.said


def test_raw_text_given_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "raw.txt").write_text("Ada sang.\n")
    first, again = str(tmp_path / "raw.txt"), f"{tmp_path}/./raw.txt"
    with pytest.raises(ConfigError, match=f"^'{again}' and '{first}' are the same text\n"):
        read_raw([first, again], [])
    with pytest.raises(ConfigError, match=f"^'{first}' is given twice\n"):
        read_raw([first, first], [])


def test_repetitions_and_too_little_text_are_said(runner: Runner) -> None:
    texts = runner.project / "texts"
    texts.mkdir()
    for name in ("a.txt", "b.txt"):
        (texts / name).write_text("Ada sang.\nBob slept.\n")
    runner.run(**tables(runner, target_raw=[str(texts)]))
    assert (
        "note     raw text of the target: 2 of 4 sentences stand there before, and are learnt again "
        "(`nerbridge corpus build` leaves repeated text out)"
    ) in runner.said
    assert (
        "note     raw text of the target: so few sentences teach little of a domain; thousands are usual" in runner.said
    )


def test_a_natural_text_of_some_length_gets_no_note(runner: Runner) -> None:
    path = runner.project / "long.txt"
    path.write_text("".join(f"Sentence {number} of the text.\n" for number in range(FEW)) + "Sentence 1 of the text.\n")
    runner.run(**tables(runner, target_raw=[str(path)]))
    assert not [line for line in runner.said if "raw text of the target" in line]


def test_characters_without_width_are_no_sentence(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.write_text("\u200b\n \u2060\u200b \n", encoding="utf-8")
    with pytest.raises(DataError, match="holds no sentence"):
        read_raw([str(path)], [])


def test_raw_text_that_cannot_be_read_is_left_out_and_counted(tmp_path: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Zürich is far.\nBern is near.\n".encode("latin-1"))
    found = read_raw([str(latin)], notes := [])
    assert [one.words for one in found] == [("Bern", "is", "near", ".")]
    assert notes == [f"raw text '{latin}': 1 paragraph with control or replacement characters left out"]
    latin.write_bytes("Zürich is far.\n".encode("latin-1"))
    with pytest.raises(DataError) as caught:
        read_raw([str(latin)], [])
    assert str(caught.value) == (
        f"'{latin}' holds no sentence; 1 paragraph with control or replacement characters left out\n"
        f"  where: {latin}\n"
        "  expected: raw text, or a corpus that `nerbridge corpus build` has written\n"
        "  hint: `nerbridge corpus build` reads other encodings and fields; name its folder"
    )


def test_records_without_text_are_counted(tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text('{"text": "Ada sang."}\n{"title": "no text"}\nno JSON\n')
    assert len(read_raw([str(lines)], notes := [])) == 1
    assert sorted(notes) == [
        f"raw text '{lines}': 1 line that is no JSON object left out",
        f"raw text '{lines}': 1 record without text in the field left out",
    ]


def test_labelled_sentences_are_no_raw_text(runner: Runner) -> None:
    with pytest.raises(DataError, match=r"'train\.txt' holds labelled sentences, a word and a tag per line") as caught:
        read_raw([str(runner.project / "train.txt")], [])
    assert caught.value.where == str(runner.project / "train.txt")
