"""`nerbridge compare` and `nerbridge report` on small run folders: whole outputs and whole errors."""

import json
from pathlib import Path

import pytest

from nerbridge.cli import main
from nerbridge.data.sentence import Span
from nerbridge.evaluation.predictions import Prediction, write_predictions

PERSON, CITY = Span(0, 1, "person"), Span(2, 3, "city")


def write_run(folder: Path, *answers: tuple[Span, ...]) -> None:
    """A run folder whose test sentences all have a person and a city in gold."""
    gold = (PERSON, CITY)
    predictions = [
        Prediction(("Ada", "in", "Oslo\x1b[2J"), gold, answer, origin=f"test.txt:{4 * number + 1}")
        for number, answer in enumerate(answers)
    ]
    write_predictions(folder / "predictions" / "test.jsonl", predictions)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for seed in (1, 2):
        write_run(Path(f"a/seed-{seed}"), (PERSON,), (PERSON, CITY))
        write_run(Path(f"b/seed-{seed}"), (PERSON, CITY), (PERSON, CITY))
    write_run(Path("single"), (PERSON,), (PERSON, CITY))
    return tmp_path


def test_compare(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "a", "b", "--sample", "1", "--rounds", "100", "--html", "page.html"]) == 0
    output = capsys.readouterr()
    p_value = output.out.split("p = ")[1].split(",")[0]
    assert float(p_value) > 0.3  # two sentences that differ alike: at best one swap in four
    assert output.out.replace(p_value, "P") == (
        "run      F1  deviation  95 % interval\n"
        "a     85.71       0.00  66.67 to 100.00\n"
        "b    100.00       0.00  100.00 to 100.00\n"
        "difference (second - first) +14.29, 95 % interval +0.00 to +33.33\n"
        "p = P, two-sided, 100 rounds of paired approximate randomisation over 2 sentences in 2 pairs "
        "(seed-1, seed-2), conlleval reading\n"
        "2 answers differ; the 1 farthest apart:\n"
        "\n"
        "test.txt:1 seed-1\n"
        "Ada in Oslo\\x1b[2J\n"
        "  only first:  -\n"
        "  only second: Oslo\\x1b[2J [city] right\n"
    )
    assert output.err == "wrote page.html\n"
    assert "b against a" in (runs / "page.html").read_text(encoding="utf-8")


def test_compare_as_json(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "single", "a/seed-1", "--json", "--strict"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["difference"], content["p_value"], content["differing"]) == (0.0, 1.0, [])
    assert content["reading"] == "strict"


def test_compare_names_runs_without_a_partner(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(Path("b/seed-7"), (PERSON,), (PERSON,))
    assert main(["compare", "a", "b", "--json"]) == 0
    assert capsys.readouterr().err == "warning: runs without a partner are left out: seed-7\n"


def test_compare_refuses_other_data(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(Path("other"), (PERSON,))
    assert main(["compare", "single", "other"]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == (
        "error: the runs were scored on different data: 2 sentences against 1\n"
        "  where: single: test.txt:5; other: no such sentence\n"
        "  expected: the same sentences in the same order with the same gold spans\n"
        "  hint: evaluate both runs on the same file and split, then compare again\n"
    )


def test_compare_refuses_what_is_no_run(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "a", "nowhere"]) == 2
    assert capsys.readouterr().err == (
        "error: there is no run folder 'nowhere'\n"
        "  where: nowhere\n"
        "  expected: a folder that `nerbridge train` or `nerbridge adapt` wrote\n"
        "  hint: name the folder that the training run printed at its end\n"
    )


def test_report(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "a"]) == 0
    assert capsys.readouterr().out == "a/report.html\n"
    assert "mean ± standard deviation of 2 runs" in (runs / "a" / "report.html").read_text(encoding="utf-8")


def test_report_of_a_missing_split(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "single", "--split", "dev"]) == 2
    assert capsys.readouterr().err == (
        "error: run 'single' has no predictions of split 'dev'\n"
        "  where: single/predictions/dev.jsonl\n"
        "  expected: one of its splits: test\n"
        "  hint: name another split with --split, or run the training command again: it restores what is missing\n"
    )
