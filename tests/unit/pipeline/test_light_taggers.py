"""Word vectors, a BiLSTM and Coach through the pipeline: cached by content, grown from stage to stage, scored."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from nerbridge.assembly.bundle import load_bundle
from nerbridge.config.loading import parse_experiment
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence, Span
from nerbridge.encoders.word_char import WordCharEncoder
from nerbridge.errors import ConfigError
from nerbridge.inference.model_tagger import ModelTagger
from nerbridge.pipeline.evaluating import evaluate_run, read_labelled
from nerbridge.pipeline.label_choice import with_labels_only
from nerbridge.pipeline.run import RunResult, Surroundings, run_experiment
from nerbridge.training.progress import PlainProgress
from nerbridge.transfer.stage import DomainData
from tiny_project import recipe, write_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = write_project(tmp_path / "project")
    write_vectors(folder / "vectors.txt")
    return folder


def write_vectors(path: Path, first: float = 0.5) -> None:
    words = ("the", "in", "london", "band", "ada")
    path.write_text("".join(f"{word} {first} {number} 0.1\n" for number, word in enumerate(words)))


def run(folder: Path, name: str, said: list[str], **tables: Any) -> RunResult:
    light = {
        "encoder": {"kind": "word_char", "vectors": str(folder / "vectors.txt"), "character_hidden": 8},
        "context": {"kind": "bilstm", "hidden": 16},
        "tagger": {"kind": "crf"},
    }
    experiment = parse_experiment(recipe(folder, **{**light, **tables}), where="test")
    surroundings = Surroundings(None, folder / "cache", PlainProgress(), said.append)
    return run_experiment(experiment, folder / name, surroundings)


def test_every_stage_adds_its_words_and_says_what_the_file_knows(project: Path) -> None:
    said: list[str] = []
    result = run(project, "run", said)
    known = [line for line in said if "distinct words" in line]
    assert [line.split(":")[0] for line in known] == ["source-1", "source-2", "target"]
    assert all("know 5 (" in line for line in known[1:])
    encoder = load_bundle(result.folder / "model").model.encoder
    assert isinstance(encoder, WordCharEncoder)
    for name in ("news", "bands", "train"):
        lines = (project / f"{name}.txt").read_text().splitlines()
        assert {line.split("\t")[0] for line in lines if line} <= set(encoder.vocabulary.learnt)
    assert encoder.vocabulary.fixed == ()


def test_a_source_stage_is_cached_by_the_content_of_the_vector_file(project: Path) -> None:
    run(project, "first", [])
    (project / "elsewhere").mkdir()
    (project / "vectors.txt").rename(project / "elsewhere" / "vectors.txt")
    moved = {"encoder": {"kind": "word_char", "vectors": str(project / "elsewhere/vectors.txt"), "character_hidden": 8}}
    said: list[str] = []
    run(project, "second", said, **moved)
    assert sum("already trained" in line for line in said) == 2
    write_vectors(project / "elsewhere" / "vectors.txt", first=0.7)
    said.clear()
    run(project, "third", said, **moved)
    assert not any("already trained" in line for line in said)


def test_the_same_run_anew_ends_with_the_same_weights(project: Path) -> None:
    weights = []
    for name in ("a", "b"):
        result = run(project, name, [], tagger={"kind": "coach", "label_width": 8})
        weights.append((result.folder / "model" / "model.safetensors").read_bytes())
        shutil.rmtree(project / "cache")
    assert weights[0] == weights[1]


def test_the_share_of_words_without_a_vector_is_said(project: Path) -> None:
    result = run(project, "run", [], source=[], transfer={"kind": "direct"})
    (project / "foreign.txt").write_text("ada\tB-person\nsang\tO\nschubert\tO\nwrote\tO\n")
    (evaluated,) = evaluate_run(result.folder, read_labelled(str(project / "foreign.txt"), None), "test")
    assert "25.0 % of 4 words have no vector of their own" in evaluated.notes


def test_names_of_labels_are_no_words_that_were_read(project: Path) -> None:
    coach = {"tagger": {"kind": "coach", "label_width": 8}, "source": [], "transfer": {"kind": "direct"}}
    result = run(project, "run", [], **coach)
    (project / "foreign.txt").write_text("ada\tB-person\nsang\tO\nschubert\tO\nwrote\tO\n")
    (evaluated,) = evaluate_run(result.folder, read_labelled(str(project / "foreign.txt"), None), "test")
    assert "25.0 % of 4 words have no vector of their own" in evaluated.notes
    bundle = load_bundle(result.folder / "model")
    tagger = ModelTagger(bundle.model, bundle.model.domains[0])
    assert tagger.word_counts().without_vector == 0
    tagger([Sentence(("ada", "schubert"))])
    assert tagger.word_counts().without_vector == 1


def test_coach_tells_its_steps_apart_in_scores_and_journal(project: Path) -> None:
    result = run(project, "run", [], tagger={"kind": "coach", "label_width": 8}, source=[], transfer={"kind": "direct"})
    scores = json.loads((result.folder / "scores.json").read_text())
    for split in ("dev", "test"):
        assert 0 <= scores[split]["type_accuracy_on_gold_spans"] <= 1
        assert result.summaries[split].type_accuracy == scores[split]["type_accuracy_on_gold_spans"]
    journal = (result.folder / "journal.jsonl").read_text()
    assert "type_accuracy_on_gold_spans" in journal
    assert "boundary_f1" in journal


def test_a_target_may_have_some_of_its_labels_only() -> None:
    sentence = Sentence(("ada", "sang"), (Span(0, 1, "person"), Span(1, 2, "song")))
    data = DomainData("music", LabelSet.of(["person", "song"], {"song": "a tune"}), (sentence,), (sentence,))
    notes: list[str] = []
    taken = with_labels_only(data, ("song",), notes)
    assert taken.labels.names == ("song",)
    assert taken.labels.descriptions["song"] == "a tune"
    assert taken.train[0].spans == taken.dev[0].spans == (Span(1, 2, "song"),)
    assert notes == ["music: 1 label of 2 taken; 2 of 4 entities count as none"]
    assert with_labels_only(data, (), notes) is data
    with pytest.raises(ConfigError) as caught:
        with_labels_only(data, ("songs",), notes)
    assert str(caught.value) == (
        "music has no label 'songs'\n"
        "  where: target.only\n"
        "  expected: some of person, song\n"
        "  hint: correct the spelling; leave target.only out to take every label"
    )
