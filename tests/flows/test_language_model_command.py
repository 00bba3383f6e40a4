"""From raw text by way of a language model to tags: `pretrain --model`, `train`, `predict`."""

import json
import re
import shutil
from pathlib import Path

import pytest
import torch

from nerbridge.cli import main
from nerbridge.data.fingerprint import file_sha256
from tiny_project import write_project, write_recipe_file

SETS = ("hidden=8", "batch_rows=4", "max_steps=4", "evaluate_every=2", "held_out_words=60")
SMALL = [part for setting in SETS for part in ("--set", setting)]
PARTS = [
    {"kind": "word_char", "vectors": "none", "word_width": 8, "characters": "none"},
    {"kind": "language_model", "checkpoint": "unknown"},
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, now the current folder, with raw text and a recipe over a language model beside word vectors."""
    folder = write_project(tmp_path / "project")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(folder / "cache"))
    torch.set_num_threads(1)
    words = [line.split("\t")[0] for line in (folder / "news.txt").read_text().splitlines() if line]
    lines = [" ".join(words[start : start + 12]) for start in range(0, len(words), 12)]
    (folder / "raw.txt").write_text("\n".join(lines * 2) + "\n")
    encoder = {"kind": "concatenated", "parts": PARTS}
    write_recipe_file(folder, encoder=encoder, context={"kind": "bilstm", "hidden": 8}, tagger={"kind": "crf"})
    return folder


@pytest.mark.parametrize("model", ["elmo", "flair"])
def test_raw_text_becomes_a_language_model_and_a_tagger_over_it(
    project: Path, capsys: pytest.CaptureFixture[str], model: str
) -> None:
    command = ["pretrain", "news=raw.txt", "--model", model, "--output", "lm", *SMALL]
    assert main(command) == 0
    out, err = capsys.readouterr()
    number, unit = r"[\d,.]+", "words" if model == "elmo" else "characters"
    rows = rf"(   [024] +{number} +{number}\n)" + "{3}"
    assert re.fullmatch(rf"step  perplexity of {unit}, forward  backward\n{rows}", out), out
    patterns = [
        rf"text     {number} documents of news, {number} words \({number} distinct\)",
        rf"learns   from {number} documents, {number} words in {number} rows",
        rf"held out {number} documents?",
        rf"note     not learnt from: {number} documents? that repeats? held-out text, .* words in a row .*",
        rf"predicts {number} {unit} both ways; {number} % of the text's {unit} are not among them",
        rf"model    {model}, vectors 16 wide, {number} parameters",
        rf"steps    4 of at most {number} {unit} \({number} epochs, {number} % padding\)",
        rf"time     about \d+:\d\d: learning \d+:\d\d \({number} words, {number} per second on cpu\), "
        r"held-out text \d+:\d\d",
        *[rf"pre-training: perplexity after step {n}: {number} forward, {number} backward" for n in (0, 2, 4)],
        "language model  lm",
        r"use it          nerbridge adapt --encoder lm \.\.\.",
    ]
    lines = err.splitlines()
    assert len(lines) == len(patterns), err
    for line, pattern in zip(lines, patterns, strict=True):
        assert re.fullmatch(pattern, line), line
    assert main(command) == 0
    again = capsys.readouterr()
    assert (again.out, again.err.splitlines()[0]) == (out, "already pre-trained: lm")

    assert main(["train", "recipe.toml", "--output", "run", "--set", "encoder.parts.1.checkpoint=lm"]) == 0
    err = capsys.readouterr().err
    assert f"language model '{project / 'lm'}': {model}, 16 wide, stays as it is" in err
    shutil.rmtree("lm")
    (project / "text.txt").write_text("ada lovelace wrote to london\n")
    assert main(["predict", "run", "text.txt"]) == 0
    document = json.loads(capsys.readouterr().out.splitlines()[0])
    assert document["text"].startswith("ada lovelace")


def test_json_is_the_result_and_a_dry_run_makes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["pretrain", "raw.txt", "--model", "elmo", "--output", "lm", "--json", *SMALL]
    assert main([*command, "--dry-run"]) == 0
    found = capsys.readouterr()
    assert set(json.loads(found.out)) == {"seconds", "words", "words_per_second"}
    assert not (project / "lm").exists()
    assert main(command) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["folder"], result["model"], result["steps"]) == ("lm", "elmo", 4)
    assert {"step", "forward", "backward"} == result["evaluations"][0].keys()
    assert json.loads((project / "lm" / "pretraining.json").read_text())["result"] == result


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--model", "elmo", "--set", "masking=token", "--set", "hidden=0"],
            "error: 2 settings cannot be used:\n"
            "    hidden: should be greater than or equal to 1, not 0\n"
            "    masking: there is no such key\n"
            "  where: --set\n"
            "  expected: the keys and values listed in docs/language-models.md\n"
            "  hint: correct them: --set max_steps=500\n",
        ),
        (
            ["--model", "flair", "--encoder", "minilm"],
            "error: --encoder minilm has no effect: flair starts from nothing\n"
            "  where: --encoder\n"
            "  expected: no encoder, or --model masked\n"
            "  hint: leave out --encoder, or --model flair\n",
        ),
    ],
)
def test_faults_are_one_message(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["pretrain", "raw.txt", "--output", "lm", *arguments]) == 2
    assert capsys.readouterr() == ("", message)
    assert not (project / "lm").exists()


def test_a_recipe_without_its_language_model_says_how_to_get_one(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "recipe.toml", "--output", "run"]) == 2
    assert capsys.readouterr().err.endswith(
        "error: 'unknown' is no language model: there is no such folder\n"
        "  where: unknown\n"
        "  expected: a folder with config.json, vocabulary.json and model.safetensors, as `nerbridge pretrain --model "
        "elmo` writes it\n"
        "  hint: train one: nerbridge pretrain TEXT --model elmo --output FOLDER; then encoder.checkpoint=FOLDER\n"
    )


def _flip_a_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def test_files_that_are_not_what_was_pretrained_are_refused_before_the_data_are_read(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pretrain", "raw.txt", "--model", "elmo", "--output", "lm", *SMALL]) == 0
    train = ["train", "recipe.toml", "--output", "run", "--set", "encoder.parts.1.checkpoint=lm"]
    (project / "train.txt").write_text("no tags\n")
    for name in ("model.safetensors", "vocabulary.json"):
        whole = (project / "lm" / name).read_bytes()
        written = json.loads((project / "lm" / "pretraining.json").read_text())["files"][name]
        _flip_a_byte(project / "lm" / name)
        capsys.readouterr()
        assert main(train) == 2
        assert capsys.readouterr().err.endswith(
            f"error: {name} has SHA-256 {file_sha256(project / 'lm' / name)}\n"
            f"  where: {project / 'lm' / name}\n"
            f"  expected: SHA-256 {written}, as pretraining.json says\n"
            "  hint: copy the folder again from where it was made, or pre-train again; if you changed it yourself, "
            "remove pretraining.json\n"
        )
        (project / "lm" / name).write_bytes(whole)
    assert not (project / "run").exists()


@pytest.mark.parametrize(
    ("content", "state"), [(None, "is not there"), ("{", "cannot be read"), ("{}", "cannot be read")]
)
def test_a_language_model_that_does_not_tell_its_files_is_taken_with_a_note(
    project: Path, capsys: pytest.CaptureFixture[str], content: str | None, state: str
) -> None:
    assert main(["pretrain", "raw.txt", "--model", "elmo", "--output", "lm", *SMALL]) == 0
    (project / "lm" / "pretraining.json").unlink()
    if content is not None:
        (project / "lm" / "pretraining.json").write_text(content)
    assert main(["train", "recipe.toml", "--output", "run", "--set", "encoder.parts.1.checkpoint=lm"]) == 0
    note = f"'{project / 'lm'}' is taken as it is: its pretraining.json, which tells what its files should be, {state}"
    assert capsys.readouterr().err.count(f"note     {note}\n") == 1


def test_a_language_model_that_has_learnt_nothing_says_so(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    warning = (
        "warning  it predicts held-out text worse than guessing would, so that it has learnt nothing: lower "
        "learning_rate, or set clip_norm\n"
    )
    assert main(["pretrain", "raw.txt", "--model", "flair", "--output", "lm", *SMALL]) == 0
    assert warning not in capsys.readouterr().err
    assert (
        main(["pretrain", "raw.txt", "--model", "flair", "--output", "far", *SMALL, "--set", "learning_rate=1e6"]) == 0
    )
    assert warning in capsys.readouterr().err
