"""Column files: every trap that public data and tools are known for."""

import gzip
import os
import random
import threading
from pathlib import Path

import pytest

from nerbridge.data.columns import ColumnFormat, ColumnReader, read_columns
from nerbridge.data.reading import read_sentences
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.errors import ConfigError, DataError, FileFaults


def write(folder: Path, content: str | bytes, name: str = "data.txt") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(folder: Path, content: str | bytes, **options: object) -> list[Sentence]:
    return read_sentences(write(folder, content), "columns", **options).sentences


def faults_of(path: Path, **options: object) -> list[DataError]:
    with pytest.raises(FileFaults) as caught:
        read_sentences(path, "columns", **options)
    return caught.value.faults


TWO = "Ada\tB-PER\nwrote\tO\n\nParis\tB-LOC\n\n"


def test_two_columns(tmp_path: Path) -> None:
    path = write(tmp_path, TWO)
    result = read_sentences(path)
    first, second = result.sentences
    assert (first.words, first.spans, str(first.origin)) == (("Ada", "wrote"), (Span(0, 1, "PER"),), f"{path}:1")
    assert (second.words, str(second.origin)) == (("Paris",), f"{path}:4")
    assert result.report() == [f"{path}: 2 sentences, 3 words, 2 spans (2 columns, tab, BIO)"]


@pytest.mark.parametrize(
    "content",
    [
        TWO.replace("\n", "\r\n"),
        "\ufeff" + TWO,
        TWO.rstrip("\n"),
        TWO.rstrip("\n") + "\n",
        TWO.replace("\n\n", "\n \t \n"),
        TWO.replace("\n\n", "\n\n\n\n"),
        "\n\n" + TWO,
        TWO.replace("\t", " "),
        TWO.replace("\t", "   "),
        TWO.replace("\t", "\tNN\t_\t"),
        TWO.replace("\t", " NNP I-NP "),
        TWO.replace("\t", " NNP I-NP x y "),
        TWO.replace("\t", " \t "),
        TWO.replace("\n", "\t\n").replace("\n\t\n", "\n\n"),
        "-DOCSTART-\tO\n\n" + TWO,
        "-DOCSTART- -X- -X- O\n\n" + TWO.replace("\t", " NN I-NP "),
        TWO.replace("\n\n", "\n-DOCSTART-\tO\n"),
        "IMGID:17_06_1\n" + TWO.replace("\n\n", "\n\nIMGID:5\n", 1),
        "# id 1-2 domain=en\n" + TWO,
        "# newdoc\n" + TWO.replace("\t", " "),
        "# id 7\tdomain=en\n" + TWO.replace("\t", " _ _ "),
    ],
)
def test_the_same_sentences_whatever_the_file_looks_like(tmp_path: Path, content: str) -> None:
    sentences = read(tmp_path, content)
    assert [(one.words, one.spans) for one in sentences] == [
        (("Ada", "wrote"), (Span(0, 1, "PER"),)),
        (("Paris",), (Span(0, 1, "LOC"),)),
    ]


def test_compressed_files(tmp_path: Path) -> None:
    packed = gzip.compress(TWO.encode())
    for name in ("data.txt.gz", "misnamed.txt"):
        assert len(read_sentences(write(tmp_path, packed, name)).sentences) == 2


def test_other_lines_are_counted(tmp_path: Path) -> None:
    content = "# id 1\n-DOCSTART-\tO\n\nIMGID:3\n" + TWO
    counts = read_sentences(write(tmp_path, content)).counts
    assert (counts.comment_lines, counts.marker_lines, counts.blank_lines, counts.lines) == (1, 2, 3, 9)
    assert counts.report()[1:] == [
        "2 marker lines (such as -DOCSTART-) left out",
        "1 comment line left out",
    ]


@pytest.mark.parametrize("separator", ["\t", " "])
def test_a_hash_with_a_tag_is_a_word(tmp_path: Path, separator: str) -> None:
    content = "#\tO\n1\tO\n\n#\tB-ORG\n\n#NBA\tB-ORG\n\n".replace("\t", separator)
    assert [one.words for one in read(tmp_path, content)] == [("#", "1"), ("#",), ("#NBA",)]


