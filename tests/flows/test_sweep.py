"""`nerbridge sweep` with worker processes: two jobs, a table, a resumed command, Ctrl-C, messages."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from programs import ENVIRONMENT, installed, message_parts, python

from nerbridge.cli import main
from nerbridge.pipeline.sweep.state import CELL
from tiny_project import write_project, write_recipe_file


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with recipe.toml."""
    folder = write_project(tmp_path_factory.mktemp("sweep") / "project")
    write_recipe_file(folder)
    return folder


@pytest.mark.slow
def test_two_jobs_make_a_table_and_the_same_command_finds_it_done(project: Path) -> None:
    command = ["sweep", "recipe.toml", "--vary", "target.num_train=4,none", "--vary", "tagger.kind=linear,crf"]
    command += ["--seeds", "1,2", "--jobs", "2", "--cache", "cache"]
    first = installed(*command, folder=project)
    assert first.returncode == 0, first.stderr
    header, *rows = first.stdout.splitlines()
    assert re.split(r"\s{2,}", header)[:4] == ["num_train", "tagger.kind", "seeds", "dev F1"]
    assert [re.split(r"\s{2,}", row)[:3] for row in rows] == [
        ["4", "linear", "1,2"],
        ["4", "crf", "1,2"],
        ["none", "linear", "1,2"],
        ["none", "crf", "1,2"],
    ]
    assert sum("*" in row for row in rows) == 1
    folder = Path("runs") / "tiny-by-num_train-tagger.kind"
    lines = first.stderr.splitlines()
    assert lines[0] == (
        f"sweep    8 cells in {folder}: 2 target.num_train x 2 tagger.kind x 2 seeds; 0 finished already, 2 at a time"
    )
    assert sorted(line[: line.index("]") + 1] for line in lines[1:9]) == [f"[{number}/8]" for number in range(1, 9)]
    assert lines[9:12] == [
        "note     the best dev F1 is marked: choices are made on dev, the test F1 beside it is what to report",
        f"table    {folder / 'table.md'}",
        f"report   {folder / 'report.html'}",
    ]
    first_and_last = f"{folder}/num_train=4,tagger.kind=linear {folder}/num_train=none,tagger.kind=crf"
    assert re.fullmatch(rf"compare  \S*nerbridge compare {re.escape(first_and_last)}", lines[12])
    assert len(lines) == 13
    trained = sorted(json.loads(path.read_text())["key"] for path in (project / "cache").rglob("stage.json"))
    assert len(trained) == 8  # two stages, two kinds, two seeds: the number of target sentences changes none of them

    again = installed(*command, folder=project)
    assert again.stdout == first.stdout
    assert again.stderr.splitlines()[0].endswith("; 8 finished already, 2 at a time")
    assert again.stderr.splitlines()[1:] == lines[9:]
    as_json = installed(*command, "--json", folder=project)
    assert json.loads(as_json.stdout) == json.loads((project / folder / "sweep.json").read_text(encoding="utf-8"))
    compared = installed(*lines[-1].replace("'", "").split()[2:], folder=project)
    assert "in 2 pairs (seed-1, seed-2)" in compared.stdout


PROGRAM = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from nerbridge.cli import main; sys.exit(main(sys.argv[1:]))"
)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill -9"])
def test_a_stopped_sweep_ends_its_workers_and_goes_on(project: Path, how: signal.Signals) -> None:
    folder = f"stopped-{how.name}"
    command = ["sweep", "recipe.toml", "--vary", "training.target.epochs=1,20000", "--output", folder]
    command += ["--set", "training.target.selection=last", "--set", "training.target.evaluate_every=10000"]
    command += ["--cache", "cache"]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command], cwd=project, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True
    )
    log = project / folder / "epochs=20000" / "seed-1.log"
    with process:
        try:
            assert wait_for(lambda: log.is_file() and " parameters, " in log.read_text(encoding="utf-8"))
            process.send_signal(how)
            _, said = process.communicate(timeout=600)
        finally:
            process.kill()
    assert wait_for(lambda: not workers_of(project))
    assert (project / folder / "epochs=1" / "seed-1" / CELL).is_file()
    if how is signal.SIGINT:
        assert process.returncode == 130
        assert said.splitlines()[-1] == (
            "stopped; the same command continues; kept: 1 of 2 cells (finished), the checkpoints of 1 cell more"
        )
        assert (project / folder / "report.html").is_file()
        assert len((project / folder / "table.csv").read_text(encoding="utf-8").splitlines()) == 2
    again = installed(*[part.replace("20000", "2") for part in command], folder=project)
    assert again.returncode == 0, again.stderr
    assert again.stderr.splitlines()[0].endswith("; 1 finished already")
    assert [line.split()[0] for line in again.stdout.splitlines()] == ["epochs", "1", "2"]


