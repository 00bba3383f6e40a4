"""Tables and figures of pre-trained encoders from made-up lines: what stands beside what, and what is counted."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import dapt_tables
import pytest
from dapt_grid import EXPERIMENTS, recipe
from dapt_published import published_for

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.scoring import score

GOLD = (Span(0, 1, "person"), Span(1, 2, "field"))
TAGGERS = {row.name: row for several in EXPERIMENTS.values() for row in several} | {
    "joint-linear": recipe("joint-linear")
}


class Runs:
    """A folder of encoders and taggers. Of ten sentences so many are answered right, the others hold nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "taggers").mkdir(parents=True)

    def encoder(self, domain: str, level: str, masking: str, **more: object) -> None:
        looks = {0: 999.0, 150: 8.0, 1150: 4.0}  # a new head learns alone for 150 steps
        evaluations = [{"step": step, "token": token, "span": 9.0} for step, token in looks.items()]
        line = {
            "domain": domain,
            "level": level,
            "masking": masking,
            "share": 100,
            "suffix": "",
            "steps": 1000,
            "head_steps": 150,
        }
        line |= {"epochs": 1.5, "pieces": 16e6, "pieces_per_second": 54321.4, "waiting_share": 0.012}
        line |= {"seconds": 200.0, "wall_seconds": 222.2, "evaluations": evaluations}
        with (self.folder / "encoders.jsonl").open("a") as file:
            file.write(json.dumps({**line, **more}) + "\n")

    def tagger(self, kind: str, name: str, right: int, *, domain: str = "ai", seeds: tuple[int, ...] = (1, 2)) -> None:
        tagger = TAGGERS[name]
        for seed in seeds:
            place = self.folder / "taggers" / f"{kind}-{name}" / domain / f"seed-{seed}"
            predictions = [Prediction(("Ada", "logic"), GOLD, GOLD if n < right + seed else ()) for n in range(10)]
            scores = {}
            for split in ("dev", "test"):
                write_predictions(predictions_path(place, split), predictions)
                scores[split] = {"f1": score(predictions).f1}
            line = {"row": f"{kind}-{name}", "recipe": tagger.recipe, "domain": domain, "seed": seed}
            line["stages"] = {"target": {"seconds": 60.0}}
            line["settings"] = ["encoder.checkpoint=elsewhere", *tagger.settings]
            with (self.folder / "taggers" / "cells.jsonl").open("a") as file:
                file.write(json.dumps({**line, **scores}) + "\n")


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path / "runs")