def test_a_hash_without_tag_is_a_fault_not_a_comment(tmp_path: Path) -> None:
    path = write(tmp_path, TWO + "#\n1\tO\n")
    (fault,) = faults_of(path)
    assert str(fault) == (
        "the line has 1 column: '#'\n"
        f"  where: {path}:6\n"
        "  expected: 2 columns, tab between, as in most lines\n"
        "  hint: if the line is a comment, put a space behind '#'; else give the word its tag"
    )


def test_comments_can_be_switched_off(tmp_path: Path) -> None:
    assert len(faults_of(write(tmp_path, "# id 1 x\n" + TWO), comment="")) == 1


def test_one_column_is_raw_text_without_annotation(tmp_path: Path) -> None:
    result = read_sentences(write(tmp_path, "# id 3\nAda\n#\n\nwrote\n"))
    assert [one.words for one in result.sentences] == [("Ada", "#"), ("wrote",)]
    assert {one.annotation for one in result.sentences} == {Annotation.NONE}
    assert result.report()[1:] == ["  2 sentences without annotation", "  1 comment line left out"]


def test_columns_can_be_chosen(tmp_path: Path) -> None:
    content = "1 Ada B-PER x\n2 wrote O y\n"
    (sentence,) = read(tmp_path, content, word_column=1, tag_column=2)
    assert (sentence.words, sentence.spans) == (("Ada", "wrote"), (Span(0, 1, "PER"),))
    (sentence,) = read(tmp_path, content, word_column=-3, tag_column=None)
    assert (sentence.words, sentence.annotation) == (("Ada", "wrote"), Annotation.NONE)
    with pytest.raises(DataError, match="there is no tag column 9: most lines have 4 columns"):
        read(tmp_path, content, tag_column=9)


def test_words_may_hold_spaces_between_tabs(tmp_path: Path) -> None:
    (sentence,) = read(tmp_path, "New York\tB-LOC\nin\tO\n")
    assert sentence.words == ("New York", "in")


@pytest.mark.parametrize(
    "word",
    [
        "\u2028",
        "a\u2028b",
        "a\u0085b",
        "a\x0bb",
        "\x0c",
        "\x1c",
        "\x14",
        "\u200e",
        "\ue401",
        "\u00a0",
        "\u3000",
        "\u00ad",
    ],
)
@pytest.mark.parametrize("separator", ["\t", " "])
def test_odd_characters_stay_inside_their_word(tmp_path: Path, word: str, separator: str) -> None:
    (sentence,) = read(tmp_path, f"{word}{separator}B-X\nend{separator}O\n")
    assert sentence.words == (word, "end")


@pytest.mark.parametrize(
    ("scheme", "tags"),
    [(Scheme.IOB1, "I-A B-A O"), (Scheme.BIOES, "S-A S-A O"), (Scheme.BILOU, "U-A U-A O"), (Scheme.BIO, "B-A B-A O")],
)
def test_the_scheme_is_found(tmp_path: Path, scheme: Scheme, tags: str) -> None:
    path = write(tmp_path, "".join(f"w {tag}\n" for tag in tags.split()))
    reader = ColumnReader(path)
    assert reader.detection is not None
    assert reader.detection.scheme is scheme
    assert next(iter(reader)).spans == (Span(0, 1, "A"), Span(1, 2, "A"))


def test_a_scheme_without_labels_reads_as_entity(tmp_path: Path) -> None:
    (sentence,) = read(tmp_path, "Ada B\nLovelace I\nwrote O\n")
    assert sentence.spans == (Span(0, 2, "entity"),)


def test_a_tag_without_label_among_labelled_ones_is_a_fault(tmp_path: Path) -> None:
    path = write(tmp_path, "Ada B-PER\nBell B\nwrote O\n")
    (fault,) = faults_of(path)
    assert str(fault) == (
        "tag 'B' is not a BIO tag (O, B-<label>, I-<label>)\n"
        f"  where: {path}:2, word 'Bell'\n"
        "  expected: BIO tags: O, B-<label>, I-<label>\n"
        "  hint: correct the tag, or name another scheme"
    )


