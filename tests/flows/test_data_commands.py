"""The data commands on tiny files: whole outputs compared, and hostile files through the installed program."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nerbridge.cli import main
from nerbridge.data import tokenization
from nerbridge.data.registry import card_names, find_card

TRAIN = (
    "Ada\tB-person\nLovelace\tI-person\nwrote\tO\n\nOslo\tB-city\nslept\tO\n\nKim\tB-person\nleft\tO\nOslo\tB-city\n"
)
DEV = "Oslo\tB-city\nslept\tO\n\nACM\tB-club\nmet\tO\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in a folder with train.txt and dev.txt: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NERBRIDGE_DATA", raising=False)
    Path("train.txt").write_text(TRAIN, encoding="utf-8")
    Path("dev.txt").write_text(DEV, encoding="utf-8")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["data", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


def test_check_prints_every_finding_with_its_line(run: Run) -> None:
    assert run("check", "train.txt", "dev.txt", "--encoder", "none", "--rare", "2") == (
        0,
        """\
train.txt dev.txt
  train: 3 sentences, 8 words, 4 spans (2 columns, tab, BIO)
  dev: 2 sentences, 4 words, 2 spans (2 columns, tab, BIO)

unknown-label: 1 (labels that train lacks; a tagger can never find them)
  dev.txt:4: label 'club' is not in train; 1 mention in dev, first 'ACM'

shared-sentence: 1 (sentences that another split holds too; scores on them flatter)
  dev.txt:1: 'Oslo slept' (2 words) of dev stands in train too, with same tags, at train.txt:5

dev sentences found in train: 1 (1 distinct; 1 with the same tags, 0 with other tags)
dev mentions seen in train: 1 of 2 (50.0 %) with the same label, 0 with another label only

