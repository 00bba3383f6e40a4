"""Files of comma or semicolon separated values, as spreadsheets and data frames write them."""

from pathlib import Path

import pytest

from nerbridge.data.reading import read_sentences
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Sentence, Span
from nerbridge.data.separators import Separator, cut, open_quote
from nerbridge.data.writing import write_columns
from nerbridge.errors import ConfigError, DataError, FileFaults

PLAIN = "Ada,B-person\nwrote,O\n.,O\n\nOslo,B-city\nslept,O\n"
WORDS = [("Ada", "wrote", "."), ("Oslo", "slept")]


def write(folder: Path, content: str, encoding: str = "utf-8") -> Path:
    path = folder / "data.csv"
    path.write_bytes(content.encode(encoding))
    return path


def words(path: Path, **options: object) -> list[tuple[str, ...]]:
    return [sentence.words for sentence in read_sentences(path, **options).sentences]


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("Ada,O", ("Ada", "O")),
        ('",",O', (",", "O")),
        ('"""",O', ('"', "O")),
        ('"say ""hi"", Bob", O', ('say "hi", Bob', "O")),
        ('5" disc, "O"', ('5" disc', "O")),
        (",,", ("", "", "")),
        ('a\rb,"O"', ("a\rb", '"O"')),
        (f'"{"x" * 200_000}",O', (f'"{"x" * 200_000}"', "O")),
    ],
)
def test_fields_of_a_line(line: str, fields: tuple[str, ...]) -> None:
    assert cut(line, Separator.COMMA) == fields
    assert cut(line.replace(",", ";"), Separator.SEMICOLON) == tuple(field.replace(",", ";") for field in fields)


def test_tabs_and_spaces_know_no_quotes() -> None:
    assert cut('"\tO', Separator.TAB) == cut('" O', Separator.SPACE) == ('"', "O")
    assert not open_quote('"\tO', Separator.TAB)
    assert open_quote('",O', Separator.COMMA)


@pytest.mark.parametrize("mark", [",", ";", ", "])
def test_commas_and_semicolons_are_found(tmp_path: Path, mark: str) -> None:
    path = write(tmp_path, PLAIN.replace(",", mark))
    result = read_sentences(path)
    assert [one.words for one in result.sentences] == WORDS
    assert result.sentences[0].spans == (Span(0, 1, "person"),)
    name = "semicolon" if mark == ";" else "comma"
    assert result.report() == [f"{path}: 2 sentences, 5 words, 2 spans (2 columns, {name}, BIO)"]


@pytest.mark.parametrize(
    "content",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace("\n\n", "\n,\n"),
        PLAIN.replace("\n\n", "\n-DOCSTART-,O\n"),
        "# id 1\n" + PLAIN,
        PLAIN.replace("B-person", "person").replace("B-city", "city"),
        PLAIN.replace(",", ",NN,"),
        "".join(f'"{line}"\n' if line else "\n" for line in PLAIN.replace(",", '","').splitlines()),
    ],
)
def test_the_same_sentences_whatever_the_file_looks_like(tmp_path: Path, content: str) -> None:
    sentences = read_sentences(write(tmp_path, content)).sentences
    assert [one.words for one in sentences] == WORDS
    assert [[span.label for span in one.spans] for one in sentences] == [["person"], ["city"]]


@pytest.mark.parametrize(
    "content",
    [
        "Ada\tB-x,B-y\nran\tO\n,\tO\n",  # several tags in one column
        "Ada B-x,B-y\nran O\n, O\n",
        "1,5 O\n2,5 O\nAda B-x\n",
        ", O\n, O\nAda B-x\n",
    ],
)
def test_other_separators_stay_what_they_are(tmp_path: Path, content: str) -> None:
    marked = "tab" if "\t" in content else "space"
    assert read_sentences(write(tmp_path, content)).format.startswith(f"2 columns, {marked}")


def test_rows_of_empty_fields_are_blank_lines(tmp_path: Path) -> None:
    counts = read_sentences(write(tmp_path, "Ada,NN,B-x\n,,\nran,VB,O\n , ,\n")).counts
    assert (counts.sentences, counts.blank_lines) == (2, 2)


