"""What a finished run prints: a tagger that finds nothing is pointed out."""

from pathlib import Path

import pytest

from nerbridge.cli.run_summary import print_run
from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.summary import summarize
from nerbridge.pipeline.run import RunResult


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