2 findings
""",
        "",
    )


def test_strict_checks_fail_when_anything_was_found(run: Run) -> None:
    assert run("check", "train.txt", "dev.txt", "--strict")[0] == 2
    assert run("check", "train.txt", "--strict", "--rare", "0")[0] == 0


def test_check_as_json(run: Run) -> None:
    code, out, _ = run("check", "--train", "train.txt", "--dev", "dev.txt", "--rare", "0", "--json")
    result = json.loads(out)
    assert code == 0
    assert result["counts"] == {"unknown-label": 1, "shared-sentence": 1}
    assert result["findings"][0] == {
        "kind": "unknown-label",
        "where": "dev.txt:4",
        "what": "label 'club' is not in train; 1 mention in dev, first 'ACM'",
    }
    assert result["splits"]["train"]["sentences"] == 3


def test_check_shows_a_few_of_many(run: Run) -> None:
    Path("many.txt").write_text("same\tO\n\n" * 10, encoding="utf-8")
    _, out, _ = run("check", "many.txt", "--show", "2")
    assert "duplicate: 9 " in out
    assert out.count("stands in many.txt before") == 2
    assert "  ... and 7 more (--show 0 lists all)\n" in out
    assert run("check", "many.txt", "--show", "0")[1].count("stands in many.txt before") == 9


def test_check_says_what_reading_left_out(run: Run) -> None:
    Path("words.txt").write_text("-DOCSTART-\n\na\nb\n\nc\n", encoding="utf-8")
    _, out, _ = run("check", "words.txt")
    assert out == (
        "words.txt\n"
        "  words.txt, read as train: 2 sentences, 3 words, 0 spans (1 column, no tags)\n"
        "    2 sentences without annotation\n"
        "    1 marker line (such as -DOCSTART-) left out\n"
        "\n"
        "unlabelled: 1 (sentences without annotation; they teach and test nothing)\n"
        "  words.txt: 2 of 2 sentences have no annotation: the file was read as one column, so there are no tags\n"
        "\n"
        "1 finding\n"
    )


def test_spans_under_an_unknown_key_are_found_and_said_to_be_lost(run: Run) -> None:
    records = [{"text": "Ada ran.", "annotations": [[0, 3, "person"]]}, {"text": "Oslo slept.", "annotations": []}]
    Path("a.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    remark = "a.jsonl: 1 record has the key 'annotations', which is not read; spans are named 'spans' or 'entities'\n"
    assert run("check", "a.jsonl", "--encoder", "none") == (
        2,
        "a.jsonl\n"
        "  a.jsonl, read as train: 2 sentences, 6 words, 0 spans (JSONL, offsets in codepoints)\n"
        "    2 sentences without annotation\n"
        "\n"
        "unread: 1 (what stands in a file and is not read; it may hold the annotation)\n"
        f"  {remark}"
        "\n"
        "unlabelled: 1 (sentences without annotation; they teach and test nothing)\n"
        "  a.jsonl: 2 of 2 sentences have no annotation\n"
        "\n"
        "2 findings\n",
        "warning: no sentence of a.jsonl has labels: it can neither be learnt from nor scored\n",
    )
    code, out, err = run("convert", "a.jsonl", "a.conll")
    assert (code, err) == (0, f"warning: {remark}")
    assert out.endswith("lost: 2 original texts with offsets\nlost: the key 'annotations' of 1 record\n")


def test_a_file_of_comma_separated_values_is_read(run: Run) -> None:
    Path("a.csv").write_text("Ada,B-person\nran,O\n.,O\n\n", encoding="utf-8")
    code, out, err = run("check", "a.csv", "--encoder", "none", "--rare", "0")
    assert (code, err) == (0, "")
    assert (
        out == "a.csv\n  a.csv, read as train: 1 sentence, 3 words, 1 span (2 columns, comma, BIO)\n\nnothing found\n"
    )


SHEET = """\
Sentence #,Word,POS,Tag
Sentence: 1,Caf\u00e9,NN,B-bar
,opens,VB,O
,",",",",O
,\"\"\"\",O,O
Sentence: 2,Oslo,NN,B-city
,slept,VB,O
,deep,JJ,O
"""


def test_the_export_of_a_spreadsheet_is_checked_and_converted(run: Run) -> None:
    Path("sheet.csv").write_bytes(SHEET.encode("latin-1"))
    latin = ("--read", "encoding=latin-1")
    assert run("check", "sheet.csv", "--encoder", "none", "--rare", "0", *latin) == (
        0,
        "sheet.csv\n"
        "  sheet.csv, read as train: 2 sentences, 7 words, 2 spans (4 columns, comma, sentences by column 0, BIO)\n"
        "    1 line that names the columns left out; columns by their names: sentence 0, word 1\n"
        "\n"
        "nothing found\n",
        "",
    )
    assert run("convert", "sheet.csv", "sheet.txt", *latin) == (
        0,
        "sheet.txt: 2 sentences, 7 words, 2 entities, 2 labels\n"
        "lost: 1 line that names the columns\n"
        "lost: the columns besides word and tag (4 columns, comma, sentences by column 0, BIO)\n",
        "",
    )
    written = Path("sheet.txt").read_text(encoding="utf-8")
    assert written == 'Caf\u00e9\tB-bar\nopens\tO\n,\tO\n"\tO\n\nOslo\tB-city\nslept\tO\ndeep\tO\n\n'


def test_numbers_of_sentences_are_refused_as_words(run: Run) -> None:
    rows = "".join(f"Sentence {place // 4}\tw{place}\t{'O' if place % 4 else 'B-x'}\n" for place in range(12))
    Path("sheet.tsv").write_text(rows, encoding="utf-8")
    code, out, err = run("check", "sheet.tsv", "--encoder", "none")
    assert (code, out) == (2, "")
    assert err == (
        "error: the words of column 0 come in runs of the same text: 'Sentence 0', 'Sentence 0', 'Sentence 0', ..., "
        "and no blank line ends a sentence\n"
        "  where: sheet.tsv\n"
        "  expected: a word in each line, and a blank line or a new number of the sentence between sentences\n"
        "  hint: if column 0 tells sentences apart, read with --read sentence_column=0 --read word_column=1 "
        "(in a recipe: read = { sentence_column = 0, word_column = 1 }); if they are the words: --read word_column=-3\n"
    )
    named = ("--read", "sentence_column=0", "--read", "word_column=1")
    assert "  sheet.tsv, read as train: 3 sentences, 12 words, 3 spans" in run("check", "sheet.tsv", *named)[1]


def test_stats(run: Run) -> None:
    assert run("stats", "train.txt", "dev.txt") == (
        0,
        """\
