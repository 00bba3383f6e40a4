"""The contract of checkpoints: whatever kills training, wherever, the same call ends with the same bits."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

TINY = Path(__file__).parents[1] / "unit" / "training"
sys.path.insert(0, str(TINY))

from tiny_tagger import evaluate, make_model, make_settings, make_stream, train  # noqa: E402

from nerbridge.assembly.tagger import Tagger  # noqa: E402
from nerbridge.config.training import TrainingSettings  # noqa: E402
from nerbridge.training import tensor_file  # noqa: E402
from nerbridge.training.evaluation import Evaluation, FitResult  # noqa: E402
from nerbridge.training.journal import read_journal  # noqa: E402
from nerbridge.training.learner import Learner  # noqa: E402

NUM_STEPS = 9
SETTINGS = {
    "every step": make_settings(checkpoint_seconds=0),
    "better evaluations": make_settings(),
    "momentum": make_settings(checkpoint_seconds=0, optimizer="rmsprop", momentum=0.9, schedule="cosine"),
    "last weights": make_settings(checkpoint_seconds=0, optimizer="sgd", momentum=0.9, selection="last"),
}


class Killed(BaseException):
    """Nothing in the product catches this, as nothing catches a SIGKILL."""


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def outcome(folder: Path, model: Tagger, result: FitResult) -> dict[str, Any]:
    """All that must not depend on interruptions: weights, scores, and the journal but for times."""
    events = [event for event in read_journal(folder / "journal.jsonl") if event["event"] not in ("started", "resumed")]
    for event in events:
        event.pop("seconds", None)
        event.pop("words_per_second", None)
    scores = (result.f1, result.best_f1, result.best_step, result.steps, result.epochs, result.stopped, result.warnings)
    return {"weights": {k: v.clone() for k, v in model.state_dict().items()}, "scores": scores, "journal": events}


def assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found["scores"] == expected["scores"]
    assert found["journal"] == expected["journal"]
    assert found["weights"].keys() == expected["weights"].keys()
    for name, tensor in expected["weights"].items():
        assert torch.equal(found["weights"][name], tensor), name


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}

    def run(name: str) -> dict[str, Any]:
        if name not in known:
            folder = tmp_path_factory.mktemp("undisturbed")
            known[name] = outcome(
                folder, *train(folder, two_streams(SETTINGS[name])[0], **two_streams(SETTINGS[name])[1])
            )
        return known[name]

    return run


def two_streams(settings: TrainingSettings) -> tuple[TrainingSettings, dict[str, Any]]:
    """Two streams of different length, so that the place inside an epoch matters for both."""
    model = make_model(domains=("news", "music"))
    return settings, {
        "model": model,
        "streams": [make_stream(model, 10), make_stream(model, 5, domain="music", weight=0.5)],
    }


def kill_in_learn(patch: pytest.MonkeyPatch, step: int, *, after: bool) -> None:
    plain = Learner.learn

    def learn(self: Learner, parts: Any, *, step: int, done: float, kill: int = step) -> None:
        if step == kill and not after:
            raise Killed
        plain(self, parts, step=step, done=done)
        if step == kill:
            raise Killed

    patch.setattr(Learner, "learn", learn)


def interrupted(folder: Path, name: str, prepare: Callable[[pytest.MonkeyPatch], None], **options: Any) -> None:
    settings, streams = two_streams(SETTINGS[name])
    with pytest.MonkeyPatch.context() as patch:
        prepare(patch)
        with pytest.raises(Killed):
            train(folder, settings, **streams, **options)


def finished(folder: Path, name: str) -> dict[str, Any]:
    settings, streams = two_streams(SETTINGS[name])
    return outcome(folder, *train(folder, settings, **streams))


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("step", range(NUM_STEPS))
def test_killed_in_any_step(tmp_path: Path, undisturbed: Callable[[str], dict[str, Any]], name: str, step: int) -> None:
    interrupted(tmp_path, name, lambda patch: kill_in_learn(patch, step, after=step % 2 == 0))
    assert_same(finished(tmp_path, name), undisturbed(name))


def test_killed_in_every_step_one_after_the_other(tmp_path: Path, undisturbed: Callable[[str], dict[str, Any]]) -> None:
    for step in range(NUM_STEPS):
        interrupted(tmp_path, "every step", lambda patch, step=step: kill_in_learn(patch, step, after=True))
    assert_same(finished(tmp_path, "every step"), undisturbed("every step"))


@pytest.mark.parametrize("number", range(6))
def test_killed_in_any_evaluation(tmp_path: Path, undisturbed: Callable[[str], dict[str, Any]], number: int) -> None:
    calls = iter(range(NUM_STEPS))

    def deadly(model: Tagger) -> Evaluation:
        torch.rand(3)
        if next(calls) == number:
            raise Killed
        return evaluate(model)

    interrupted(tmp_path, "every step", lambda _: None, evaluate=deadly)
    assert_same(finished(tmp_path, "every step"), undisturbed("every step"))


@pytest.mark.parametrize("write", range(12))
@pytest.mark.parametrize("where", ["half written", "before rename", "before cleaning"])
def test_killed_in_any_write_of_a_checkpoint(
    tmp_path: Path, undisturbed: Callable[[str], dict[str, Any]], write: int, where: str
) -> None:
    def prepare(patch: pytest.MonkeyPatch) -> None:
        calls = iter(range(100))
        plain_save, plain_replace = tensor_file.save_file, Path.replace

        def save_file(tensors: Any, path: Path, **options: Any) -> None:
            plain_save(tensors, path, **options)
            if where == "half written" and next(calls) == write:
                os.truncate(path, path.stat().st_size // 2)
                raise Killed

        def replace(self: Path, target: Path) -> Path:
            if where == "before rename" and self.suffix == ".partial" and next(calls) == write:
                raise Killed
            moved = plain_replace(self, target)
            if where == "before cleaning" and next(calls) == write:
                raise Killed
            return moved

        patch.setattr(tensor_file, "save_file", save_file)
        patch.setattr(Path, "replace", replace)

    interrupted(tmp_path, "every step", prepare)
    assert_same(finished(tmp_path, "every step"), undisturbed("every step"))
    assert not list((tmp_path / "work").glob("*.partial"))
    assert len(list((tmp_path / "work").glob("best-*"))) == 1


def test_called_again_after_the_end_it_ends_the_same(
    tmp_path: Path, undisturbed: Callable[[str], dict[str, Any]]
) -> None:
    finished(tmp_path, "every step")
    assert_same(finished(tmp_path, "every step"), undisturbed("every step"))


@pytest.mark.parametrize("damage", ["truncated", "altered", "empty", "other kind", "best lost", "best altered"])
def test_a_damaged_file_is_never_loaded(
    tmp_path: Path, undisturbed: Callable[[str], dict[str, Any]], caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    interrupted(tmp_path, "every step", lambda patch: kill_in_learn(patch, 5, after=False))
    path = tmp_path / "work" / "checkpoint.safetensors"
    (best,) = (tmp_path / "work").glob("best-*")
    match damage:
        case "truncated":
            os.truncate(path, path.stat().st_size - 5)
        case "altered":
            path.write_bytes(path.read_bytes()[:-1] + b"\x55")
        case "empty":
            path.write_bytes(b"")
        case "other kind":
            path.write_bytes(b"not a checkpoint" * 100)
        case "best lost":
            best.unlink()
        case "best altered":
            best.write_bytes(best.read_bytes()[:-1] + b"\x55")
    assert_same(finished(tmp_path, "every step"), undisturbed("every step"))
    (message,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert message.startswith(f"{best if damage.startswith('best') else path} is damaged (")
    assert message.endswith("): ignored, training starts anew")


@pytest.mark.parametrize("change", ["settings", "seed", "sentences", "model"])
def test_a_checkpoint_of_another_stage_is_ignored_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: str
) -> None:
    def options() -> dict[str, Any]:
        return {"model": make_model(), "settings": make_settings(checkpoint_seconds=0), "seed": 3}

    def changed() -> dict[str, Any]:
        values = options()
        match change:
            case "settings":
                values["settings"] = make_settings(checkpoint_seconds=0, learning_rate=0.01)
            case "seed":
                values["seed"] = 4
            case "sentences":
                values["streams"] = [make_stream(values["model"], 9)]
            case "model":
                values["model"] = make_model(domains=("news", "music"))
        return values

    def run(folder: Path, values: dict[str, Any]) -> dict[str, Any]:
        return outcome(folder, *train(folder, values.pop("settings"), **values))

    with pytest.MonkeyPatch.context() as patch:
        kill_in_learn(patch, 5, after=False)
        with pytest.raises(Killed):
            run(tmp_path / "both", options())
    found = run(tmp_path / "both", changed())
    path = tmp_path / "both" / "work" / "checkpoint.safetensors"
    assert [record.getMessage() for record in caplog.records if record.levelname == "WARNING"] == [
        f"{path} is of other settings, data or seed: ignored, training starts anew"
    ]
    assert_same(found, run(tmp_path / "alone", changed()))


def test_the_time_between_checkpoints_may_change(tmp_path: Path, undisturbed: Callable[[str], dict[str, Any]]) -> None:
    interrupted(tmp_path, "every step", lambda patch: kill_in_learn(patch, 7, after=False))
    settings, streams = two_streams(SETTINGS["better evaluations"])
    assert_same(outcome(tmp_path, *train(tmp_path, settings, **streams)), undisturbed("every step"))
    events = [event["event"] for event in read_journal(tmp_path / "journal.jsonl")]
    assert "resumed" in events


SCRIPT = """
import os, signal, sys, time
sys.path.insert(0, {tiny!r})
import torch
torch.set_num_threads(1)
from pathlib import Path
from safetensors.torch import save_file as store
from tiny_tagger import evaluate, make_settings, train
from nerbridge.training import tensor_file
from nerbridge.training.learner import Learner

