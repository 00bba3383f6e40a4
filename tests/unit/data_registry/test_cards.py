"""Cards: every public data set has a complete one, and it tells the truth about the files."""

import re
from pathlib import Path

import pytest

from nerbridge.data.registry import card_names, find_card
from nerbridge.data.registry.presence import Presence, card_presence, presence
from nerbridge.errors import DataError

SENTENCE_CARDS = [name for name in card_names() if find_card(name).holds_sentences]


def test_the_data_sets_within_reach() -> None:
    assert card_names() == (
        "bionlp13cg",
        "bionlp13pc",
        "broad_twitter",
        "cbs_scitech",
        "cbs_scitech-2019",
        "conll2003",
        "conll2003-4col",
        "crossner/ai",
        "crossner/literature",
        "crossner/music",
        "crossner/politics",
        "crossner/science",
        "entity_dictionary",
        "mit_movie",
        "mit_restaurant",
        "twitter2017",
    )


@pytest.mark.parametrize("name", card_names())
def test_a_card_is_complete(name: str) -> None:
    card = find_card(name)
    assert card.name == name
    assert card.domain
    assert card.licence
    assert re.fullmatch("[0-9a-f]{40}", card.commit)
    for file in card.every_file():
        assert re.fullmatch("[0-9a-f]{64}", file.sha256)
        assert not Path(file.path).is_absolute()
        assert ".." not in file.path
    keys = {"sentences", "words", "entities"} if card.holds_sentences else {"names"}
    assert all(set(file.counts) == keys for file in card.files.values())
    assert set(card.labels.descriptions) == set(card.labels.names)
    assert all(text and not text.endswith(".") for text in card.labels.descriptions.values())


def test_the_address_is_pinned_to_a_commit() -> None:
    card = find_card("crossner/ai")
    assert card.url(card.files["dev"]) == (
        "https://raw.githubusercontent.com/zliucr/CrossNER/2e7ba2a7798c961e3f29fbc51252c5a8d40224bf/ner_data/ai/dev.txt"
    )


def test_a_label_may_hold_a_hyphen() -> None:
    assert "Multi-tissue_structure" in find_card("bionlp13cg").labels


def test_a_misspelt_name_gets_the_nearest() -> None:
    with pytest.raises(DataError) as caught:
        find_card("crossner/al")
    assert caught.value.what == "there is no data set 'crossner/al'"
    assert caught.value.hint == "nearest is 'crossner/ai'"


def test_presence_tells_missing_from_altered(tmp_path: Path) -> None:
    card = find_card("crossner/ai")
    assert card_presence(card, tmp_path) is Presence.MISSING
    for file in card.files.values():
        (tmp_path / file.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file.path).write_text("altered\n", encoding="utf-8")
    assert card_presence(card, tmp_path) is Presence.OTHER


def test_a_file_that_may_not_be_read_is_a_users_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = find_card("crossner/ai").files["dev"]
    (tmp_path / file.path).parent.mkdir(parents=True)
    (tmp_path / file.path).touch()

    def refuse(path: Path) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("nerbridge.data.registry.presence.file_sha256", refuse)
    with pytest.raises(DataError) as caught:
        presence(file, tmp_path)
    assert str(caught.value) == (
        f"'{tmp_path}/crossner/ai/dev.txt' cannot be read: Permission denied\n"
        f"  where: {tmp_path}/crossner/ai/dev.txt\n"
        "  expected: a file under the data root that may be read\n"
        "  hint: check the permissions of the file and its folders"
    )


@pytest.mark.data
@pytest.mark.parametrize("name", card_names())
def test_every_file_has_the_pinned_checksum(name: str, data_root: Path) -> None:
    card = find_card(name)
    assert {file.path: presence(file, data_root) for file in card.every_file()} == {
        file.path: Presence.PRESENT for file in card.every_file()
    }


@pytest.mark.data
def test_every_file_of_the_folder_has_a_card(data_root: Path) -> None:
    pinned = {file.path: file.sha256 for name in card_names() for file in find_card(name).every_file()}
    lines = (data_root / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    listed = {path.removeprefix("./"): digest for digest, path in (line.split() for line in lines)}
    assert {path: digest for path, digest in listed.items() if not path.endswith("/README")} == pinned
