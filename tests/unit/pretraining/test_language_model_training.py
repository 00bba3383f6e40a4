"""From text to a folder with a language model: what is learnt, said, kept, found again, refused."""

import errno
import json
import random
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load
from tiny_text import paragraphs, text_file

import nerbridge.pretraining.language_model.attempt as attempt_module
from builders import WORDS
from nerbridge.config.encoder import LanguageModelSettings
from nerbridge.config.language_models import ElmoSettings, FlairSettings
from nerbridge.corpus.folder import write_corpus
from nerbridge.corpus.segmentation import sentences_of
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.encoders.language_model import build_language_model
from nerbridge.errors import ConfigError, DataError, TrainingError
from nerbridge.pretraining import Corpus
from nerbridge.pretraining.language_model import (
    LanguageModelResult,
    estimate_language_model,
    language_model_key,
    pretrain_language_model,
)
from nerbridge.pretraining.language_model.text import TextCounts, read_text
from nerbridge.pretraining.learner import Learner
from nerbridge.training.journal import read_journal

SMALL: dict[str, Any] = {
    "hidden": 8,
    "character_width": 4,
    "kernels": 2,
    "filters": 4,
    "batch_rows": 4,
    "max_steps": 6,
    "evaluate_every": 3,
    "held_out_words": 60,
    "min_count": 1,
    "length": 32,
    "negatives": 6,
}


def small(model: str = "elmo", **changes: Any) -> ElmoSettings | FlairSettings:
    """A training of seconds."""
    kind: Any = ElmoSettings if model == "elmo" else FlairSettings
    given = {**SMALL, **changes}
    return kind(**{key: value for key, value in given.items() if key in kind.model_fields})


