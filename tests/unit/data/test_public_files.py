"""Every labelled file under the data root gives the counts that its table of sources states."""

import re
import time
from collections import Counter
from pathlib import Path

import pytest

from nerbridge.data.reading import ReadResult, read_sentences
from nerbridge.data.sentence import Sentence, labels_of

# One group: the files are read once, by one worker.
pytestmark = [pytest.mark.data, pytest.mark.slow, pytest.mark.xdist_group("public files")]

DICTIONARY = "entity_dictionary"
SPLITS = 60  # of all lines of a file at their spaces; reading takes as long as about 25


def table(data_root: Path, heading: str) -> list[list[str]]:
    """The rows of the table below `heading` in SOURCES.md, without its head."""
    text = (data_root / "SOURCES.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines[1:]]


def labelled_files(data_root: Path) -> list[str]:
    beside = ("LICENSE", "README", "SOURCES.md", "SHA256SUMS")
    paths = (path for path in sorted(data_root.rglob("*")) if path.is_file() and path.name not in beside)
    return [str(path.relative_to(data_root)) for path in paths if path.parent.name != DICTIONARY]


@pytest.fixture(scope="module")
def results(data_root: Path) -> dict[str, ReadResult]:
    return {name: read_sentences(data_root / name) for name in labelled_files(data_root)}


def longest(sentences: list[Sentence]) -> int:
    return max(map(len, sentences))


def test_sizes_equal_the_table(data_root: Path, results: dict[str, ReadResult]) -> None:
    rows = table(data_root, "Counts per file")
    assert len(rows) >= 36
    for name, _, lines, blank, *numbers, _ in rows:
        sentences, counts = results[name].sentences, results[name].counts
        found = [
            counts.sentences,
            counts.words,
            counts.spans,
            len(labels_of(sentences)),
            sum(bool(one.spans) for one in sentences),
            longest(sentences),
            sum(len(one) == 1 for one in sentences),
        ]
        assert found == [int(number) for number in numbers], name
        assert [counts.lines, counts.blank_lines] == [int(lines), int(blank)], name


def test_strict_reading_differs_only_where_stated(data_root: Path, results: dict[str, ReadResult]) -> None:
    text = (data_root / "SOURCES.md").read_text(encoding="utf-8")
    stated = {f"cbs_scitech/{name}": int(number) for name, number in re.findall(r"`(tech\S+)` (\d+) strict", text)}
    assert len(stated) == 2
    for name, lenient in results.items():
        strict = read_sentences(data_root / name, repair="strict").counts.spans
        assert strict == stated.get(name, lenient.counts.spans), name


def test_invalid_transitions_equal_the_list(data_root: Path, results: dict[str, ReadResult]) -> None:
    text = (data_root / "SOURCES.md").read_text(encoding="utf-8")
    for name, intro in (
        ("tech_test", r"  - (\d+) invalid transitions. Chunk"),
        ("tech.test", r"  - (\d+) invalid tr.*: 14"),
    ):
        stated = re.search(intro, text)
        assert stated is not None
        assert results[f"cbs_scitech/{name}"].counts.repaired == int(stated[1])


def test_twitter_equals_its_note(data_root: Path, results: dict[str, ReadResult]) -> None:
    text = (data_root / "SOURCES.md").read_text(encoding="utf-8")
    stated = re.findall(r"(train|valid|test) (\d+) / (\d+)", text.split("Sentences / entities:", 1)[1])
    assert len(stated) == 3
    for split, sentences, spans in stated:
        counts = results[f"twitter2017/{split}.txt"].counts
        assert (counts.sentences, counts.spans, counts.marker_lines) == (int(sentences), int(spans), int(sentences))


def test_schemes_equal_the_table(data_root: Path, results: dict[str, ReadResult]) -> None:
    rows = table(data_root, "Format per data set")
    for name, columns, separator, _, scheme, _ in rows:
        if name == DICTIONARY:
            continue
        folder = name.removesuffix("/*")
        files = [file for file in results if file.startswith(f"{folder}/")]
        assert files, folder
        for file in files:
            stated = f"{columns[0]} columns, {separator.split()[1].lower()}, {scheme.split()[0].rstrip(chr(44))}"
            assert results[file].format.startswith(stated), file


def test_the_tokenizer_cuts_words_as_the_public_files_do(results: dict[str, ReadResult]) -> None:
    from nerbridge.data.tokenization import tokenize

    for name in ("conll2003/test.txt", "crossner/ai/test.txt", "crossner/literature/test.txt"):
        words = agreed = 0
        for sentence in results[name].sentences:
            text = " ".join(sentence.words)
            cuts = set(tokenize(text))
            start = 0
            for word in sentence.words:
                words += 1
                agreed += (start, start + len(word)) in cuts
                start += len(word) + 1
        assert agreed / words > 0.99, name


def test_conll_is_read_in_seconds(data_root: Path) -> None:
    """In the time of so many plain splits of its lines, so that the machine does not matter."""
    path = data_root / "conll2003" / "train.txt"
    start = time.process_time()
    for _ in range(SPLITS):
        Counter(field for line in path.read_text(encoding="utf-8").splitlines() for field in line.split(" "))
    split = time.process_time() - start
    start = time.process_time()
    read_sentences(path)
    assert time.process_time() - start < split
