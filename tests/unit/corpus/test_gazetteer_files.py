"""Lists, tables and JSON lines of names: what is taken, what is left out and counted, what is refused."""

import bz2
import gzip
import os
from pathlib import Path

import pytest

from nerbridge.config.gazetteer import GazetteerSettings
from nerbridge.corpus.gazetteer import Gazetteer, labels_of_bits
from nerbridge.corpus.gazetteer_files import read_gazetteer
from nerbridge.corpus.gazetteer_lines import LONGEST_LINE
from nerbridge.errors import DataError


def labelled(gazetteer: Gazetteer) -> dict[str, tuple[str, ...]]:
    """Name -> its labels."""
    return {name: labels_of_bits(gazetteer.labels, bits) for name, bits in gazetteer.names.items()}


def write(folder: Path, **files: str) -> Path:
    """<label>.txt for every keyword."""
    for label, text in files.items():
        (folder / f"{label}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_of_lists(tmp_path: Path) -> None:
    write(tmp_path, person="Ada Lovelace\nGrace Hopper\n", band="Queen\nAda Lovelace\n")
    (tmp_path / "SOURCES.md").write_text("where they come from", encoding="utf-8")
    gazetteer = read_gazetteer([tmp_path])
    assert labelled(gazetteer) == {
        "Queen": ("band",),
        "Ada Lovelace": ("band", "person"),
        "Grace Hopper": ("person",),
    }
    assert gazetteer.names_by_label() == {"band": 2, "person": 2}
    assert gazetteer.counts.report() == []


def test_what_a_folder_holds_beside_lists_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path, person="Ada Lovelace\n")
    (tmp_path / "deeper").mkdir()
    for name in ("x.xlsx", "README.md", "old.xlsx", "table.dat.gz", "SOURCES", ".hidden.md"):
        (tmp_path / name).touch()
    with caplog.at_level("INFO"):
        read_gazetteer([tmp_path])
    assert caplog.messages == [
        f"{tmp_path}: 5 files of other kinds (.dat.gz, .md, .xlsx, no ending) are left alone",
        f"{tmp_path}: 1 folder not entered: deeper",
    ]


def entries_without_content(folder: Path) -> list[str]:
    """What is named like a list and is none: a link that leads nowhere, one that leads to itself, a pipe, a folder."""
    (folder / "gone.txt").symlink_to(folder / "nothing")
    (folder / "loop.csv").symlink_to("loop.csv")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "shelf.txt").mkdir()
    return ["gone.txt", "loop.csv", "pipe.jsonl", "shelf.txt"]


def test_entries_that_are_no_files_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path, person="Ada Lovelace\n")
    names = entries_without_content(tmp_path)
    (tmp_path / "README").symlink_to("nothing")
    (tmp_path / ".hidden.txt").symlink_to("nothing")
    assert list(labelled(read_gazetteer([tmp_path]))) == ["Ada Lovelace"]
    first = tmp_path / "README"
    assert caplog.messages == [f"{tmp_path}: 5 entries are no files or links that lead nowhere, not read: {first}"]
    for name in names[:3]:
        (tmp_path / name).unlink()
    (tmp_path / "README").unlink()
    caplog.clear()
    read_gazetteer([tmp_path])
    first = tmp_path / "shelf.txt"
    assert caplog.messages == [f"{tmp_path}: 1 entry is no file or a link that leads nowhere, not read: {first}"]


@pytest.mark.parametrize(
    ("kept", "hint"), [("gone.txt", "put lists into it"), ("shelf.txt", "name one of its folders: shelf.txt")]
)
def test_a_folder_of_such_entries_alone_names_one(tmp_path: Path, kept: str, hint: str) -> None:
    for name in entries_without_content(tmp_path):
        if name != kept:
            (tmp_path / name).rmdir() if (tmp_path / name).is_dir() else (tmp_path / name).unlink()
    with pytest.raises(DataError) as caught:
        read_gazetteer([tmp_path])
    assert caught.value.what == (
        f"the folder '{tmp_path}' holds no list of names: "
        f"1 entry is no file or a link that leads nowhere, not read: {tmp_path / kept}"
    )
    assert caught.value.hint == hint