def test_a_word_that_looks_like_a_marker_is_a_word(tmp_path: Path) -> None:
    assert words(write(tmp_path, "UID:x,O\nAda,B-x\n"), separator="comma") == [("UID:x", "Ada")]


def test_a_quote_that_is_not_closed(tmp_path: Path) -> None:
    path = write(tmp_path, PLAIN + '",O\na,b,O\n')
    with pytest.raises(FileFaults) as caught:
        read_sentences(path, separator="comma")
    assert [str(fault) for fault in caught.value.faults] == [
        "the line has 1 column: '\",O'\n"
        f"  where: {path}:7\n"
        "  expected: 2 columns, comma between, as in most lines\n"
        '  hint: close the quote; a word that holds a quote stands in quotes, and its own are doubled, as in """"',
        "the line has 3 columns: 'a,b,O'\n"
        f"  where: {path}:8\n"
        "  expected: 2 columns, comma between, as in most lines\n"
        "  hint: mend the line; a field that holds ',' stands in quotes",
    ]


def test_doubtful_commas_are_named(tmp_path: Path) -> None:
    path = write(tmp_path, "Ada,B-x\nran,O\nfar\n,,,O\n.,O\nlate\n")
    (remark,) = read_sentences(path, tag_column=-1).counts.remarks()
    assert remark == (
        "lines such as 'Ada,B-x' seem to hold a word and its tag, with ',' between: read with --read separator=comma "
        "(in a recipe: read = { separator = 'comma' })"
    )
    path = write(tmp_path, "Ada|B-x\nran|O\n")
    (remark,) = read_sentences(path).counts.remarks()
    assert remark.endswith("with '|' between: put a TAB or a space between")


def test_the_hint_for_running_text_names_the_separator(tmp_path: Path) -> None:
    rows = [f"Sentence {number};w{number};O" for number in range(9)]
    path = write(tmp_path, "\n".join([*rows, "Sentence 9;;;O", "Sentence 10;;;O"]))
    with pytest.raises(DataError) as caught:
        read_sentences(path)
    assert str(caught.value) == (
        "the file looks like running text: 11 lines without tags\n"
        f"  where: {path}\n"
        "  expected: labelled sentences: a word and its tag on each line, or JSON lines with spans\n"
        "  hint: label some of its sentences first, a tagger cannot learn from text alone; if these are columns, read "
        "with --read separator=semicolon (in a recipe: read = { separator = 'semicolon' })"
    )


def test_tags_that_hold_other_columns_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "Sentence 1;Ada;B-x\nSentence 1;ran;O\nSentence 10;.;O\n")
    with pytest.raises(DataError) as caught:
        read_sentences(path, tag_column=1)
    assert str(caught.value) == (
        "the tag scheme is ambiguous: labels such as '10;.;O', '1;Ada;B-x', '1;ran;O' hold a separator and a tag\n"
        f"  where: {path}\n"
        "  expected: tags of one scheme: BIO, IOB1, BIOES, BMES, BILOU, IO, bare\n"
        "  hint: count the columns anew, and read with --read separator=semicolon (in a recipe: read = { separator = "
        "'semicolon' })"
    )
    with pytest.raises(DataError, match="put TABs or spaces between columns"):
        read_sentences(write(tmp_path, "Ada ran|x|O\nBob ran|y|O\n"), tag_column=1)
    nested = read_sentences(write(tmp_path, "Ada PER|O\nran O|O\nOslo O\n"), tag_column=1).sentences
    assert [span.label for one in nested for span in one.spans] == ["PER|O", "O|O"]


def test_commas_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        write_columns([Sentence(("Ada",))], tmp_path / "a.csv", separator=Separator.COMMA)
    assert str(caught.value) == (
        "column files are not written with separator 'comma'\n"
        "  where: the option separator\n  expected: tab or space\n  hint: write TABs, which words cannot hold"
    )


def test_what_would_read_as_names_of_columns_is_not_written(tmp_path: Path) -> None:
    sentence = Sentence(("word", "ran"), (Span(0, 1, "tag"),))
    with pytest.raises(DataError, match="cannot hold the word 'word' with the label 'tag' in its first line"):
        write_columns([sentence], tmp_path / "a.txt", scheme=Scheme.BARE)
    write_columns([sentence], tmp_path / "a.txt")
    assert words(tmp_path / "a.txt") == [("word", "ran")]
