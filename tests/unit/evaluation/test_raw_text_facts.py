"""What raw_text.json says becomes rows of the report, as far as it is there, and is escaped."""

import json
from pathlib import Path
from typing import Any

import pytest

from nerbridge.data.sentence import Span
from nerbridge.errors import BundleError
from nerbridge.evaluation.predictions import Prediction, write_predictions
from nerbridge.evaluation.raw_text_facts import raw_text_rows
from nerbridge.evaluation.run_report import write_run_report

EVIL = "<script>x</script>"
PRETRAINING: dict[str, Any] = {
    "steps": 1000,
    "head_steps": 150,
    "pieces": 12345,
    "masking": "span",
    "precision": "bf16",
    "evaluations": [
        {"step": 0, "token": 2000.0, "span": 3000.0},
        {"step": 150, "token": 90.5, "span": 100.5},
        {"step": 1150, "token": 9.0, "span": 14.25},
    ],
}
KEPT = {"documents": 60, "paragraphs": 70, "sentences": 1, "words": 1200}


def record(**changes: Any) -> dict[str, Any]:
    return {
        "corpus": {
            "files": ["papers", EVIL],
            "num_files": 3,
            "counts": {"kept": KEPT},
            "left_out": {"paragraphs with too few words": 1, "documents without text": 1234},
        },
        "names": {"from": ["lists"], "number": 1204, "labels": {"band": 4, "person": 1200}},
        "level": {"name": "integrated", "documents": 5, "sentences": 140, "words": 2824},
        "pretraining": PRETRAINING,
        **changes,
    }


def test_every_step_has_its_row() -> None:
    assert raw_text_rows(record()) == [
        ("files", f"3, of papers, {EVIL}"),
        ("kept", "60 documents, 1 sentence, 1,200 words"),
        ("left out", "1,234 documents without text, 1 paragraph with too few words"),
        ("names", "1,204, of lists; 1,200 person, 4 band"),
        ("level", "integrated: 140 sentences, 2,824 words, copies counted"),
        ("pre-training", "1,000 steps, and 150 steps of a new head alone before; 12,345 pieces"),
        ("masking", "span"),
        ("precision", "bf16"),
        ("held-out perplexity, token masks", "2,000.00 before, 90.50 once the new head had learnt, 9.00 after"),
        ("held-out perplexity, span masks", "3,000.00 before, 100.50 once the new head had learnt, 14.25 after"),
    ]


def test_a_head_of_the_checkpoint_needs_no_steps_alone() -> None:
    evaluations = [PRETRAINING["evaluations"][0], PRETRAINING["evaluations"][-1]]
    rows = dict(raw_text_rows(record(pretraining={**PRETRAINING, "head_steps": 0, "evaluations": evaluations})))
    assert rows["pre-training"] == "1,000 steps; 12,345 pieces"
    assert rows["held-out perplexity, span masks"] == "3,000.00 before, 14.25 after"


def test_what_was_not_done_is_said_with_its_reason() -> None:
    rows = dict(raw_text_rows(record(pretraining=None, reason="798 words are too few")))
    assert rows["pre-training"] == "none: 798 words are too few"
    assert "masking" not in rows
    rows = dict(raw_text_rows(record(pretraining={**PRETRAINING, "evaluations": []})))
    assert rows["held-out perplexity"] == "not known: no text was held out"


def test_records_of_earlier_versions_have_fewer_rows() -> None:
    old = record(corpus={"folder": "cache", "counts": {"kept": KEPT}}, pretraining=None)
    del old["names"]
    assert raw_text_rows(old) == [
        ("kept", "60 documents, 1 sentence, 1,200 words"),
        ("level", "integrated: 140 sentences, 2,824 words, copies counted"),
        ("pre-training", "none: too few words to pre-train on"),
    ]
    assert raw_text_rows({}) == []


@pytest.fixture
def run(tmp_path: Path) -> Path:
    write_predictions(tmp_path / "predictions" / "test.jsonl", [Prediction(("Ada",), (Span(0, 1, "person"),), ())])
    return tmp_path


def test_the_report_shows_it_escaped_and_only_where_there_is_some(run: Path) -> None:
    assert "Raw text" not in write_run_report(run).read_text(encoding="utf-8")
    (run / "raw_text.json").write_text(json.dumps(record()), encoding="utf-8")
    page = write_run_report(run).read_text(encoding="utf-8")
    assert "<summary>Raw text</summary>" in page
    assert "3, of papers, &lt;script&gt;x&lt;/script&gt;" in page
    assert EVIL not in page


@pytest.mark.parametrize("content", ["[]", '{"corpus": 1}', '{"corpus": {}}'])
def test_a_damaged_record_is_named(run: Path, content: str) -> None:
    (run / "raw_text.json").write_text(content, encoding="utf-8")
    with pytest.raises(BundleError, match=r"'raw_text.json' of the run is damaged"):
        write_run_report(run)
