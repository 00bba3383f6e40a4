"""Multi-task training killed in any step ends with the same bits: samples of words, pace, generated parameters."""

import sys
from pathlib import Path
from typing import Any

import pytest
import torch

TINY = Path(__file__).parents[1] / "unit" / "training"
sys.path.insert(0, str(TINY))

from tiny_tagger import TAGS, TinyEncoder, evaluate, make_sentences, make_settings, train  # noqa: E402

from nerbridge.assembly.build import compose  # noqa: E402
from nerbridge.assembly.tagger import Tagger  # noqa: E402
from nerbridge.batching.streams import Stream  # noqa: E402
from nerbridge.batching.word_vocabulary import WordVocabulary  # noqa: E402
from nerbridge.config.context import ParameterGenerationSettings  # noqa: E402
from nerbridge.config.tagger import CrfSettings  # noqa: E402
from nerbridge.config.words import WordsSettings  # noqa: E402
from nerbridge.training.learner import Learner  # noqa: E402

SETTINGS = make_settings(checkpoint_seconds=0)
DOMAINS = ("news", "music")


class Killed(BaseException):
    """Nothing in the product catches this, as nothing catches a SIGKILL."""


def parts() -> dict[str, Any]:
    """A fresh model and its four streams; raw text is longer than an epoch of tags."""
    texts = {domain: make_sentences(number, domain=domain) for domain, number in zip(DOMAINS, (10, 6), strict=True)}
    raw = make_sentences(21, domain="music", first=50)
    vocabulary = WordVocabulary.of([*texts["news"], *raw])
    torch.manual_seed(5)
    context = ParameterGenerationSettings(
        hidden=8, domain_width=2, task_width=3, domains=DOMAINS, tasks=("tags", "words")
    )
    predicted = (WordsSettings(negatives=5), vocabulary)
    model = compose(TinyEncoder(), context, CrfSettings(), dict.fromkeys(DOMAINS, TAGS), 5, predicted=predicted)
    vectorizer = model.encoder.vectorizer
    streams = [Stream(domain, domain, text, vectorizer, TAGS) for domain, text in texts.items()]
    streams += [
        Stream("news-raw", "news", texts["news"], vectorizer, None, 0.5, vocabulary, 1.5, sets_pace=False),
        Stream("music-raw", "music", raw, vectorizer, None, 0.5, vocabulary, sets_pace=False),
    ]
    return {"model": model, "streams": streams, "evaluate": evaluate}


def weights(model: Tagger) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


@pytest.mark.parametrize("kill", [pytest.param(n, marks=[] if n in (1, 5) else [pytest.mark.slow]) for n in range(9)])
def test_killed_in_any_step(tmp_path: Path, kill: int) -> None:
    torch.set_num_threads(1)
    undisturbed, expected = train(tmp_path / "undisturbed", SETTINGS, **parts())
    assert expected.steps == 9  # three epochs of ten sentences in fours: the longer raw text sets no pace
    plain = Learner.learn

    def learn(self: Learner, indices: Any, *, step: int, done: float) -> None:
        plain(self, indices, step=step, done=done)
        if step == kill:
            raise Killed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Learner, "learn", learn)
        with pytest.raises(Killed):
            train(tmp_path / "disturbed", SETTINGS, **parts())
    model, result = train(tmp_path / "disturbed", SETTINGS, **parts())
    assert (result.f1, result.best_step, result.steps) == (expected.f1, expected.best_step, expected.steps)
    found = weights(model)
    for name, tensor in weights(undisturbed).items():
        assert torch.equal(found[name], tensor), name


def test_scaled_batches_end_together() -> None:
    from nerbridge.training.timetable import Timetable

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