def test_a_list_behind_a_link_that_leads_nowhere_is_called_one(tmp_path: Path) -> None:
    for path, target in ((tmp_path / "circle.txt", "circle.txt"), (tmp_path / "gone.txt", "nothing")):
        path.symlink_to(target)
        with pytest.raises(DataError, match=f"the link '{path}' leads nowhere"):
            read_gazetteer([path])


def test_lists_that_look_like_something_else_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(
        tmp_path,
        algorithm="Algorithm\nk-means\n",
        band="Queen\t1970\nAbba\t1972\n\n",
        club="1. FC Köln\nArsenal\nEverton\n",
        person="1. Ada Lovelace\n\n2) Grace Hopper\n- Alan Turing\nDonald Knuth\n",
    )
    with caplog.at_level("WARNING"):
        gazetteer = read_gazetteer([tmp_path])
    assert caplog.messages == [
        "algorithm.txt:1: the first line is the label itself: taken as a name, not as a header",
        "band.txt: 2 lines hold a TAB: taken as one name each; tables end in .tsv and name their columns",
        "person.txt: 3 of 4 lines begin with a mark such as '1.' or '-': taken as part of the name",
    ]
    assert {"Algorithm", "Queen 1970", "1. FC Köln", "1. Ada Lovelace"} <= set(gazetteer.names)


def test_lines_that_look_like_comments_are_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(
        tmp_path,
        band="# bands of the seventies\n; and of the\teighties\n# 1984\n#1 Crush\nQueen\n",
        person="; people\nAda\n",
        song="#\n;-)\nC# minor\n",
    )
    with caplog.at_level("WARNING"):
        gazetteer = read_gazetteer([tmp_path])
    advice = "taken as names, for lists have no comments; remove those that are none"
    assert caplog.messages == [
        "band.txt: 1 line holds a TAB: taken as one name each; tables end in .tsv and name their columns",
        "band.txt: 2 lines begin with '#' or ';' and a space, as comments do (such as 'band.txt:1: # bands of the "
        f"seventies'): {advice}",
        "person.txt: 1 line begins with '#' or ';' and a space, as comments do (such as 'person.txt:1: ; people'): "
        f"{advice}",
    ]
    assert {"# bands of the seventies", "; and of the eighties", "; people"} <= set(gazetteer.names)


