"""A model as the function of a pipeline: what takes long is said before it is tagged."""

import pytest

from builders import sentence, tiny_tagger
from nerbridge.config.tagger import LabelAwareSettings
from nerbridge.inference import model_tagger
from nerbridge.inference.model_tagger import ModelTagger


def test_long_sentences_are_said_before_they_are_tagged_and_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said_before = []
    predict = model_tagger.predict

    def watched(*arguments: object, **options: object) -> object:
        said_before.append(len(caplog.messages))
        return predict(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(model_tagger, "predict", watched)
    monkeypatch.setattr("nerbridge.assembly.long_sentences.LONG", 3)
    tag = ModelTagger(tiny_tagger(tagger=LabelAwareSettings(label_width=4)), "news")
    tagged = [tag([sentence(text)]) for text in ("ada sang", "ada sang in london", "bob sang in london")]
    assert [len(one.tags) for (one,) in tagged] == [2, 4, 4]  # whole
    assert said_before == [0, 1, 1]
    assert caplog.messages[0].startswith("warning: 1 sentence has more than 3 words, the longest 4; ")