def test_repair_policies(tmp_path: Path) -> None:
    path = write(tmp_path, "a O\nb I-X\nc O\nd B-X\n")
    lenient = read_sentences(path)
    assert lenient.counts.report()[1:] == ["1 malformed tag place repaired"]
    assert lenient.counts.format == "2 columns, space, BIO, taken from: B opens 1 span, I 1"
    assert lenient.sentences[0].spans == (Span(1, 2, "X"), Span(3, 4, "X"))
    assert read_sentences(path, repair="strict").sentences[0].spans == (Span(3, 4, "X"),)
    (fault,) = faults_of(path, repair="reject")
    assert (fault.what, fault.where) == ("'I-X' cannot follow 'O' in BIO", f"{path}:2, word 'b'")


def test_one_bad_line_never_hides_the_others_nor_the_sound_sentences(tmp_path: Path) -> None:
    path = write(tmp_path, b"a\tO\n\nb\n\nc\tX-Y\n\n\tO\n\nd\tO\tO\n\ne\tB-Z\ncaf\xe9\tO\nf\0\tO\n")
    taken: list[Sentence] = []
    with pytest.raises(FileFaults) as caught:
        taken.extend(read_columns(path))
    assert [sentence.words for sentence in taken] == [("a",), ("e",)]
    assert [fault.where for fault in caught.value.faults] == [
        f"{path}:3",
        f"{path}:5, word 'c'",
        f"{path}:7",
        f"{path}:9",
        f"{path}:12",
        f"{path}:13",
    ]
    assert str(caught.value).startswith("6 faults\n  the line has 1 column: 'b'")
    assert "... and 1 more" in str(caught.value)


def test_empty_words_and_tags_are_faults(tmp_path: Path) -> None:
    first, second = faults_of(write(tmp_path, "a\tNN\tO\n\tNN\tO\nb\t \tO\nc\t\tO\nd\tNN\tO\n"), word_column=1)
    assert (first.what, second.what) == ("the word is empty: 'b\t \tO'", "the word is empty: 'c\t\tO'")


def test_bytes_of_another_encoding(tmp_path: Path) -> None:
    path = write(tmp_path, "Café\tO\nok\tO\nÜber\tB-X\n".encode("latin-1"))
    faults = faults_of(path)
    assert str(faults[0]) == (
        "the bytes at offset 3 are not utf-8\n"
        f"  where: {path}:1\n"
        "  expected: text encoded in utf-8\n"
        "  hint: if the file is latin-1, read it with `--encoding latin-1` or convert it with iconv"
    )
    assert (faults[1].what, faults[1].where) == ("the bytes at offset 12 are not utf-8", f"{path}:3")
    assert read_sentences(path, encoding="latin-1").sentences[0].words == ("Café", "ok", "Über")


def test_utf16(tmp_path: Path) -> None:
    path = write(tmp_path, TWO.encode("utf-16"))
    assert faults_of(path)[0].hint == "if the file is utf-16, read it with `--encoding utf-16` or convert it with iconv"
    assert len(read_sentences(path, encoding="utf-16").sentences) == 2
    broken = write(tmp_path, TWO.encode("utf-16") + b"\x00", "odd.txt")
    assert faults_of(broken, encoding="utf-16")[0].what.endswith("are not utf-16: truncated data")


def test_nul(tmp_path: Path) -> None:
    path = write(tmp_path, "a\tO\nb\0c\tO\n")
    (fault,) = faults_of(path)
    assert str(fault) == (
        "character 2 of the line is NUL\n"
        f"  where: {path}:2\n"
        "  expected: text without NUL characters\n"
        "  hint: the file is binary, damaged, or UTF-16; the last reads with `--encoding utf-16`"
    )


@pytest.mark.parametrize("name", ["data.txt.gz", "data.txt"])
def test_truncated_gzip(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, gzip.compress(TWO.encode() * 1000)[:-20], name)
    fault = faults_of(path)[-1]
    assert fault.what == ("the gzip file is damaged: Compressed file ended before the end-of-stream marker was reached")
    assert (fault.where, fault.expected) == (str(path), "a whole gzip file")
    assert fault.hint == "fetch or compress the file again; `gzip -t` checks it"


