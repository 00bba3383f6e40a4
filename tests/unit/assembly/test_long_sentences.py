"""Sentences that would take minutes are said once, beforehand, where a head's time grows with the square of them."""

import logging

import pytest

from builders import sentence, tiny_tagger
from nerbridge.assembly import long_sentences
from nerbridge.assembly.long_sentences import LengthWarning
from nerbridge.config.tagger import CrfSettings, LabelAwareSettings, TaggerSettings
from nerbridge.data.sentence import Origin, Sentence
from nerbridge.models.heads.base import TagHead

SHORT, LONG, LONGEST = "ada sang", "ada sang in london with bob", "ada lovelace wrote to the royal society"


@pytest.fixture(autouse=True)
def _six_words_are_many(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(long_sentences, "LONG", 5)
    caplog.set_level(logging.WARNING)


def head(settings: TaggerSettings) -> TagHead:
    return tiny_tagger(tagger=settings).head("news")


def sentences(*texts: str) -> list[Sentence]:
    return [sentence(text, origin=Origin("book.txt", number)) for number, text in enumerate(texts, start=1)]


def test_the_longest_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    warning, slow = LengthWarning(), head(LabelAwareSettings(label_width=4))
    warning.look(slow, sentences(SHORT, "ada sang in the band"))
    assert caplog.messages == []
    warning.look(slow, sentences(SHORT, LONG, LONGEST))
    warning.look(slow, sentences(LONGEST))
    assert caplog.messages == [
        "warning: 2 sentences have more than 5 words, the longest 7 (book.txt:3); the time of a label-aware tagger "
        "grows with the square of it: split what is no single sentence, or use another tagger"
    ]


def test_a_sentence_from_nowhere_has_no_place(caplog: pytest.LogCaptureFixture) -> None:
    LengthWarning().look(head(LabelAwareSettings(label_width=4)), [sentence(LONG)])
    assert caplog.messages[0].startswith("warning: 1 sentence has more than 5 words, the longest 6; the time")


@pytest.mark.parametrize(
    "settings",
    [
        CrfSettings(),
        LabelAwareSettings(label_width=4, context=False),
        LabelAwareSettings(label_width=4, context=False, background=False),
    ],
    ids=["crf", "no context", "neither"],
)
def test_other_heads_have_the_time(settings: TaggerSettings, caplog: pytest.LogCaptureFixture) -> None:
    LengthWarning().look(head(settings), sentences(LONGEST))
    assert caplog.messages == []
