"""What one call of fit does, undisturbed."""

import json
import logging
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tiny_tagger import evaluate, make_model, make_sentences, make_settings, make_stream, train
from torch import Tensor

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.batch import Batch
from nerbridge.batching.streams import Stream
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.errors import ConfigError, TrainingError
from nerbridge.training.checkpoint import clear_checkpoints
from nerbridge.training.evaluation import MOST_COMMON_TAG, Evaluation
from nerbridge.training.journal import read_journal
from nerbridge.training.progress import Moment
from nerbridge.training.tensor_file import read_tensors


def equal_weights(first: Tagger, second: Tagger) -> bool:
    pairs = zip(first.state_dict().items(), second.state_dict().items(), strict=True)
    return all(a == b and torch.equal(x, y) for (a, x), (b, y) in pairs)


def test_a_tiny_model_learns_and_says_how_it_went(tmp_path: Path) -> None:
    model, result = train(tmp_path, make_settings(epochs=30, evaluate_every=5, patience=6))
    assert result.f1 == result.best_f1 == 1.0
    assert result.best_step is not None
    assert result.stopped in ("epochs", "patience")
    assert result.words_per_second > 0
    assert result.warnings == ()
    assert evaluate(model.eval()).f1 == 1.0
    assert not model.training


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(tmp_path: Path) -> None:
    first, one = train(tmp_path / "1")
    torch.rand(7)
    second, two = train(tmp_path / "2")
    third, _ = train(tmp_path / "3", seed=4)
    assert equal_weights(first, second)
    assert (one.best_f1, one.best_step) == (two.best_f1, two.best_step)
    assert not equal_weights(first, third)


def test_evaluations_do_not_change_what_is_learnt(tmp_path: Path) -> None:
    def noisy(model: Tagger) -> Evaluation:
        torch.rand(11)
        return evaluate(model)

    settings = make_settings(selection="last")
    first, _ = train(tmp_path / "1", settings)
    second, result = train(tmp_path / "2", settings.model_copy(update={"evaluate_every": 0.1}), evaluate=noisy)
    assert equal_weights(first, second)
    assert result.steps == 9


def test_selection_by_dev_keeps_the_best_weights_and_patience_stops(tmp_path: Path) -> None:
    scores = iter([0.2, 0.6, 0.5, 0.6, 0.9])
    seen: list[dict[str, Tensor]] = []

    def scripted(model: Tagger) -> Evaluation:
        seen.append({name: tensor.clone() for name, tensor in model.state_dict().items()})
        return Evaluation(next(scores))

    model, result = train(tmp_path, make_settings(evaluate_every=0.34, patience=2), evaluate=scripted)
    assert (result.stopped, result.best_f1, result.best_step, result.f1) == ("patience", 0.6, 3, 0.6)
    assert len(seen) == 4
    assert all(torch.equal(tensor, seen[1][name]) for name, tensor in model.state_dict().items())


def test_selection_of_the_last_weights_ignores_dev(tmp_path: Path) -> None:
    scores = iter([0.9, 0.8, 0.7])
    settings = make_settings(selection="last", patience=1, evaluate_every=1)
    _, result = train(tmp_path, settings, evaluate=lambda _: Evaluation(next(scores)))
    assert (result.stopped, result.steps, result.f1, result.best_f1, result.best_step) == ("epochs", 9, 0.7, 0.9, 3)


def test_fixed_steps_without_dev(tmp_path: Path) -> None:
    model = make_model()
    settings = make_settings(selection="last", max_steps=5)
    from nerbridge.training.fit import fit
    from nerbridge.training.journal import Journal

    result = fit(
        model, [make_stream(model)], settings, seed=1, evaluate=None, workdir=tmp_path, journal=Journal(tmp_path / "j")
    )
    assert (result.stopped, result.steps, result.f1, result.best_step) == ("steps", 5, None, None)
    assert result.epochs == pytest.approx(1 + 2 / 3, abs=1e-4)


def test_selection_by_dev_needs_dev(tmp_path: Path) -> None:
    from nerbridge.training.fit import fit
    from nerbridge.training.journal import Journal

    model = make_model()
    with pytest.raises(ConfigError) as caught:
        fit(
            model,
            [make_stream(model)],
            make_settings(),
            seed=1,
            evaluate=None,
            workdir=tmp_path,
            journal=Journal(tmp_path / "j"),
        )
    assert str(caught.value) == (
        "selection 'dev' needs dev sentences, and there are none\n"
        "  where: training.selection\n"
        "  expected: a dev split, or selection by a fixed number of steps\n"
        "  hint: set training.selection = 'last' with training.max_steps or training.epochs"
    )


