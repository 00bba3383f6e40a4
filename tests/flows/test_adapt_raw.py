"""`adapt --raw --gazetteer`: killed in every step, without each of its parts, and with what cannot be used."""

import hashlib
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import ENVIRONMENT, forked, installed, message_parts

from nerbridge.cli import main
from raw_project import PRETRAINING, write_raw
from tiny_project import write_project

SETTINGS = [
    *(f"pretraining.{key}={value}" for key, value in PRETRAINING.items()),
    "corpus.filters.similarity=none",
    "gazetteer.case=lower",
    "gazetteer.ordinary=keep",
    "selection.min_words=50",
    "training.learning_rate=1e-3",
    "training.batch_sentences=4",
    "training.checkpoint_seconds=0",
    "training.source.epochs=1",
    "training.target.epochs=2",
    "training.target.evaluate_every=1",
]
LISTS = ("--gazetteer", "lists")
TAGGER = ("--set", "gazetteer.confidence=0.2", "--set", "gazetteer.tagged_words=500")  # no lists: a first tagger


def arguments(name: str, *more: str) -> list[str]:
    """The command of a run with a cache of its own."""
    files = [part for split in ("train", "dev", "test") for part in (f"--target-{split}", f"{split}.txt")]
    settings = [part for setting in SETTINGS for part in ("--set", setting)]
    command = ["adapt", *files, "--source", "news.txt", "--encoder", "encoder", "--raw", "raw.txt", *settings]
    return [*command, "--output", name, "--cache", f"{name}-cache", *more]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_raw(write_project(tmp_path_factory.mktemp("adapt-raw") / "project"))


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in the project: (exit code, stdout, stderr)."""
    monkeypatch.chdir(project)
    capsys.readouterr()

    def command(*parts: str) -> tuple[int, str, str]:
        code = main(parts)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def outcome(run: Path) -> dict[str, str]:
    """What must not depend on interruptions."""
    files = ["model/model.safetensors", "scores.json", "predictions/dev.jsonl", "predictions/test.jsonl"]
    return {name: hashlib.sha256((run / name).read_bytes()).hexdigest() for name in files}


CHAINS: dict[str, tuple[tuple[str, ...], list[tuple[str, int]]]] = {
    "with lists": (
        LISTS,
        [
            ("a corpus before its manifest", 1),  # the built corpus
            ("a corpus before its manifest", 2),  # the entity level, behind the corpus
            ("a corpus before its manifest", 2),  # the task level, behind the entity level
            ("a corpus before its manifest", 2),  # the integrated level
            ("a step of pre-training", 3),
            ("an encoder before it is finished", 1),
            ("a training step", 4),
            ("scoring", 1),
        ],
    ),
    "with a first tagger": (
        TAGGER,
        [("a training step", 5), ("names before they are there", 1), ("a step of pre-training", 2)],
    ),
}


@pytest.mark.slow
@pytest.mark.timeout(900)  # a dozen processes, on a machine that may have other work
@pytest.mark.parametrize("chain", CHAINS)
def test_an_adaptation_killed_in_every_step_ends_like_an_undisturbed_one(project: Path, chain: str) -> None:
    more, moments = CHAINS[chain]
    names = [f"{start}-{chain.replace(' ', '-')}" for start in ("killed", "whole")]
    for moment, count in moments:
        killed = forked(*arguments(names[0], *more), folder=project, kill=(moment, count))
        assert killed.returncode == -signal.SIGKILL, (moment, killed.stderr)
    done = forked(*arguments(names[0], *more), folder=project)
    assert done.returncode == 0, done.stderr
    assert "already built" in done.stderr
    assert "level    already chosen" in done.stderr
    whole = installed(*arguments(names[1], *more), folder=project)
    assert whole.returncode == 0, whole.stderr
    assert outcome(project / names[0]) == outcome(project / names[1])


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_two_processes_take_every_step_together(project: Path) -> None:
    """`accelerate launch` with two processes on the CPU: each step is made once, and found by a second run."""
    launcher = [
        sys.executable, "-m", "accelerate.commands.launch", "--num_processes", "2", "--num_machines", "1", "--cpu",
        "--mixed_precision", "no", "--dynamo_backend", "no", "-m", "nerbridge", *arguments("two", *TAGGER),
    ]  # fmt: skip
    said = []
    for _ in range(2):
        done = subprocess.run(
            launcher, cwd=project, env=ENVIRONMENT, capture_output=True, text=True, check=False, timeout=600
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stderr)
    assert said[0].count("names    the first tagger reads") == 1
    assert said[0].count("time     about") == 2  # of the run, and of the pre-training
    assert said[1].count("already pre-trained: ") == 1
    assert "cache    corpus, level, pre-training, source-1, target: finished by an earlier run" in said[1].splitlines()


@pytest.mark.slow
def test_without_each_part_the_difference_is_printed_with_a_test(project: Path, run: Run) -> None:
    code, out, err = run(*arguments("ablated", *LISTS, "--ablate"))
    assert code == 0, err
    rows = [re.split(r"\s{2,}", line) for line in out.splitlines()]
    header = rows.index(["without", "split", "F1 without", "F1 with", "gain", "95 % interval", "p"])
    parts = ("pretraining", "selection", "source")
    assert [row[:2] for row in rows[header + 1 :]] == [[part, split] for part in parts for split in ("dev", "test")]
    whole = {row[0]: row[1] for row in rows[1:header]}
    for _, split, before, now, gain, interval, p in rows[header + 1 :]:
        assert now == whole[split]
        assert float(gain) == pytest.approx(float(now) - float(before), abs=0.011)
        assert re.fullmatch(r"[+-]\d+\.\d\d to [+-]\d+\.\d\d", interval)
        assert 0 < float(p) <= 1
    found = json.loads((project / "ablated" / "ablation.json").read_text())
    assert list(found) == list(parts)
    without = {part: read_experiment(project / "ablated" / "ablation" / f"without-{part}") for part in parts}
    assert without["pretraining"]["corpus"] is None
    assert without["selection"]["selection"]["level"] == "domain"
    assert (without["source"]["source"], without["source"]["transfer"]) == ([], {"kind": "direct"})
    assert without["source"]["selection"]["specialised"] == ["band"]
    assert "names    a first tagger" not in err
    again = run(*arguments("ablated", *LISTS, "--ablate", "--json"))
    assert json.loads(again[1])["ablation"] == found
    assert "trained (" not in re.sub("already trained", "", again[2])


@pytest.mark.slow
def test_where_the_whole_was_not_pre_trained_the_table_says_what_it_compares(project: Path, run: Run) -> None:
    """1,150 words: more than the integrated level has, fewer than the domain level."""
    few = arguments("few", *LISTS, "--set", "selection.min_words=1150", "--seeds", "1,2", "--ablate")
    code, out, err = run(*few)
    assert code == 0, err
    assert "ablation 1 of 3: without pretraining not done: too few words to pre-train on" in err.splitlines()
    rows = [re.split(r"\s{2,}", line) for line in out.splitlines()]
    begin = 1 + next(place for place, row in enumerate(rows) if row[0] == "without")
    assert rows[begin] == ["pretraining", *["-"] * 5, "not done: too few words to pre-train on"]
    parts = [[part, split] for part in ("selection", "source") for split in ("dev", "test")]
    assert [row[:2] for row in rows[begin + 1 : -1]] == parts
    remark = (
        "F1 without selection is that of an encoder pre-trained on the domain level, F1 with selection that of one "
        "without pre-training (too few words to pre-train on): the gain is not that of selection alone"
    )
    assert rows[-1] == [f"selection: {remark}"]
    assert not (project / "few" / "ablation" / "without-pretraining").exists()
    found = json.loads((project / "few" / "ablation.json").read_text())
    assert found["pretraining"] == {"not_done": "too few words to pre-train on"}
    assert (found["selection"]["remark"], "remark" in found["source"]) == (remark, False)
    assert json.loads(run(*few, "--json")[1])["ablation"] == found


def read_experiment(run: Path) -> dict[str, Any]:
    experiment: dict[str, Any] = json.loads((run / "experiment.json").read_text())
    return experiment


@pytest.mark.slow
def test_the_recipe_that_adapt_writes_runs_again_with_train(project: Path, run: Run) -> None:
    assert run(*arguments("written", *LISTS))[0] == 0
    recipe = (project / "written" / "recipe.toml").read_text()
    assert 'files = [\n    "../raw.txt",\n]' in recipe
    code, _, err = run("train", "written/recipe.toml", "--output", "trained", "--cache", "written-cache")
    assert code == 0, err
    assert "cache    corpus, level, pre-training, source-1: finished by an earlier run" in err.splitlines()
    assert outcome(project / "written") == outcome(project / "trained")


@pytest.mark.slow
def test_a_built_corpus_serves_as_raw_text(project: Path, run: Run) -> None:
    """What was built from the same file, with the same filters, gives the same tagger; a level is refused."""
    assert run("corpus", "build", "raw.txt", "-o", "built", "--set", "filters.similarity=none")[0] == 0
    for name, raw in (("of-text", "raw.txt"), ("of-corpus", "built")):
        code, _, err = run(*[raw if part == "raw.txt" else part for part in arguments(name, *LISTS)])
        assert code == 0, err
    assert outcome(project / "of-text") == outcome(project / "of-corpus")
    level = next((project / "of-corpus-cache" / "levels").glob("*/integrated"))
    code, _, err = run(*[str(level) if part == "raw.txt" else part for part in arguments("of-level")])
    assert code == 2
    assert message_parts(err)["what"].startswith(f"'{level}' is a level of a corpus")


def test_lists_without_raw_text_are_refused(project: Path, run: Run) -> None:
    files = ("--target-train", "train.txt", "--source", "")
    code, _, err = run("adapt", *files, "--gazetteer", "lists", "--level", "task")
    assert code == 2
    assert message_parts(err) == {
        "what": "--gazetteer and --level have no effect without raw text",
        "where": "nerbridge adapt",
        "expected": "--raw FILE: sentences are chosen from it by names and by level, and learnt",
        "hint": "add --raw, or drop --gazetteer and --level",
    }
    code, _, err = run("adapt", *files, "--raw", "raw.txt", "--gazetteer", "nowhere")
    assert message_parts(err)["what"] == "there are no lists of names at 'nowhere'"
    code, _, err = run("adapt", *files, "--raw", "raw.txt", "--level", "words")
    assert "selection.level: should be 'domain', 'entity', 'task' or 'integrated', not 'words'" in err


def test_raw_text_as_labelled_file_is_refused(project: Path, run: Run) -> None:
    code, _, err = run("adapt", "--target-train", "raw.txt", "--source", "", "--raw", "train.txt")
    assert code == 2
    assert message_parts(err)["where"].startswith(str(project / "raw.txt"))


def test_with_nothing_to_leave_out_ablate_is_refused(run: Run) -> None:
    code, _, err = run("adapt", "--target-train", "train.txt", "--source", "", "--ablate")
    assert code == 2
    assert message_parts(err)["what"] == (
        "there is nothing to leave out of direct transfer: neither pre-training on raw text nor a source of sequential "
        "or joint transfer"
    )
