"""Lines that name columns, and columns that tell sentences apart."""

from pathlib import Path

import pytest

from nerbridge.data.reading import ReadResult, read_sentences
from nerbridge.data.sentence import Span
from nerbridge.errors import DataError, FileFaults

ROWS = [
    ("Sentence: 1", "Café", "NN", "B-bar"),
    ("", "opens", "VB", "O"),
    ("", ",", ",", "O"),
    ("", "Ada", "NN", "B-person"),
    ("", "sings", "VB", "O"),
    ("Sentence: 2", "Oslo", "NN", "B-city"),
    ("", "slept", "VB", "O"),
    ("", "deep", "JJ", "O"),
    ("", ".", ".", "O"),
]
WORDS = [("Café", "opens", ",", "Ada", "sings"), ("Oslo", "slept", "deep", ".")]
HEADER = ("Sentence #", "Word", "POS", "Tag")


def filled() -> list[tuple[str, ...]]:
    """The rows with the number of the sentence in each."""
    return [(f"Sentence: {1 if place < 5 else 2}", *row[1:]) for place, row in enumerate(ROWS)]


def table(rows: list[tuple[str, ...]], mark: str = ",") -> str:
    return "".join(mark.join(f'"{field}"' if mark in field else field for field in row) + "\n" for row in rows)


def read(folder: Path, content: str, **options: object) -> ReadResult:
    path = folder / "data.csv"
    path.write_bytes(content.encode(str(options.get("encoding", "utf-8"))))
    return read_sentences(path, **options)


def words(result: ReadResult) -> list[tuple[str, ...]]:
    return [sentence.words for sentence in result.sentences]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_the_form_of_kaggle_is_read_by_its_names(tmp_path: Path, mark: str) -> None:
    result = read(tmp_path, table([HEADER, *ROWS], mark), encoding="latin-1")
    assert words(result) == WORDS
    assert result.sentences[0].spans == (Span(0, 1, "bar"), Span(3, 4, "person"))
    assert [one.origin.line for one in result.sentences if one.origin] == [2, 7]
    assert result.format.endswith("sentences by column 0, BIO")
    assert result.report()[1:] == [
        "  1 line that names the columns left out; columns by their names: sentence 0, word 1"
    ]


@pytest.mark.parametrize("rows", [ROWS, filled()])
@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_a_sentence_column_can_be_named(tmp_path: Path, rows: list[tuple[str, ...]], mark: str) -> None:
    assert words(read(tmp_path, table(rows, mark), sentence_column=0, word_column=1)) == WORDS
    assert words(read(tmp_path, table(rows, mark), sentence_column=-4, word_column=-3)) == WORDS


def test_blank_lines_end_sentences_too(tmp_path: Path) -> None:
    rows = table(filled()).splitlines(keepends=True)
    content = "".join([*rows[:2], "\n", *rows[2:4], ",,,\n", *rows[4:]])
    found = words(read(tmp_path, content, sentence_column=0, word_column=1))
    assert found == [("Café", "opens"), (",", "Ada"), ("sings",), WORDS[1]]


def test_a_faulty_row_still_begins_its_sentence(tmp_path: Path) -> None:
    content = table([*filled()[:2], ("Sentence: 2", "", "NN", "O"), ("", "ran", "VB", "O")])
    with pytest.raises(FileFaults) as caught:
        read(tmp_path, content, sentence_column=0, word_column=1)
    assert [fault.what for fault in caught.value.faults] == ["the word is empty: 'Sentence: 2,,NN,O'"]


@pytest.mark.parametrize("mark", [",", ";", "\t", " "])
@pytest.mark.parametrize("names", [("word", "tag"), ("Tokens", "NER_Tags"), ("text", "labels")])
def test_a_first_line_of_names_is_left_out(tmp_path: Path, mark: str, names: tuple[str, ...]) -> None:
    content = table([names, ("Ada", "B-x"), ("ran", "O")], mark)
    result = read(tmp_path, content)
    assert words(result) == [("Ada", "ran")]
    assert result.report()[1:] == ["  1 line that names the columns left out"]
    assert words(read(tmp_path, content + "\n" + content)) == [("Ada", "ran"), ("Ada", "ran")]
    assert words(read(tmp_path, content, tag_column=None)) == [("Ada", "ran")]


@pytest.mark.parametrize(
    "content", ["word tag\nran tag\nAda O\n", "word\nran\n", "word O\nran B-x\n", "word tug\nx O\n"]
)
def test_words_that_only_look_like_names_stay(tmp_path: Path, content: str) -> None:
    assert words(read(tmp_path, content))[0][0] == "word"


def test_columns_are_where_their_names_are(tmp_path: Path) -> None:
    rows: list[tuple[str, ...]] = [("", "tag", "token", "pos"), ("0", "B-x", "Ada", "NN"), ("1", "O", "ran", "VB")]
    result = read(tmp_path, table(rows))
    assert words(result) == [("Ada", "ran")]
    assert result.counts.of_names() == ["1 line that names the columns left out; columns by their names: word 2, tag 1"]