class Place:
    """A text, and language models of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.corpora = [Corpus(text_file(folder / "own.txt"), "own")]
        self.said: list[str] = []

    def run(self, name: str = "out", model: str = "elmo", **changes: Any) -> LanguageModelResult:
        corpora = changes.pop("corpora", self.corpora)
        return pretrain_language_model(small(model, **changes), corpora, self.folder / name, say=self.said.append)

    def weights(self, name: str = "out") -> dict[str, torch.Tensor]:
        return load((self.folder / name / "model.safetensors").read_bytes())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def assert_equal(one: dict[str, torch.Tensor], two: dict[str, torch.Tensor]) -> None:
    assert one.keys() == two.keys()
    assert all(torch.equal(tensor, two[name]) for name, tensor in one.items())


@pytest.mark.parametrize("model", ["elmo", "flair"])
def test_a_folder_is_made_and_what_happened_is_said(place: Place, model: str) -> None:
    result = place.run(model=model)
    files = ["config.json", "journal.jsonl", "model.safetensors", "pretraining.json", "vocabulary.json"]
    assert sorted(path.name for path in result.folder.iterdir()) == files
    assert (result.model, result.steps, result.width) == (model, 6, 16)
    assert [one.step for one in result.evaluations] == [0, 3, 6]
    assert result.documents + result.held_out_documents == 60
    unit = "words" if model == "elmo" else "characters"
    beginnings = [
        "text     60 documents of own, ",
        f"learns   from {result.documents} documents, ",
        f"held out {result.held_out_documents} document",
        f"predicts {result.predicted} {unit} both ways; 0.00 % of the text's {unit} are not among them",
        f"model    {model}, vectors 16 wide, {result.parameters:,} parameters",
        f"steps    6 of at most 128 {unit} (",
        "time     about 0:0",
    ]
    assert len(place.said) == len(beginnings)
    assert all(line.startswith(begin) for line, begin in zip(place.said, beginnings, strict=True)), place.said
    content = json.loads((result.folder / "pretraining.json").read_text())
    assert content["key"] == language_model_key(small(model), place.corpora)
    assert content["settings"] == small(model).model_dump(mode="json")
    assert content["result"] == json.loads(json.dumps(result.to_json()))
    (corpus,) = content["corpora"]
    assert (corpus["domain"], corpus["documents"], corpus["path"]) == ("own", 60, str(place.corpora[0].path))
    events = read_journal(result.folder / "journal.jsonl")
    assert [event["event"] for event in events] == ["started", *["evaluation"] * 3, "finished"]
    assert {"forward_perplexity", "backward_perplexity"} <= events[1].keys()
    assert "words_per_second" in events[-1]


@pytest.mark.parametrize("options", [{"negatives": 10}, {"negatives": "none"}, {"model": "flair", "length": 64}])
def test_perplexity_falls_in_both_directions(place: Place, options: dict[str, Any]) -> None:
    path, draw = place.folder / "ruled.txt", random.Random(1)
    lines = [list(accumulate(draw.choices((1, 4), k=20), initial=draw.randrange(13))) for _ in range(100)]
    path.write_text("\n".join(" ".join(WORDS[number % 13] for number in line) for line in lines) + "\n")
    changes = {"max_steps": 150, "learning_rate": 0.01, "evaluate_every": 150, **options}
    result = place.run(corpora=[Corpus(path, "ruled")], **changes)
    first, last = result.evaluations
    assert last.forward < 0.8 * first.forward
    assert last.backward < 0.8 * first.backward


@pytest.mark.parametrize("model", ["elmo", "flair"])
def test_equal_settings_give_equal_weights_and_another_seed_others(place: Place, model: str) -> None:
    one, two = (place.run(name, model).evaluations for name in ("one", "two"))
    assert one == two
    assert_equal(place.weights("one"), place.weights("two"))
    place.run("other", model, seed=2)
    assert any((place.weights("one")[name] != tensor).any() for name, tensor in place.weights("other").items())


@pytest.mark.parametrize("model", ["elmo", "flair"])
@pytest.mark.parametrize("step", [1, 4])
def test_a_stopped_training_ends_like_an_undisturbed_one(
    place: Place, monkeypatch: pytest.MonkeyPatch, model: str, step: int
) -> None:
    whole = place.run("whole", model)
    plain = Learner.learn

    def stopping(self: Learner, batch: Any, number: int) -> None:
        if number == step:
            raise KeyboardInterrupt
        plain(self, batch, number)

    with monkeypatch.context() as patch:
        patch.setattr(Learner, "learn", stopping)
        with pytest.raises(KeyboardInterrupt):
            place.run("out", model, checkpoint_seconds=0)
    steps: list[int] = []
    monkeypatch.setattr(Learner, "learn", lambda self, batch, n: (steps.append(n), plain(self, batch, n)))
    result = place.run("out", model, checkpoint_seconds=0)
    assert steps == list(range(step, 6))
    assert result.evaluations == whole.evaluations
    assert_equal(place.weights("out"), place.weights("whole"))


def test_parts_of_a_batch_learn_what_the_whole_batch_learns(place: Place) -> None:
    for model in ("elmo", "flair"):
        options = {"dropout": 0.0, "negatives": "none"}
        one, two = (place.run(f"{model}{n}", model, rows_at_once=n, **options).evaluations[-1] for n in (4, 1))
        assert (one.forward, one.backward) == pytest.approx((two.forward, two.backward), rel=1e-3)


def test_a_finished_folder_is_found_again_and_another_is_refused(place: Place) -> None:
    result = place.run()
    place.said.clear()
    assert place.run(checkpoint_seconds=1) == result
    assert place.said == [f"already pre-trained: {result.folder}"]
    for changes in ({"seed": 7}, {"model": "flair"}):
        with pytest.raises(ConfigError) as fault:
            place.run(**changes)
        assert str(fault.value) == (
            f"'{result.folder}' holds another pre-training\n"
            f"  where: {result.folder}\n"
            "  expected: a new folder, or one of an earlier run with the same text, encoder and settings\n"
            "  hint: choose another --output, or remove the folder"
        )


def test_a_damaged_finished_folder_is_made_again(place: Place) -> None:
    result = place.run()
    good = place.weights()
    path = result.folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4] + b"\x00\x00\x00\x01")
    place.run()
    assert any("is damaged and trained again" in line for line in place.said)
    assert_equal(place.weights(), good)


def test_the_key_is_that_of_text_and_settings(place: Place) -> None:
    key = language_model_key(small(), place.corpora)
    assert key == language_model_key(small(checkpoint_seconds=3), place.corpora)
    others = [
        language_model_key(small(hidden=10), place.corpora),
        language_model_key(small("flair"), place.corpora),
        language_model_key(small(), [Corpus(place.corpora[0].path, "b")]),
        language_model_key(small(), [*place.corpora, *place.corpora]),
    ]
    assert len({key, *others}) == 5


def test_the_fingerprint_of_a_result_is_that_of_its_weights(place: Place) -> None:
    settings = [LanguageModelSettings(checkpoint=str(place.run(name).folder)) for name in ("one", "two")]
    assert encoder_fingerprint(settings[0]) == encoder_fingerprint(settings[1])
    other = LanguageModelSettings(checkpoint=str(place.run("three", seed=3).folder))
    assert encoder_fingerprint(other) != encoder_fingerprint(settings[0])


def test_sentences_of_built_corpora_and_paragraphs_learn_together(place: Place) -> None:
    built = write_corpus(
        place.folder / "built", [[text.split(" "), ["bob", "sang"]] for text in paragraphs(20, seed=9)]
    )
    result = place.run(corpora=[*place.corpora, Corpus(built.path, "news")])
    assert result.documents + result.held_out_documents == 80
    assert place.said[0].startswith("text     80 documents of news, own, ")
    assert build_language_model(LanguageModelSettings(checkpoint=str(result.folder))).width == 16


def test_text_files_are_cut_into_the_sentences_and_words_that_taggers_read(place: Place) -> None:
    path = place.folder / "raw.txt"
    path.write_text("Ada didn't sing (twice). Bob did.\n\nYes!\n", encoding="utf-8")
    write_corpus(place.folder / "built", [sentences_of("Ada didn't sing (twice). Bob did."), [["Yes", "!"]]])
    read, built = (read_text([Corpus(place.folder / name, "own")]) for name in ("raw.txt", "built"))
    assert read.words == ("Ada", "did", "n't", "sing", "(", "twice", ")", ".", "Bob", "Yes", "!")
    for column in ("ids", "parts", "documents"):
        assert getattr(read, column).tolist() == getattr(built, column).tolist()
    assert read.counts == built.counts == (TextCounts("own", documents=2, words=13),)


def test_rare_words_and_characters_are_said(place: Place) -> None:
    path = place.folder / "rare.txt"
    path.write_text("\n".join(["ada sang"] * 60 + ["ada wröte"]) + "\n")
    assert place.run("elmo", corpora=[Corpus(path, "rare")], min_count=2, held_out_words=0).predicted == 2
    assert "predicts 2 words both ways; 0.82 % of the text's words are not among them" in place.said
    place.said.clear()
    place.run("flair", "flair", corpora=[Corpus(path, "rare")], max_characters=5, held_out_words=0)
    assert place.said[2] == "predicts 6 characters both ways; 1.17 % of the text's characters are not among them"


def test_a_model_that_would_predict_no_word_is_refused(place: Place) -> None:
    path = place.folder / "once.txt"
    path.write_text("ada sang\n")
    with pytest.raises(TrainingError) as caught:
        place.run(corpora=[Corpus(path, "once")], min_count=2, held_out_words=0)
    assert str(caught.value) == (
        "no word stands 2 times or more in the text that is learnt from, so that none would be predicted\n"
        "  where: min_count = 2\n"
        "  expected: text in which words come again\n"
        "  hint: give more text; --set min_count=1 predicts words that stand there once"
    )


def test_an_estimate_leaves_nothing_behind(place: Place) -> None:
    found = estimate_language_model(small(), place.corpora, say=place.said.append)
    assert found.seconds > 0
    assert 6 * 60 < found.pieces < 6 * 128
    assert [path.name for path in place.folder.iterdir()] == ["own.txt"]
    assert place.said[-1].startswith("time     about ")


@pytest.mark.parametrize("model", ["elmo", "flair"])
def test_a_text_smaller_than_a_batch_is_learnt_from_and_said(place: Place, model: str) -> None:
    path = place.folder / "tiny.txt"
    path.write_text("ada\n")
    result = place.run(model=model, corpora=[Corpus(path, "tiny")], epochs=3)
    assert (result.steps, result.epochs, result.evaluations, result.words) == (3, 3.0, (), 3)
    assert [line for line in place.said if line.startswith("note")] == [
        "note     no document has 8 words or more to be held out: there will be no perplexity",
        "note     the text is smaller than one batch: 1 word",
    ]


def test_no_text_is_refused(place: Place) -> None:
    path = place.folder / "empty.txt"
    path.write_text("\n\n")
    with pytest.raises(DataError) as fault:
        place.run(corpora=[Corpus(path, "own")])
    assert str(fault.value) == (
        "there is nothing to learn from: the corpora hold no words\n"
        f"  where: {path}\n"
        "  expected: text, one paragraph per line, or a built corpus with sentences\n"
        "  hint: look at the files; `nerbridge corpus stats` counts what a built corpus holds"
    )


def test_numbers_that_are_not_finite_stop_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Learner.gradients

    def poisoned(self: Learner, batch: Any) -> Any:
        loss = plain(self, batch)
        return loss * float("nan") if self.optimizer.state else loss

    monkeypatch.setattr(Learner, "gradients", poisoned)
    with pytest.raises(TrainingError) as fault:
        place.run()
    assert str(fault.value) == (
        "the loss or its gradient became NaN or infinite at step 1, with learning rate 0.00153\n"
        "  where: step 1 of the pre-training\n"
        "  expected: finite numbers\n"
        "  hint: lower learning_rate, or raise warmup"
    )


def test_no_half_model_stays_on_a_full_disk(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(attempt_module, "write_model", full)
        with pytest.raises(OSError, match="No space left") as caught:
            place.run()
    out = place.folder / "out"
    assert caught.value.filename == str(out)
    assert not (out / "model.safetensors").exists()
    assert not list(out.glob(".encoder-*"))
    place.run()
    assert (out / "pretraining.json").exists()


@pytest.mark.parametrize("name", ["vocabulary.json", "config.json"])
def test_a_finished_folder_that_lost_a_file_is_made_again(place: Place, name: str) -> None:
    result = place.run()
    before = (result.folder / name).read_bytes()
    (result.folder / name).unlink()
    place.run()
    assert any(f"is damaged and trained again ('{name}' is missing)" in line for line in place.said)
    assert (result.folder / name).read_bytes() == before


@pytest.mark.parametrize("key", [b"", None, "half"])
def test_a_training_that_was_killed_as_it_began_is_done_now(place: Place, key: bytes | str | None) -> None:
    work = place.folder / "out" / "work"
    work.mkdir(parents=True)
    if key is not None:
        whole = language_model_key(small(), place.corpora).encode()
        (work / "key").write_bytes(key if isinstance(key, bytes) else whole[:7])
    assert place.run().steps == 6


def test_a_damaged_key_is_that_of_another(place: Place) -> None:
    work = place.folder / "out" / "work"
    work.mkdir(parents=True)
    (work / "key").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="holds another pre-training"):
        place.run()