folder, place, number = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
calls = iter(range(1000))

def die():
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)

def deadly(function, at):
    def wrapped(*arguments, **options):
        if place == at and next(calls) == number:
            if at == "write":
                Path(str(arguments[1])).write_bytes(b"half of a checkpoint")
            die()
        return function(*arguments, **options)
    return wrapped

Learner.learn = deadly(Learner.learn, "step")
tensor_file.save_file = deadly(tensor_file.save_file, "write")
model, result = train(folder, make_settings(checkpoint_seconds=0), evaluate=deadly(evaluate, "evaluation"))
store({{name: tensor.contiguous() for name, tensor in model.state_dict().items()}}, folder / "final.safetensors")
print(result.best_f1, result.best_step, result.steps, result.stopped)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="SIGKILL exists on POSIX systems only")
def test_real_processes_killed_with_sigkill(tmp_path: Path) -> None:
    def run(folder: str, place: str, number: int) -> subprocess.CompletedProcess[str]:
        (tmp_path / folder).mkdir(exist_ok=True)
        script = SCRIPT.format(tiny=str(TINY))
        command = [sys.executable, "-c", script, str(tmp_path / folder), place, str(number)]
        return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)

    expected = run("undisturbed", "never", 0)
    assert expected.returncode == 0, expected.stderr
    for place, number in [("write", 0), ("step", 2), ("evaluation", 1), ("write", 3), ("step", 1), ("write", 1)]:
        killed = run("disturbed", place, number)
        assert killed.returncode == -signal.SIGKILL, killed.stderr
    found = run("disturbed", "never", 0)
    assert found.returncode == 0, found.stderr
    assert found.stdout == expected.stdout
    files = [(tmp_path / folder / "final.safetensors").read_bytes() for folder in ("undisturbed", "disturbed")]
    assert files[0] == files[1]