@pytest.fixture
def page(runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Runs the script with two planned seeds; returns the page."""

    def run(*arguments: str) -> str:
        command = ["tables", str(runs.folder), "--name", "tiny", "--seeds", "1,2", "--rounds", "100"]
        monkeypatch.setattr(sys, "argv", [*command, "--output", str(tmp_path / "results"), *arguments])
        dapt_tables.main()
        return (tmp_path / "results" / "dapt-tiny.md").read_text(encoding="utf-8")

    return run


def f1(right: int) -> float:
    return 100 * 2 * right / (10 + right)


def test_levels_stand_beside_the_paper_s_and_against_none(runs: Runs, page: Callable[..., str]) -> None:
    runs.encoder("ai", "integrated", "span")
    runs.encoder("ai", "entity", "token")
    runs.tagger("none", "sequential-linear", 4)
    runs.tagger("integrated-span", "sequential-linear", 6)
    runs.tagger("entity-token", "sequential-linear", 5, seeds=(2,))
    text = page()
    average = (f1(7) + f1(8)) / 2
    gain = average - (f1(5) + f1(6)) / 2
    assert "| *paper: without pre-training* | 58.88 | 58.88 |" in text
    assert "| *paper: span, integrated* | 62.56 | 62.56 |" in text
    assert f"| span, integrated | {average:.2f} | {average:.2f} | 4.62 | {average:.2f} | {gain:+.2f} |" in text
    assert f"| token, entity | {f1(7):.2f} | {f1(7):.2f} | - | {f1(7):.2f} | {f1(7) - f1(6):+.2f} |" in text
    assert "\n\n5 of 6 cells." in text
    assert "## Background" not in text  # its linear rows are here already, its own are missing


def gains(text: str) -> list[list[str]]:
    """The lines of the table of gains."""
    lines = text.partition("## What pre-training adds")[2].partition("## ")[0].splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")][2:]


def test_the_gain_of_both_taggers_is_tested_together(runs: Runs, page: Callable[..., str]) -> None:
    runs.encoder("ai", "integrated", "span")
    for kind, right in (("none", 4), ("integrated-span", 6)):
        runs.tagger(kind, "sequential-linear", right)
        runs.tagger(kind, "sequential-label-aware", right - 1, seeds=(1,))
    linear = (f1(7) + f1(8) - f1(5) - f1(6)) / 2
    ours = f1(6) - f1(4)
    (cells,) = gains(page())
    assert cells[:2] == ["span, integrated", "ai"]
    assert (cells[2], cells[4]) == (f"{linear:+.2f}", "2")
    assert (cells[5], cells[7]) == (f"{ours:+.2f}", "1")
    assert (cells[8], cells[10]) == (f"{(2 * linear + ours) / 3:+.2f}", "3")
    assert 0 < float(cells[9]) <= 1


def test_gains_are_told_over_all_domains_and_in_each(runs: Runs, page: Callable[..., str]) -> None:
    for domain in ("ai", "music"):
        runs.encoder(domain, "integrated", "span")
        runs.tagger("none", "sequential-linear", 4, domain=domain)
        runs.tagger("integrated-span", "sequential-linear", 5, domain=domain)
    assert [cells[1:5:3] for cells in gains(page())] == [["2 domains", "4"], ["music", "2"], ["ai", "2"]]


def test_encoders_have_one_line_each_and_failures_are_counted(runs: Runs, page: Callable[..., str]) -> None:
    runs.encoder("ai", "integrated", "span", failed=1)
    runs.encoder("ai", "integrated", "span")
    runs.encoder("ai", "integrated", "span", failed=1)  # a later attempt; the good one stays
    runs.encoder("ai", "integrated", "token", share=25, suffix="full")
    runs.encoder("ai", "task", "span", failed=1)
    text = page()
    assert (
        "| ai | span | integrated | 100 % | - | 1,000 | 1.50 | 16.00 | 8.00 to 4.00 | 9.00 to 9.00 | 54,321 |" in text
    )
    assert "| ai | token | integrated | 25 % | full | 1,000 |" in text
    assert "2 of 3 cells. Perplexities of masked pieces" in text
    assert "No runs yet: What pre-training adds; " in text


def test_ablations_of_both_halves_each_against_its_own_full_tagger(runs: Runs, page: Callable[..., str]) -> None:
    runs.encoder("ai", "integrated", "span", suffix="full")
    for kind, plus in (("none", 0), ("integrated-span-full", 1)):
        for place, tagger in enumerate(EXPERIMENTS["ablations"]):
            runs.tagger(kind, tagger.name, 7 - place + plus)
    text = page("--on", "integrated-span-full")
    assert "| *paper: without-context; span, integrated, full* | 64.78 | 64.78 |" in text
    assert "| *paper: without-context; without pre-training* | 59.23 | 59.23 |" in text
    ours = (f1(9) + f1(10)) / 2
    assert f"| sequential, label-aware; span, integrated, full | {ours:.2f} | {ours:.2f} |" in text
    assert "20 of 20 cells. without pre-training: 5 of 5 rows are whole." in text
    assert (
        text.count("Other way round: sequential, CRF") == 1
    )  # CRF is printed below linear without pre-training, on ai
    assert text.count("The order is the same.") == 1


def test_taggers_without_pre_training_may_be_those_of_another_grid(
    runs: Runs, page: Callable[..., str], tmp_path: Path
) -> None:
    runs.encoder("ai", "integrated", "span")
    runs.tagger("integrated-span", "sequential-linear", 6)
    other = tmp_path / "other"
    for name, called, right in (
        ("sequential-linear", "sequential-linear", 4),
        ("sequential-linear-10", "linear-10", 2),
        ("width-10", "width-10", 3),
    ):
        runs.tagger("none", name, right)
        (other / called).parent.mkdir(exist_ok=True)
        (runs.folder / "taggers" / f"none-{name}").rename(other / called)
    lines = (runs.folder / "taggers" / "cells.jsonl").read_text().splitlines(keepends=True)
    theirs = [line for line in lines if "none-" in line]
    (runs.folder / "taggers" / "cells.jsonl").write_text("".join(line for line in lines if line not in theirs))
    names = {"none-sequential-linear-10": "linear-10", "none-width-10": "width-10"}
    names["none-sequential-linear"] = "sequential-linear"
    renamed = [json.loads(line) for line in theirs]
    (other / "cells.jsonl").write_text(
        "".join(json.dumps({**line, "row": names[line["row"]]}) + "\n" for line in renamed)
    )
    text = page("--without", str(other))
    gain = (f1(7) + f1(8) - f1(5) - f1(6)) / 2
    (line,) = [line for line in text.splitlines() if line.startswith("| span, integrated | 85.62")]
    assert line.split(" | ")[5] == f"{gain:+.2f}"
    assert line.split(" | ")[7] == "2"  # the predictions of both are found
    assert "## Number of target sentences" in text
    assert "## Width of tag embeddings" in text
    rows = json.loads((tmp_path / "results" / "rows-dapt-tiny.json").read_text(encoding="utf-8"))["rows"]
    assert [row["row"] for row in rows] == ["integrated-span-sequential-linear"]  # the others are of the other grid
    assert rows[0]["pre_trained"] == "integrated-span"
    assert rows[0]["seconds"] == 260.0  # the stage, and the pre-training


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ((), 260.0),
        (("--untimed",), None),
        (("--untimed", "none-*,integrated-span-*"), None),
        (("--untimed", "integrated-token-*,integrated-span"), 260.0),
    ],
)
def test_minutes_of_a_busy_machine_are_left_out(
    runs: Runs, page: Callable[..., str], tmp_path: Path, said: tuple[str, ...], seconds: float | None
) -> None:
    runs.encoder("ai", "integrated", "span")
    runs.tagger("integrated-span", "sequential-linear", 6)
    page(*said)
    (row,) = json.loads((tmp_path / "results" / "rows-dapt-tiny.json").read_text(encoding="utf-8"))["rows"]
    assert row["seconds"] == seconds


def test_curves_begin_without_pre_training(runs: Runs, page: Callable[..., str], tmp_path: Path) -> None:
    for share in (1, 100):
        runs.encoder("ai", "integrated", "span", share=share)
    for kind, right in (("none", 3), ("integrated-span-share1", 4), ("integrated-span", 6)):
        runs.tagger(kind, "sequential-linear", right)
    for kind in ("none", "integrated-span"):
        runs.tagger(kind, "sequential-label-aware-10", 2)
        runs.tagger(kind, "width-10", 3)
    text = page()
    (shares,) = (tmp_path / "results").glob("dapt-tiny-shares.csv")
    rows = [line.split(",") for line in shares.read_text().splitlines()]
    linear = [row for row in rows if row[0].startswith('"sequential') and "linear" in row[1]]
    assert [row[4] for row in linear] == ["0", "1", "100"]
    for name in ("shares", "sizes", "widths", "labels"):
        assert (tmp_path / "results" / f"dapt-tiny-{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "## Number of target sentences (figure 3; LANER, figure 4)" in text


def test_labels_of_music_stand_beside_the_paper_s(runs: Runs, page: Callable[..., str]) -> None:
    runs.encoder("music", "integrated", "span")
    runs.tagger("none", "direct-linear", 3, domain="music")
    runs.tagger("integrated-span", "direct-linear", 5, domain="music")
    text = page("--labels-of", "music")
    assert "| person | 10 |" in text
    assert "| 7.97 | 10.09 | 10.15 | 12.59 |" in text


def test_what_is_printed_for_some_domains_is_averaged_anew() -> None:
    names = {"a": ("sequential-linear", "integrated-span"), "b": ("sequential-linear", "domain-span")}
    assert published_for(names, ("ai", "music")) == {"a": [62.56, 75.71, pytest.approx(69.135)]}
    five = ("politics", "science", "music", "literature", "ai")
    assert published_for({"a": ("joint-linear", "none")}, five)["a"][-1] == 64.52


def test_without_encoders_nothing_is_written(page: Callable[..., str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"no encoders\.jsonl of these folders has a line of these domains"):
        page()
    assert not (tmp_path / "results").exists()
