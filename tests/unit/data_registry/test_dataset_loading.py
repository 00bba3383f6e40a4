"""Data sets by name and files by split: verified, counted, with a dev split on demand."""

import re
from pathlib import Path

import pytest

from nerbridge.data.registry import DataSet, card_names, find_card, load_dataset, load_files, load_names
from nerbridge.data.schemes import Repair
from nerbridge.data.stats import count
from nerbridge.errors import ConfigError, DataError

TRAIN = "Ada\tB-person\nwrote\tO\n\nTuring\tB-person\n\nParis\tB-city\n"


@pytest.fixture
def train(tmp_path: Path) -> Path:
    path = tmp_path / "train.txt"
    path.write_text(TRAIN, encoding="utf-8")
    return path


def test_files_become_splits(train: Path) -> None:
    data = load_files(train=train, test=train, domain="history")
    assert list(data.splits) == ["train", "test"]
    assert data.labels.names == ("city", "person")
    assert data.counts["train"].words == 4
    assert {sentence.domain for sentence in data.splits["train"]} == {"history"}
    assert data.notes == ()


def test_no_file_is_a_fault() -> None:
    with pytest.raises(ConfigError) as caught:
        load_files(domain="history")
    assert str(caught.value) == (
        "no file was given\n"
        "  where: domain 'history'\n"
        "  expected: at least one of train, dev and test\n"
        "  hint: name the labelled file of the split"
    )


def test_a_dev_split_is_held_out_and_said(train: Path) -> None:
    data = load_files(train=train, domain="history").with_dev(fraction=0.3, seed=7)
    assert {split: len(sentences) for split, sentences in data.splits.items()} == {"train": 2, "dev": 1}
    assert data.notes == ("history: no dev split; 1 of 3 training sentences held out for it (seed 7)",)


def test_an_existing_dev_split_stays(train: Path) -> None:
    data = load_files(train=train, dev=train, domain="history")
    assert data.with_dev() is data


def test_repaired_tags_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_text("Ada\tI-person\nwrote\tO\nParis\tB-city\n", encoding="utf-8")
    assert load_files(train=path).notes == (f"{path}: 1 malformed tag place read by the policy 'conlleval'",)
    strict = load_files(train=path, repair=Repair.STRICT)
    assert [len(sentence.spans) for sentence in strict.splits["train"]] == [1]


def test_the_data_root_must_be_given_and_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no data root was given"):
        load_dataset("crossner/ai", None)
    with pytest.raises(ConfigError, match="is not a folder"):
        load_dataset("crossner/ai", tmp_path / "nowhere")


def test_missing_files_name_the_command_that_fetches_them(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        load_dataset("mit_movie", tmp_path)
    assert str(caught.value) == (
        "2 of 2 files of 'mit_movie' missing: mit_movie/train.txt, mit_movie/test.txt\n"
        f"  where: {tmp_path}\n"
        "  expected: the files of 'mit_movie' under the data root\n"
        f"  hint: nerbridge data fetch mit_movie --data-root {tmp_path}"
    )


def test_other_content_is_refused_unless_wanted(tmp_path: Path) -> None:
    for file in find_card("crossner/ai").files.values():
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_text(TRAIN, encoding="utf-8")
    with pytest.raises(DataError, match="3 of 3 files of 'crossner/ai' not as published"):
        load_dataset("crossner/ai", tmp_path)
    data = load_dataset("crossner/ai", tmp_path, verify=False)
    assert data.notes[0] == "crossner/ai: crossner/ai/train.txt is not the published file (its SHA-256 differs)"
    assert len(data.splits["train"]) == 3


def test_names_and_sentences_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'entity_dictionary' holds lists of names, not sentences"):
        load_dataset("entity_dictionary", tmp_path)
    with pytest.raises(DataError, match="'crossner/ai' holds sentences, not lists of names"):
        load_names("crossner/ai", tmp_path)


@pytest.mark.data
def test_name_lists_hold_what_their_card_says(data_root: Path) -> None:
    names = load_names("entity_dictionary", data_root)
    files = find_card("entity_dictionary").files
    assert {label: len(found) for label, found in names.items()} == {
        label: file.counts["names"] for label, file in files.items()
    }


def sources_counts(data_root: Path) -> dict[str, tuple[int, ...]]:
    """The table 'Counts per file' of SOURCES.md: path -> lines, empty lines, sentences, words, entities, labels, ..."""
    text = (data_root / "SOURCES.md").read_text(encoding="utf-8")
    rows = text.split("## Counts per file")[1].split("## Format per data set")[0].splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows if row.startswith("| `")]
    return {row[0].strip("`"): tuple(int(cell) for cell in row[2:11]) for row in cells}


