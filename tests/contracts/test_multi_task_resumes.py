"""Multi-task training killed in any step ends with the same bits: samples of words, pace, generated parameters."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from killed_steps import assert_same_when_killed
from tiny_tagger import TAGS, TinyEncoder, evaluate, make_sentences, make_settings

from nerbridge.assembly.build import compose
from nerbridge.batching.streams import Stream
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.config.context import ContextSettings, MultiCellSettings, ParameterGenerationSettings
from nerbridge.config.tagger import CrfSettings
from nerbridge.config.words import WordsSettings
from nerbridge.training.timetable import Timetable

DOMAINS = ("news", "music")
GENERATED = ParameterGenerationSettings(
    hidden=8, domain_width=2, task_width=3, domains=DOMAINS, tasks=("tags", "words")
)
CELLS = MultiCellSettings(hidden=8, entity_weight=0.5)


def parts(context: ContextSettings = GENERATED) -> dict[str, Any]:
    """A fresh model and its four streams; raw text is longer than an epoch of tags. Cells learn from names in it."""
    texts = {domain: make_sentences(number, domain=domain) for domain, number in zip(DOMAINS, (10, 6), strict=True)}
    raw = make_sentences(21, domain="music", first=50)
    vocabulary = WordVocabulary.of([*texts["news"], *raw])
    torch.manual_seed(5)
    types = TAGS.labels if context is CELLS else None
    predicted = (WordsSettings(negatives=5), vocabulary)
    model = compose(TinyEncoder(), context, CrfSettings(), dict.fromkeys(DOMAINS, TAGS), 5, predicted=predicted)
    vectorizer = model.encoder.vectorizer
    streams = [Stream(domain, domain, text, vectorizer, TAGS) for domain, text in texts.items()]
    streams += [
        Stream("news-raw", "news", texts["news"], vectorizer, None, 0.5, vocabulary, 1.5, sets_pace=False),
        Stream("music-raw", "music", raw, vectorizer, None, 0.5, vocabulary, sets_pace=False, types=types),
    ]
    return {"model": model, "streams": streams, "evaluate": evaluate}


@pytest.mark.parametrize("kill", [pytest.param(n, marks=[] if n in (1, 5) else [pytest.mark.slow]) for n in range(9)])
def test_killed_in_any_step(tmp_path: Path, kill: int) -> None:
    # three epochs of ten sentences in fours: the longer raw text sets no pace
    assert_same_when_killed(tmp_path, parts, kill, steps=9)


@pytest.mark.parametrize("kill", [pytest.param(n, marks=[] if n == 4 else [pytest.mark.slow]) for n in (1, 4, 7)])
def test_with_cells_killed_in_any_step(tmp_path: Path, kill: int) -> None:
    assert_same_when_killed(tmp_path, partial(parts, CELLS), kill, steps=9)


def test_scaled_batches_end_together() -> None:
    streams = parts()["streams"]
    sizes = [len(stream) for stream in streams]
    assert sizes == [10, 6, 10, 21]
    scaled = [
        Stream(s.name, s.domain, s.sentences, s.vectorizer, s.vocabulary, 1.0, s.words, size / 10, number == 0)
        for number, (s, size) in enumerate(zip(streams, sizes, strict=True))
    ]
    steps = Timetable(scaled, make_settings(batch_sentences=2), seed=1).steps(0)
    assert len(steps) == 5
    assert [len(part) for part in steps[0]] == [2, 1, 2, 4]
    assert sorted(index for step in steps for index in step[0]) == list(range(10))
    seen = {index for step in steps for index in step[3]}
    assert len(seen) == sum(len(step[3]) for step in steps) >= 17  # of 21, each once: the rest is less than a batch
