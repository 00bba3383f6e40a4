"""`corpus select` and the levels part of `corpus stats` on a tiny corpus: whole outputs compared."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nerbridge.cli import main
from nerbridge.corpus.folder import CorpusFolder, write_corpus

TEXT = [
    ["Ada Lovelace met Grace Hopper .", "Nobody came ."],
    ["Abba sang for Ada Lovelace .", "It rained ."],
    ["A train left .", "Train sang .", "The train and another train met Abba ."],
]
LISTS = {"person": "Ada Lovelace\nGrace Hopper\n\n", "band": "Abba\nTrain\n", "organization": "ACM\n"}

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in a folder with the corpus `built` and the lists of `lists`: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    write_corpus("built", [[line.split() for line in document] for document in TEXT])
    Path("lists").mkdir()
    for label, names in LISTS.items():
        Path("lists", f"{label}.txt").write_text(names, encoding="utf-8")

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["corpus", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


LEVELS = """\
level       documents  sentences  words  ratio
domain              3          7     33  1.00x
entity              2          2     12  0.36x
task                2          2     14  0.42x
integrated          6          6     40  1.21x

label         specialised  names  matches  most frequent
band                  yes      2        2  Abba 2
organisation           no      1        0
person                 no      2        3  Ada Lovelace 2, Grace Hopper 1
"""
NAMES = """\
names: 1 left out: empty (such as 'person.txt:3: ')
the lists' label 'organization' counts as 'organisation'
specialised labels (task level): album, award, band, event, musicalartist, musicalinstrument, musicgenre, song
warning: no list has names of: album, award, event, musicalartist, musicalinstrument, musicgenre, song
how the corpus writes the names was looked up in 33 words
"""


def test_select_prints_sizes_names_and_what_was_left_out(run: Run) -> None:
    arguments = ("built", "--gazetteer", "lists", "--target", "crossner/music", "--output", "levels")
    code, out, err = run("select", *arguments)
    assert (code, out) == (0, LEVELS)
    assert err == (
        NAMES + "names were looked for in 1 file of 1\n"
        "warning: no name of these labels was found in the text: organisation (1 name)\n"
        "1 name left out: ordinary words (such as 'Train')\n"
        "entity level: levels/entity\n"
        "task level: levels/task\n"
        "integrated level: levels/integrated\n"
    )
    code, out, _ = run("stats", "levels")
    assert (code, out) == (0, run("stats", "levels/entity", "levels/task", "levels/integrated")[1])
    assert CorpusFolder("levels/integrated").num_words == 40
    code, out, err = run("select", *arguments)
    assert (code, out) == (0, LEVELS)
    assert "the levels are there already: levels\n" in err


def test_stats_search_without_writing(run: Run) -> None:
    code, out, _ = run("stats", "built", "--gazetteer", "lists", "--target", "crossner/music", "--examples")
    assert code == 0
    assert out.endswith(
        f"\nbuilt\n{LEVELS}\n"
        "entity and task:\n"
        "  [Abba|band] sang for [Ada Lovelace|person] .\n\n"
        "entity:\n"
        "  [Ada Lovelace|person] met [Grace Hopper|person] .\n\n"
        "task:\n"
        "  The train and another train met [Abba|band] .\n\n"
        "neither:\n" + "".join(f"  {line}\n" for line in _rest(out))
    )
    assert sorted(_rest(out)) == ["A train left .", "It rained .", "Nobody came .", "Train sang ."]
    assert sorted(path.name for path in Path().iterdir()) == ["built", "lists"]


def _rest(out: str) -> list[str]:
    return [line.strip() for line in out.partition("neither:\n")[2].splitlines()]


def test_names_that_other_lists_have_too_are_marked(run: Run) -> None:
    Path("lists", "person.txt").write_text("Ada Lovelace\nAbba\n", encoding="utf-8")
    note = (
        "names with * are in lists of other labels too, not all specialised: they choose no sentence for the task level"
    )
    asked = ("stats", "built", "--gazetteer", "lists", "--specialised", "band")
    _, out, err = run(*asked)
    assert "band                  yes      2        2  Abba 2 *\n" in out
    assert "person                 no      2        4  Abba 2, Ada Lovelace 2\n" in out
    assert note in err.splitlines()
    for more in (("--ambiguous", "any"), ("--specialised", "band,person")):
        _, out, err = run(*asked, *more)
        assert "*" not in out
        assert note not in err.splitlines()


def test_stats_of_levels_are_read_from_their_manifest(run: Run) -> None:
    run("select", "built", "--gazetteer", "lists", "--target", "crossner/music", "--output", "levels")
    code, out, _ = run("stats", "levels/entity", "levels/task")
    assert code == 0
    assert out.count(f"\n\nlevels/entity: all levels, and the matches of all of built\n{LEVELS}") == 1
    code, out, _ = run("stats", "levels/entity", "--json")
    (record,) = json.loads(out)
    assert record["selection"]["levels"]["integrated"]["words"] == 40


def test_names_of_labelled_sentences(run: Run) -> None:
    Path("train.txt").write_text(
        "Abba\tB-band\nsang\tO\n\nAda\tB-person\nLovelace\tI-person\nran\tO\n", encoding="utf-8"
    )
    code, out, _ = run("select", "built", "--from-labelled", "train.txt", "--output", "levels", "--json")
    record = json.loads(out)
    assert code == 0
    assert record["specialised"] == ["band"]
    assert record["matches_by_label"] == {"band": 2, "person": 2}


WRONG = "1 setting cannot be used:\n    "


@pytest.mark.parametrize(
    ("option", "labels", "known", "near"),
    [
        ("--general", "misc,contry", "band, organization, person, country, misc", "country"),
        ("--specialised", "band,Bandd", "band, organization, person", "band"),
    ],
)
def test_misspelt_labels_are_refused_with_the_nearest(
    run: Run, option: str, labels: str, known: str, near: str
) -> None:
    code, _, err = run("select", "built", "--gazetteer", "lists", "--output", "levels", option, labels)
    assert code == 2
    assert err.endswith(
        f"error: neither target nor lists have the label: {labels.partition(',')[2]}\n"
        f"  where: {option}\n"
        f"  expected: labels among {known}\n"
        f"  hint: nearest is '{near}'\n"
    )
    assert not Path("levels").exists()


def test_stats_read_names_and_say_notes_once(run: Run) -> None:
    for name in ("one", "two"):
        write_corpus(name, [[line.split() for line in document] for document in TEXT])
    code, out, err = run("stats", "one", "two", "--gazetteer", "lists", "--specialised", "band")
    assert (code, out.count(LEVELS.splitlines()[1])) == (0, 2)
    for note in (
        "names: 1 left out: empty",
        "specialised labels (task level): band",
        "1 name left out: ordinary words",
    ):
        assert err.count(note) == 1


def test_names_that_count_for_a_narrower_label_are_not_missed(run: Run) -> None:
    Path("lists/writer.txt").write_text("Ada Lovelace\nGrace Hopper\n", encoding="utf-8")
    _, _, err = run("select", "built", "--gazetteer", "lists", "--specialised", "band", "--output", "levels")
    assert "warning: no name of these labels was found in the text: organization (1 name)\n" in err


def test_labels_of_lists_that_are_nearly_the_targets_are_pointed_out(run: Run) -> None:
    Path("lists/person.txt").rename("lists/Persons.txt")
    Path("train.txt").write_text("Ada\tB-person\nmet\tO\nAbba\tB-band\n", encoding="utf-8")
    code, _, err = run("select", "built", "--gazetteer", "lists", "--target", "train.txt", "--output", "levels")
    assert code == 0
    assert (
        "labels of lists that the target lacks: Persons (is it 'person'?), organization; their names count as names\n"
    ) in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no names were given"),
        (("--gazetteer", "nowhere"), "'nowhere' does not exist"),
        (
            ("--gazetteer", "lists", "--share", "0"),
            WRONG + "--share (selection.share): should be greater than 0, not 0.0",
        ),
        (
            ("--gazetteer", "lists", "--levels", "some"),
            WRONG + "--levels (selection.levels): should be 'domain', 'entity', 'task' or 'integrated', not 'some'\n",
        ),
        (
            ("--gazetteer", "lists", "--levels", "task,enitty"),
            WRONG + "--levels (selection.levels): should be 'domain', 'entity', 'task' or 'integrated', not 'enitty'; "
            "nearest is 'entity'\n",
        ),
        (
            ("--gazetteer", "lists", "--levels", ","),
            WRONG + "--levels (selection.levels): should name at least one of domain, ",
        ),
        (
            ("--gazetteer", "lists", "--target", "crossner/ay"),
            "there is no data set 'crossner/ay'\n  where: the name 'crossner/ay'\n  expected: one of ",
        ),
        (("--gazetteer", "lists", "--source", "nowhere.txt"), "'nowhere.txt' does not exist\n"),
        (
            ("--gazetteer", "lists", "--set", "gazetteer.max=3"),
            WRONG + "gazetteer.max: there is no",
        ),
        (("--gazetteer", "lists", "--specialised", "song"), "neither target nor lists have the label: song"),
        (("--gazetteer", "lists", "--classes", "crossner/x"), "there is no table of classes 'crossner/x'"),
    ],
)
def test_what_cannot_be_done_is_one_message(run: Run, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = run("select", "built", "--output", "levels", *arguments)
    assert (code, out) == (2, "")
    assert f"error: {message}" in err
    assert err.count("\n  where: ") == err.count("\n  expected: ") == err.count("\n  hint: ") == 1
    assert not Path("levels").exists()


def test_vocabularies_of_built_corpora_are_compared(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("select", "built", "--gazetteer", "lists", "--levels", "entity", "--output", "levels")
    code = main(["data", "overlap", "--raw", "all=built", "--raw", "entity=levels/entity", "--size", "9", "--json"])
    result = json.loads(capsys.readouterr().out)
    assert code == 0
    assert result["vocabulary"] == {"all": 9, "entity": 7}
    assert result["overlap_percent"]["all"]["entity"] == 100.0


def test_without_a_target_the_labels_of_the_lists_are_said_to_stand_for_it(run: Run) -> None:
    note = "specialised labels are taken from those of the lists: --target NAME|FILE tells the target's\n"
    assert note in run("stats", "built", "--gazetteer", "lists")[2]
    assert note not in run("stats", "built", "--gazetteer", "lists", "--target", "crossner/music")[2]
    assert note not in run("stats", "built", "--gazetteer", "lists", "--specialised", "band")[2]