def wait_for(condition: object, seconds: float = 600) -> bool:
    assert callable(condition)
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def workers_of(project: Path) -> list[str]:
    """The worker processes that run in `project`."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command, folder = (place / "cmdline").read_bytes(), (place / "cwd").readlink()
        except OSError:  # it has ended, or is somebody else's
            continue
        if b"nerbridge.pipeline.sweep.worker" in command and folder == project:
            found.append(place.name)
    return found


@pytest.mark.slow
def test_a_cell_that_fails_does_not_stop_the_others(project: Path) -> None:
    words = (line.split("\t")[0] for line in (project / "train.txt").read_text(encoding="utf-8").splitlines())
    (project / "raw.txt").write_text("\n".join(words), encoding="utf-8")
    done = installed(
        "sweep", "recipe.toml", "--vary", "target.files.train=raw.txt,train.txt", "--output", "failing",
        "--cache", "cache", folder=project,
    )  # fmt: skip
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 2
    assert message_parts(done.stderr) == {
        "what": "1 of 2 cells failed:",
        "where": "failing/train=raw.txt/seed-1.log",
        "expected": "every cell to end with scores",
        "hint": "the same command tries them again; finished cells stay",
    }
    assert "    train=raw.txt, seed 1: no training sentence of 'music' is annotated\n" in done.stderr
    log = (project / "failing" / "train=raw.txt" / "seed-1.log").read_text(encoding="utf-8")
    assert "error: no training sentence of 'music' is annotated" in log


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ((), "nothing is varied"),
        (("--vary", "target.num_train=4,8", "--jobs", "0"), "0 jobs train nothing"),
        (("--vary", "target.num_train=4,8", "--devices", "0,0"), "devices '0,0' cannot be read"),
        (("--vary", "target.num_train=4,8", "--seeds", "1,1"), "seeds '1,1' cannot be read"),
        (("--vary", "target.num_trian=4,8"), "2 of 2 settings of the sweep cannot be used:"),
        (
            ("--vary", "target.num_train=4,8", "--metric", "train"),
            "invalid value for '--metric'",
        ),
    ],
)
def test_mistakes_are_answered_before_anything_is_written(
    project: Path,
    arguments: tuple[str, ...],
    what: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(project)
    before = sorted(project.iterdir())
    assert main(["sweep", "recipe.toml", *arguments, "--cache", "cache"]) == 2
    captured = capsys.readouterr()
    parts = message_parts(captured.err)
    assert parts["what"].startswith(what)
    assert set(parts) == {"what", "where", "expected", "hint"}
    assert captured.out == ""
    assert sorted(project.iterdir()) == before


def test_a_worker_is_a_program_that_ends_with_its_orders(project: Path) -> None:
    done = python("-P", "-m", "nerbridge.pipeline.sweep.worker", folder=project)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_log_goes_on_where_another_attempt_left_it(project: Path) -> None:
    log = project / "kept.log"
    log.write_text("before\n", encoding="utf-8")
    program = "from pathlib import Path; from nerbridge.pipeline.sweep.worker import _write_to; "
    done = python("-c", f"{program}_write_to(Path('kept.log')); print('after')", folder=project)
    assert (done.returncode, log.read_text(encoding="utf-8")) == (0, "before\nafter\n")