def sources_labels(data_root: Path) -> dict[str, list[dict[str, int]]]:
    """The tables 'Entities per type' of SOURCES.md: data set -> per file label -> entities."""
    text = (data_root / "SOURCES.md").read_text(encoding="utf-8")
    part = text.split("## Entities per type")[1].split("## One type, several names")[0]
    tables = {}
    for section in part.split("### ")[1:]:
        rows = [row.strip("|").split("|") for row in section.splitlines() if row.startswith("| `")]
        columns = [{row[0].strip(" `"): int(row[i]) for row in rows} for i in range(1, len(rows[0]))]
        tables[section.splitlines()[0].strip("`")] = columns
    return tables


@pytest.fixture(scope="module")
def datasets(data_root: Path) -> dict[str, DataSet]:
    names = [name for name in card_names() if find_card(name).holds_sentences]
    return {name: load_dataset(name, data_root) for name in names}


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.xdist_group("all data sets")
def test_every_file_has_the_counts_of_sources(datasets: dict[str, DataSet], data_root: Path) -> None:
    found = {}
    for name, data in datasets.items():
        for split, sentences in data.splits.items():
            stats, counts = count(sentences), data.counts[split]
            found[find_card(name).files[split].path] = (
                counts.lines,
                counts.blank_lines,
                stats.sentences,
                stats.words,
                stats.entities,
                len(stats.labels),
                stats.with_entity,
                stats.longest,
                stats.one_word,
            )
    expected = sources_counts(data_root)
    assert len(expected) == 36
    assert {path: numbers for path, numbers in found.items() if not path.startswith("twitter2017/")} == expected


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.xdist_group("all data sets")
def test_every_label_has_the_counts_of_sources(datasets: dict[str, DataSet], data_root: Path) -> None:
    expected = sources_labels(data_root)
    old_and_new = expected.pop("cbs_scitech")
    expected |= {"cbs_scitech-2019": old_and_new[:1], "cbs_scitech": old_and_new[1:]}
    found = {
        name: [dict(count(sentences).labels) for sentences in data.splits.values()]
        for name, data in datasets.items()
        if name != "twitter2017"
    }
    assert found == expected


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.xdist_group("all data sets")
def test_every_card_states_what_its_files_hold(datasets: dict[str, DataSet]) -> None:
    for name, data in datasets.items():
        for split, sentences in data.splits.items():
            stats = count(sentences)
            expected = {"sentences": stats.sentences, "words": stats.words, "entities": stats.entities}
            assert find_card(name).files[split].counts == expected
            assert set(stats.labels) == set(data.labels.names)


@pytest.mark.data
@pytest.mark.parametrize(("name", "strict"), [("cbs_scitech", 3405), ("cbs_scitech-2019", 2807)])
def test_the_strict_reading_counts_what_sources_says(name: str, strict: int, data_root: Path) -> None:
    text = (data_root / "SOURCES.md").read_text(encoding="utf-8")
    assert re.search(rf"{strict} strict", text)
    data = load_dataset(name, data_root, repair=Repair.STRICT)
    assert count(data.splits["test"]).entities == strict
