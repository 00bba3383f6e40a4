"""Which encoders and which rows of taggers the pre-training bench asks for, and what it skips when it goes on."""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import dapt_bench
import pytest
from crossner_cells import cells as tagger_cells
from crossner_cells import gpus
from dapt_cells import Cell, cells, encoder_lines, tagger_texts

from nerbridge.config.pretraining_loading import pretraining_settings


def asked(runs: Path, **more: object) -> argparse.Namespace:
    default = {
        "runs": runs,
        "domains": ("ai", "music"),
        "levels": ("entity", "integrated"),
        "maskings": ("token", "span"),
        "share": (100,),
        "name_suffix": "",
        "recipes": "sequential-linear",
        "experiments": (),
        "rows": [],
        "on": "integrated-span",
        "curves_of": "ai",
        "pretrained_only": False,
    }
    return argparse.Namespace(**{**default, **more})


def make(runs: Path, *names: str) -> None:
    for name in names:
        (runs / "encoders" / name).mkdir(parents=True)
        (runs / "encoders" / name / "pretraining.json").write_text("{}")


def test_encoders_come_in_the_order_of_what_they_tell() -> None:
    found = [cell.name for cell in cells(asked(Path("runs"), share=(25, 100), domains=("ai",)))]
    assert found == [
        *("ai-integrated-span", "ai-integrated-token", "ai-entity-span", "ai-entity-token"),
        *("ai-integrated-span-share25", "ai-integrated-token-share25", "ai-entity-span-share25"),
        "ai-entity-token-share25",
    ]


def test_budgets_lie_side_by_side_and_shares_have_levels_of_their_own() -> None:
    (cell,) = cells(
        asked(Path("r"), domains=("ai",), levels=("integrated",), maskings=("span",), share=(25,), name_suffix="full")
    )
    assert cell == Cell("ai", "integrated", "span", 25, "full")
    assert cell.encoder(Path("r")) == Path("r/encoders/ai-integrated-span-share25-full")
    assert cell.corpus(Path("r")) == Path("r/levels/ai-share25/integrated")
    assert Cell("ai", "task", "span").corpus(Path("r")) == Path("r/levels/ai/task")


def test_a_row_has_an_encoder_for_each_domain_that_has_one(tmp_path: Path) -> None:
    make(tmp_path, "ai-integrated-span", "music-integrated-span", "ai-entity-span")
    texts = tagger_texts(asked(tmp_path, maskings=("span",)))
    folder = tmp_path / "encoders"
    setting = f"encoder.checkpoint={folder}/{{domain}}"
    assert texts == [
        "none-sequential-linear=sequential-linear@ai,music",
        f"integrated-span-sequential-linear=sequential-linear@ai,music {setting}-integrated-span",
        f"entity-span-sequential-linear=sequential-linear@ai {setting}-entity-span",
    ]
    arguments = argparse.Namespace(recipes=";".join(texts), domains=(), seeds=(1,), set=["x=1"], encoder="mpnet")
    found = {(one.name, one.domain): one.overrides for one in tagger_cells(arguments)}
    assert found["none-sequential-linear", "music"][1:] == ["encoder.checkpoint=mpnet", "seed=1", "x=1"]
    last = found["integrated-span-sequential-linear", "music"][-1]
    assert last == f"encoder.checkpoint={folder}/music-integrated-span"


def test_experiments_and_rows_are_for_chosen_encoders_and_settings_come_last(tmp_path: Path) -> None:
    make(tmp_path, "ai-integrated-span-full")
    rows = ["beam=sequential-label-aware tagger.beam=2;crf=direct-crf"]
    chosen = asked(
        tmp_path,
        on="integrated-span-full",
        experiments=("in-domain", "sizes", "ablations"),
        rows=rows,
        levels=("entity",),
    )
    texts = tagger_texts(chosen)
    names = [text.partition("=")[0] for text in texts]
    assert len(names) == len(set(names))
    assert "none-direct-linear" in names
    by_name = dict(zip(names, texts, strict=True))
    assert by_name["none-direct-linear"].endswith("@ai,music")  # in-domain wants both, the curve ai alone
    assert by_name["none-sequential-linear-10"].split()[0].endswith("@ai")
    assert by_name["integrated-span-full-beam"].endswith("{domain}-integrated-span-full tagger.beam=2")
    assert by_name["integrated-span-full-crf"].startswith("integrated-span-full-crf=direct-crf@ai ")
    assert not any(name.startswith("entity-span") for name in names)


def test_taggers_without_pre_training_can_be_left_to_another_grid(tmp_path: Path) -> None:
    make(tmp_path, "ai-integrated-span")
    texts = tagger_texts(asked(tmp_path, experiments=("in-domain",), pretrained_only=True))
    assert texts
    assert all(text.startswith("integrated-span-") for text in texts)


