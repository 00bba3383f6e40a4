"""docs/results.md is what its script makes of the committed result files; and what the script makes of others."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from crossner_cells import DOMAINS, recipe_path
from grid_results import read_results
from label_aware_grid import Row
from result_rows import RESULTS, rows_of_lines, write_rows
from results_page import PAGE, page
from results_published import PUBLISHED
from results_sections import with_links
from results_speed import SPEEDS, speed_of
from row_scores import BENCHMARKS, result_row

from nerbridge.data.sentence import Span
from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.predictions import write_predictions
from nerbridge.evaluation.run_folder import predictions_path
from nerbridge.evaluation.scoring import score


def test_the_page_is_what_the_result_files_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(RESULTS), "run `.venv/bin/python benchmarks/results_page.py`"


def test_printed_rows_have_a_score_for_every_target_and_recipes_that_are_there() -> None:
    for name, rows in PUBLISHED.items():
        assert len({one.name for one in rows}) == len(rows)
        assert all(len(one.scores) == len(BENCHMARKS[name]) for one in rows)
        recipes = [recipe for one in rows for recipe in one.recipe.split()]
        assert [recipe for recipe in recipes if not recipe_path(recipe).is_file()] == []
    assert BENCHMARKS["crossner"] == DOMAINS


def test_speeds_stand_where_they_are_looked_for() -> None:
    for encoder, tagger in SPEEDS:
        kind = "integrated-span"
        said = speed_of({"encoder": f"{encoder} + {kind}", "pre_trained": kind, "tagger": tagger}, RESULTS)
        assert said.endswith((" (H100)", " (CPU, 1 thread)", " (CPU, 2 threads)", " (ten cells, CPU, 1 thread)"))
    assert speed_of({"encoder": "mpnet", "pre_trained": "", "tagger": "unknown"}, RESULTS) == ""
    crf = {"tagger": "bilstm 200, crf", "pre_trained": ""}
    measured = json.loads((RESULTS / "light-cpu.json").read_text(encoding="utf-8"))["contestants"]
    for name, contestant in (("", "BiLSTM-CRF, 200 wide"), (", words alone", "BiLSTM-CRF, words alone, 200 wide")):
        said = speed_of({"encoder": f"GloVe 50d{name}", **crf}, RESULTS)
        assert said == f"{measured[contestant]['words_per_second']:,} (CPU, 1 thread)"
    assert speed_of({"encoder": "GloVe 50d + language model", **crf}, RESULTS) == ""


def row(name: str, scores: dict[str, list[float]], **more: Any) -> dict[str, Any]:
    default = {"row": name, "said": name, "recipe": name, "encoder": "tiny", "tagger": "linear", "transfer": "direct"}
    default |= {
        "source": "conll2003",
        "pre_trained": "",
        "raw_text": False,
        "seconds": 90.0,
        "device": "NVIDIA H100 80GB HBM3",
    }
    found = {target: {"f1": {str(seed): f1 for seed, f1 in enumerate(several)}} for target, several in scores.items()}
    return {**default, "intervals": {}, "scores": found, **more}


def put(folder: Path, name: str, rows: list[dict[str, Any]], **more: Any) -> None:
    content = {"schema": 1, "note": "A note.", "made_with": ["- device: none"], "data": {}, "rows": rows, **more}
    (folder / f"rows-{name}.json").write_text(json.dumps(content))


def test_the_best_of_ours_is_bold_and_partial_rows_have_no_average(tmp_path: Path) -> None:
    put(
        tmp_path,
        "a",
        [
            row("partial", {"mit_movie": [0.9]}),
            row("low", {"mit_movie": [0.5, 0.6], "mit_restaurant": [0.7]}, intervals={"mit": [0.61, 0.64]}),
        ],
    )
    put(tmp_path, "b", [row("high", {"mit_movie": [0.6], "mit_restaurant": [0.8]}, device="cpu")])
    text = page(tmp_path)
    first, second = "| [1](#1-rows-ajson) |", "| [2](#2-rows-bjson) |"
    lines = [line for line in text.splitlines() if line.startswith(("| high", "| low", "| partial"))]
    assert lines == [
        f"| high | tiny | linear | conll2003 | 60.00 | **80.00** | **70.00** |  | 1 | 1.5 (CPU) |  {second}",
        f"| low | tiny | linear | conll2003 | 55.00 | 70.00 | 62.50 | 61.0 to 64.0 | 1 to 2 | 1.5 (H100) |  {first}",
        f"| partial | tiny | linear | conll2003 | **90.00** |  |  |  | 1 | 1.5 (H100) |  {first}",
    ]
    assert "| *LANER* | *BERT-base-cased* | *LANER 2022* |  | 72.41 | 80.55 | 76.48 |  |  |  |  |  |" in text
    assert "- CrossNER: nothing\n" in text
    assert "## CrossNER\n" not in text
    assert "### 1. `rows-a.json`\n\nA note.\n\n- device: none\n\n### 2. `rows-b.json`\n\nA note.\n" in text


def test_every_row_of_the_page_can_be_told_apart_and_looked_up() -> None:
    text = page(RESULTS)
    numbers = set(re.findall(r"^### (\d+)\. `rows-", text, re.MULTILINE))
    for table in text.split("\n## ")[1 : 1 + len(BENCHMARKS)]:
        targets: dict[tuple[str, ...], set[int]] = {}
        for line in table.splitlines():
            if not line.startswith("| ") or line.startswith(("| *", "| row", "| ---")):
                continue
            cells = line.removeprefix("| ").removesuffix(" |").split(" | ")
            assert (re.match(r"\[(\d+)\]\(#", cells[-1]) or [""])[1] in numbers, line
            scored = {place for place in range(4, 9) if re.fullmatch(r"[*]*\d\d\.\d\d[*]*", cells[place])}
            alike = targets.setdefault((*cells[:4], cells[-1]), set())
            assert not scored & alike, line
            alike |= scored


def test_names_of_pages_in_notes_become_links_where_the_page_is_there(tmp_path: Path) -> None:
    for name in ("light-cpu", "matching"):
        (tmp_path / f"{name}.md").touch()
    note = (
        "See light-cpu.md, page light-cpu. Those of light-cpu-two, runs/light-cpu and matching are none, `light-cpu` "
        "is code, [light-cpu](x.md) a link; docs/light-cpu.md has rates of 3e-4, docs/none.md has not."
    )
    assert with_links(note, tmp_path, tmp_path) == (
        "See [light-cpu.md](../benchmarks/results/light-cpu.md), page "
        "[light-cpu](../benchmarks/results/light-cpu.md). Those of light-cpu-two, runs/light-cpu and matching are "
        "none, `light-cpu` is code, [light-cpu](x.md) a link; [docs/light-cpu.md](light-cpu.md) has rates of 3e-4, "
        "docs/none.md has not."
    )


def test_what_stands_beside_printed_rows_is_told_when_it_is_missing(tmp_path: Path) -> None:
    five = {domain: [0.5] for domain in DOMAINS}
    put(
        tmp_path,
        "a",
        [
            row("sequential-linear", five),
            row("mine", five, recipe="direct-linear", pre_trained="integrated-span-full"),
            row("other", five, recipe="joint-linear", pre_trained="entity-token"),
        ],
    )
    (line,) = [line for line in page(tmp_path).splitlines() if line.startswith("- CrossNER: what")]
    lacking = line.partition("beside ")[2].split("; ")
    assert "sequential + DAPT" in lacking
    assert "joint + DAPT" in lacking
    assert not {"direct + DAPT", "BERT tagger, direct", "BERT tagger, sequential", "BERT tagger, joint"} & set(lacking)


def test_other_sentences_and_other_schemas_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "a", [], data={"ai": "1"})
    put(tmp_path, "b", [], data={"ai": "2"})
    with pytest.raises(ValueError, match=r"rows-b.json and rows-a.json were scored on different test sentences of ai"):
        page(tmp_path)
    put(tmp_path, "b", [], schema=2)
    with pytest.raises(ValueError, match=r"rows-b.json has schema 2, this script reads 1"):
        page(tmp_path)


def add_run(folder: Path, name: str, domain: str, seed: int, right: int, *settings: str) -> None:
    """A run of ten sentences, so many of them answered right."""
    place = folder / "taggers" / name / domain / f"seed-{seed}"
    gold = (Span(0, 1, "person"),)
    predictions = [Prediction(("Ada",), gold, gold if number < right else ()) for number in range(10)]
    write_predictions(predictions_path(place, "test"), predictions)
    (place / "environment.json").write_text(json.dumps({"device": "cpu", "torch": "2"}))
    test = {"sentences": 10, "fingerprint": f"sha of {domain}"}
    (place / "data.json").write_text(json.dumps({"domains": [{"domain": domain, "splits": {"test": test}}]}))
    line = {"row": name, "recipe": "sequential-crf", "domain": domain, "seed": seed, "settings": list(settings)}
    line |= {"stages": {"source-1": {"seconds": 40.0}, "target": {"seconds": 20.0}}}
    line |= {"test": {"f1": score(predictions).f1}}
    with (folder / "taggers" / "cells.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")


def test_rows_are_made_of_runs(tmp_path: Path) -> None:
    (tmp_path / "taggers").mkdir()
    checkpoint = "encoder.checkpoint=/far/away/encoders/{domain}-integrated-span"
    for seed in (1, 2):
        for domain in DOMAINS:
            add_run(tmp_path, "with", domain, seed, 6 + seed, checkpoint)
        add_run(tmp_path, "without", "ai", seed, 5)
    encoder = {"domain": "ai", "level": "integrated", "masking": "span", "seconds": 500.0, "steps": 1}
    (tmp_path / "encoders.jsonl").write_text(json.dumps(encoder) + "\n")
    path = tmp_path / "taggers" / "cells.jsonl"
    rows = rows_of_lines([path])
    results = read_results([path], [tmp_path / "taggers"], (1, 2), rows)
    written = write_rows(tmp_path / "rows-x.json", results, [*rows, Row("absent", "x")], encoder="mpnet", note="N.")
    content = json.loads(written.read_text(encoding="utf-8"))
    first, second = content["rows"]
    assert (first["row"], first["encoder"], first["raw_text"]) == ("with", "mpnet + integrated-span", True)
    assert (second["encoder"], second["tagger"], second["source"]) == ("mpnet", "crf", "conll2003")
    assert (first["pre_trained"], second["pre_trained"]) == ("integrated-span", "")
    assert list(first["scores"]) == list(DOMAINS)
    assert first["scores"]["ai"]["f1"] == {"1": pytest.approx(14 / 17), "2": pytest.approx(16 / 18)}
    low, high = first["intervals"]["crossner"]
    inside = first["scores"]["ai"]["interval"]
    assert inside[0] < low < (14 / 17 + 16 / 18) / 2 < high < inside[1]
    assert second["intervals"] == {}
    assert first["seconds"] == 160.0  # ai alone has a line of its encoder: 60, or 560, mean over five targets
    assert second["seconds"] == 60.0
    assert content["data"]["ai"] == "sha of ai"
    assert "## CrossNER" in page(tmp_path)


def test_one_system_with_settings_of_its_own_for_each_target_is_one_row(tmp_path: Path) -> None:
    (tmp_path / "taggers").mkdir()
    add_run(tmp_path, "broad", "broad_twitter", 1, 6)
    add_run(tmp_path, "tweets", "twitter2017", 1, 7)
    add_run(tmp_path, "again", "twitter2017", 1, 5)
    path = tmp_path / "taggers" / "cells.jsonl"
    rows = [Row(name, "sequential-crf", said="SYSTEM") for name in ("broad", "tweets", "again")]
    results = read_results([path], [tmp_path / "taggers"], (1,), rows)
    written = write_rows(tmp_path / "rows-x.json", results, rows, encoder="x")
    first, second = json.loads(written.read_text(encoding="utf-8"))["rows"]
    assert (first["row"], list(first["scores"])) == ("broad", ["broad_twitter", "twitter2017"])
    assert first["scores"]["twitter2017"]["f1"] == {"1": pytest.approx(14 / 17)}
    assert list(first["intervals"]) == ["twitter"]
    assert (second["row"], list(second["scores"]), second["intervals"]) == ("again", ["twitter2017"], {})
    low, high = (100 * end for end in first["intervals"]["twitter"])
    alone = [f"{100 * end:.1f}" for end in second["scores"]["twitter2017"]["interval"]]
    shown = [line for line in page(tmp_path).splitlines() if line.startswith("| SYSTEM")]
    assert f"| {low:.1f} to {high:.1f} |" in shown[0]
    assert f"| {alone[0]} to {alone[1]} |" in shown[1]


def test_without_predictions_there_is_no_interval(tmp_path: Path) -> None:
    (tmp_path / "taggers").mkdir()
    add_run(tmp_path, "without", "ai", 1, 5)
    path = tmp_path / "taggers" / "cells.jsonl"
    made = result_row(
        read_results([path], [], (1,), [Row("without", "sequential-crf")]), Row("without", "sequential-crf"), "x"
    )
    assert made is not None
    assert made["scores"] == {"ai": {"f1": {"1": pytest.approx(2 / 3)}}}


def test_encoders_side_by_side_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "taggers").mkdir()
    add_run(tmp_path, "elmo", "bionlp13pc", 1, 5)
    path = tmp_path / "taggers" / "cells.jsonl"
    path.write_text(path.read_text().replace("sequential-crf", "bionlp/stm-elmo"))
    (elmo,) = rows_of_lines([path])
    made = result_row(read_results([path], [], (1,), [elmo]), elmo, "GloVe 50d")
    assert made is not None
    assert (made["encoder"], made["raw_text"], made["pre_trained"]) == ("GloVe 50d + language model", True, "")
    assert made["tagger"] == "bilstm 200, crf"
