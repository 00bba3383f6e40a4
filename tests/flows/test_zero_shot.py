"""`nerbridge adapt --context parameter_generation` without labelled sentences of the target, then the tagger in use."""

import json
import re
from pathlib import Path

import pytest

from nerbridge.cli import main


@pytest.fixture
def project(project_with_text: Path) -> Path:
    return project_with_text


ADAPT = (
    *("adapt", "--context", "parameter_generation", "--source", "news.txt", "--raw", "chess.txt"),
    *("--vectors", "none", "--set", "context.hidden=8", "--set", "training.joint.epochs=2"),
)


SMALL = (
    "note     news: the weights are chosen on 4 dev sentences with 8 entities, fewer than 30, so mostly by chance; "
    "label a dev file, hold out more (--set source.0.holdout=0.3), or train a fixed number of epochs "
    "(--set training.joint.selection=last)"
)


def test_it_says_that_it_is_zero_shot_and_tags(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(ADAPT) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"\d+ words are predicted as themselves; all others, 0.0 % of the running words, as one unk", err)
    assert re.search(
        r"^multi-task: trained \(\d+ steps, dev F1 of news \d+\.\d\d( at step \d+)?\) in ", err, re.MULTILINE
    )
    lines = [line for line in err.splitlines() if not line.startswith("multi-task: ")]
    assert lines == [
        "run      runs/adapt-chess, seed 1",
        "data     news: 36 training, 4 dev sentences; 2 labels: LOC, PER",
        "data     chess: no labelled sentence",
        "note     news: no dev split; 4 of 40 training sentences held out for it (seed 1)",
        SMALL,
        "note     raw text of the target: 6 of 8 sentences stand there before, and are learnt again (`nerbridge corpus "
        "build` leaves repeated text out)",
        "note     raw text of the target: so few sentences teach little of a domain; thousands are usual",
        "plan     1. multi-task: news/tags (36 sentences), news/words (36 sentences), chess/words (8 sentences), "
        "at most 2 epochs (about 4 steps), keeps the weights with the best dev F1",
        "note     chess: its perplexity is not watched: for that 2,000 raw sentences are needed, 200 of which are held "
        "out, and there are 8",
        "note     zero-shot: no labelled sentence of chess is learnt; its text is tagged by the head of news, the "
        "weights are chosen on its 4 dev sentences",
        "no dev or test sentence of the target is labelled: nothing is scored",
        "warning: the tagger finds no entity in 8 raw sentences of the target; it has learnt too little (more epochs, "
        "more labelled sentences of the source, another learning rate), or this text has nothing of these labels",
        "use it   nerbridge predict runs/adapt-chess - <<< 'Your text.'",
    ]
    (project / "text.txt").write_text("Ada sang.\n", encoding="utf-8")
    assert main(("predict", "runs/adapt-chess", "text.txt")) == 0
    out, _ = capsys.readouterr()
    assert json.loads(out)["text"] == "Ada sang."


def test_seeds_without_labelled_sentences_of_the_target_are_not_scored(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main((*ADAPT, "--seeds", "1,2", "--output", "seeds")) == 0
    out, err = capsys.readouterr()
    assert out == ""
    said, *found, use = err.splitlines()[-4:]
    assert said == "no dev or test sentence of the target is labelled: nothing is scored"
    for seed, line in enumerate(found, start=1):
        assert re.match(rf"(found    |warning: )seed {seed}: .+ in 8 raw sentences of the target", line)
    assert use == "use it   nerbridge predict seeds/seed-1 - <<< 'Your text.'"
    assert main(("report", "seeds")) == 2
    assert capsys.readouterr().err == (
        "error: run 'seeds/seed-1' has no scores: no dev or test sentence of its target is labelled\n"
        "  where: seeds/seed-1/scores.json\n"
        "  expected: a run with labelled dev or test sentences\n"
        "  hint: nerbridge evaluate seeds/seed-1 LABELLED_FILE scores it on other sentences\n"
    )


def test_without_any_label_there_is_nothing_to_learn(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tuple("" if part == "news.txt" else part for part in ADAPT)) == 2
    assert capsys.readouterr().err.endswith(
        "error: there is no labelled sentence to learn from, neither of the target nor of a source\n"
        "  where: nerbridge adapt\n"
        "  expected: --source NAME or FILE, for zero-shot, or --target-train\n"
        "  hint: leave --source out to take conll2003, or name labelled sentences of your own\n"
    )


def test_with_language_models_beside_the_tags_nothing_can_be_ablated(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main((*ADAPT, "--target-train", "train.txt", "--ablate")) == 2
    assert capsys.readouterr().err.endswith(
        "error: there is nothing to leave out of multi_task transfer: neither pre-training on raw text nor a source of "
        "sequential or joint transfer\n"
        "  where: --ablate\n"
        "  expected: an adaptation with --raw, --source, or both, and without --context\n"
        "  hint: drop --ablate\n"
    )


def test_with_test_sentences_it_is_scored(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main((*ADAPT, "--target-test", "test.txt", "--output", "scored", "--json")) == 0
    out, err = capsys.readouterr()
    assert re.search(r"\ndata     .+: \d+ test sentences; no label set of its own\n", err)
    result = json.loads(out)
    assert list(result["scores"]) == ["test"]
    assert (project / "scored" / "report.html").exists()


def test_labelled_dev_sentences_of_the_target_are_only_scored(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main((*ADAPT, "--target-dev", "dev.txt", "--output", "scored", "--json")) == 0
    out, err = capsys.readouterr()
    assert re.search(
        r"\nnote     zero-shot: no weights are chosen on the \d+ dev sentences of \w+, only scores come", err
    )
    result = json.loads(out)
    assert list(result["scores"]) == ["dev"]
    stage = result["stages"]["multi-task"]
    assert stage["perplexity news"] > 1  # of the sentences of the source file that are held out
    assert "perplexity of news" in err


def test_labels_of_the_test_sentences_that_no_source_knows_are_counted(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main((*ADAPT, "--target-test", "test.txt", "--output", "scored")) == 0
    _, err = capsys.readouterr()
    found = re.search(
        r"\nnote     (project: no source knows band: \d+ gold entities in test can only be missed)\n", err
    )
    assert found, err
    assert found[1] in json.loads((project / "scored" / "data.json").read_text())["notes"]
    assert found[1] in (project / "scored" / "report.html").read_text()