split  labels  sentences  words  entities  strict  with entity  longest  distinct words
train       2          3      8         4       4            3        3               7
dev         2          2      4         2       2            2        2               4

label   train  dev
city        2    1
club        0    1
person      2    0
""",
        "",
    )


def test_stats_count_malformed_tags_in_both_readings(run: Run) -> None:
    Path("broken.txt").write_text("Ada\tI-person\nran\tO\nOslo\tB-city\n", encoding="utf-8")
    code, out, err = run("stats", "broken.txt", "--json")
    (record,) = json.loads(out)
    assert code == 0
    assert record["splits"]["train"]["entities"] == 2
    assert record["splits"]["train"]["entities_strict"] == 1
    assert err == "broken.txt: 1 malformed tag place read by the policy 'conlleval'\n"


def test_files_without_a_role_are_called_by_their_names(run: Run) -> None:
    Path("other").mkdir()
    for old, new in (("train.txt", "chess.txt"), ("dev.txt", "go.txt"), ("dev.txt", "other/go.txt")):
        Path(new).write_text(Path(old).read_text(encoding="utf-8"), encoding="utf-8")
    _, out, _ = run("check", "chess.txt", "go.txt", "--encoder", "none", "--rare", "2")
    assert (
        out
        == """\
chess.txt go.txt
  chess.txt, read as train: 3 sentences, 8 words, 4 spans (2 columns, tab, BIO)
  go.txt, read as dev: 2 sentences, 4 words, 2 spans (2 columns, tab, BIO)

unknown-label: 1 (labels that train lacks; a tagger can never find them)
  go.txt:4: label 'club' is not in chess.txt; 1 mention in go.txt, first 'ACM'

shared-sentence: 1 (sentences that another split holds too; scores on them flatter)
  go.txt:1: 'Oslo slept' (2 words) of go.txt stands in chess.txt too, with same tags, at chess.txt:5

go.txt sentences found in chess.txt: 1 (1 distinct; 1 with the same tags, 0 with other tags)
go.txt mentions seen in chess.txt: 1 of 2 (50.0 %) with the same label, 0 with another label only