def test_gzip_by_name_only(tmp_path: Path) -> None:
    (fault,) = faults_of(write(tmp_path, TWO, "data.txt.gz"))
    assert fault.what.startswith("the gzip file is damaged: Not a gzipped file")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_sentences(tmp_path)
    assert str(caught.value) == (
        f"'{tmp_path}' is a folder\n  where: {tmp_path}\n  expected: a file\n  hint: name one of the files in it"
    )


def test_a_missing_file_names_the_nearest(tmp_path: Path) -> None:
    near = write(tmp_path, TWO, "train.txt")
    with pytest.raises(DataError) as caught:
        read_sentences(tmp_path / "trian.txt")
    assert str(caught.value) == (
        f"'{tmp_path}/trian.txt' does not exist\n"
        f"  where: {tmp_path}/trian.txt\n  expected: a file\n  hint: nearest is '{near}'"
    )


@pytest.mark.parametrize(("content", "what"), [("", "the file is empty"), ("\n \n", "the file holds no sentence")])
def test_nothing_to_read(tmp_path: Path, content: str, what: str) -> None:
    path = write(tmp_path, content)
    with pytest.raises(DataError) as caught:
        read_sentences(path)
    assert str(caught.value) == (
        f"{what}\n  where: {path}\n  expected: one word per line, blank lines between sentences\n"
        "  hint: check that the file was written completely"
    )


def test_unknown_encoding_scheme_option_and_pattern(tmp_path: Path) -> None:
    path = write(tmp_path, TWO)
    with pytest.raises(DataError, match="'klingon' is not an encoding"):
        read_sentences(path, encoding="klingon")
    with pytest.raises(ConfigError, match="'BIX' is no scheme"):
        read_sentences(path, scheme="BIX")
    with pytest.raises(ConfigError, match="'colour' is no option of the format columns"):
        read_sentences(path, colour="red")
    with pytest.raises(ConfigError, match="'csv' is no file format"):
        read_sentences(path, "csv")
    with pytest.raises(ConfigError, match=r"'\(' is no pattern"):
        read_sentences(path, markers=("(",))


def test_long_sentences_and_words_pass(tmp_path: Path) -> None:
    (sentence,) = read(tmp_path, "w\tO\n" * 3000 + "x" * 100_000 + "\tB-A\n")
    assert (len(sentence), len(sentence.words[-1])) == (3001, 100_000)


def test_an_ambiguous_scheme_names_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "a I-A\nb O\nc I-A\nd O\ne B-A\n")
    with pytest.raises(DataError) as caught:
        read_sentences(path)
    assert caught.value.where == str(path)
    assert caught.value.hint == ("name the scheme, as in `--scheme BIO` (in a recipe: read = { scheme = 'BIO' })")
    assert len(read_sentences(path, scheme="BIO").sentences[0].spans) == 3


def test_reading_is_lazy(tmp_path: Path) -> None:
    path = write(tmp_path, TWO + "bad\n")
    assert next(read_columns(path, settings=ColumnFormat())).words == ("Ada", "wrote")


@pytest.mark.parametrize("content", [TWO, '{"words": ["Ada"], "tags": ["O"]}\n{"words": ["wrote"], "tags": ["B-X"]}\n'])
def test_pipes_are_read_like_files(tmp_path: Path, content: str) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=(content,))
    writer.start()
    try:
        assert len(read_sentences(path).sentences) == 2
    finally:
        writer.join()


def test_a_path_that_cannot_be_looked_at(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 300)
    with pytest.raises(DataError, match="cannot be looked at: File name too long"):
        read_sentences(path)


def test_bytes_at_random_give_faults_and_no_traceback(tmp_path: Path) -> None:
    path = write(tmp_path, random.Random(5).randbytes(20_000))
    with pytest.raises(DataError):
        read_sentences(path)
    for encoding in ("latin-1", "cp1252", "utf-16"):
        with pytest.raises(DataError):
            read_sentences(path, encoding=encoding)


