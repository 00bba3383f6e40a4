"""What is written: JSON lines, columns, HTML, each read back or compared whole."""

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from nerbridge.data.columns import read_columns
from nerbridge.data.jsonl import read_jsonl
from nerbridge.data.jsonl_format import JsonlFormat, OffsetUnit
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Origin, Sentence, Span
from nerbridge.errors import DataError
from nerbridge.inference.document import TaggedSentence
from nerbridge.inference.html import HtmlPage
from nerbridge.inference.items import Item
from nerbridge.inference.output import open_output
from nerbridge.inference.rendering import Columns, JsonLines
from nerbridge.inference.segmentation import sentences_of_text

ORIGIN = Origin("a.txt", 4)


def tagged(text: str, **fields: object) -> tuple[Item, list[TaggedSentence]]:
    """An item whose first word of each sentence is a `name`."""
    sentences = sentences_of_text(text)
    found = [TaggedSentence(one.words, (Span(0, 1, "name"),), (0.87654,), one.offsets) for one in sentences]
    return Item(sentences, ORIGIN, {"text": text, **fields}, text), found


def tagged_words(words: Sequence[str], *spans: Span) -> tuple[Item, list[TaggedSentence]]:
    sentence = TaggedSentence(tuple(words), spans, (0.5,) * len(spans))
    return Item([Sentence(tuple(words))], ORIGIN, {"words": list(words)}), [sentence]


def test_json_lines_keep_the_record_and_add_entities() -> None:
    assert JsonLines().item(*tagged("🙂 sang.\nÉva", id=7)) == (
        '{"text": "🙂 sang.\\nÉva", "id": 7, "entities": ['
        '{"start": 0, "end": 1, "label": "name", "text": "🙂", "score": 0.8765}, '
        '{"start": 8, "end": 11, "label": "name", "text": "Éva", "score": 0.8765}]}\n'
    )


@pytest.mark.parametrize("unit", OffsetUnit)
def test_json_lines_are_read_back_in_every_unit(tmp_path: Path, unit: OffsetUnit) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text(JsonLines(unit).item(*tagged("🙂 é sang.")), encoding="utf-8")
    (sentence,) = read_jsonl(path, settings=JsonlFormat(offsets=unit))
    assert (sentence.text, sentence.spans) == ("🙂 é sang.", (Span(0, 1, "name"),))


def test_words_without_text_have_word_numbers() -> None:
    record = json.loads(JsonLines(OffsetUnit.UTF16).item(*tagged_words(["🙂", "New York", "x"], Span(1, 3, "city"))))
    assert record == {
        "words": ["🙂", "New York", "x"],
        "entities": [{"start": 1, "end": 3, "label": "city", "text": "New York x", "score": 0.5}],
    }


def test_a_replaced_field_is_said() -> None:
    lines = JsonLines()
    assert lines.notes() == []
    assert json.loads(lines.item(*tagged("Ada", entities="gold", spans=[])))["spans"] == []
    assert lines.notes() == ["the field `entities` was replaced in 1 record"]


def test_columns_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "out.conll"
    path.write_text(Columns(Scheme.BIOES).item(*tagged("Ada wrote.\n\nBob sang.")))
    assert path.read_text() == "Ada\tS-name\nwrote\tO\n.\tO\n\nBob\tS-name\nsang\tO\n.\tO\n\n"
    assert [sentence.spans for sentence in read_columns(path)] == [(Span(0, 1, "name"),)] * 2


def test_entities_that_a_scheme_cannot_part_are_said() -> None:
    columns = Columns(Scheme.IO)
    columns.item(*tagged_words(["a", "b"], Span(0, 1, "x"), Span(1, 2, "x")))
    assert columns.notes() == ["1 entity merged with a neighbour, which IO cannot part"]


def test_a_word_that_no_column_holds_is_refused() -> None:
    with pytest.raises(DataError) as caught:
        Columns().item(*tagged_words(["New\tYork"]))
    assert "'New\\tYork'" in caught.value.what
    assert (caught.value.where, caught.value.hint) == ("a.txt:4", "write JSONL instead")


class TextOf(HTMLParser):
    """Collects the text of articles, without the labels that stand in <small>."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open.append(tag)
        self.tags.append(tag)
        if tag == "article":
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "article" in self._open and "small" not in self._open:
            self.texts[-1] += data


def test_html_shows_the_text_unchanged_and_escaped() -> None:
    text = "<script>alert('x')</script> & Ada\nBob  \"sang\"."
    page = HtmlPage(["name", "<b>"], "Entities")
    content = page.begin() + page.item(*tagged(text)) + page.end()
    parsed = TextOf()
    parsed.feed(content.replace('<meta charset="utf-8">', ""))
    assert parsed.texts == [text]
    assert "script" not in parsed.tags
    assert "http" not in content  # needs no other file


def test_html_has_one_colour_per_label_and_a_legend() -> None:
    labels = [f"label{number}" for number in range(40)]
    head = HtmlPage(labels, "Entities").begin()
    colours = {line.partition("{")[2] for line in head.splitlines() if line.startswith(".label-")}
    assert len(colours) == 40
    assert all(f">{label}</mark>" in head for label in labels)


def test_html_of_words_and_control_characters() -> None:
    page = HtmlPage(["name"], "Entities")
    assert page.item(*tagged_words(["a\x00b", "Ada"], Span(1, 2, "name"))) == (
        '<article>a\u2400b <mark class="label-0" title="name, score 0.50">Ada<small>name</small></mark></article>\n'
    )


def test_an_output_file_appears_complete_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "new" / "out.txt"
    with pytest.raises(TypeError), open_output(path) as stream:
        stream.write(b"not text")  # type: ignore[arg-type]
    assert list(path.parent.iterdir()) == []
    with open_output(path) as stream:
        stream.write("whole é\n")
        assert not path.exists()
    assert path.read_bytes() == b"whole \xc3\xa9\n"


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught, open_output(tmp_path):
        pass
    assert str(caught.value) == (
        f"'{tmp_path}' cannot be written: it is a folder\n"
        "  where: --output\n"
        "  expected: a file in a folder that can be written\n"
        "  hint: name another file, or leave `--output` out to print the results"
    )
