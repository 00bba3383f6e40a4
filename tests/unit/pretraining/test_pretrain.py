"""From text to an encoder folder, on a tiny encoder: what is learnt, said, kept, refused."""

import errno
import json
import logging
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load
from tiny_text import paragraphs, small_settings, text_file

import nerbridge.pretraining.attempt as attempt_module
from builders import tiny_folder
from nerbridge.config.encoder import TransformerSettings
from nerbridge.corpus.folder import write_corpus
from nerbridge.data.encoder_files import encoder_fingerprint, unverified_folders
from nerbridge.errors import BundleError, ConfigError, DataError, TrainingError
from nerbridge.pretraining import Corpus, PretrainingResult, estimate_pretraining, pretrain, pretraining_key
from nerbridge.pretraining.learner import Learner, precision_on
from nerbridge.training.checkpoint import CheckpointFolder
from nerbridge.training.journal import read_journal


class Place:
    """An encoder, a text, and pre-trainings of one with the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.encoder = TransformerSettings(checkpoint=str(tiny_folder(folder / "encoder")))
        self.corpora = [Corpus(text_file(folder / "own.txt"), "own")]
        self.said: list[str] = []

    def run(self, name: str = "out", **changes: Any) -> PretrainingResult:
        options = {key: changes.pop(key) for key in ("cache", "watcher") if key in changes}
        corpora = changes.pop("corpora", self.corpora)
        settings = small_settings(**changes)
        say = self.said.append
        return pretrain(settings, corpora, self.folder / name, encoder=self.encoder, say=say, **options)

    def weights(self, name: str = "out") -> dict[str, torch.Tensor]:
        return load((self.folder / name / "model.safetensors").read_bytes())


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def assert_equal(one: dict[str, torch.Tensor], two: dict[str, torch.Tensor], tolerance: float = 0.0) -> None:
    assert one.keys() == two.keys()
    for name in one:
        torch.testing.assert_close(one[name], two[name], rtol=tolerance, atol=tolerance, msg=name)


def test_a_folder_is_made_and_what_happened_is_said(place: Place) -> None:
    result = place.run()
    assert sorted(path.name for path in result.folder.iterdir()) == [
        "config.json",
        "journal.jsonl",
        "model.safetensors",
        "pretraining.json",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    assert (result.steps, result.head_steps, len(result.evaluations)) == (6, 2, 4)
    assert [one.step for one in result.evaluations] == [0, 2, 5, 8]
    assert result.documents + result.held_out_documents == 60
    assert place.said[:3] == [
        f"model    reading {place.encoder.checkpoint}",
        "pieces   cutting the text into pieces of words",
        "trial    a few batches, to estimate the time",
    ]
    assert place.said[3].startswith("text     60 documents of own, ")
    assert not any(line.startswith("warning") for line in place.said)
    assert place.said[4].startswith(f"learns   from {result.documents} documents, ")
    assert place.said[5].startswith(f"held out {result.held_out_documents} document")
    assert place.said[6] == "head     new, learns alone for 2 steps first"
    assert place.said[7].startswith("steps    6 of at most 128 pieces (")
    assert place.said[7].endswith(" % padding), span masking")
    assert place.said[8].startswith("time     about 0:0")
    assert len({path.stat().st_mode for path in result.folder.iterdir()}) == 1, "all may be read alike"
    content = json.loads((result.folder / "pretraining.json").read_text())
    assert content["key"] == pretraining_key(small_settings(), place.corpora, place.encoder)
    assert content["settings"] == small_settings().model_dump(mode="json")
    (corpus,) = content["corpora"]
    assert (corpus["domain"], corpus["documents"], corpus["path"]) == ("own", 60, str(place.corpora[0].path))
    events = read_journal(result.folder / "journal.jsonl")
    assert [event["event"] for event in events] == ["started", *["evaluation"] * 4, "finished"]


def test_perplexity_falls_with_either_masking(place: Place) -> None:
    for masking in ("token", "span"):
        result = place.run(masking, masking=masking, max_steps=25, evaluate_every=25, learning_rate=1e-2, batch_rows=2)
        first, _, last = result.evaluations
        assert last.token < 0.7 * first.token
        assert last.span < 0.7 * first.span


def test_held_out_masks_are_the_same_for_both_maskings(place: Place) -> None:
    before = [place.run(masking, masking=masking).evaluations[0] for masking in ("token", "span")]
    assert before[0] == before[1]
    assert before[0].token != before[0].span


@pytest.mark.parametrize("seed", [1, 5, 6])  # whose first masks hide nothing of the held-out text
def test_a_perplexity_is_of_one_masked_piece_at_least(place: Place, seed: int) -> None:
    few = text_file(place.folder / "few.txt", longest=12)
    result = place.run(corpora=[Corpus(few, "few")], seed=seed, held_out_pieces=9)
    assert all(min(one.token, one.span) > 10 for one in result.evaluations)


def test_equal_settings_give_equal_weights_and_another_seed_others(place: Place) -> None:
    one, two = (place.run(name).evaluations for name in ("one", "two"))
    assert one == two
    assert_equal(place.weights("one"), place.weights("two"))
    place.run("other", seed=2)
    assert any((place.weights("one")[name] != tensor).any() for name, tensor in place.weights("other").items())


def test_only_the_head_learns_at_first(place: Place) -> None:
    before = place.weights("encoder")
    place.run(max_steps=1, learning_rate=1e-30, weight_decay=0)
    after = place.weights()
    encoder = {name.removeprefix("bert."): tensor for name, tensor in after.items() if name.startswith("bert.")}
    assert_equal(encoder, {name: before[name] for name in encoder}, tolerance=1e-7)
    assert any("transform.dense" in name for name in after)


def test_accumulated_parts_learn_what_the_whole_batch_learns(place: Place) -> None:
    path = place.folder / "encoder" / "config.json"
    config = json.loads(path.read_text())
    path.write_text(json.dumps(config | {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}))
    one, two = (place.run(f"{rows}", rows_at_once=rows).evaluations for rows in (4, 1))
    assert [e.token for e in one] == pytest.approx([e.token for e in two], rel=1e-4)
    assert_equal(place.weights("4"), place.weights("1"), tolerance=1e-3)


@pytest.mark.parametrize(
    ("asked", "device", "has_bf16", "found"),
    [
        ("auto", "cpu", True, "float32"),
        ("auto", "cuda", True, "bf16"),
        ("auto", "cuda", False, "float32"),
        ("float32", "cuda", True, "float32"),
        ("bf16", "cpu", False, "bf16"),
    ],
)
def test_precision_follows_the_device(
    monkeypatch: pytest.MonkeyPatch, asked: str, device: str, has_bf16: bool, found: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation: has_bf16)
    assert precision_on(torch.device(device), small_settings(precision=asked)) == found


def test_the_folder_says_in_which_precision_it_was_made(place: Place) -> None:
    place.run("auto")
    place.run("low", precision="bf16")
    made = [json.loads((place.folder / name / "pretraining.json").read_text()) for name in ("auto", "low")]
    assert [one["environment"]["precision"] for one in made] == ["float32", "bf16"]
    assert "in bf16" not in next(line for line in place.said if line.startswith("time"))
    assert "per second on cpu in bf16)" in [line for line in place.said if line.startswith("time")][-1]


@pytest.mark.parametrize("changes", [{"whole_words": True}, {"join_documents": True}, {"precision": "bf16"}])
def test_options_learn_too(place: Place, changes: dict[str, Any]) -> None:
    result = place.run(**changes)
    assert result.evaluations[-1].token < result.evaluations[0].token * 1.05


def test_an_existing_head_needs_no_warming_up(place: Place) -> None:
    place.run("first")
    again = TransformerSettings(checkpoint=str(place.folder / "first"))
    result = pretrain(small_settings(), place.corpora, place.folder / "second", encoder=again, say=place.said.append)
    assert result.head_steps == 0
    first = json.loads((place.folder / "first" / "pretraining.json").read_text())["result"]["evaluations"][-1]
    assert result.evaluations[0].token == pytest.approx(first["token"], rel=1e-5)


def test_a_finished_folder_is_found_again_and_another_is_refused(place: Place) -> None:
    result = place.run()
    place.said.clear()
    assert place.run(checkpoint_seconds=1) == result
    assert place.said == [f"already pre-trained: {result.folder}"]
    with pytest.raises(ConfigError) as fault:
        place.run(seed=7)
    assert str(fault.value) == (
        f"'{result.folder}' holds another pre-training\n"
        f"  where: {result.folder}\n"
        "  expected: a new folder, or one of an earlier run with the same text, encoder and settings\n"
        "  hint: choose another --output, or remove the folder"
    )
    with pytest.raises(ConfigError, match="is not empty and no pre-trained encoder"):
        place.run("encoder")


def test_a_damaged_finished_folder_is_made_again(place: Place) -> None:
    result = place.run()
    good = place.weights()
    path = result.folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4] + b"\x00\x00\x00\x01")
    place.run()
    assert any("is damaged and trained again" in line for line in place.said)
    assert_equal(place.weights(), good)


def test_the_key_is_that_of_text_encoder_and_settings(place: Place) -> None:
    key = pretraining_key(small_settings(), place.corpora, place.encoder)
    assert key == pretraining_key(small_settings(checkpoint_seconds=3), place.corpora, place.encoder)
    others = [
        pretraining_key(small_settings(masking="token"), place.corpora, place.encoder),
        pretraining_key(small_settings(), [*place.corpora, *place.corpora], place.encoder),
        pretraining_key(small_settings(), [Corpus(place.corpora[0].path, "b")], place.encoder),
    ]
    path = place.folder / "encoder" / "config.json"
    path.write_text(path.read_text() + " ")
    others.append(pretraining_key(small_settings(), place.corpora, place.encoder))
    assert len({key, *others}) == 5


def test_the_fingerprint_of_a_result_is_that_of_its_weights(place: Place) -> None:
    prints = [encoder_fingerprint(TransformerSettings(checkpoint=str(place.run(n).folder))) for n in ("one", "two")]
    assert prints[0] == prints[1]


def test_a_result_whose_weights_or_tokenizer_were_damaged_is_no_encoder(place: Place) -> None:
    folder = place.run().folder
    settings = TransformerSettings(checkpoint=str(folder))
    assert unverified_folders(settings) == []
    path = folder / "tokenizer.json"
    path.write_text(path.read_text() + " ")
    with pytest.raises(BundleError, match=r"^tokenizer\.json has SHA-256 "):
        encoder_fingerprint(settings)
    path.unlink()
    with pytest.raises(BundleError, match=r"^the encoder has no readable tokenizer\.json\n"):
        encoder_fingerprint(settings)
    (folder / "pretraining.json").write_text("{")
    encoder_fingerprint(settings)
    assert len(unverified_folders(settings)) == 1
    (folder / "pretraining.json").unlink()
    assert unverified_folders(settings) == []  # as any transformer's folder


def test_built_corpora_and_files_learn_together(place: Place) -> None:
    built = write_corpus(place.folder / "built", [[text.split(" ")] for text in paragraphs(20, seed=9)])
    result = place.run(corpora=[*place.corpora, Corpus(built.path, "news")])
    assert result.documents + result.held_out_documents == 80
    assert place.said[3].startswith("text     80 documents of news, own, ")


def test_tokenised_text_is_kept_in_the_cache(place: Place) -> None:
    place.run("one", cache=place.folder / "cache")
    (shards,) = (path for path in (place.folder / "cache" / "pieces").iterdir() if path.is_dir())
    before = (shards / "pieces.bin").stat().st_mtime_ns
    place.run("two", cache=place.folder / "cache", masking="token")
    assert (shards / "pieces.bin").stat().st_mtime_ns == before


def test_an_estimate_leaves_nothing_behind(place: Place) -> None:
    found = estimate_pretraining(small_settings(), place.corpora, encoder=place.encoder, say=place.said.append)
    assert found.seconds > 0
    assert 8 * 60 < found.pieces < 8 * 128
    assert sorted(path.name for path in place.folder.iterdir()) == ["encoder", "own.txt"]
    assert place.said[-1].startswith("time     about ")


def test_a_text_smaller_than_a_batch_is_learnt_from_and_said(place: Place) -> None:
    path = place.folder / "tiny.txt"
    path.write_text("ada wrote\n")
    result = place.run(corpora=[Corpus(path, "tiny")], epochs=3)
    assert (result.steps, result.epochs, result.evaluations) == (3, 3.0, ())
    assert [line for line in place.said if line.startswith("warning")] == [
        "warning  2 words teach an encoder nothing; `nerbridge adapt` leaves pre-training out below 1,000"
    ]
    assert [line for line in place.said if line.startswith("note")] == [
        "note     no document has 8 pieces or more to be held out: there will be no perplexity",
        "note     the text is smaller than one batch: 4 pieces",
    ]


def test_no_text_is_refused(place: Place) -> None:
    path = place.folder / "empty.txt"
    path.write_text("\n\n")
    with pytest.raises(DataError) as fault:
        place.run(corpora=[Corpus(path, "own")])
    assert str(fault.value) == (
        "there is nothing to learn from: the corpora hold no words\n"
        "  where: own\n"
        "  expected: text, one paragraph per line, or a built corpus with sentences\n"
        "  hint: look at the files; `nerbridge corpus stats` counts what a built corpus holds"
    )


def test_numbers_that_are_not_finite_stop_it(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Learner.gradients

    def poisoned(self: Learner, batch: Any) -> Any:
        loss = plain(self, batch)
        return loss * float("nan") if self.optimizer.state else loss  # from the second step of a phase

    monkeypatch.setattr(Learner, "gradients", poisoned)
    with pytest.raises(TrainingError) as fault:
        place.run()
    assert str(fault.value) == (
        "the loss or its gradient became NaN or infinite at step 1, with learning rate 0.00025\n"
        "  where: step 1 of the pre-training\n"
        "  expected: finite numbers\n"
        "  hint: lower learning_rate and head_learning_rate, or raise warmup; with precision bf16 (auto on most GPUs), "
        "try float32"
    )


def test_a_full_disk_stops_no_training_and_no_half_encoder_stays(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(CheckpointFolder, "save", full)
        patch.setattr(attempt_module, "save_encoder", full)
        with pytest.raises(OSError, match="No space left"):
            place.run(checkpoint_seconds=0)
    assert "no checkpoint of step 1 could be written" in caplog.text
    out = place.folder / "out"
    assert not (out / "model.safetensors").exists()
    assert not list(out.glob(".encoder-*"))
    place.run()
    assert (out / "pretraining.json").exists()
