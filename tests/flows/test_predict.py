"""`nerbridge predict` on a tiny model: every input and every output, whole outputs compared."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from predicting import PROGRAM, Predict, found, records, without_speed

import nerbridge
from nerbridge.cli import main
from nerbridge.inference.document import Entity

pytestmark = pytest.mark.xdist_group("predict")  # one process trains the tiny model


def test_lines_of_standard_input(predict: Predict) -> None:
    code, out, err = predict("-", stdin="🙂  Ada Lovelace wrote to the Royal Society.\r\n\nBob sang".encode())
    scores = re.compile(r"\"score\": [01]\.\d+")
    assert scores.sub('"score": S', out) == (
        '{"text": "🙂  Ada Lovelace wrote to the Royal Society.", "entities": ['
        '{"start": 3, "end": 15, "label": "person", "text": "Ada Lovelace", "score": S}, '
        '{"start": 29, "end": 42, "label": "organisation", "text": "Royal Society", "score": S}]}\n'
        '{"text": "", "entities": []}\n'
        '{"text": "Bob sang", "entities": [{"start": 0, "end": 3, "label": "person", "text": "Bob", "score": S}]}\n'
    )
    assert without_speed(err) == (
        "3 texts, 11 words, 3 entities, N words per second, 0 words without pieces, 1 word with unknown pieces\n"
    )
    assert code == 0


def test_where_it_was_written_is_said_and_nothing_to_tag_too(predict: Predict, tmp_path: Path) -> None:
    output = tmp_path / "found.jsonl"
    code, out, err = predict("-", "--output", output, stdin=b"")
    assert (code, out) == (0, "")
    assert err.startswith(f"{output}: written\n0 texts, ")
    assert err.endswith("\nwarning: there was nothing to tag in standard input\n")


def test_standard_input_is_the_default(predict: Predict) -> None:
    assert found(predict(stdin=b"bob sang in london")[1]) == [["bob", "london"]]


def test_offsets_in_utf16_units(predict: Predict) -> None:
    (record,) = records(predict("--offsets", "utf16", stdin="🙂  Bob sang".encode())[1])
    assert [(entity["start"], entity["end"]) for entity in record["entities"]] == [(4, 7)]


def test_several_files_of_several_formats(predict: Predict, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Bob sang\n")
    inputs = [{"id": 1, "text": "Bob sang in London"}, {"words": ["ada", "lovelace", "sang"]}]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, inputs)))
    (tmp_path / "c.conll").write_text("Bob\tO\nsang\tO\n\nada\tX\nlovelace\tX\n")
    code, out, _ = predict(*sorted(tmp_path.iterdir()))
    assert found(out) == [["Bob"], ["Bob", "London"], ["ada lovelace"], ["Bob"], ["ada lovelace"]]
    assert [sorted(record) for record in records(out)] == [
        ["entities", "text"], ["entities", "id", "text"], *[["entities", "words"]] * 3
    ]  # fmt: skip
    assert code == 0


@pytest.mark.parametrize("separator", ["\t", " "])
def test_a_column_file_that_is_read_as_text_is_said(predict: Predict, tmp_path: Path, separator: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Bob B-person\nsang O\nin O\nLondon B-location\n".replace(" ", separator))
    warning = (
        "warning: {} looks like a column file (a word and its tag on each line), yet every line is tagged as a text of "
        "its own; to read it as what it is: --input-format conll\n"
    )
    code, out, err = predict(path)
    assert (code, len(records(out))) == (0, 4)
    assert err.startswith(warning.format(f"'{path}'"))
    assert predict("-", stdin=path.read_bytes())[2].startswith(warning.format("standard input"))
    code, out, err = predict(path, "--input-format", "conll")
    assert (found(out), "warning" in err) == ([["Bob", "London"]], False)
    assert "warning" not in predict(path, "--input-format", "text")[2]
    assert "warning" not in predict(path, "--whole-file")[2]


def test_a_warning_comes_once_however_long_the_file_is(predict: Predict, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Bob B-person\nsang O\n\n" * 40)
    assert predict(path)[2].count("warning: ") == 1


def test_a_whole_file_is_one_text(predict: Predict, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Bob sang.\n\nAda Lovelace wrote.\n")
    assert found(predict(path, "--whole-file")[1]) == [["Bob", "Ada Lovelace"]]


def test_columns_out(predict: Predict) -> None:
    _, out, err = predict("--format", "conll", "--scheme", "BILOU", stdin=b"Ada Lovelace wrote. Bob sang.")
    assert out == "Ada\tB-person\nLovelace\tL-person\nwrote\tO\n.\tO\n\nBob\tU-person\nsang\tO\n.\tO\n\n"
    assert err.startswith("1 text, 7 words, 2 entities, ")


def test_html_out(predict: Predict) -> None:
    _, out, _ = predict("--format", "html", stdin=b"<b>\nBob sang")
    assert out.startswith("<!doctype html>")
    mark = r'<mark class="label-2" title="person, score [01]\.\d\d">Bob<small>person</small></mark>'
    assert re.search(f"<article>{mark} sang</article>", out)
    assert "<b>" not in out
    assert [f">{label}</mark>" in out for label in ("location", "organisation", "person")] == [True] * 3


@pytest.mark.parametrize(
    ("name", "begin"),
    [("a.html", "<!doctype html>"), ("a.conll", "bob\tB-"), ("a.TXT", "bob\tB-"), ("a.json", "{"), ("a", "{")],
)
def test_the_suffix_of_the_output_chooses_the_format(predict: Predict, tmp_path: Path, name: str, begin: str) -> None:
    code, _, err = predict("-o", tmp_path / name, stdin=b"bob sang")
    assert (code, "warning" in err) == (0, False)
    assert (tmp_path / name).read_text().startswith(begin)


def test_a_format_that_contradicts_the_suffix_is_written_and_said(predict: Predict, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    code, _, err = predict("-o", page, "--format", "jsonl", stdin=b"bob sang")
    assert (code, found(page.read_text())) == (0, [["bob"]])
    assert err.startswith(f"warning: '{page}' is written as jsonl, as --format says; its suffix means html\n")
    assert "warning" not in predict("-o", tmp_path / "a.txt", "--format", "jsonl", stdin=b"bob sang")[2]
    err = predict("-o", tmp_path / "a.csv", stdin=b"bob sang")[2]
    assert err.startswith(
        f"warning: '{tmp_path / 'a.csv'}' is written as JSON lines: no format goes with '.csv'; --format names one\n"
    )


@pytest.mark.parametrize(
    ("option", "value", "format", "needed"),
    [
        ("--scheme", "BIOES", "jsonl", "conll"),
        ("--offsets", "utf16", "conll", "jsonl"),
        ("--scheme", "IO", "html", "conll"),
    ],
)
def test_an_option_without_effect_on_the_format_is_refused(
    predict: Predict, option: str, value: str, format: str, needed: str
) -> None:
    assert predict(option, value, "--format", format, stdin=b"bob sang") == (
        2,
        "",
        f"error: {option} {value} has no effect on {format}\n"
        f"  where: {option}\n"
        f"  expected: {option} with the format {needed} only\n"
        f"  hint: leave {option} out, or write {needed}: --format {needed}\n",
    )


def test_a_scheme_may_be_written_small(predict: Predict) -> None:
    assert predict("--format", "conll", "--scheme", "bioes", stdin=b"bob sang")[1] == "bob\tS-person\nsang\tO\n\n"


def test_columns_that_cannot_be_guessed_are_named(predict: Predict, tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("1 bob O\n2 sang O\n\n1 ada O\n2 sang\n")
    code, out, err = predict(path, "--read", "word_column=1")
    assert (code, found(out)) == (2, [["bob"], ["ada"]])
    assert err.endswith(
        "  hint: mend the line, or name the columns and the separator: `--read word_column=1 --read separator=tab`\n"
    )


@pytest.mark.parametrize(
    ("read", "arguments", "message"),
    [
        (
            "tag_column=1",
            ("--input-format", "conll"),
            "error: reader option 'tag_column' has no effect on what is tagged\n"
            "  where: --read\n"
            "  expected: one of separator, word_column, sentence_column, comment: tags and spans of the input are not "
            "looked at\n"
            "  hint: name the column of the words, as in `--read word_column=1`, or leave the option out\n",
        ),
        (
            "word_column=1",
            (),
            "error: --read is given, and no input is a column file\n"
            "  where: --read\n"
            "  expected: column files, by their suffix or by --input-format conll\n"
            "  hint: --input-format conll reads the input as columns\n",
        ),
    ],
)
def test_reading_options_without_effect_are_refused(
    predict: Predict, read: str, arguments: tuple[str, ...], message: str
) -> None:
    assert predict("--read", read, *arguments, stdin=b"bob sang") == (2, "", message)


def test_a_file_that_is_replaced_is_said(predict: Predict, tmp_path: Path) -> None:
    said = f"{tmp_path / 'a.jsonl'}: an earlier file was replaced\n"
    assert said not in predict("-o", tmp_path / "a.jsonl", stdin=b"bob sang")[2]
    assert predict("-o", tmp_path / "a.jsonl", stdin=b"bob sang")[2].startswith(said)


def test_min_score_leaves_out(predict: Predict) -> None:
    assert found(predict("--min-score", "1", stdin=b"bob sang")[1]) == [[]]


def test_output_goes_to_a_file_whole(predict: Predict, tmp_path: Path) -> None:
    code, out, _ = predict("--output", tmp_path / "out" / "a.jsonl", stdin=b"bob sang")
    assert (code, out) == (0, "")
    assert found((tmp_path / "out" / "a.jsonl").read_text()) == [["bob"]]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.jsonl"]


def test_an_earlier_output_survives_when_nothing_could_be_tagged(predict: Predict, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("earlier")
    code, _, _ = predict(tmp_path / "missing.txt", "--output", tmp_path / "out")
    assert (code, (tmp_path / "out").read_text()) == (2, "earlier")


def test_python_says_the_same(tagged_run: Path, predict: Predict) -> None:
    text = "Ada Lovelace wrote to the Royal Society. Bob sang in London."
    pipeline = nerbridge.load(tagged_run, device="cpu")
    document = pipeline(text)
    (record,) = records(predict(stdin=text.encode())[1])
    assert [{**entity, "score": None} for entity in record["entities"]] == [
        {"start": one.start, "end": one.end, "label": one.label, "text": one.text, "score": None}
        for one in document.entities
    ]
    assert [entity["score"] for entity in record["entities"]] == pytest.approx(
        [entity.score for entity in document.entities], abs=1e-4
    )
    assert pipeline.labels == ("location", "organisation", "person")
    assert pipeline.source == tagged_run / "stage" / "model"
    (sentence,) = pipeline.tag_words([["ada", "lovelace", "sang"]])
    assert sentence.mentions() == ("ada lovelace",)


def test_what_is_said_does_not_depend_on_what_is_tagged_with_it(tagged_run: Path) -> None:
    texts = ["bob sang", "Ada Lovelace wrote to the Royal Society in London. " * 20, "", "the royal society"] * 5
    pipeline = nerbridge.load(tagged_run, device="cpu")
    together = pipeline(texts)
    alone = [pipeline(text) for text in texts]
    assert [list(map(_place, document.entities)) for document in together] == [
        list(map(_place, document.entities)) for document in alone
    ]


def _place(entity: Entity) -> tuple[int, int, str]:
    return entity.start, entity.end, entity.label


def test_an_encoding_that_is_none(predict: Predict) -> None:
    assert predict("--encoding", "utf-9") == (
        2,
        "",
        "error: 'utf-9' is not an encoding of text\n  where: --encoding\n"
        "  expected: a name such as utf-8, latin-1, cp1252 or utf-16\n"
        "  hint: leave `--encoding` out if the file is UTF-8\n",
    )


def test_a_device_that_is_not_there(tagged_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(tagged_run), "--device", "cuda:99"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(
        r"error: device 'cuda:99' cannot be used: .+\n"
        r"  where: device\n"
        r"  expected: cpu.*\n"
        r"  hint: leave the device out: the GPU is taken where there is one\n",
        err,
    )


def test_a_reader_that_has_seen_enough_ends_it_quietly(tagged_run: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"Bob sang\n" * 5_000)
    shell = f"{PROGRAM} predict {tagged_run} {path} --device cpu --threads 1 | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (len(done.stdout.splitlines()), done.stderr, done.returncode) == (1, "", 141)
