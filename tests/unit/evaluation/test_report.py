"""The page: whole, self-contained, escaped, and right."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from nerbridge.data.sentence import Span
from nerbridge.errors import BundleError, DataError
from nerbridge.evaluation.comparison import compare
from nerbridge.evaluation.curves import draw_curves, read_curve
from nerbridge.evaluation.highlights import mark_lines
from nerbridge.evaluation.matching import Kind
from nerbridge.evaluation.predictions import Prediction, write_predictions
from nerbridge.evaluation.report import ReportInput, write_comparison, write_report
from nerbridge.evaluation.run_report import write_run_report
from nerbridge.evaluation.summary import aggregate, summarize, write_scores
from nerbridge.training.journal import read_journal

EVIL = '<script>alert("x")</script>'
RUN = [
    Prediction(
        ("Ada", EVIL, "Oslo"), (Span(0, 1, "person"), Span(2, 3, EVIL)), (Span(1, 2, "person"),), origin="a.txt:1"
    ),
    Prediction(("Rolf", "sang"), (Span(0, 1, "person"),), (Span(0, 1, "person"),), origin="a.txt:5"),
]
JOURNAL = [
    {"stage": "source", "step": 10, "loss": 2.0},
    {"stage": "source", "step": 20, "loss": None, "dev_f1": 0.5},
    {"stage": "target", "step": 5, "loss": 1.0, "dev_f1": 0.25},
]


class Page(HTMLParser):
    """Collects tags and attributes; checks that every element that must be closed is closed in order."""

    VOID = frozenset({"meta", "link", "input", "br", "img", "hr"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.text += " " * (tag in {"td", "th", "dd", "p"})
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def full_report() -> ReportInput:
    return ReportInput(
        title=f"chess {EVIL}",
        runs={"seed-1": RUN, "seed-2": RUN},
        encoder=EVIL,
        seeds=(4, 7),
        data=[{"split": "test", "sentences": 12345, "sha256": EVIL, "fingerprint": "0f" * 32}],
        environment={"versions": {"torch": "9.9"}, "device": EVIL},
        settings=EVIL,
        journals={"seed-1": JOURNAL, EVIL: JOURNAL},
        notes=[EVIL],
        comparison=compare(RUN, RUN, names=(EVIL, "b"), rounds=10),
    )


def test_self_contained_and_escaped(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(path, full_report())
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name in {"src", "href"} or name.startswith("on")]
    assert not re.search(r"https?://|url\(|@import", text)
    assert EVIL in page.text


def test_the_numbers_are_there(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(path, full_report())
    words = " ".join(Page(path.read_text(encoding="utf-8")).text.split())
    for expected in (
        "40.00 ± 0.00",  # 1 correct, 3 gold, 2 predicted
        "exact, micro, strict reading",
        "boundary only",
        "type only",
        "macro over 2 labels",
        "F1 per label",
        "Training loss",
        "F1 on dev",
        "versions.torch 9.9",
        "1 of 2 sentences have a mistake in the first run.",
        "split test · seeds 4, 7",
        "seeds 4, 7 encoder",
        f"12,345 {EVIL} {'0f' * 32}",
        "A label whose gold entities stand in fewer than 10 sentences has too few to say",
        "person 50.00 50.00 50.00 ± 0.00 too few to say 2 2 2 1",
    ):
        assert expected in words, expected


def test_words_of_the_data_table_stay_whole(tmp_path: Path) -> None:
    """Only fingerprints may be broken, and they are broken at a width of their own."""
    write_report(tmp_path / "report.html", full_report())
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f'<td class="digits">{"0f" * 32}</td>' in text
    assert '<td class="number">12,345</td>' in text
    assert re.search(r"table\.text th \{[^}]*white-space: nowrap", text)
    assert "anywhere" not in re.findall(r"table\.text td, table\.text th \{[^}]*", text)[0]
    assert re.search(r"table\.text td\.digits \{[^}]*word-break: break-all", text)


def test_the_keyboard_reaches_everything_and_paper_loses_nothing(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", full_report())
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    scrolling = re.findall(r'<div class="scroll"[^>]*>', text)
    assert len(scrolling) == 6  # scores, labels, confusion, two of the comparison, data
    assert [tag for tag in scrolling if 'tabindex="0" role="region" aria-label="' not in tag] == []
    assert len(set(re.findall(r'aria-label="([^"]*)"', " ".join(scrolling)))) == len(scrolling)
    labels = set(re.findall(r'<label for="([^"]*)"', text))
    assert labels == set(re.findall(r'<input type="radio" name="kind" id="([^"]*)"', text))
    assert "@media screen and (prefers-color-scheme: dark)" in text  # paper is never dark
    paper = text[text.index("@media print") :]
    assert "print-color-adjust: exact" in paper
    assert "display: none" in paper
    assert re.findall(r"([^\n{}]*) \{ display: none; \}", paper.split("body:has")[0]) == [
        '  .filter label[for="only-all"]'
    ]


def many_mistakes(number: int) -> list[Prediction]:
    """Sentences of 40 words, every second one wrong in each of two labels and right in a third."""
    words = tuple(f"word{place}" for place in range(40))
    gold = (Span(3, 5, "person"), Span(10, 12, "organisation"), Span(20, 23, "programming-language"))
    wrong = (Span(3, 4, "person"), Span(10, 12, "country"), gold[2])
    return [
        Prediction(words, gold, wrong if place % 2 else gold, origin=f"test.txt:{42 * place + 1}")
        for place in range(number)
    ]


def test_a_large_split_makes_a_small_page_that_says_what_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    journal = [{"stage": "target", "step": step, "loss": 1.0, "event": "x"} for step in range(20_000)]
    notes = [f"note {number}" for number in range(3000)]
    write_report(path, ReportInput("large", {"": many_mistakes(15_000)}, journals={"": journal}, notes=notes))
    assert path.stat().st_size < 2_000_000 / 2
    words = " ".join(Page(path.read_text(encoding="utf-8")).text.split())
    assert (
        "7,500 of 15,000 sentences have a mistake; 200 of them are shown, evenly spread over the file, and all answers "
        "are in predictions/test.jsonl." in words
    )
    assert "wrong label 200 of 7,500 wrong boundary 200 of 7,500" in words
    assert "spurious 0" in words
    assert "test.txt:43 " in words
    assert "test.txt:626935 " not in words  # the last but one
    assert re.search(r"test\.txt:62\d{4} ", words), "the end of the file is shown as well"
    assert "note 49… and 2,950 more, in data.json and journal.jsonl of the run." in words


def test_an_endless_word_is_cut_in_the_page(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(path, ReportInput("chess", {"": [Prediction(("x" * 100_000, "y"), (Span(0, 1, "a"),), ())]}))
    assert path.stat().st_size < 30_000
    assert "x" * 59 + "…" in path.read_text(encoding="utf-8")


def test_one_run_without_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(path, ReportInput("chess", {"": [Prediction(("a",), (), ())]}))
    words = " ".join(Page(path.read_text(encoding="utf-8")).text.split())
    assert "There is no gold span in this split, so every score is 0.00 by definition." in words
    assert "No mistake." in words
    assert "Learning curve" not in words


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        write_report(tmp_path / "report.html", ReportInput("chess", {}))
    assert str(caught.value).splitlines() == [
        "there is no run to report on",
        f"  where: {tmp_path}/report.html",
        "  expected: predictions of at least one run",
        "  hint: name a finished run folder",
    ]
    assert not (tmp_path / "report.html").exists()


def test_the_comparison_page(tmp_path: Path) -> None:
    path = tmp_path / "comparison.html"
    other = [Prediction(RUN[0].words, RUN[0].gold, RUN[0].gold), RUN[1]]
    write_comparison(path, compare(RUN, other, names=("old", "new"), rounds=10))
    words = " ".join(Page(path.read_text(encoding="utf-8")).text.split())
    assert "new against old +60.00 points of micro F1" in words
    assert "1 of 2 answers differ" in words


def test_long_sentences_are_cropped_around_their_mistakes() -> None:
    words = tuple(f"w{number}" for number in range(1000))
    lines = dict(mark_lines(words, [Span(500, 501, "x"), Span(900, 901, "x")], {"predicted": [Span(900, 901, "x")]}))
    gold = [(segment.text, segment.kind) for segment in lines["gold"]]
    assert gold[0] == ("… ", None)
    assert gold[2] == ("w500", Kind.MISSED)
    assert gold[-1][0].endswith("w525 …")
    assert sum(len(segment.text.split()) for segment in lines["gold"]) < 60


def test_stages_are_laid_end_to_end() -> None:
    curve = read_curve("seed-1", JOURNAL, "dev_f1")
    assert [(stage.name, stage.start, stage.points) for stage in curve.stages] == [
        ("source", 0.0, [(20.0, 0.5)]),
        ("target", 20.0, [(25.0, 0.25)]),
    ]
    assert curve.end == 25.0
    assert draw_curves([curve], title="F1", percent=True).count("<path") == 2
    assert draw_curves([read_curve("", [], "loss")], title="loss") == ""


def test_a_long_journal_stays_small() -> None:
    journal = [{"stage": "target", "step": step, "loss": 1.0} for step in range(50_000)]
    assert len(draw_curves([read_curve("", journal, "loss")], title="loss")) < 10_000


def write_run(folder: Path, seed: int = 1) -> None:
    write_predictions(folder / "predictions" / "test.jsonl", RUN)
    experiment = {"name": "chess", "seed": seed, "encoder": {"checkpoint": "minilm"}}
    (folder / "experiment.json").write_text(json.dumps(experiment))
    (folder / "data.json").write_text(
        '{"domains": [{"domain": "chess", "labels": [], "splits": {"test": {"sentences": 2}}}], "notes": ["held out"]}'
    )
    (folder / "journal.jsonl").write_text(
        '{"stage": "target", "event": "evaluation", "step": 1, "loss": 1.5, "f1": 0.5}\n'
        '{"stage": "target", "event": "warning", "step": 1, "text": "every word is O"}\n{"stage": "tar'
    )


def test_from_a_run_folder_with_seeds(tmp_path: Path) -> None:
    for seed in (2, 10):
        write_run(tmp_path / f"seed-{seed}", seed)
    path = write_run_report(tmp_path)
    words = " ".join(Page(path.read_text(encoding="utf-8")).text.split())
    assert path == tmp_path / "report.html"
    for expected in (
        "chess encoder minilm · split test · seeds 2, 10",
        "held out",
        "Training loss",
        "F1 on dev",
        "seed-10: target: every word is O",
    ):
        assert expected in words, expected


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("data.json", "{", "'data.json' of the run is damaged: Expecting property name"),
        ("environment.json", "[]", "'environment.json' of the run is damaged: it holds no JSON object"),
        ("experiment.json", "[" * 100_000, "'experiment.json' of the run is damaged: maximum recursion depth"),
        ("experiment.json", '{"encoder": [1]}', "'experiment.json' of the run is damaged: it has another form"),
        ("data.json", '{"domains": [1]}', "'data.json' of the run is damaged: it has another form"),
        ("data.json", '{"notes": 1}', "'data.json' of the run is damaged: it has another form"),
        ("recipe.toml", b"\xff", "'recipe.toml' of the run is damaged: 'utf-8' codec"),
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, name: str, content: str | bytes, what: str) -> None:
    write_run(tmp_path)
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(BundleError) as caught:
        write_run_report(tmp_path)
    assert caught.value.what.startswith(what)
    assert caught.value.where == str(tmp_path / name)
    assert ("another --output" in caught.value.hint) is (name == "experiment.json")


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (b"{\n", "no JSON"),
        (b"[]\n", "no JSON object"),
        (b"[" * 100_000 + b"\n", "nested too deeply"),
        (b"\xff\xfe\x00\x00{}\n", "no UTF-8"),
        (b'{"event": "evaluation", "step": 1, "f1": 7.5}\n', "f1 7.5 cannot be"),
        (b'{"event": "evaluation", "step": -7, "f1": 0.5}\n', "step -7 cannot be"),
        (b'{"event": "evalu', "cut off"),
    ],
)
def test_damaged_lines_of_a_journal_are_left_out_and_said_by_report_and_plot_alike(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: bytes, why: str
) -> None:
    write_run(tmp_path)
    journal = tmp_path / "journal.jsonl"
    sound = b"".join(line for line in journal.read_bytes().splitlines(keepends=True) if line.endswith(b"\n"))
    journal.write_bytes(sound + damage)
    said = f"{journal}: 1 damaged line left out, line 3: {why}"
    page = write_run_report(tmp_path).read_text(encoding="utf-8")
    assert said in Page(page).text
    assert len(read_journal(journal)) == 2
    assert [line for line in caplog.messages if "left out" in line] == [said, said]
    caplog.clear()
    journal.write_bytes(damage.rstrip(b"\n") + b"\n" + sound + damage)
    write_run_report(tmp_path)
    first = "no JSON" if why == "cut off" else why
    assert f"{journal}: 2 damaged lines left out, the first is line 1: {first}" in caplog.messages


def test_missing_predictions_are_named(tmp_path: Path) -> None:
    write_predictions(tmp_path / "predictions" / "dev.jsonl", RUN)
    with pytest.raises(BundleError) as caught:
        write_run_report(tmp_path, split="test")
    assert str(caught.value).splitlines() == [
        f"run '{tmp_path}' has no predictions of split 'test'",
        f"  where: {tmp_path}/predictions/test.jsonl",
        "  expected: one of its splits: dev",
        "  hint: name another split with --split, or run the training command again: it restores what is missing",
    ]


def test_scores_file(tmp_path: Path) -> None:
    summary = summarize(RUN, rounds=100)
    write_scores(tmp_path / "scores.json", {"test": summary})
    content = json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))["test"]
    assert content["f1"] == content["conlleval"]["f1"] == content["strict"]["f1"] == pytest.approx(2 / 5)
    assert content["interval"]["low"] <= 2 / 5 <= content["interval"]["high"]
    assert content["mistakes"] == {
        "missed": 2,
        "spurious": 1,
        "wrong label": 0,
        "wrong boundary": 0,
        "wrong label and boundary": 0,
    }
    assert aggregate([summary.conlleval, summary.conlleval])["f1"].deviation == 0.0


def test_numbers_of_a_damaged_journal_that_nobody_can_draw_are_passed_over() -> None:
    huge = int("9" * 400)
    rows = [{"step": step, "loss": loss} for step, loss in ((1, 0.5), (2, huge), (huge, 0.5), (3, 1e308), (4, 5e-324))]
    curve = read_curve("", rows, "loss")
    assert curve.values == [0.5, 5e-324]
    assert "nan" not in draw_curves([curve], title="Loss")
    assert "nan" not in draw_curves([read_curve("", rows[-1:], "loss")], title="Loss")


def test_the_report_of_another_split_lies_beside_that_of_test(tmp_path: Path) -> None:
    write_run(tmp_path)
    write_predictions(tmp_path / "predictions" / "dev.jsonl", RUN[1:])
    assert write_run_report(tmp_path) == tmp_path / "report.html"
    before = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert write_run_report(tmp_path, split="dev") == tmp_path / "report-dev.html"
    assert write_run_report(tmp_path, split="test") == tmp_path / "report.html"
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == before
    assert "split dev · seed 1" in (tmp_path / "report-dev.html").read_text(encoding="utf-8")


def test_a_run_without_test_is_reported_on_dev_and_one_with_train_alone_on_train(tmp_path: Path) -> None:
    for split in ("train", "dev"):
        write_predictions(tmp_path / "predictions" / f"{split}.jsonl", RUN)
        assert write_run_report(tmp_path) == tmp_path / "report.html"
        assert f"split {split}" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert write_run_report(tmp_path, split="train") == tmp_path / "report-train.html"