@pytest.mark.parametrize("optimizer", ["adamw", "sgd", "rmsprop"])
def test_several_streams_add_their_weighted_gradients(tmp_path: Path, optimizer: str) -> None:
    """One step of two streams equals one step of one stream whose loss is the weighted sum."""
    settings = make_settings(
        optimizer=optimizer, max_steps=1, batch_sentences=8, selection="last", warmup=0, schedule="constant"
    )
    model = make_model(dropout=0.0, domains=("news", "music"))
    by_hand = make_model(dropout=0.0, domains=("news", "music"))
    streams = [make_stream(model, 6), make_stream(model, 8, domain="music", weight=0.3)]
    train(tmp_path, settings, model=model, streams=streams)
    from nerbridge.training.optimiser import build_optimizer

    update = build_optimizer(by_hand, settings)
    unweighted = replace(streams[1].batch(range(8)), weight=1.0)
    loss = by_hand(streams[0].batch(range(6))) + 0.3 * by_hand(unweighted)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(by_hand.parameters(), 1.0)
    update.step()
    for (name, first), second in zip(model.named_parameters(), by_hand.parameters(), strict=True):
        torch.testing.assert_close(first, second, msg=lambda text, name=name: f"{name}: {text}")


def test_bf16_computes_in_bf16_and_keeps_float32_weights(tmp_path: Path) -> None:
    model = make_model()
    kinds = set()
    model.encoder.mix.register_forward_hook(lambda _module, _inputs, output: kinds.add(output.dtype))
    _, result = train(
        tmp_path,
        make_settings(precision="bf16", max_steps=2, selection="last", evaluate_every=99),
        model=model,
        evaluate=lambda _: Evaluation(0.0),
    )
    assert kinds == {torch.bfloat16}
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    assert result.steps == 2


def test_the_journal_tells_the_stage(tmp_path: Path) -> None:
    train(tmp_path, make_settings(evaluate_every=1))
    events = read_journal(tmp_path / "journal.jsonl")
    assert [(event["stage"], event["event"], event["step"]) for event in events] == [
        ("target", "started", 0),
        ("target", "evaluation", 3),
        ("target", "evaluation", 6),
        ("target", "evaluation", 9),
        ("target", "finished", 9),
    ]
    assert {"epoch", "loss", "f1", "improved", "seconds", MOST_COMMON_TAG} <= events[1].keys()
    assert events[1]["loss"] > events[3]["loss"] > 0


@pytest.mark.parametrize(("selection", "kept"), [("dev", 3), ("last", 9)])
def test_the_journal_tells_whose_weights_were_kept(tmp_path: Path, selection: str, kept: int) -> None:
    settings = make_settings(evaluate_every=1, selection=selection)
    train(tmp_path, settings, evaluate=lambda _: Evaluation(0.0))  # the last F1 is no better than the first
    assert read_journal(tmp_path / "journal.jsonl")[-1]["kept_step"] == kept


class Broken(Tagger):
    """Its loss becomes NaN at the step `bad_from` (from 0)."""

    steps = 0
    bad_from = 4

    def forward(self, batch: Batch) -> Tensor:
        self.steps += 1
        return super().forward(batch) * (math.nan if self.steps > self.bad_from else 1.0)


def make_broken(bad_from: int) -> Broken:
    plain = make_model()
    model = Broken(plain.encoder, plain.context, {"news": plain.head("news")})
    model.bad_from = bad_from
    return model