def test_lists_without_a_name_are_said_where_others_have_some(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    write(tmp_path, band="Queen\n", bands="", club="1860\n\n1899\n", person="Ada\n")
    (tmp_path / "more.csv").write_text("name,label\n", encoding="utf-8")
    (tmp_path / "none.jsonl").write_text('{"name": "Ada"}\n', encoding="utf-8")
    (tmp_path / "same.csv").write_text("name,label\nAda,person\nQueen,band\n", encoding="utf-8")
    with caplog.at_level("WARNING"):
        read_gazetteer([tmp_path])
    none = "no name in it can be looked for"
    assert caplog.messages == [
        f"{tmp_path}/bands.txt: {none}: it has no entry",
        f"{tmp_path}/club.txt: {none}: 2 left out: holds no letter; 1 left out: empty",
        f"{tmp_path}/more.csv: {none}: it has no entry",
        f"{tmp_path}/none.jsonl: {none}: 1 left out: not a JSON object with a name and a label",
    ]


def test_everything_left_out_is_counted(tmp_path: Path) -> None:
    lines = ["Ada", "Ada", "", "R", "1984", "a\0b", "x" * 201, "  New   York ", "Queen (band)", "f(x)"]
    write(tmp_path, name="\n".join(lines))
    gazetteer = read_gazetteer([tmp_path])
    assert list(gazetteer.names) == ["Ada", "New York", "Queen", "f(x)"]
    assert gazetteer.counts.read == len(lines)
    assert dict(gazetteer.counts.left_out) == {
        "the same name again in the list of one label": 1,
        "empty": 1,
        "shorter than 2 characters": 1,
        "holds no letter": 1,
        "holds a control character": 1,
        "longer than 200 characters": 1,
    }
    assert gazetteer.counts.report()[0] == "1 lost the brackets behind them"
    assert "1 left out: holds no letter (such as 'name.txt:5: 1984')" in gazetteer.counts.report()


def test_lengths_and_brackets_are_settings(tmp_path: Path) -> None:
    write(tmp_path, name="R\nQueen (band)\n")
    settings = GazetteerSettings(min_length=1, cut_brackets=False)
    assert list(read_gazetteer([tmp_path], settings).names) == ["R", "Queen (band)"]


def test_names_of_any_script_are_composed(tmp_path: Path) -> None:
    write(tmp_path, name="Beyonce\u0301\n北京大学\nنجيب محفوظ\nمی\u200cخواهم\n")
    assert list(read_gazetteer([tmp_path]).names) == ["Beyoncé", "北京大学", "نجيب محفوظ", "می\u200cخواهم"]


def test_lines_that_are_no_text_are_counted_skips(tmp_path: Path) -> None:
    long = b"x" * (3 * LONGEST_LINE)
    (tmp_path / "name.txt").write_bytes(b"\xef\xbb\xbfAda\r\nCaf\xe9\n" + long + b"\nGrace\n")
    gazetteer = read_gazetteer([tmp_path])
    assert list(gazetteer.names) == ["Ada", "Grace"]
    assert dict(gazetteer.counts.left_out) == {"not UTF-8": 1, "a line of more than 65,536 bytes": 1}


def test_packed_lists(tmp_path: Path) -> None:
    (tmp_path / "person.txt.gz").write_bytes(gzip.compress(b"Ada\n"))
    (tmp_path / "band.txt.bz2").write_bytes(bz2.compress(b"Queen\n"))
    assert labelled(read_gazetteer([tmp_path])) == {"Ada": ("person",), "Queen": ("band",)}


def test_a_damaged_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "person.txt.bz2"
    path.write_bytes(bz2.compress(b"Ada\n" * 100_000)[:-8])
    with pytest.raises(DataError) as caught:
        read_gazetteer([tmp_path])
    assert caught.value.what.startswith("the packed file is damaged: ")
    assert caught.value.where == str(path)


def test_csv_finds_its_columns_and_separator(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text('Type;id;Name\nband;1;"Earth, Wind; Fire"\nband|song;2;Queen\n;3;Air\n', encoding="utf-8")
    gazetteer = read_gazetteer([path])
    assert labelled(gazetteer) == {"Earth, Wind; Fire": ("band",), "Queen": ("band", "song")}
    assert dict(gazetteer.counts.left_out) == {"a row without a name or a label": 1}


def test_a_line_break_in_a_cell_becomes_a_space(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text('name,label\n"New\nYork",city\n', encoding="utf-8")
    assert labelled(read_gazetteer([path])) == {"New York": ("city",)}


def test_lines_that_an_open_quotation_mark_swallows_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        'name,label,note\nAda,person,"two\nlines"\n"Heroes,album,\nBob,person,\nKim,person,"\nLow,album,\n'
    )
    gazetteer = read_gazetteer([tmp_path])
    assert labelled(gazetteer) == {"Ada": ("person",), "Low": ("album",)}
    assert dict(gazetteer.counts.left_out) == {"a line behind a quotation mark that is not closed": 3}


def test_a_table_without_labels_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("name\tcountry\nAda\tUK\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_gazetteer([path])
    assert str(caught.value) == (
        "the table has no column of labels: 'name', 'country'\n"
        f"  where: {path}:1\n"
        "  expected: a first row with one of name, names, title, entity, mention, term, pattern, text"
        " and one of label, labels, type, types, class, category\n"
        "  hint: write such a row above the others, for example: name,label"
    )


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "names.jsonl"
    lines = [
        '{"name": "Ada Lovelace", "label": "person"}',
        '{"names": ["Queen", "Air"], "types": ["band", "song"]}',
        '{"label": "org", "pattern": "Apple"}',
        '{"label": "org", "pattern": [{"lower": "apple"}]}',
        "[" * 5000,
        "broken",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    gazetteer = read_gazetteer([path])
    assert labelled(gazetteer) == {
        "Ada Lovelace": ("person",),
        "Queen": ("band", "song"),
        "Air": ("band", "song"),
        "Apple": ("org",),
    }
    assert dict(gazetteer.counts.left_out) == {"not a JSON object with a name and a label": 3}


def test_an_empty_gazetteer_is_refused(tmp_path: Path) -> None:
    write(tmp_path, person="\n\nR\n")
    with pytest.raises(DataError) as caught:
        read_gazetteer([tmp_path])
    assert caught.value.what == (
        "none of 3 entries can be looked for: 2 left out: empty (such as 'person.txt:1: ', 'person.txt:2: '); "
        "1 left out: shorter than 2 characters (such as 'person.txt:3: R')"
    )


def test_lists_in_another_encoding_are_to_be_written_anew(tmp_path: Path) -> None:
    (tmp_path / "person.txt").write_bytes("Jos\xe9\nRen\xe9e\nAda\n".encode("latin-1").replace(b"Ada", b"R"))
    with pytest.raises(DataError) as caught:
        read_gazetteer([tmp_path])
    assert "2 left out: not UTF-8" in caught.value.what
    assert caught.value.hint.startswith("if they are lists of names in another encoding, write them as UTF-8: iconv")


def test_a_folder_without_lists_names_those_below(tmp_path: Path) -> None:
    (tmp_path / "music").mkdir()
    (tmp_path / "ai").mkdir()
    with pytest.raises(DataError) as caught:
        read_gazetteer([tmp_path])
    assert str(caught.value) == (
        f"the folder '{tmp_path}' holds no list of names\n"
        f"  where: {tmp_path}\n"
        "  expected: <label>.txt with one name a line, .csv, .tsv, .jsonl, DBpedia's .nt and .ttl; each also .gz, .bz2,"
        " .xz or .zst\n"
        "  hint: name one of its folders: ai, music"
    )


@pytest.mark.parametrize("name", ["absent", "names.docx"])
def test_what_is_no_list_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "names.docx").write_bytes(b"PK")
    with pytest.raises(DataError, match=r"does not exist|no file of names by its suffix"):
        read_gazetteer([tmp_path / name])


def test_a_pipe_is_called_one(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "person.txt")
    with pytest.raises(DataError, match=r"person\.txt' is a pipe or a device"):
        read_gazetteer([tmp_path / "person.txt"])


def test_labels_with_odd_characters(tmp_path: Path) -> None:
    write(tmp_path, **{"c++ & 'co' — ação": "Boost\n"})
    assert read_gazetteer([tmp_path]).labels == ("c++ & 'co' — ação",)
    write(tmp_path, **{"a\nb": "Boost\n"})
    with pytest.raises(DataError, match=r"'a\\nb' cannot be a label"):
        read_gazetteer([tmp_path])


def test_spellings_of_one_label_are_united(tmp_path: Path) -> None:
    write(tmp_path, organization="ACM\nIEEE\n", organisation="ACM\n", person="Ada\n")
    gazetteer, renames = read_gazetteer([tmp_path]).respelled(["organisation", "person"])
    assert renames == {"organization": "organisation"}
    assert labelled(gazetteer) == {"ACM": ("organisation",), "IEEE": ("organisation",), "Ada": ("person",)}


def test_the_checksum_knows_names_and_labels_not_order(tmp_path: Path) -> None:
    one, two, three = (Gazetteer(("a",), names) for names in ({"x": 1, "y": 1}, {"y": 1, "x": 1}, {"x": 1}))
    assert one.sha256() == two.sha256() != three.sha256()


@pytest.mark.data
def test_the_entity_dictionary(data_root: Path) -> None:
    gazetteer = read_gazetteer([data_root / "entity_dictionary"])
    assert gazetteer.names_by_label() == {"location": 748, "misc": 38, "organization": 353, "person": 1973}
