"""Levels of a corpus: what belongs to which, how sizes add up, and that runs are whole, resumable, repeatable."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from nerbridge.config.gazetteer import GazetteerSettings, SelectionSettings
from nerbridge.corpus import selection_writing
from nerbridge.corpus.folder import CorpusFolder, write_corpus
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.selection import finished, select_levels, survey_levels
from nerbridge.corpus.selection_labels import specialised_labels
from nerbridge.corpus.selection_request import SelectionRequest
from nerbridge.corpus.selection_scan import is_drawn
from nerbridge.errors import ConfigError, DataError

GAZETTEER = Gazetteer(("person", "band"), {"Ada Lovelace": 1, "Grace Hopper": 1, "Abba": 2, "Genesis": 3})
DOCUMENTS = [
    ["Ada Lovelace met Grace Hopper .", "Nobody came ."],
    ["Abba sang .", "Ada Lovelace heard Abba .", "It rained ."],
    ["Rain again ."],
    ["Genesis opened .", "Genesis met Ada Lovelace ."],
]
ENTITY = [["Ada Lovelace met Grace Hopper ."], ["Ada Lovelace heard Abba ."], ["Genesis met Ada Lovelace ."]]
TASK = [["Abba sang .", "Ada Lovelace heard Abba ."]]


def lines(folder: Path) -> list[list[str]]:
    """The documents of a built corpus, sentences joined."""
    return [[" ".join(words) for words in document] for document in CorpusFolder(folder).documents()]


def corpus(folder: Path, documents: Sequence[Sequence[str]] = DOCUMENTS, shard_words: int = 8) -> CorpusFolder:
    return write_corpus(folder, [[line.split() for line in d] for d in documents], shard_words=shard_words)


def request(folder: CorpusFolder, names: dict[str, Any] | None = None, **selection: Any) -> SelectionRequest:
    """What is asked of `folder`, with settings by name."""
    settings = GazetteerSettings(**(names or {}))
    return SelectionRequest(folder, GAZETTEER, ("band",), settings, SelectionSettings(**selection))


def test_levels_hold_what_they_should(tmp_path: Path) -> None:
    record = select_levels(request(corpus(tmp_path / "built")), tmp_path / "levels")
    assert lines(tmp_path / "levels" / "entity") == ENTITY
    assert lines(tmp_path / "levels" / "task") == TASK
    assert lines(tmp_path / "levels" / "integrated") == [*ENTITY, *TASK, *TASK]
    assert not (tmp_path / "levels" / "domain").exists()
    assert record["levels"] == {
        "domain": {"documents": 4, "sentences": 8, "words": 31, "ratio": 1.0},
        "entity": {"documents": 3, "sentences": 3, "words": 16, "ratio": 0.5161},
        "task": {"documents": 1, "sentences": 2, "words": 8, "ratio": 0.2581},
        "integrated": {"documents": 5, "sentences": 7, "words": 32, "ratio": 1.0323},
    }
    assert record["matches_by_label"] == {"person": 6, "band": 4}
    assert record["frequent"]["band"] == {"Abba": 2, "Genesis": 2}
    assert record["examples"]["task"] == ["[Abba|band] sang ."]
    assert record["examples"]["entity and task"] == ["[Ada Lovelace|person] heard [Abba|band] ."]


def test_folders_say_what_they_are(tmp_path: Path) -> None:
    record = select_levels(request(corpus(tmp_path / "built")), tmp_path / "levels")
    for level in ("entity", "task", "integrated"):
        folder = CorpusFolder(tmp_path / "levels" / level)
        folder.verify()
        assert folder.manifest["level"] == level
        assert folder.manifest["selection"] == record
        assert folder.num_words == record["levels"][level]["words"]
        assert folder.num_sentences == record["levels"][level]["sentences"]


def test_a_name_of_several_labels_is_sure_or_not(tmp_path: Path) -> None:
    built = corpus(tmp_path / "built")
    select_levels(request(built, {"ambiguous": "any"}), tmp_path / "any")
    assert lines(tmp_path / "any" / "task") == [*TASK, DOCUMENTS[3]]


def test_thresholds_and_copies(tmp_path: Path) -> None:
    built = corpus(tmp_path / "built")
    record = survey_levels(request(built, min_entities=1, task_copies=3))
    assert record["levels"]["entity"]["sentences"] == 5
    assert survey_levels(request(built, {"ambiguous": "any"}, min_specialised=2))["levels"]["task"]["sentences"] == 0
    assert record["levels"]["integrated"]["words"] == record["levels"]["entity"]["words"] + 3 * 8


def test_a_survey_says_the_same_as_a_selection(tmp_path: Path) -> None:
    built = corpus(tmp_path / "built")
    survey, record = survey_levels(request(built)), select_levels(request(built), tmp_path / "levels")
    assert survey == {key: value for key, value in record.items() if key not in ("key", "corpus")}


def test_several_processes_choose_the_same(tmp_path: Path) -> None:
    built = corpus(tmp_path / "built")
    assert len(built.shards) > 2
    one, two = (select_levels(request(built), tmp_path / str(jobs), jobs=jobs) for jobs in (1, 2))
    assert one == two
    for level in ("entity", "task", "integrated"):
        names = sorted(path.name for path in (tmp_path / "1" / level).iterdir())
        assert names == sorted(path.name for path in (tmp_path / "2" / level).iterdir())
        for name in names:
            assert (tmp_path / "1" / level / name).read_bytes() == (tmp_path / "2" / level / name).read_bytes()


def test_a_share_is_drawn_with_the_seed(tmp_path: Path) -> None:
    documents = [[f"Ada Lovelace heard Abba {number} ."] for number in range(200)]
    built = corpus(tmp_path / "built", documents, shard_words=200)
    drawn = {}
    for share in (0.25, 0.5, 1.0):
        select_levels(request(built, share=share, levels=("domain",)), tmp_path / str(share))
        drawn[share] = {document[0] for document in lines(tmp_path / str(share) / "domain")}
    assert drawn[0.25] < drawn[0.5] < drawn[1.0]
    assert (len(drawn[0.25]), len(drawn[1.0])) == (sum(is_drawn(n, 0.25, 1) for n in range(200)), 200)
    assert 30 < len(drawn[0.25]) < 70
    select_levels(request(built, share=0.25, levels=("domain",), seed=2), tmp_path / "other")
    assert {document[0] for document in lines(tmp_path / "other" / "domain")} != drawn[0.25]


def test_a_finished_selection_is_taken_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = corpus(tmp_path / "built")
    record = select_levels(request(built), tmp_path / "levels")
    monkeypatch.setattr("nerbridge.corpus.selection.prepare", None)
    assert select_levels(request(built), tmp_path / "levels") == record
    assert finished(tmp_path / "levels" / "entity", record["key"]) == record
    assert finished(tmp_path / "levels" / "entity", "other") is None


def test_a_stopped_selection_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = corpus(tmp_path / "built")
    select_levels(request(built), tmp_path / "whole")
    written: list[int] = []
    real = selection_writing.chosen_documents

    def stops(*arguments: Any) -> Any:
        written.append(arguments[1])
        if len(written) == 2:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(selection_writing, "chosen_documents", stops)
    with pytest.raises(KeyboardInterrupt):
        select_levels(request(built), tmp_path / "levels")
    select_levels(request(built), tmp_path / "levels")
    assert written == [0, 1, *range(1, len(built.shards))]
    for level in ("entity", "task", "integrated"):
        assert lines(tmp_path / "levels" / level) == lines(tmp_path / "whole" / level)


def test_another_selection_never_overwrites(tmp_path: Path) -> None:
    built = corpus(tmp_path / "built")
    select_levels(request(built), tmp_path / "levels")
    with pytest.raises(ConfigError, match="holds a built corpus already"):
        select_levels(request(built, min_entities=1), tmp_path / "levels")


def test_an_empty_level_is_refused(tmp_path: Path) -> None:
    built = corpus(tmp_path / "built", [["Ada Lovelace met Grace Hopper ."]])
    with pytest.raises(DataError) as caught:
        select_levels(request(built), tmp_path / "levels")
    assert str(caught.value) == (
        "the task level would be empty: none of 1 sentences belongs to it\n"
        f"  where: {built.path}\n"
        "  expected: sentences with 1 name of the labels band\n"
        "  hint: `nerbridge corpus stats` with the same lists shows what was found; --levels chooses the levels"
    )
    assert not (tmp_path / "levels").exists()
    with pytest.raises(DataError, match="the entity level would be empty"):
        select_levels(request(built, min_entities=9, levels=("entity",)), tmp_path / "other")


def test_what_fails_leaves_finished_levels_alone(tmp_path: Path) -> None:
    built, levels = corpus(tmp_path / "built", [["Ada Lovelace met Grace Hopper ."]]), tmp_path / "levels"
    select_levels(request(built, levels=("entity",)), levels)
    with pytest.raises(DataError, match="the task level would be empty"):
        select_levels(request(built), levels)
    assert [path.name for path in levels.iterdir()] == ["entity"]
    assert lines(levels / "entity") == [["Ada Lovelace met Grace Hopper ."]]


def test_a_folder_in_the_way_leaves_nothing_begun(tmp_path: Path) -> None:
    (tmp_path / "levels" / "task").mkdir(parents=True)
    (tmp_path / "levels" / "task" / "mine.txt").touch()
    with pytest.raises(ConfigError, match="holds other files already"):
        select_levels(request(corpus(tmp_path / "built")), tmp_path / "levels")
    assert [path.name for path in (tmp_path / "levels").iterdir()] == ["task"]


def test_a_level_is_no_corpus_to_choose_from(tmp_path: Path) -> None:
    select_levels(request(corpus(tmp_path / "built")), tmp_path / "levels")
    with pytest.raises(DataError) as caught:
        request(CorpusFolder(tmp_path / "levels" / "integrated"))
    assert str(caught.value) == (
        f"'{tmp_path / 'levels' / 'integrated'}' is a level of a corpus: sentences that were chosen, "
        "some of them more than once\n"
        f"  where: {tmp_path / 'levels' / 'integrated'}\n"
        "  expected: a corpus that `nerbridge corpus build` has written\n"
        "  hint: name the corpus that it was chosen from; `nerbridge pretrain` learns from a level as it is"
    )


def test_all_names_left_out_is_refused(tmp_path: Path) -> None:
    built = corpus(tmp_path / "built")
    names = Gazetteer(("band",), {"Queen": 1})
    with pytest.raises(DataError, match=r"none of 1 entries can be looked for: 1 left out: ordinary words"):
        survey_levels(SelectionRequest(built, names, ("band",)))


def test_specialised_labels() -> None:
    target = ("politician", "person", "organisation", "politicalparty", "country", "misc", "election")
    general = SelectionSettings().general
    assert specialised_labels(target, ("PER", "LOC", "ORG", "MISC"), general) == (
        "election",
        "politicalparty",
        "politician",
    )
    assert "country" in specialised_labels(target, ("PER",), ())


def test_specialised_labels_without_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        SelectionRequest(corpus(tmp_path / "built"), GAZETTEER, ("song",))
    assert str(caught.value) == (
        "no list has names of a specialised label: song\n"
        "  where: the labels that make the task level\n"
        "  expected: one of the labels of the lists: person, band\n"
        "  hint: name them with --specialised, tell labels with --source and --target, or choose --levels entity"
    )


def test_the_entity_level_needs_no_specialised_label(tmp_path: Path) -> None:
    settings = SelectionSettings(levels=("entity",))
    asked = SelectionRequest(corpus(tmp_path / "built"), GAZETTEER, (), selection=settings)
    assert select_levels(asked, tmp_path / "levels")["levels"]["entity"]["sentences"] == 3
    assert lines(tmp_path / "levels" / "entity") == ENTITY


def test_the_record_is_json_and_knows_its_inputs(tmp_path: Path) -> None:
    record = select_levels(request(corpus(tmp_path / "built")), tmp_path / "levels")
    assert json.loads(json.dumps(record)) == record
    assert record["gazetteer_sha256"] == GAZETTEER.sha256()
    assert record["settings"]["selection"] == {
        "min_entities": 2,
        "min_specialised": 1,
        "task_copies": 2,
        "share": 1.0,
        "seed": 1,
    }
    assert record["specialised"] == ["band"]


def test_the_record_names_examples_of_what_was_left_out(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "built")
    record = select_levels(request(folder, {"ambiguous": "drop"}), tmp_path / "levels")
    prepared = record["gazetteer"]["prepared"]
    assert prepared["left_out"] == {"in the lists of several labels": 1}
    assert prepared["examples"] == {"in the lists of several labels": ["Genesis"]}