def test_a_loss_that_is_not_finite_stops_with_the_best_weights_on_disk(tmp_path: Path) -> None:
    best: dict[str, Tensor] = {}

    def watched(model: Tagger) -> Evaluation:
        best.update({name: tensor.clone() for name, tensor in model.state_dict().items()})
        return Evaluation(0.25)

    model = make_broken(bad_from=4)
    settings = make_settings(evaluate_every=1, schedule="constant", warmup=0)
    with pytest.raises(TrainingError) as caught:
        train(tmp_path, settings, model=model, evaluate=watched)
    path = tmp_path / "work" / "rescued-3.safetensors"
    assert str(caught.value) == (
        "the loss or its gradient became NaN or infinite at step 4, with learning rates 0.02 and 0.05; "
        f"the best weights (dev F1 25.00, step 3) are in {path}\n"
        "  where: step 4 of the training\n"
        "  expected: finite numbers\n"
        "  hint: lower training.learning_rate and training.head_learning_rate, or set training.warmup = 0.1; "
        "lower the weight of a loss that was raised, such as transfer.words_weight; "
        "with precision bf16, try float32"
    )
    rescued, _ = read_tensors(path)
    assert rescued.keys() == best.keys()
    assert all(torch.equal(tensor, best[name]) for name, tensor in rescued.items())
    assert all(bool(torch.isfinite(tensor).all()) for tensor in model.state_dict().values())


def test_a_first_loss_that_is_not_finite_says_that_nothing_was_kept(tmp_path: Path) -> None:
    model = make_broken(bad_from=0)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with pytest.raises(TrainingError, match=r"at step 0, with .* no best weights had been kept"):
        train(tmp_path, model=model)
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


