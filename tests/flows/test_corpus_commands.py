"""`corpus build` and `corpus stats` on tiny files: whole outputs compared."""

import bz2
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nerbridge.cli import main

FIRST = "Ada Lovelace wrote the first program for a machine that was never built."
SECOND = "Charles Babbage didn't finish it. Who would have paid for it?"
THIRD = "The committee met in Oslo in 1999 and voted on the new rules."
GUARDED = [*THIRD.removesuffix(".").split(), "."]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a corpus command in a folder with text: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NERBRIDGE_DATA", raising=False)
    Path("text").mkdir()
    Path("text/a.txt").write_text(f"{FIRST}\n\n{SECOND}\nToo short.\n{FIRST.upper()}\n{THIRD}\n", encoding="utf-8")
    Path("text/b.jsonl").write_text(json.dumps({"text": f"{SECOND}\n{SECOND[:-1]} now?"}) + "\nno JSON\n", "utf-8")
    Path("dev.txt").write_text("".join(f"{word}\tO\n" for word in GUARDED), encoding="utf-8")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["corpus", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def test_build_says_what_became_of_everything(run: Run) -> None:
    expected = """\
                 documents  paragraphs  sentences  words  left out were
read                     7           7         10     88
not_json                 1           0          0      0  lines that are no JSON object
short                    1           1          1      3  paragraphs with too few words
overlap                  1           1          1     14  paragraphs that share words in a row with an evaluation set
exact_duplicate          2           2          3     28  paragraphs that were there before
near_duplicate           0           1          2     15  paragraphs much like an earlier one
kept                     2           2          3     28
paragraphs that overlap with dev.txt: 1
"""
    assert run("build", "text", "--output", "c", "--guard", "dev.txt", "--jobs", "1") == (0, expected, "corpus: c\n")
    assert run("build", "text", "--output", "c", "--guard", "dev.txt") == (0, expected, "corpus: c\n")  # there already
    assert run("stats", "c", "--verify") == (
        0,
        """\
corpus  documents  paragraphs  sentences  words  words per sentence  files  bytes
c               2           2          3     28                9.33      1    129
""",
        "",
    )


def test_json_is_the_manifest(run: Run) -> None:
    code, out, err = run("build", "text/*.txt", "--output", "c", "--jobs", "1", "--json", "--set", "seed=3")
    assert (code, err) == (
        0,
        "warning: no evaluation set is guarded: `--guard NAME` leaves out text that its dev and test sets hold\n",
    )
    manifest = json.loads(out)
    assert manifest.pop("folder") == "c"
    assert manifest == json.loads(Path("c/manifest.json").read_text(encoding="utf-8"))
    assert (manifest["seed"], manifest["holds"]) == (3, {"documents": 3, "sentences": 4, "words": 42})
    code, out, err = run("stats", "c", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)[0]["paragraphs"] == 3


def test_a_dump_by_its_category(run: Run) -> None:
    def page(title: str, namespace: int, text: str) -> str:
        return f"<page><title>{title}</title><ns>{namespace}</ns><revision><text>{text}</text></revision></page>\n"

    pages = [
        page("Category:Machines", 14, "[[Category:Things]]"),
        page("Ada", 0, f"{FIRST}\n[[Category:Machines]]"),
        page("Oslo", 0, f"{THIRD}\n[[Category:Towns]]"),
    ]
    Path("dump.xml.bz2").write_bytes(bz2.compress(f"<mediawiki>{''.join(pages)}</mediawiki>".encode()))
    code, out, _ = run("build", "dump.xml.bz2", "--output", "c", "--category", "Things", "--depth", "1", "--jobs", "1")
    assert (code, out) == (
        0,
        """\
                documents  paragraphs  sentences  words  left out were
read                    3           1          1     14
not_article             1           0          0      0  pages outside the article namespace
other_category          1           0          0      0  articles outside the category
kept                    1           1          1     14
""",
    )


def test_damaged_files_are_warned_of(run: Run) -> None:
    Path("bad.xml.bz2").write_bytes(bz2.compress(b"<page>" + bytes(range(256)) * 4_000)[:-40])
    code, out, err = run("build", "text/a.txt", "bad.xml.bz2", "--output", "c", "--guard", "dev.txt", "--jobs", "1")
    assert code == 0
    assert "broken_page              1           0          0      0  pages that are no sound XML\n" in out
    assert err == (
        "warning: 'bad.xml.bz2' is damaged: Compressed file ended before the end-of-stream marker was reached; "
        "what stands before is used\n"
        "  where: bad.xml.bz2\n"
        "  expected: a whole file\n"
        "  hint: fetch or compress the file again\n"
        "corpus: c\n"
    )


def test_files_in_another_encoding_are_said(run: Run) -> None:
    Path("old.txt").write_bytes(f"{FIRST}\n{THIRD.replace('Oslo', 'Malmö')}\n{SECOND}\n".encode("latin-1"))
    Path("old.jsonl").write_bytes(
        json.dumps({"text": FIRST.replace("Ada", "Adé")}, ensure_ascii=False).encode("cp1252")
    )
    arguments = ("build", "old.txt", "old.jsonl", "--output", "c", "--guard", "dev.txt", "--jobs", "1")
    rest = (
        "or U+FFFD in their place, left out; another encoding, such as `--encoding latin-1`, may read them "
        "(in a recipe corpus.text.encoding)\n"
    )
    said = (
        f"warning: old.txt: 1 line with bytes that are not utf-8, {rest}"
        f"warning: old.jsonl: 1 line with bytes that are not utf-8, {rest}"
        "corpus: c\n"
    )
    assert run(*arguments)[2] == said
    assert run(*arguments)[2] == said  # there already
    for number in range(6):
        Path(f"text/c{number}.txt").write_bytes(b"caf\xe9\n")
    err = run("build", "text", "--output", "e", "--guard", "dev.txt", "--jobs", "1")[2]
    assert err.count("1 line with bytes") == 5
    assert "warning: the same of 1 more file\n" in err
    assert "with bytes" not in run(*arguments[:3], "--encoding", "latin-1", "--output", "d", "--guard", "dev.txt")[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.txt",), "error: 'nothing.txt' does not exist\n  where: nothing.txt\n"),
        (("text", "--guard", "crossner/aii"), "error: there is no data set 'crossner/aii'\n"),
        (
            ("text", "--set", "filters.min_word=3", "--set", "text.unit=page"),
            "error: 2 settings cannot be used:\n    text.unit: should be 'line', 'block' or 'file', not 'page'\n"
            "    filters.min_word: there is no such key",
        ),
        (
            ("text", "--language", "eng"),
            "error: 1 setting cannot be used:\n    --language (filters.language): should be a code of two letters such "
            "as en, not 'eng'\n",
        ),
        (("text", "--guard", "nofile.txt"), "error: 'nofile.txt' does not exist\n  where: nofile.txt\n"),
        (("text", "--encoding", "utf-99"), "error: 'utf-99' is not an encoding of text\n"),
        (("text", "--field", "a", "--field", "b"), "error: --field is given 2 times, and would be read from the last"),
        (("text", "--jobs", "0"), "error: invalid value for '--jobs'"),
    ],
)
def test_what_cannot_be_done_is_one_message(run: Run, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run("build", *arguments, "--output", "c")
    assert (code, out) == (2, "")
    found = err[err.index("error: ") :]
    assert found.startswith(message)
    assert "\n  hint: " in found
    assert not Path("c").exists()


def test_overlap_reads_raw_text_of_another_field(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.jsonl").write_text(json.dumps({"id": 1, "meta": {"body": FIRST}}) + "\n", encoding="utf-8")
    overlap = ("data", "overlap", "--raw", "a=a.jsonl", "--raw", "b=text/a.txt")
    assert main(overlap) == 2
    assert "hint: name it: `--field meta.body`; " in capsys.readouterr().err
    assert main([*overlap, "--field", "meta.body"]) == 0
    assert capsys.readouterr().out.startswith("overlap, %")


def test_a_full_duplicate_filter_is_said(run: Run) -> None:
    numbers = random.Random(1)
    lines = [" ".join(f"w{numbers.randrange(3_000)}" for _ in range(12)) for _ in range(20_000)]
    Path("many.txt").write_text("\n".join(lines), encoding="utf-8")
    options = ("--guard", "dev.txt", "--jobs", "1", "--set", "filters.duplicate_megabytes=1")
    code, _, err = run("build", "many.txt", "--output", "c", *options)
    said = [line for line in err.splitlines() if " words per second" not in line]  # told on slow machines
    assert (code, said) == (
        0,
        [
            "warning: the duplicate filter was full and forgot 40% of its keys; "
            "`--set filters.duplicate_megabytes=2` gives it more memory",
            "corpus: c",
        ],
    )


def test_a_stop_says_how_to_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("nerbridge.cli.corpus_counts.ProgressLines.show", stop)
    code, out, err = run("build", "text", "--output", "c", "--guard", "dev.txt", "--jobs", "1")
    assert (code, out, err) == (130, "", "stopped; the same command goes on from the last closed file\n")


def test_corpora_are_built_without_torch(run: Run) -> None:
    code = (
        "import sys\nfrom nerbridge.cli import main\n"
        "assert main(['corpus', 'build', 'text', '--output', 'c', '--guard', 'dev.txt', '--jobs', '1']) == 0\n"
        "assert main(['corpus', 'stats', 'c']) == 0\n"
        "print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_stats_of_what_is_no_corpus(run: Run) -> None:
    code, out, err = run("stats", "text")
    assert (code, out) == (2, "")
    assert err == (
        "error: 'text' is no built corpus\n"
        "  where: text/manifest.json\n"
        "  expected: a folder written by `nerbridge corpus build` or `nerbridge corpus select`\n"
        "  hint: nerbridge corpus build FILE...\n"
    )