@pytest.mark.parametrize("separator", ["\t", " "])
def test_lines_that_end_with_cr_alone_are_one_fault_and_not_one_word(tmp_path: Path, separator: str) -> None:
    path = write(tmp_path, TWO.replace("\t", separator).replace("\n", "\r"))
    (fault,) = faults_of(path)
    assert fault.what.startswith("the line is 3 lines that end with CR alone: 'Ada")
    assert fault.where == f"{path}:1"


@pytest.mark.parametrize("encoding", ["rot13", "hex", "punycode", "idna", "undefined", "no-such", "a\0b", "\udcff", ""])
def test_what_is_no_encoding_of_text_is_refused(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(DataError, match="is not an encoding of text"):
        list(read_columns(write(tmp_path, TWO), settings=ColumnFormat(encoding=encoding)))


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16"])
def test_bytes_that_an_odd_encoding_cannot_hold_are_faults(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(FileFaults):
        list(read_columns(write(tmp_path, TWO), settings=ColumnFormat(encoding=encoding)))


TEXTS = {
    "sentences": "Ada Lovelace wrote to the Royal Society.\nBob sang in London.\n\nNobody came.\n",
    "one": "Ada wrote a long letter to Bob .\n",
    "tokenised": "Ada wrote .\nBob sang in London .\nShe left .\n",
    "even": "Ada wrote letters .\nBob read books .\n",
    "asked": "Who sang ?\nAda danced !\nBob 来 。\n",
    "names": "".join(f"Name{number} Surname{number}\n" for number in range(12)),
}


@pytest.mark.parametrize("name", TEXTS)
def test_running_text_is_no_file_of_tags(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.txt"
    path.write_text(TEXTS[name], encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_sentences(path)
    lines = sum(bool(line) for line in TEXTS[name].splitlines())
    assert str(caught.value) == (
        f"the file looks like running text: {lines} line{'s' if lines > 1 else ''} without tags\n"
        f"  where: {path}\n"
        "  expected: labelled sentences: a word and its tag on each line, or JSON lines with spans\n"
        "  hint: label some of its sentences first, a tagger cannot learn from text alone; if these are columns, name "
        "that of the tags, as in `--read tag_column=1` (in a recipe: read = { tag_column = 1 })"
    )


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Ada person\nwrote O\n", ["person"]),
        ("Ada person\nRome city\nIBM company\n", ["person", "city", "company"]),
        ("B\tX\nnew york city\tplace\n" * 9, ["X", "place"] * 9),
        ("1 Ada _ _ B-x\n2 ran _ _ O\n", ["x"]),
    ],
)
def test_files_of_few_or_bare_tags_are_still_columns(tmp_path: Path, text: str, labels: list[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text, encoding="utf-8")
    found = read_sentences(path).sentences
    assert [span.label for sentence in found for span in sentence.spans] == labels


def test_a_line_with_too_few_columns_names_the_options(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Ada B-person\nran O\nfar\n", encoding="utf-8")
    with pytest.raises(FileFaults) as caught:
        read_sentences(path)
    assert caught.value.hint == (
        "mend the line, or name columns and separator: read with --read tag_column=1 --read separator=tab "
        "(in a recipe: read = { tag_column = 1, separator = 'tab' })"
    )


@pytest.mark.parametrize(
    ("tags", "hint"),
    [
        (
            ["B-beer", "B-beer", "B_beer"],
            "write 'B-beer'; a file in which all tags are spelled so is read with `--read delimiter=_`",
        ),
        (
            ["B_beer", "B_beer", "B-beer"],
            "spell all tags alike: as B-label, or all as B_label, and read them with `--read delimiter=_`",
        ),
        (
            ["B_beer", "I_beer", "hop"],
            "name what parts letter and label, as in `--read delimiter=_`, or rewrite the tags as B-label",
        ),
    ],
)
def test_tags_of_which_some_are_parted_otherwise(tmp_path: Path, tags: list[str], hint: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("".join(f"w {tag}\nw O\n" for tag in tags), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_sentences(path)
    assert caught.value.hint == hint