def test_every_word_one_tag_is_a_warning_in_log_journal_and_result(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def flat(model: Tagger) -> Evaluation:
        return Evaluation(0.0, {MOST_COMMON_TAG: 1.0})

    with caplog.at_level(logging.WARNING):
        _, result = train(tmp_path, make_settings(evaluate_every=0.34), evaluate=flat)
    text = (
        "in the last 3 evaluations, up to step 4, every word of dev got the same tag: the model has learnt nothing or "
        "forgotten all; try another learning rate, more warm-up or more epochs"
    )
    assert result.warnings == (text,)
    assert [record.getMessage() for record in caplog.records] == [f"target: warning: {text}"]
    events = read_journal(tmp_path / "journal.jsonl")
    assert [event["text"] for event in events if event["event"] == "warning"] == [text]


def flat_at(*steps: int) -> Callable[[Tagger], Evaluation]:
    """An evaluation that finds one tag in its calls of these numbers, from 1, and something in all others."""
    calls = 0

    def evaluate(model: Tagger) -> Evaluation:
        nonlocal calls
        calls += 1
        return Evaluation(0.0, {MOST_COMMON_TAG: 1.0}) if calls in steps else Evaluation(0.5, {MOST_COMMON_TAG: 0.9})

    return evaluate


def test_one_tag_in_the_first_evaluations_is_how_healthy_stages_begin(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        _, result = train(tmp_path, evaluate=flat_at(1, 2))
    assert result.warnings == ()
    assert [record for record in caplog.records if "same tag" in record.getMessage()] == []


def test_a_warning_is_taken_back_when_the_stage_recovers(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        _, result = train(tmp_path, evaluate=flat_at(1, 2, 3, 4))
    said = [record.getMessage() for record in caplog.records if "tag" in record.getMessage()]
    assert [text.split(",")[0] for text in said] == [
        "target: warning: in the last 3 evaluations",
        "target: the words of dev get different tags again",
    ]
    assert result.warnings == ()
    assert [row for row in read_journal(tmp_path / "journal.jsonl") if row["event"] == "warning"] == []


def test_a_stage_too_short_to_wait_is_judged_by_its_end(tmp_path: Path) -> None:
    _, result = train(tmp_path, make_settings(epochs=1), evaluate=flat_at(1, 2))
    assert result.warnings == (
        "at the end, at step 3, every word of dev got the same tag: the model has learnt nothing or forgotten all; "
        "try another learning rate, more warm-up or more epochs",
    )
    _, result = train(tmp_path / "kept", make_settings(epochs=1), evaluate=flat_at(2))
    assert result.warnings == (), "the weights that were kept did better"


def test_patience_waits_while_nothing_is_right(tmp_path: Path) -> None:
    _, result = train(tmp_path, make_settings(epochs=6, patience=1), evaluate=flat_at(*range(100)))
    assert (result.stopped, result.steps, len(result.warnings)) == ("epochs", 18, 1)


def test_a_stream_without_a_known_word_is_refused(tmp_path: Path) -> None:
    model = make_model()
    raw = [Sentence(sentence.words, annotation=Annotation.NONE) for sentence in make_sentences(3)]
    unknown = Sentence(("a", "b"), annotation=Annotation.PARTIAL, known=(False, False))
    labelled = make_stream(model)
    stream = Stream("raw", "news", [*raw, unknown], model.encoder.vectorizer, labelled.vocabulary)
    with pytest.raises(TrainingError) as caught:
        train(tmp_path, model=model, streams=[labelled, stream])
    assert str(caught.value) == (
        "there is nothing to learn from: none of 4 sentences has a known label\n"
        "  where: stream 'raw' of domain 'news'\n"
        "  expected: at least one sentence with complete or partial annotation\n"
        "  hint: look at the training file with `nerbridge data stats`"
    )


def test_a_batch_without_a_known_word_changes_nothing_but_the_step(tmp_path: Path) -> None:
    model = make_model()
    raw = [Sentence(sentence.words, annotation=Annotation.NONE) for sentence in make_sentences(5)]
    stream = Stream(
        "mixed", "news", [*raw, *make_sentences(1)], model.encoder.vectorizer, make_stream(model).vocabulary
    )
    _, result = train(tmp_path, make_settings(batch_sentences=1, evaluate_every=1), model=model, streams=[stream])
    assert result.steps == 18


class Watcher:
    """A progress display that remembers."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.moments: list[Moment] = []

    def start(self, stage: str) -> None:
        self.calls.append(f"start {stage}")

    def advance(self, moment: Moment) -> None:
        self.moments.append(moment)

    def evaluated(self, moment: Moment, evaluation: Evaluation, *, improved: bool) -> None:
        self.calls.append(f"evaluated {moment.step}")
        self.moments.append(moment)

    def close(self) -> None:
        self.calls.append("close")


def test_progress_is_told_and_closed_even_when_training_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerbridge.training.reporter.PROGRESS_SECONDS", 0.0)
    watcher = Watcher()
    train(tmp_path / "1", make_settings(evaluate_every=1), progress=watcher)
    assert watcher.calls == ["start target", "evaluated 3", "evaluated 6", "evaluated 9", "close"]
    assert [moment.step for moment in watcher.moments] == [1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9]
    assert watcher.moments[0].done == pytest.approx(1 / 9)
    assert all(moment.loss > 0 for moment in watcher.moments)  # behind an evaluation, too
    assert watcher.moments[0].best_f1 is None
    assert watcher.moments[-1].seconds_left == 0
    broken = Watcher()
    with pytest.raises(TrainingError):
        train(tmp_path / "2", model=make_broken(0), progress=broken)
    assert broken.calls == ["start target", "close"]


def test_clear_checkpoints_removes_what_training_wrote_and_nothing_else(tmp_path: Path) -> None:
    train(tmp_path, make_settings(checkpoint_seconds=0))
    work = tmp_path / "work"
    assert {path.name.split("-")[0] for path in work.iterdir()} == {"checkpoint.safetensors", "best"}
    (work / "checkpoint.safetensors.partial").write_bytes(b"half")
    (work / "rescued-3.safetensors").write_bytes(b"old")
    (work / "key").write_text("mine")
    clear_checkpoints(work)
    assert [path.name for path in work.iterdir()] == ["key"]


def test_journal_numbers_that_json_lacks_become_null(tmp_path: Path) -> None:
    from nerbridge.training.journal import Journal

    Journal(tmp_path / "deep" / "journal.jsonl", "source").write("evaluation", step=1, loss=math.nan, f1=0.5)
    line = (tmp_path / "deep" / "journal.jsonl").read_text()
    assert json.loads(line) == {"stage": "source", "event": "evaluation", "step": 1, "loss": None, "f1": 0.5}


def test_a_disk_that_refuses_checkpoints_does_not_stop_training(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "work").write_text("a file where the folder should be")
    _, result = train(tmp_path, make_settings(checkpoint_seconds=0, max_steps=2))
    assert result.steps == 2
    warnings = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert [text.split(" (")[0] for text in warnings] == [
        f"no checkpoint of step {step} could be written" for step in (1, 2)
    ]


def test_best_weights_that_the_disk_refuses_leave_the_fault_of_the_training_visible(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "work").write_text("a file where the folder should be")
    settings = make_settings(evaluate_every=1, schedule="constant", warmup=0)
    with pytest.raises(TrainingError, match=r"became NaN or infinite at step 4, .*; no best weights had been kept"):
        train(tmp_path, settings, model=make_broken(bad_from=4), evaluate=lambda model: Evaluation(0.25))
    assert "the best weights could not be written (" in caplog.text
