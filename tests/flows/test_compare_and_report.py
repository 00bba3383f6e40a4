"""`nerbridge compare` and `nerbridge report` on small run folders: whole outputs and whole errors."""

import json
import re
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


@pytest.mark.parametrize(
    ("place", "shown"),
    [
        (0, "w0 w1 w2 [...] w58 w59 ..."),
        (49, "w0 w1 w2 [...] w58 w59 ..."),
        (50, "... w40 w41 w42 [...] w98 w99"),
        (99, "... w40 w41 w42 [...] w98 w99"),
    ],
)
def test_of_a_long_sentence_the_words_around_the_difference_are_shown(
    place: int, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words, there = tuple(f"w{number}" for number in range(100)), Span(place, place + 1, "city")
    for name, answer in (("a", ()), ("b", (there,))):
        predictions = [Prediction(words, (there,), answer, origin="test.txt:1")]
        write_predictions(Path(name) / "predictions" / "test.jsonl", predictions)
    assert main(["compare", "a", "b", "--rounds", "100"]) == 0
    line = capsys.readouterr().out.splitlines()[-3]
    head, tail = shown.split(" [...] ")
    assert line.startswith(f"{head} ")
    assert line.endswith(f" {tail}")
    assert line.count("w") == 60


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
        "\n"
        "label    first  second  difference  95 % interval   gold\n"
        "city     66.67  100.00  +33.33      too few to say     2\n"
        "person  100.00  100.00  +0.00       too few to say     2\n"
        "\n"
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
        "  hint: `nerbridge evaluate RUN FILE --output FOLDER` for each run on one file, then compare the folders\n"
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


def test_a_split_that_no_run_predicts_is_for_evaluate(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "single", "--split", "train"]) == 2
    assert capsys.readouterr().err.endswith(
        "  expected: one of its splits: test\n"
        "  hint: a run predicts dev and test alone; nerbridge evaluate single FILE scores it on other sentences\n"
    )


def test_three_runs_are_compared_pair_by_pair(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(Path("c/seed-1"), (PERSON, CITY), (PERSON,))
    write_run(Path("c/seed-2"), (), ())
    assert main(["compare", "a", "b", "c", "--rounds", "100"]) == 0
    output = capsys.readouterr()
    first, pairs, method = output.out.split("\n\n")[0], *output.out.split("\n\n")[1].rsplit("\n", 2)[:2]
    assert first.splitlines()[1:] == [
        "a     85.71       0.00  66.67 to 100.00",
        "b    100.00       0.00  100.00 to 100.00",
        "c     42.86      60.61  33.33 to 50.00",
    ]
    rows = [re.split(r"\s{2,}", line) for line in pairs.splitlines()]
    assert rows[0] == ["first", "second", "pairs", "second - first", "95 % interval", "p", "p (Holm)"]
    assert [row[:4] for row in rows[1:]] == [
        ["a", "b", "2", "+14.29"],
        ["a", "c", "2", "-42.86"],
        ["b", "c", "2", "-57.14"],
    ]
    assert all(float(row[5]) <= float(row[6]) <= 1 for row in rows[1:])
    assert method == (
        "p: two-sided, 100 rounds of paired approximate randomisation over 2 sentences, "
        "conlleval reading; p (Holm) is corrected for 3 comparisons"
    )
    assert output.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["a"],
            "error: 'a' is compared with nothing\n"
            "  where: the command line of `nerbridge compare`\n"
            "  expected: two run folders or more\n"
            "  hint: nerbridge compare 'a' OTHER_RUN\n",
        ),
        (
            ["a", "b", "a"],
            "error: 'a' is named twice\n"
            "  where: the command line of `nerbridge compare`\n"
            "  expected: different run folders\n"
            "  hint: name every run once\n",
        ),
        (
            ["a", "b", "single", "--html", "page.html"],
            "error: a page shows two runs, not 3\n"
            "  where: --html\n"
            "  expected: two run folders\n"
            "  hint: name the two that matter, or drop --html\n",
        ),
    ],
)
def test_compare_refuses_what_makes_no_comparison(
    runs: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["compare", *arguments]) == 2
    assert capsys.readouterr() == ("", message)
    assert not (runs / "page.html").exists()


@pytest.mark.parametrize("command", [["compare", ".", "a"], ["report", "."], ["evaluate", ".", "data.txt"]])
def test_a_folder_above_runs_is_answered_by_their_names(
    runs: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    Path("data.txt").write_text("Ada\tB-person\n", encoding="utf-8")
    assert main(command) == 2
    assert capsys.readouterr() == (
        "",
        "error: '.' is no run folder, but lies above some\n"
        "  where: .\n"
        "  expected: one of the runs inside: 'a', 'b', 'single'\n"
        "  hint: name one of them; `nerbridge compare` takes two or more\n",
    )


def test_the_report_of_dev_has_a_file_of_its_own(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in (1, 2):
        path = Path(f"a/seed-{seed}/predictions")
        (path / "dev.jsonl").write_bytes((path / "test.jsonl").read_bytes())
    assert main(["report", "a"]) == 0
    assert main(["report", "a", "--split", "dev"]) == 0
    assert capsys.readouterr().out == "a/report.html\na/report-dev.html\n"
    assert "split test" in (runs / "a" / "report.html").read_text(encoding="utf-8")
    assert "split dev" in (runs / "a" / "report-dev.html").read_text(encoding="utf-8")


def test_predictions_that_do_not_fit_the_scores_of_their_run_are_refused(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scores = Path("single/scores.json")
    scores.write_text('{"test": {"f1": 0.5}}', encoding="utf-8")
    refused = (
        "error: the predictions of split 'test' give F1 85.7143; 'scores.json' of the run says 50\n"
        "  where: single/predictions/test.jsonl\n"
        "  expected: those whose scores single/scores.json holds\n"
        "  hint: give the `nerbridge evaluate` that wrote the folder again: it replaces both\n"
    )
    for command in (["report", "single"], ["compare", "single", "a/seed-1"]):
        assert main(command) == 2
        assert capsys.readouterr() == ("", refused)
    assert not Path("single/report.html").exists()
