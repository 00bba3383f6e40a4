"""What a finished run prints: a tagger that finds nothing is pointed out, and what was watched is told."""

from pathlib import Path

import pytest

from nerbridge.cli.run_summary import print_run, print_seeds, run_json
from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.summary import summarize
from nerbridge.pipeline.run import RunResult
from nerbridge.pipeline.seeds import SeedsResult
from nerbridge.pipeline.unscored import FoundEntities
from nerbridge.training.evaluation import FitResult


@pytest.mark.parametrize(("predicted", "said"), [((), True), ((Span(1, 2, "person"),), False)])
def test_a_tagger_that_finds_no_entity_is_pointed_out(
    predicted: tuple[Span, ...], said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = Prediction(("ada", "sang"), (Span(0, 1, "person"),), predicted)
    print_run(RunResult(Path("run"), 1, {}, {"test": summarize([answer])}, {}), as_json=False)
    note = (
        "test: the tagger finds no entity, of 1 in the gold labels; try more epochs, more labelled sentences or "
        "another learning rate\n"
    )
    assert (note in capsys.readouterr().err) is said


def test_perplexities_and_other_domains_are_told_for_each_stage(capsys: pytest.CaptureFixture[str]) -> None:
    watched = {"perplexity news": 1234.56, "perplexity tech": 80.0, "f1 news": 0.5, "discriminator_accuracy": 0.75}
    facts = {"round-0": {"parameters": {"all": 3}}, "multi-task": watched}
    stage = FitResult(0.5, 0.5, 7, 9, 1.0, 2.0, 100.0, "epochs")
    result = RunResult(Path("run"), 1, {"multi-task": stage}, {}, facts)
    print_run(result, as_json=False)
    said = (
        "multi-task: perplexity of news 1,234.6, perplexity of tech 80.0, dev F1 of news 50.00, "
        "discriminator accuracy 75.00 (at 50.00 it tells no domain from another: they look alike to it, or it has "
        "learnt nothing yet)\n"
    )
    assert capsys.readouterr().err.startswith(said)
    assert watched.items() <= run_json(result)["stages"]["multi-task"].items()


def test_a_run_without_scores_tells_what_its_tagger_finds(capsys: pytest.CaptureFixture[str]) -> None:
    found = FoundEntities(200, {"PER": 1200, "LOC": 1}, {"PER": ("Ada", "Bob Roy ,"), "LOC": ("Rome",)})
    result = RunResult(Path("run"), 1, {}, {}, {}, found)
    print_run(result, as_json=False)
    assert capsys.readouterr().err.splitlines() == [
        "no dev or test sentence of the target is labelled: nothing is scored",
        "found    1,201 entities in 200 raw sentences of the target: PER 1,200 (such as 'Ada', 'Bob Roy ,'), LOC 1 "
        "(such as 'Rome')",
        "use it   nerbridge predict run - <<< 'Your text.'",
    ]
    assert run_json(result)["found"] == {
        "raw_sentences": 200,
        "entities": {"PER": 1200, "LOC": 1},
        "examples": {"PER": ["Ada", "Bob Roy ,"], "LOC": ["Rome"]},
    }


def test_a_tagger_that_finds_nothing_in_raw_text_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    print_run(RunResult(Path("run"), 1, {}, {}, {}, FoundEntities(1, {}, {})), as_json=False)
    assert capsys.readouterr().err.splitlines()[1] == (
        "warning: the tagger finds no entity in 1 raw sentence of the target; it has learnt too little (more epochs, "
        "more labelled sentences of the source, another learning rate), or this text has nothing of these labels"
    )


@pytest.mark.parametrize(("f1", "said"), [(0.0, True), (0.0999, True), (0.1, False), (None, False)])
@pytest.mark.parametrize("found", [None, FoundEntities(1, {"PER": 1}, {"PER": ("Ada",)})])
def test_a_tagger_that_has_hardly_learnt_its_labels_is_warned_of(
    found: FoundEntities | None, f1: float | None, said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    stages = {"round-0": _stage(0.9), "round-1": _stage(f1)}
    print_run(RunResult(Path("run"), 1, stages, {}, {}, found), as_json=False)
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning")]
    assert lines == ([_HARDLY_LEARNT.format(100 * (f1 or 0.0))] if said else [])


_HARDLY_LEARNT = (
    "warning: the tagger has hardly learnt its labels (dev F1 of the source {:.2f}): train longer (more epochs), or on "
    "more labelled sentences of the source, before you use what it finds"
)


def _stage(f1: float | None) -> FitResult:
    return FitResult(f1, 0.9, 7, 9, 1.0, 2.0, 100.0, "epochs")


def test_the_warning_names_the_seed_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [RunResult(Path(f"run/{seed}"), seed, {"multi-task": _stage(f1)}, {}) for seed, f1 in ((1, 0.02), (2, 0.9))]
    print_seeds(SeedsResult(Path("run"), tuple(runs), {}), as_json=False)
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning")]
    assert lines == [_HARDLY_LEARNT.format(2.0).replace("the tagger", "seed 1: the tagger")]


def test_a_tagger_that_finds_nothing_is_warned_of_once(capsys: pytest.CaptureFixture[str]) -> None:
    result = RunResult(Path("run"), 1, {"multi-task": _stage(0.0)}, {}, {}, FoundEntities(1, {}, {}))
    print_run(result, as_json=False)
    assert capsys.readouterr().err.count("warning") == 1
