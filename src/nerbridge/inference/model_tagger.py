"""A loaded model as the function that a pipeline calls."""

from collections.abc import Sequence

import torch

from nerbridge.assembly.long_sentences import LengthWarning
from nerbridge.assembly.prediction import Predicted, predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.report import reported
from nerbridge.errors import ConfigError
from nerbridge.inference.blocks import WordCounts


class ModelTagger:
    """Tags sentences with the head `domain` of `model`.

    labels: what decoding may find. max_pieces: subwords per batch, padding included; None takes
    what is fast on the model's device.
    """

    def __init__(self, model: Tagger, domain: str, *, max_pieces: int | None = None) -> None:
        self._model = model.eval()
        self._domain = domain
        self._read_before = reported(model.encoder.vectorizer)  # names of labels, by those who built it
        self._max_pieces = max_pieces
        self._lengths = LengthWarning()
        head = model.head(domain)
        self.labels = tuple(
            name for name in head.vocabulary.labels.names if bool(head.allowed[head.vocabulary.index[f"B-{name}"]])
        )

    def __call__(self, sentences: list[Sentence]) -> Sequence[Predicted]:
        """One prediction per sentence, in order; sentences that take long are said beforehand, the first time."""
        self._lengths.look(self._model.head(self._domain), sentences)
        return predict(self._model, sentences, self._domain, max_pieces=self._max_pieces)

    def word_counts(self) -> WordCounts:
        """What the encoder could not read well so far; zeros for an encoder that does not count."""
        seen = reported(self._model.encoder.vectorizer)
        if seen is None or self._read_before is None:
            return WordCounts()
        seen = seen.since(self._read_before)
        return WordCounts(
            seen.pieceless_words,
            seen.unknown_words,
            seen.shortened_words,
            seen.windowed_sentences,
            seen.words_without_vector,
        )


def available_device(name: str | None) -> str:
    """`name` when this machine has such a device; for None the first GPU, or the CPU. Raises ConfigError otherwise."""
    if name is None:
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=name).item()
    except (RuntimeError, AssertionError) as error:  # torch asserts that it was built with CUDA
        count = torch.cuda.device_count()
        raise ConfigError(
            f"device '{name}' cannot be used: {str(error).splitlines()[0]}",
            where="device",
            expected="cpu" if not count else f"cpu, or cuda:0 to cuda:{count - 1}",
            hint="leave the device out: the GPU is taken where there is one",
        ) from None
    return name
