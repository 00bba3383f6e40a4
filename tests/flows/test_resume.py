"""A training process that is killed, wherever, goes on with the same command and ends as if nothing had happened."""

import hashlib
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from killing import MOMENTS
from programs import ENVIRONMENT, PROGRAM, forked, installed, python

from tiny_project import recipe, write_project, write_recipe_file

KILLING = Path(__file__).with_name("killing.py")
TRAINING = {
    "learning_rate": 1e-3,
    "batch_sentences": 4,
    "checkpoint_seconds": 0.0,  # after every step, so that every kill finds a checkpoint to go on from
    "source": {"epochs": 1},
    "target": {"epochs": 6, "evaluate_every": 1.0, "patience": 3},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_project(tmp_path_factory.mktemp("resume") / "project")
    write_recipe_file(folder, training=TRAINING)
    return folder


def arguments(name: str) -> list[str]:
    """The command of a run with a cache of its own."""
    return ["train", "recipe.toml", "--output", name, "--cache", f"{name}-cache"]


@pytest.fixture(scope="module")
def undisturbed(project: Path) -> dict[str, Any]:
    """What a run that nobody disturbs ends with."""
    done = installed(*arguments("undisturbed"), folder=project)
    assert done.returncode == 0, done.stderr
    return outcome(project / "undisturbed")


def outcome(run: Path) -> dict[str, Any]:
    """Everything that must not depend on interruptions: weights, scores, predictions, and the journal but for times."""
    journal = [json.loads(line) for line in (run / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    events = [
        {key: value for key, value in event.items() if key not in ("seconds", "words_per_second")}
        for event in journal
        if event["event"] not in ("started", "resumed")
    ]
    files = ["model/model.safetensors", "scores.json", "predictions/dev.jsonl", "predictions/test.jsonl"]
    return {name: hashlib.sha256((run / name).read_bytes()).hexdigest() for name in files} | {"journal": events}


# Each chain is one run, killed again and again, each time at the COUNT-th occurrence of a moment in that process.
CHAINS = {
    "in the order of a run": [
        ("a training step", 4),
        ("checkpoint half written", 3),
        ("bundle half written", 1),
        ("between stages", 1),
        ("evaluation", 2),
        ("scoring", 1),
    ],
    "at every step of saving": [
        ("claiming the folder", 1),
        ("checkpoint begun", 2),
        ("checkpoint written", 2),
        ("bundle after its name", 1),
        ("stage before its result", 2),
        ("answers before they are noted", 1),
    ],
}


@pytest.mark.slow
@pytest.mark.timeout(900)  # a dozen processes, on a machine that may have other work
@pytest.mark.parametrize("chain", CHAINS.values(), ids=CHAINS)
def test_a_run_killed_again_and_again_ends_like_an_undisturbed_one(
    project: Path, undisturbed: dict[str, Any], chain: list[tuple[str, int]], request: pytest.FixtureRequest
) -> None:
    name = request.node.callspec.id.replace(" ", "-")
    for moment, count in chain:
        killed = forked(*arguments(name), folder=project, kill=(moment, count))
        assert killed.returncode == -signal.SIGKILL, (moment, killed.stderr)
    done = forked(*arguments(name), folder=project)
    assert done.returncode == 0, done.stderr
    assert outcome(project / name) == undisturbed
    left = [
        path.name for path in (project / name).rglob("*") if ".partial" in path.name or path.name.startswith(".model")
    ]
    assert left == []


@pytest.mark.slow
def test_a_run_goes_on_where_its_checkpoint_is(project: Path) -> None:
    python(KILLING, "a training step", "8", *arguments("goes-on"), folder=project)
    done = installed(*arguments("goes-on"), folder=project)
    assert "source-1: goes on from the checkpoint of step 7\n" in done.stderr


@pytest.mark.slow
def test_two_runs_that_need_the_same_stage_train_it_once(project: Path) -> None:
    """Started together with one cache: whoever comes second waits and takes what the first has trained."""
    write = recipe(project, training={**TRAINING, "source": {"epochs": 40}}, name="together")
    write_recipe_file(project / "encoder", **write)  # any folder but the project's own
    command = [PROGRAM, "train", "encoder/recipe.toml", "--cache", "shared"]
    runs = [
        subprocess.Popen([*command, "--output", name], cwd=project, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
        for name in ("first", "second")
    ]
    said = [run.communicate(timeout=600)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    trained = sum(text.count("source-1: trained (") for text in said)
    reused = sum(text.count("source-1: already trained (") for text in said)
    assert (trained, reused) == (1, 1)
    assert outcome(project / "first") == outcome(project / "second")


# A process started in the background of a script inherits an ignored SIGINT; this one hears it all the same.
HEARS_CTRL_C = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from nerbridge.cli import main; sys.exit(main(sys.argv[1:]))"
)


@pytest.mark.slow
def test_an_interrupted_process_says_how_to_go_on_and_does(project: Path) -> None:
    """A real SIGINT, as Ctrl-C sends it, while the process trains."""
    training = {**TRAINING, "target": {"epochs": 400, "evaluate_every": 50.0, "patience": 400}}
    write_recipe_file(project / "encoder", **recipe(project, training=training, name="ctrl-c"))
    command = [sys.executable, "-c", HEARS_CTRL_C, "train", "encoder/recipe.toml"]
    command += ["--output", "ctrl-c", "--cache", "ctrl-c-cache"]
    run = subprocess.Popen(command, cwd=project, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 600
    while not (project / "ctrl-c" / "stage" / "work" / "checkpoint.safetensors").exists():
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=600)
    assert run.returncode == 130, err
    said = err.splitlines()[-1]
    kept = re.fullmatch(
        r"stopped; the same command continues; kept: source-1 \(finished\), source-2 \(finished\), "
        r"target \(checkpoint of step (\d+)\)",
        said,
    )
    assert kept, said
    assert "Traceback" not in err
    again = subprocess.run(command, cwd=project, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert again.returncode == 0
    assert f"target: goes on from the checkpoint of step {kept[1]}\n" in again.stderr


@pytest.mark.slow
def test_two_processes_of_one_run_make_the_same_folder(project: Path, undisturbed: dict[str, Any]) -> None:
    """`accelerate launch` with two processes on the CPU: one folder, said once, scores in the same region."""
    command = [
        sys.executable, "-m", "accelerate.commands.launch", "--num_processes", "2", "--num_machines", "1", "--cpu",
        "--mixed_precision", "no", "--dynamo_backend", "no", "-m", "nerbridge", *arguments("two"), "--json",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=project, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert done.stderr.count("run      two, seed 1\n") == 1
    assert done.stderr.count("target: trained (") == 1
    names = [
        sorted(path.relative_to(project / run).as_posix() for path in (project / run).rglob("*") if path.is_file())
        for run in ("undisturbed", "two")
    ]
    assert names[0] == names[1]
    alone = json.loads((project / "undisturbed" / "scores.json").read_text())
    for split in ("dev", "test"):
        assert abs(result["scores"][split]["f1"] - alone[split]["f1"]) < 0.3


def test_every_moment_names_a_function_of_the_product() -> None:
    import importlib

    for moment in MOMENTS.values():
        module, _, class_name = moment.owner.partition(":")
        owner = importlib.import_module(module)
        owner = getattr(owner, class_name) if class_name else owner
        assert callable(getattr(owner, moment.name))