2 findings
"""
    )
    _, out, _ = run("check", "chess.txt", "go.txt", "other/go.txt")
    assert "  other/go.txt, read as test: " in out
    assert "  go.txt, read as dev: " in out
    _, out, _ = run("stats", "chess.txt", "go.txt")
    assert out.splitlines()[-4].split() == ["label", "chess.txt", "go.txt"]
    assert list(json.loads(run("check", "chess.txt", "go.txt", "--json")[1])["splits"]) == ["train", "dev"]


INSIDE = {"text": "Ada met Bell.", "spans": [[0, 2, "x"], [8, 12, "x"]]}
OVERLAPPING = {"text": "Ada Lovelace", "spans": [[0, 12, "x"], [4, 12, "y"]]}


def test_what_reading_widened_or_left_out_is_said(run: Run) -> None:
    Path("in.jsonl").write_text(f"{json.dumps(INSIDE)}\n{json.dumps(OVERLAPPING)}\n", encoding="utf-8")
    code, _, err = run("convert", "in.jsonl", "out.txt")
    assert code == 2
    assert "read = { borders = 'snap' }" in err
    reading = ("--read", "borders=snap", "--read", "overlaps=longest")
    assert run("convert", "in.jsonl", "out.jsonl", *reading) == (
        0,
        "out.jsonl: 2 sentences, 6 words, 3 entities, 1 label\n"
        "lost: 1 span as it was, widened to word borders\n"
        "lost: 1 overlapping span\n",
        "",
    )
    _, _, err = run("sample", "in.jsonl", "--num", "1", "--output", "few.txt", *reading)
    assert err == "in.jsonl: 1 span widened to word borders\nin.jsonl: 1 overlapping span dropped\n"


def test_every_option_of_reading_may_stand_behind_read(run: Run) -> None:
    Path("latin.txt").write_text("Zoë\tI-x\nran\tO\n", encoding="latin-1")
    given = ("--read", "encoding=latin-1", "--read", "scheme=IOB1", "--read", "format=columns")
    assert run("convert", "latin.txt", "out.txt", *given)[:2] == (
        0,
        "out.txt: 1 sentence, 2 words, 1 entity, 1 label\nnothing was lost\n",
    )


def test_malformed_tags_are_counted_under_the_policy_that_read_them(run: Run) -> None:
    Path("broken.txt").write_text("Ada\tI-x\nran\tO\nOslo\tB-y\n", encoding="utf-8")
    for policy, entities in (("strict", "1 entity, 1 label"), ("conlleval", "2 entities, 2 labels")):
        assert run("convert", "broken.txt", "out.txt", "--read", f"repair={policy}")[1] == (
            f"out.txt: 1 sentence, 3 words, {entities}\n"
            f"lost: 1 malformed tag place as it was, read by the policy '{policy}'\n"
        )


def test_convert_and_back_loses_nothing(run: Run) -> None:
    assert run("convert", "train.txt", "train.jsonl") == (
        0,
        "train.jsonl: 3 sentences, 8 words, 4 entities, 2 labels\nnothing was lost\n",
        "",
    )
    assert run("convert", "train.jsonl", "again.txt")[0] == 0
    assert Path("again.txt").read_text(encoding="utf-8") == TRAIN + "\n"


def test_a_file_that_convert_or_sample_replaces_is_said(run: Run) -> None:
    said = "new.jsonl: an earlier file was replaced\n"
    assert run("convert", "train.txt", "new.jsonl")[2] == ""
    assert run("convert", "train.txt", "new.jsonl")[2] == said
    assert run("sample", "train.txt", "--num", "2", "--output", "new.jsonl")[2] == said


def test_a_suffix_that_promises_another_separator_is_warned_of(run: Run) -> None:
    said = "warning: 'new.csv' is written with a TAB or a space between its columns, not with commas\n"
    assert run("convert", "train.txt", "new.csv")[2] == said


def test_convert_renames_and_writes_another_scheme(run: Run) -> None:
    code, out, _ = run("convert", "train.txt", "out.txt", "--to-scheme", "BIOES", "--to-separator", "space",
                       "--rename", "person=name", "--rename", "city=name")  # fmt: skip
    assert code == 0
    assert out == (
        "out.txt: 3 sentences, 8 words, 4 entities, 1 label\n"
        "lost: the difference between labels: city, person all become 'name'\n"
    )
    assert Path("out.txt").read_text(encoding="utf-8").splitlines()[:4] == [
        "Ada B-name",
        "Lovelace E-name",
        "wrote O",
        "",
    ]


def test_convert_counts_what_a_scheme_cannot_part(run: Run) -> None:
    Path("touching.txt").write_text("a\tB-x\nb\tB-x\n", encoding="utf-8")
    _, out, _ = run("convert", "touching.txt", "io.txt", "--to-scheme", "IO", "--json")
    result = json.loads(out)
    assert result["entities"] == 1
    assert result["lost"] == ["1 border between entities of the same label that touch, which the scheme cannot part"]


def test_convert_into_a_pipe_or_a_device_writes_the_sentences_alone(tmp_path: Path) -> None:
    """Nothing can be read back from there, and the reader of a pipe wants no report among the lines."""
    (tmp_path / "train.txt").write_text(TRAIN, encoding="utf-8")
    command = [sys.executable, "-m", "nerbridge", "data", "convert", "train.txt"]
    for target, expected in (("/dev/stdout", TRAIN + "\n"), ("/dev/null", "")):
        done = subprocess.run(
            [*command, target], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600
        )
        assert (done.returncode, done.stdout) == (0, expected)
        assert done.stderr == f"{target}: 3 sentences, 8 words, 4 entities, 2 labels\nnothing was lost\n"


def test_convert_never_overwrites_what_it_reads(run: Run) -> None:
    code, out, err = run("convert", "train.txt", "./train.txt", "--rename", "city=town")
    assert (code, out) == (2, "")
    assert err == (
        "error: 'train.txt' is the file that is read\n"
        "  where: the output\n"
        "  expected: another path\n"
        "  hint: write to a new file, then move it\n"
    )
    assert Path("train.txt").read_text(encoding="utf-8") == TRAIN


def test_sample_keeps_every_label(run: Run) -> None:
    code, out, err = run("sample", "train.txt", "--num", "2", "--output", "few.txt")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].split() == ["label", "all", "drawn"]
    assert out.splitlines()[-1] == "few.txt: 2 of 3 sentences"
    assert {line.split("\t")[1] for line in Path("few.txt").read_text(encoding="utf-8").split("\n") if line} >= {
        "B-person",
        "B-city",
    }
    first = Path("few.txt").read_bytes()
    run("sample", "train.txt", "--num", "2", "--output", "few.txt")
    assert Path("few.txt").read_bytes() == first


def test_sample_needs_one_measure(run: Run) -> None:
    code, out, err = run("sample", "train.txt", "--output", "few.txt")
    assert (code, out) == (2, "")
    assert err == (
        "error: say how much to draw in one way\n"
        "  where: the command line of `nerbridge data sample`\n"
        "  expected: either --num or --per-label\n"
        "  hint: --num 50, or --per-label 5\n"
    )


def test_overlap_as_table_and_picture(run: Run) -> None:
    Path("raw.txt").write_text("Oslo slept well.\n", encoding="utf-8")
    code, out, err = run("overlap", "train.txt", "dev.txt", "--raw", "raw=raw.txt", "--size", "4", "--plot", "map.png")
    assert code == 0
    assert out == (
        "overlap, %  train.txt  dev.txt     raw\n"
        "train.txt      100.00    25.00   33.33\n"
        "dev.txt         25.00   100.00   66.67\n"
        "raw             33.33    66.67  100.00\n"
    )
    assert err == "heat map: map.png\nraw has only 3 words, not 4\n"
    assert Path("map.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_overlap_reads_raw_text_of_every_kind_in_bounded_pieces(run: Run) -> None:
    tokenised = []
    words = "Oslo slept well and " * 60_000  # one line, longer than what is held at once
    Path("one-line.txt").write_text(words, encoding="utf-8")
    Path("records.jsonl").write_text('{"text": "Oslo slept well ."}\nno record\n', encoding="utf-8")
    Path("latin.txt").write_bytes("Oslo dormit bien.\nné à Oslo\n".encode("latin-1"))
    names = ("one-line.txt", "records.jsonl", "latin.txt")
    with pytest.MonkeyPatch.context() as patch:
        original = tokenization.tokenize
        patch.setattr(tokenization, "tokenize", lambda text: tokenised.append(len(text)) or original(text))
        code, out, err = run(
            "overlap", *(part for name in names for part in ("--raw", f"{name}={name}")), "--size", "3"
        )
    assert code == 0
    assert out == (
        "overlap, %     one-line.txt  records.jsonl  latin.txt\n"
        "one-line.txt         100.00         100.00      33.33\n"
        "records.jsonl        100.00         100.00      33.33\n"
        "latin.txt             33.33          33.33     100.00\n"
    )
    assert err == (
        "records.jsonl: left out: lines that are no JSON object (1)\n"
        "warning: latin.txt: 1 paragraph left out, not utf-8; see --encoding\n"
    )
    assert max(tokenised) <= 1_000_000 < len(words)


def test_overlap_needs_two_domains(run: Run) -> None:
    code, _, err = run("overlap", "train.txt")
    assert code == 2
    assert err.startswith("error: 1 domain cannot be compared\n")


def test_overlap_refuses_two_domains_of_one_name(run: Run) -> None:
    for given in (["--raw", "a=train.txt", "--raw", "a=dev.txt"], ["dev.txt", "--raw", "dev.txt=train.txt"]):
        code, out, err = run("overlap", *given)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: two domains are called '{given[-1].partition('=')[0]}'\n  where: --raw\n")


def test_overlap_refuses_a_picture_that_it_cannot_draw_before_it_works(run: Run) -> None:
    code, out, err = run("overlap", "train.txt", "no-such-file.txt", "--plot", "map.doc")
    assert (code, out) == (2, "")
    assert err.startswith("error: 'map.doc' does not say which picture to draw\n")


def test_list_shows_all_and_one_in_full(run: Run) -> None:
    code, out, err = run("list")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]] == list(card_names())
    assert err.startswith("no data root was given")
    _, out, _ = run("list", "bionlp13cg")
    assert "  Multi-tissue_structure: a structure made of several tissues, such as a blood vessel\n" in out


def test_list_says_what_is_present(run: Run, tmp_path: Path) -> None:
    _, out, err = run("list", "crossner/ai", "--data-root", str(tmp_path), "--json")
    (record,) = json.loads(out)
    assert (record["presence"], err) == ("missing", "")
    assert record["files"]["train"]["url"].endswith("/ner_data/ai/train.txt")


def test_fetch_dry_run_prints_addresses_and_writes_nothing(run: Run) -> None:
    code, out, _ = run("fetch", "crossner/ai", "--data-root", "root", "--dry-run", "--json")
    outcomes = json.loads(out)
    assert code == 0
    assert [each["state"] for each in outcomes] == ["missing"] * 4
    assert [each["address"] for each in outcomes] == [
        find_card("crossner/ai").url(file) for file in find_card("crossner/ai").every_file()
    ]
    assert not Path("root").exists()


def test_fetch_without_a_network_names_the_place(run: Run, socket_enabled: None) -> None:
    code, out, err = run("fetch", "conll2003", "--data-root", "root", "--tries", "1", "--mirror", "http://127.0.0.1:9")
    assert (code, out) == (2, "")
    commit = find_card("conll2003").commit
    assert err.split("error: ")[1] == (
        "'train.txt' could not be fetched: [Errno 111] Connection refused (1 try)\n"
        f"  where: http://127.0.0.1:9/zliucr/CrossNER/{commit}/ner_data/conll2003/train.txt\n"
        "  expected: a connection to the public source, or the file in its place already\n"
        "  hint: without a network, copy 3 files from elsewhere: root/conll2003/train.txt, root/conll2003/dev.txt, "
        "root/conll2003/test.txt; `nerbridge data list conll2003` says where they come from, "
        "`nerbridge data check conll2003` verifies them\n"
    )


def test_fetch_needs_names_or_all(run: Run) -> None:
    code, _, err = run("fetch", "--data-root", "root")
    assert code == 2
    assert err.startswith("error: name the data sets to fetch, or use --all\n")


def test_a_misspelt_data_set_gets_the_nearest(run: Run) -> None:
    code, _, err = run("check", "crossner/a1")
    assert code == 2
    assert err.startswith("error: there is no data set 'crossner/a1'\n")
    assert err.endswith("  hint: nearest is 'crossner/ai'\n")


def test_a_data_set_needs_a_data_root(run: Run) -> None:
    code, _, err = run("stats", "crossner/ai")
    assert code == 2
    assert err == (
        "error: no data root was given, and 'crossner/ai' is a public data set that is read from there\n"
        "  where: --data-root (from Python: data_root), or the environment variable NERBRIDGE_DATA\n"
        "  expected: the folder that holds the public data sets\n"
        "  hint: nerbridge data fetch crossner/ai --data-root FOLDER, then the same --data-root here\n"
    )


def test_a_check_without_a_data_root_names_the_data_set(run: Run) -> None:
    code, _, err = run("check", "conll2003")
    assert code == 2
    assert err.startswith(
        "error: no data root was given, and 'conll2003' is a public data set that is read from there\n"
    )


def test_files_are_given_in_one_way(run: Run) -> None:
    assert run("check", "train.txt", "--dev", "dev.txt")[2].startswith("error: files were given in two ways\n")
    assert run("check")[2].startswith("error: name either a public data set or files\n")
    assert run("check", "a", "b", "c", "d")[2].startswith("error: 4 files were given\n")


@pytest.mark.data
def test_check_of_a_public_data_set_counts_what_sources_counts(run: Run, data_root: Path) -> None:
    code, out, _ = run("check", "crossner/science", "--data-root", str(data_root), "--json")
    result = json.loads(out)
    assert code == 0
    assert [(each["earlier"], each["later"], each["sentences"], each["distinct"]) for each in result["shared"]] == [
        ("train", "dev", 4, 4),
        ("train", "test", 1, 1),
        ("dev", "test", 15, 11),
    ]
    assert result["counts"]["duplicate"] == 1 + 4 + 11
    assert result["counts"]["conflicting-tags"] == 1 + 4
    rare = [finding["what"] for finding in result["findings"] if finding["kind"] == "rare-label"]
    assert rare == ["label 'theory' has 8 mentions in train", "label 'country' has 9 mentions in train"]


@pytest.mark.data
def test_stats_of_a_public_data_set_as_json(run: Run, data_root: Path) -> None:
    _, out, _ = run("stats", "crossner/ai", "mit_restaurant", "--data-root", str(data_root), "--json")
    sizes = {
        (record["name"], split): (stats["sentences"], stats["words"], stats["entities"], len(stats["labels"]))
        for record in json.loads(out)
        for split, stats in record["splits"].items()
    }
    assert sizes == {
        ("crossner/ai", "train"): (100, 3782, 532, 14),
        ("crossner/ai", "dev"): (350, 10919, 1549, 14),
        ("crossner/ai", "test"): (431, 12991, 1809, 14),
        ("mit_restaurant", "train"): (7660, 70525, 15363, 8),
        ("mit_restaurant", "test"): (1521, 14256, 3151, 8),
    }


def installed(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The installed program in a process of its own."""
    program = Path(sys.executable).with_name("nerbridge")
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)


