"""Word vectors are read from every form they circulate in; faults are named with their line."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nerbridge.config.encoder import WordCharSettings
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.data.packaged_vectors import packaged_glove_folder, vectors_fingerprint
from nerbridge.data.word_vectors import WordVectors, read_vectors
from nerbridge.errors import BundleError, ConfigError, DataError, FileFaults, MissingExtraError

WORDS = ("the", "of", "london", "ada")
ROWS = np.array([[1, 2, 3], [4, 5, 6], [0.5, -1, 2e-3], [7, 8, 9]], np.float32)


def glove_text() -> str:
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(WORDS, ROWS.tolist(), strict=True))


def write_glove(folder: Path) -> Path:
    (folder / "vectors.txt").write_text(glove_text(), encoding="utf-8")
    return folder / "vectors.txt"


def write_gzip(folder: Path) -> Path:
    (folder / "vectors.txt.gz").write_bytes(gzip.compress(glove_text().encode()))
    return folder / "vectors.txt.gz"


def write_word2vec(folder: Path) -> Path:
    text = f"4 3\n{glove_text()}".replace("\n", " \n")  # many files end their lines with a space
    (folder / "vectors.vec").write_text(text, encoding="utf-8")
    return folder / "vectors.vec"


def write_pair(folder: Path) -> Path:
    import pyarrow
    from pyarrow import parquet

    np.save(folder / "vectors.npy", ROWS)
    parquet.write_table(pyarrow.table({"index": list(WORDS)}), folder / "index.parquet")
    return folder


@pytest.mark.parametrize("write", [write_glove, write_gzip, write_word2vec, write_pair])
def test_the_head_of_the_file_and_wanted_words_are_kept(write: Callable[[Path], Path], tmp_path: Path) -> None:
    place = str(write(tmp_path))
    found = read_vectors(place, frequent=2, wanted={"ada", "nowhere"})
    assert (found.words, found.num_frequent, found.width) == (("the", "of", "ada"), 2, 3)
    assert np.array_equal(found.rows, ROWS[[0, 1, 3]])
    assert read_vectors(place, frequent=0, wanted={"london"}).words == ("london",)


def test_a_word_that_stands_twice_has_its_first_row(tmp_path: Path) -> None:
    path = tmp_path / "twice.txt"
    path.write_text("ada 1 2\nbob 3 4\nada 5 6\n")
    found = read_vectors(str(path), frequent=10, wanted=())
    assert (found.words, found.rows.tolist(), found.num_frequent) == (("ada", "bob"), [[1, 2], [3, 4]], 2)
    assert found.num_repeated == 1


def test_a_word_that_stands_twice_in_an_index_is_counted_too(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    write_pair(tmp_path)
    parquet.write_table(pyarrow.table({"index": ["ada", "ada", "london", "ada"]}), tmp_path / "index.parquet")
    found = read_vectors(str(tmp_path), frequent=2, wanted=())
    assert (found.words, found.rows.tolist(), found.num_frequent) == (("ada",), [[1, 2, 3]], 1)
    assert found.num_repeated == 1  # the fourth row is neither frequent nor wanted
    assert read_vectors(str(tmp_path), frequent=2, wanted={"ada"}).num_repeated == 2


def test_words_with_spaces_do_not_shift_the_numbers(tmp_path: Path) -> None:
    path = tmp_path / "spaces.txt"
    path.write_text("the 1 2\n. . 3 4\n")
    assert read_vectors(str(path), frequent=2, wanted=()).words == ("the", ". .")


def test_bad_lines_are_collected(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("the 1 2 3\nof 1 2\nin 1 x 3\nto 1 2 nan\nunread 1\n")
    with pytest.raises(FileFaults) as caught:
        read_vectors(str(path), frequent=4, wanted=())
    assert str(caught.value) == (
        "3 faults\n"
        "  the line of word 'of' is not a vector\n"
        f"    at {path}:2\n"
        "  the line of word 'in' is not a vector\n"
        f"    at {path}:3\n"
        "  number 3 of word 'to' is nan\n"
        f"    at {path}:4\n"
        f"  where: {path}:2\n"
        "  expected: a word and 3 numbers, separated by single spaces\n"
        "  hint: fetch the file again, or leave the line out"
    )


def test_a_line_too_wide_for_any_vectors_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_text("the" + " 1" * 3_000_000 + "\n")
    with pytest.raises(DataError) as caught:
        read_vectors(str(path), frequent=4, wanted=())
    assert str(caught.value) == (
        "wide.txt: 3,000,000 numbers per word\n"
        f"  where: {path}:1\n"
        "  expected: at most 10,000 numbers per word\n"
        "  hint: fetch the vectors again; the packaged ones are encoder.vectors = 'glove'"
    )


@pytest.mark.parametrize(("value", "kind"), [(np.nan, "nan"), (-np.inf, "infinite")])
def test_a_number_of_an_array_that_is_none_is_named_with_its_word(value: float, kind: str, tmp_path: Path) -> None:
    write_pair(tmp_path)
    rows = ROWS.copy()
    rows[3, 1] = value
    np.save(tmp_path / "vectors.npy", rows)
    assert read_vectors(str(tmp_path), frequent=2, wanted=()).words == ("the", "of")
    with pytest.raises(DataError) as caught:
        read_vectors(str(tmp_path), frequent=2, wanted={"ada"})
    assert str(caught.value) == (
        f"number 2 of word 'ada' is {kind}\n"
        f"  where: {tmp_path / 'vectors.npy'}, row 4\n"
        "  expected: finite numbers of at most 3.4e+38 in size\n"
        "  hint: fetch the vectors again, or leave the word out"
    )


def test_an_array_must_have_as_many_rows_as_the_index_has_words(tmp_path: Path) -> None:
    write_pair(tmp_path)
    np.save(tmp_path / "vectors.npy", ROWS[:3])
    with pytest.raises(DataError, match=r"vectors.npy: an array of shape \(3, 3\) for 4 words"):
        read_vectors(str(tmp_path), frequent=2, wanted=())


def test_an_array_of_objects_is_never_unpickled(tmp_path: Path) -> None:
    write_pair(tmp_path)
    np.save(tmp_path / "vectors.npy", np.array([[{}], [1], [2], [3]], object), allow_pickle=True)
    with pytest.raises(DataError, match="Python objects in dtype"):
        read_vectors(str(tmp_path), frequent=2, wanted=())


def test_a_missing_file_and_an_odd_folder_say_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read_vectors(str(tmp_path / "no.txt"), frequent=1, wanted=())
    assert str(caught.value) == (
        f"there are no word vectors at '{tmp_path / 'no.txt'}'\n"
        "  where: encoder.vectors\n"
        "  expected: 'glove', a text file of vectors, or a folder with one .npy and one .parquet file\n"
        "  hint: check the path, or take the packaged ones: --set encoder.vectors=glove"
    )
    with pytest.raises(ConfigError, match=r"holds 0 \.npy and 0 \.parquet files"):
        read_vectors(str(tmp_path), frequent=1, wanted=())


def test_the_fingerprint_follows_the_content_and_not_the_place(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first, second = (
        encoder_fingerprint(WordCharSettings(vectors=str(write_glove(tmp_path / name)))) for name in ("a", "b")
    )
    assert first == second
    (tmp_path / "b" / "vectors.txt").write_text(glove_text().replace("7.0", "7.5"))
    assert vectors_fingerprint(str(tmp_path / "b" / "vectors.txt")) != first
    assert encoder_fingerprint(WordCharSettings(vectors=None)) == "none"


def test_without_the_package_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nerbridge.data.packaged_vectors.PACKAGE", "no-such-package-of-vectors")
    with pytest.raises(MissingExtraError, match=r"'glove' is not installed") as caught:
        packaged_glove_folder()
    assert caught.value.hint == "pip install 'nerbridge[vectors]'"


def test_packaged_vectors_that_were_changed_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_pair(tmp_path)
    monkeypatch.setattr("nerbridge.data.packaged_vectors.packaged_glove_folder", lambda: tmp_path)
    with pytest.raises(BundleError, match="the vectors of 'glove' have SHA-256"):
        vectors_fingerprint("glove")


def test_the_packaged_vectors_are_those_of_glove() -> None:
    found: WordVectors = read_vectors("glove", frequent=3, wanted={"london"})
    assert (found.words, found.width) == (("the", ",", ".", "london"), 50)
    assert found.rows[0, :3].tolist() == pytest.approx([0.418, 0.24968, -0.41242])


def test_a_first_line_that_tells_of_too_few_words_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "few.vec"
    path.write_text("1 2\nthe 1 2\nof 3 4\n")
    assert read_vectors(str(path), frequent=2, wanted=()).words == ("the", "of")
    assert caplog.messages == [f"{path}:1: the first line tells of 1 word, the file has 2"]


def test_a_line_with_a_number_too_many_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "more.txt"
    path.write_text("the 1 2\nof 0.5 3 4\nat name 5 6\nin -2e-3 7 8\na 1 1\nb 2 2\n")
    assert read_vectors(str(path), frequent=9, wanted=()).words == ("the", "of 0.5", "at name", "in -2e-3", "a", "b")
    assert caplog.messages == [f"{path}:2: more than 2 numbers, so 'of 0.5' is read as the word; 2 such lines"]


@pytest.mark.parametrize(
    ("first", "what"),
    [
        ("the 1 2 3", "has 3 numbers, 9 of 10 lines that were read have fewer"),
        ("9 3", "tells of 3 numbers per word, 9 of 9 lines that were read have fewer"),
    ],
)
def test_a_first_line_that_the_others_contradict_is_named(first: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "wide.txt"
    path.write_text(first + "\n" + "".join(f"word{number} 1 2\n" for number in range(9)))
    with pytest.raises(DataError) as caught:
        read_vectors(str(path), frequent=20, wanted=())
    assert (caught.value.what, caught.value.where) == (f"wide.txt: its first line {what}", f"{path}:1")


def test_another_encoding_is_converted_and_no_option_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("the 1 2\ncafé 3 4\n".encode("latin-1"))
    with pytest.raises(FileFaults) as caught:
        read_vectors(str(path), frequent=2, wanted=())
    assert caught.value.hint == "if the file is latin-1, convert it: iconv -f latin-1 -t utf-8"


NO_VECTORS: list[tuple[str, str]] = [
    ("2 9999\nthe 1 2\n", "word_vectors.txt: its first line tells of 9,999 numbers per word, 1 of 1 line "),
    ("2 1234567\nthe 1 2\n", "word_vectors.txt: 1,234,567 numbers per word"),
    ("", "word_vectors.txt: the file is empty"),
    ("0 5\n", "word_vectors.txt: its first line tells of 0 words, and none follows"),
    ("the 1 2\nof 1_0.8 2\n", "the line of word 'of' is not a vector"),
    ("4 99999999999999999999\nthe 1 2\nof 3 4\n", "word_vectors.txt: its first line tells of 1 number per word, "),
    ("4 2\nthe 1 2\nof 3 4\n", "word_vectors.txt: the file is cut: its first line tells of 2 words more than it has"),
    ("2 2\n", "word_vectors.txt: the file is cut: its first line tells of 2 words more than it has"),
    ("the 1\nof 1 2\nin 3 4\n", "word_vectors.txt: its first line tells of 1 number per word, 2 of 3 lines have more"),
    ("the\t1\t2\n", "no number stands behind the word 'the\t1\t2'"),
    ("the 1e39 2\n", "number 1 of word 'the' is 1e+39, too large for 32 bits"),
    ("the 1 -inf\n", "number 2 of word 'the' is infinite"),
    ("the NaN inf\n", "number 1 of word 'the' is nan"),
    ("the 1 x nan\n", "the line of word 'the' is not a vector"),
]


@pytest.mark.parametrize(("content", "what"), NO_VECTORS)
def test_text_that_is_read_wrongly_is_refused(content: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "word_vectors.txt"
    path.write_text(content)
    with pytest.raises(DataError) as caught:
        read_vectors(str(path), frequent=10, wanted={"in"})
    assert caught.value.what.startswith(what)


ODD_ARRAYS: list[tuple[NDArray[Any], str]] = [
    (ROWS[:, :0], r"vectors.npy: an array of shape \(4, 0\) for 4 words"),
    (ROWS.astype(complex), "vectors.npy: an array of complex128 instead of numbers"),
    (ROWS.astype(str), "vectors.npy: an array of <U32 instead of numbers"),
    (ROWS.astype(float) * 1e300, "number 1 of word 'the' is 1e\\+300, too large for 32 bits; 2 such rows"),
    (np.zeros((4, 10_001), np.float16), "vectors.npy: 10,001 numbers per word"),
]


@pytest.mark.parametrize(("array", "what"), ODD_ARRAYS)
def test_arrays_of_anything_but_numbers_are_refused(array: NDArray[Any], what: str, tmp_path: Path) -> None:
    write_pair(tmp_path)
    np.save(tmp_path / "vectors.npy", array)
    with pytest.raises(DataError, match=what):
        read_vectors(str(tmp_path), frequent=2, wanted=())


def test_an_archive_or_nothing_in_the_place_of_an_array_is_refused(tmp_path: Path) -> None:
    write_pair(tmp_path)
    np.savez(tmp_path / "archive.npz", rows=ROWS)
    (tmp_path / "archive.npz").replace(tmp_path / "vectors.npy")
    with pytest.raises(DataError, match=r"vectors.npy: an archive of arrays"):
        read_vectors(str(tmp_path), frequent=2, wanted=())
    (tmp_path / "vectors.npy").write_bytes(b"no array")
    with pytest.raises(DataError, match=r"^vectors.npy: it is no file of an array, as numpy writes it\n"):
        read_vectors(str(tmp_path), frequent=2, wanted=())
    (tmp_path / "vectors.npy").write_bytes(b"")
    with pytest.raises(DataError, match=r"vectors.npy: the array cannot be read: "):
        read_vectors(str(tmp_path), frequent=2, wanted=())


def test_an_index_has_every_word_and_one_that_is_looked_for(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    write_pair(tmp_path)
    with pytest.raises(DataError, match=r"index.parquet: the index has no word that is looked for"):
        read_vectors(str(tmp_path), frequent=0, wanted={"nowhere"})
    index = tmp_path / "index.parquet"
    parquet.write_table(pyarrow.table({"index": pyarrow.array(WORDS, pyarrow.large_string())}), index)
    assert read_vectors(str(tmp_path), frequent=4, wanted=()).words == WORDS  # other programs write such columns
    parquet.write_table(pyarrow.table({"index": pyarrow.array([None, *WORDS[1:]], pyarrow.string())}), index)
    with pytest.raises(DataError, match=r"index.parquet: 1 word of the index is missing"):
        read_vectors(str(tmp_path), frequent=2, wanted=())