def test_names_do_not_overrule_options_and_blank_lines_end_sentences_too(tmp_path: Path) -> None:
    rows = [("sentence", "word", "tag"), ("1", "Ada", "B-x"), ("1", "ran", "O"), ("2", "Bob", "B-x")]
    assert words(read(tmp_path, table(rows), word_column=1)) == [("Ada", "ran", "Bob")]
    assert words(read(tmp_path, table(rows))) == [("Ada", "ran"), ("Bob",)]
    for border in (("", "", ""), rows[0], ("-DOCSTART-", "", "")):  # one border more, in a large file
        more = [border, ("3", "Eve", "O"), ("3", "ran", "O"), ("4", "Bob", "O")]
        assert words(read(tmp_path, table([*rows, *more]))) == [("Ada", "ran"), ("Bob",), ("Eve", "ran"), ("Bob",)]
    apart = [(str(number), f"w{number}", "B-x" if number % 3 else "O") for number in range(12)]
    assert words(read(tmp_path, table([rows[0], *apart]))) == [tuple(f"w{number}" for number in range(12))]


@pytest.mark.parametrize("rows", [ROWS, filled()])
@pytest.mark.parametrize("mark", [",", "\t"])
def test_numbers_of_sentences_are_no_words(tmp_path: Path, rows: list[tuple[str, ...]], mark: str) -> None:
    second = rows[1][0]
    with pytest.raises(DataError) as caught:
        read(tmp_path, table(rows, mark))
    assert str(caught.value) == (
        f"the words of column 0 come in runs of the same text: 'Sentence: 1', '{second}', '{second}', ..., and no "
        "blank line ends a sentence\n"
        f"  where: {tmp_path / 'data.csv'}\n"
        "  expected: a word in each line, and a blank line or a new number of the sentence between sentences\n"
        "  hint: if column 0 tells sentences apart, read with --read sentence_column=0 --read word_column=1 "
        "(in a recipe: read = { sentence_column = 0, word_column = 1 }); if they are the words: --read word_column=-4"
    )


def test_numbers_of_rows_are_no_words(tmp_path: Path) -> None:
    rows = [(str(number), *row) for number, row in enumerate(filled())]
    with pytest.raises(DataError, match="count up: '0', '1', '2'") as caught:
        read(tmp_path, table(rows))
    assert caught.value.hint.startswith(
        "if column 1 tells sentences apart, read with --read sentence_column=1 --read wor"
    )
    del rows[3]
    with pytest.raises(DataError, match="count up: '0', '1', '2'"):
        read(tmp_path, table([(row[0], *row[2:]) for row in rows]))


def test_numbers_of_words_are_remarked(tmp_path: Path) -> None:
    block = "1 Ada B-x\n2 ran O\n3 far O\n\n"
    (remark,) = read(tmp_path, block * 3).counts.remarks()
    assert remark == (
        "the words of column 0 count up: '1', '2', '3', ...; if column 1 holds the words, read with --read "
        "word_column=1 (in a recipe: read = { word_column = 1 }); if they are the words: --read word_column=-3"
    )


def test_a_file_that_is_one_sentence_is_remarked(tmp_path: Path) -> None:
    (remark,) = read(tmp_path, table(filled()), word_column=1).counts.remarks()
    assert remark == (
        "no blank line ends a sentence; if column 0 tells them apart, read with --read sentence_column=0 --read "
        "word_column=1 (in a recipe: read = { sentence_column = 0, word_column = 1 })"
    )


@pytest.mark.parametrize(
    "content",
    [
        "1 Ada B-x\n2 ran O\n",
        "".join(f"w{number} NN {(number % 2 and 'O') or 'B-x'}\n" for number in range(30)),
        f"{'1' * 5000} NN O\n{'2' * 5000} NN O\n" * 4,
        "ha NN O\nha NN O\n\n" + "Ada NN B-x\nran VB O\n\n" * 9,
    ],
)
def test_other_files_are_not_suspected(tmp_path: Path, content: str) -> None:
    assert read(tmp_path, content).counts.remarks() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"sentence_column": 0},
            "column 0 cannot hold both the sentence's number and the word\n"
            "  where: {path}\n  expected: three columns for sentence, word and tag\n"
            "  hint: name another column, as in --read word_column=1 (in a recipe: read = {{ word_column = 1 }}), or "
            "leave the sentence column out where blank lines end sentences",
        ),
        (
            {"sentence_column": -1, "word_column": 1},
            "column 3 cannot hold both the sentence's number and the tag\n"
            "  where: {path}\n  expected: three columns for sentence, word and tag\n"
            "  hint: name another column, as in --read sentence_column=0 (in a recipe: read = {{ sentence_column = 0 "
            "}}), or leave the sentence column out where blank lines end sentences",
        ),
        (
            {"sentence_column": 7, "word_column": 1},
            "there is no sentence column 7: most lines have 4 columns\n"
            "  where: {path}\n  expected: a column from 0 to 3, or from -1 to -4 counted from the last\n"
            "  hint: look at a line of the file and count its columns from 0",
        ),
    ],
)
def test_sentence_columns_that_cannot_be(tmp_path: Path, options: dict[str, int], message: str) -> None:
    with pytest.raises(DataError) as caught:
        read(tmp_path, table(filled()), **options)
    assert str(caught.value) == message.format(path=tmp_path / "data.csv")
    with pytest.raises(DataError, match="leave the sentence column out"):
        read(tmp_path, "Ada O\nran O\n", sentence_column=0)


def test_few_rows_without_word_name_the_option(tmp_path: Path) -> None:
    with pytest.raises(FileFaults) as caught:
        read(tmp_path, table([("1", "Ada", "B-x"), ("", "ran", "O")]))
    assert caught.value.faults[0].hint == (
        "fill it in, or remove the line; if column 0 tells sentences apart, read with --read sentence_column=0 --read "
        "word_column=1 (in a recipe: read = { sentence_column = 0, word_column = 1 })"
    )