WHOLE = gzip.compress(TRAIN.encode() * 200)
# (name, content, beginning of the message, beginning of the place)
HOSTILE = [
    ("cut.txt.gz", WHOLE[: len(WHOLE) // 2], "the gzip file is damaged: ", "cut.txt.gz"),
    ("latin.txt", "Zürich\tB-city\n".encode("latin-1"), "the bytes at offset 1 are not utf-8", "latin.txt:1"),
    ("nul.txt", b"Oslo\tB-city\nx\0y\tO\n", "character 2 of the line is NUL", "nul.txt:2"),
    ("empty.txt", b"", "the file is empty", "empty.txt"),
    ("bare.txt", b"Ada\tB-person\nran\tO\nOslo\tB\n", "tag 'B' is not a BIO tag", "bare.txt:3"),
    ("letter.txt", b"Ada\tB-person\nran\tO\nOslo\tX-city\n", "tag 'X-city' is not a BIO tag", "letter.txt:3"),
]


@pytest.mark.parametrize(("name", "content", "what", "where"), HOSTILE, ids=[case[0] for case in HOSTILE])
@pytest.mark.parametrize("command", ["check", "stats"])
def test_hostile_files_give_four_parts_and_no_traceback(
    command: str, name: str, content: bytes, what: str, where: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    done = installed("data", command, name, folder=tmp_path)
    assert done.returncode == 2
    message = done.stderr.split("error: ")[-1].splitlines()
    assert message[0].startswith(what)
    assert [line.split(":")[0].strip() for line in message[1:]] == ["where", "expected", "hint"]
    assert message[1].startswith(f"  where: {where}")
    assert "Traceback" not in done.stderr


def test_a_folder_in_the_place_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    done = installed("data", "check", "folder", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: 'folder' is a folder\n"
        "  where: folder\n"
        "  expected: a file\n"
        "  hint: name one of the files in it\n"
    )  # fmt: skip


def test_unknown_labels_in_dev_are_findings_not_errors(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(TRAIN, encoding="utf-8")
    (tmp_path / "dev.txt").write_text(DEV, encoding="utf-8")
    done = installed("data", "check", "train.txt", "dev.txt", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "  dev.txt:4: label 'club' is not in train; 1 mention in dev, first 'ACM'\n" in done.stdout


def test_extreme_sentences_and_words_are_checked_not_choked_on(tmp_path: Path) -> None:
    words = [*(["word"] * 3000), "x" * 100_000, "\u200b", "\x1b[31mred", "👩\u200d🚀", "cafe\u0301"]
    (tmp_path / "odd.txt").write_text("".join(f"{word}\tO\n" for word in words), encoding="utf-8")
    done = installed("data", "check", "odd.txt", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "read as train: 1 sentence, 3,005 words, 0 spans" in done.stdout
    assert "(100,000 characters) is only the unknown piece for 'minilm'" in done.stdout
    assert "odd.txt:3002: word '\\u200b' gives no piece for 'minilm'" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_check_of_15000_sentences_needs_no_torch(tmp_path: Path) -> None:
    sentence = "Ada\tB-person\nwrote\tO\nnotes{}\tO\n\n"
    (tmp_path / "large.txt").write_text("".join(sentence.format(i) for i in range(15_000)), encoding="utf-8")
    program = (
        "import sys; from nerbridge.cli import main; code = main(['data', 'check', 'large.txt']); "
        "print([name for name in ('torch', 'transformers', 'accelerate') if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
    assert "train: 15,000 sentences, 45,000 words, 15,000 spans" in done.stdout


def test_faults_are_listed_once_and_their_common_cause_is_none_of_them(run: Run) -> None:
    records = [{"text": "Ada ran.", "spans": [[0, 2, "person"]]}] * 7 + [{"text": "Oslo slept.", "spans": []}]
    Path("a.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    code, out, err = run("check", "a.jsonl", "--encoder", "none", "--show", "1")
    assert code == 2
    assert out == (
        "a.jsonl\n"
        "  a.jsonl, read as train: 1 sentence, 3 words, 0 spans (JSONL, offsets in codepoints)\n"
        "    7 sentences left out, at fault\n"
        "\n"
        "unreadable: 7 (lines that cannot be read; training on this file stops here)\n"
        "  a.jsonl:1: span 0:2 (person) misses word borders: 'Ad'\n"
        "  ... and 6 more (--show 0 lists all)\n"
        "\n"
        "common-fault: 1 (what most unreadable lines have in common; mend this first)\n"
        "  a.jsonl: 7 of 7 spans miss word borders in the same way: the ends are inclusive\n"
        "\n"
        "8 findings\n"
    )
    assert err == (
        "error: 7 faults that stop training, listed above\n"
        "  where: a.jsonl\n"
        "  expected: spans that start and end at word borders\n"
        "  hint: read it with --read end_shift=1 (in a recipe: read = { end_shift = 1 })\n"
    )
    assert run("convert", "a.jsonl", "b.conll")[2].startswith("error: 7 faults\n")


def test_schemes_may_be_written_small_and_a_wrong_one_gets_the_list(run: Run) -> None:
    assert run("convert", "train.txt", "a.txt", "--scheme", "bio", "--to-scheme", "bioes")[0] == 0
    assert "Oslo\tS-city\n" in Path("a.txt").read_text(encoding="utf-8")
    code, _, err = run("check", "train.txt", "--scheme", "bix")
    assert code == 2
    assert err.startswith("error: invalid value for '--scheme': 'bix' is not one of 'bio', 'iob1', 'bioes', ")