@pytest.mark.parametrize(
    ("text", "numbers"), [("0", ()), ("1", (0,)), ("4", (0, 1, 2, 3)), ("3,", (3,)), ("2,3", (2, 3))]
)
def test_gpus_are_counted_or_named(text: str, numbers: tuple[int, ...]) -> None:
    assert gpus(text) == numbers


def test_unreadable_lines_of_encoders_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "encoders.jsonl"
    old = {"domain": "ai", "level": "task", "masking": "span", "steps": 4}  # written before there were shares
    path.write_text(json.dumps(old) + '\n[1]\n{"domain": "ai"}\n{"dom')
    assert list(encoder_lines([path, tmp_path / "absent"])) == [(Cell("ai", "task", "span"), old)]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that the bench starts; none is carried out, each prints a result."""
    seen: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        seen.append(command)
        return subprocess.CompletedProcess(command, 0, json.dumps({"steps": 4}), "")

    monkeypatch.setattr(dapt_bench.subprocess, "run", run)
    return seen


def start(monkeypatch: pytest.MonkeyPatch, runs: Path, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["dapt_bench.py", str(runs), *words])
    return dapt_bench.main()


def test_a_finished_encoder_is_not_begun_again_and_has_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    pretrain = ("pretrain", "--levels", "integrated", "--devices", "0", "--set", "max_steps=4")
    assert start(monkeypatch, tmp_path, *pretrain) == 0
    assert [command[command.index("--output") + 1][-10:] for command in commands] == ["rated-span", "ated-token"]
    sets = [word for command in commands[:1] for word in command if "=" in word]
    assert sets[-2:] == ["masking=span", "max_steps=4"]  # the later one of two settings of a key counts
    make(tmp_path, "ai-integrated-span")
    with (tmp_path / "encoders.jsonl").open("a") as file:
        file.write('{"half')
    assert start(monkeypatch, tmp_path, *pretrain) == 0
    assert [command[command.index("--output") + 1][-10:] for command in commands[2:]] == ["ated-token"]
    assert (tmp_path / "encoders.jsonl").read_text().count('"ai"') == 3
    assert start(monkeypatch, tmp_path, *pretrain, "--stop-after", "-1") == 1
    assert len(commands) == 3


def test_a_finished_encoder_of_other_settings_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    pretrain = ("pretrain", "--levels", "integrated", "--maskings", "span", "--devices", "0", "--encoder", "/x/mpnet")
    assert start(monkeypatch, tmp_path, *pretrain) == 0
    make(tmp_path, "ai-integrated-span")
    settings = pretraining_settings(["masking=span", *dapt_bench.BUDGET]).model_dump(mode="json")
    made = {"settings": {**settings, "checkpoint_seconds": 7}, "encoder": "/x/mpnet"}
    (tmp_path / "encoders" / "ai-integrated-span" / "pretraining.json").write_text(json.dumps(made))
    assert start(monkeypatch, tmp_path, *pretrain) == 0
    other = (*pretrain[:-1], "minilm", "--set", "max_steps=4")
    with pytest.raises(SystemExit) as ended:
        start(monkeypatch, tmp_path, *other)
    assert str(ended.value) == (
        "error: 1 finished encoder was made otherwise than asked for now\n"
        "    ai-integrated-span: encoder was /x/mpnet, now minilm; max_steps was 1000, now 4\n"
        f"  where: {tmp_path / 'encoders'}\n"
        "  expected: encoders with the settings and the encoder that are asked for\n"
        "  hint: give the new ones another name (--name-suffix), or take these as they are: --accept-other-settings"
    )
    assert start(monkeypatch, tmp_path, *other, "--accept-other-settings") == 0
    assert len(commands) == 1


def test_every_share_has_its_levels_and_what_is_there_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    (tmp_path / "levels" / "ai" / "integrated").mkdir(parents=True)
    (tmp_path / "levels" / "ai" / "integrated" / "manifest.json").write_text("{}")
    start(monkeypatch, tmp_path, "prepare", "--share", "25,100", "--levels", "integrated", "--text-root", str(tmp_path))
    assert [command[3:5] for command in commands] == [["corpus", "build"], ["corpus", "select"]]
    select = commands[1]
    assert select[select.index("--output") + 1] == str(tmp_path / "levels" / "ai-share25")
    assert select[select.index("--share") + 1 :] == ["0.25", "--levels", "integrated"]


def test_taggers_are_handed_to_the_other_bench(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commands: list[list[str]]
) -> None:
    make(tmp_path, "ai-integrated-span")
    start(monkeypatch, tmp_path, "taggers", "--levels", "integrated", "--devices", "2", "--encoder", "mpnet")
    (command,) = commands
    assert command[1].endswith("crossner_bench.py")
    assert command[2] == str(tmp_path / "taggers")
    assert command[command.index("--recipes") + 1].count(";") == 3
    assert command[command.index("--devices") + 1] == "0,1,"
    assert command[-2:] == ["--set", "training.precision=bf16"]
