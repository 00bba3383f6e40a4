"""Fingerprints: what decides how a stage goes, in one short text."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from torch import Tensor

from nerbridge.batching.streams import Stream
from nerbridge.config.training import TrainingSettings

_NO_EFFECT = {"checkpoint_seconds", "seed"}  # the seed that counts is given beside the settings


def stage_digest(
    settings: TrainingSettings, seed: int, streams: Sequence[Stream], weights: Mapping[str, Tensor]
) -> str:
    """A digest of settings, seed, streams, and names and shapes of the weights (not their values)."""
    parts = [
        settings.model_dump(mode="json", exclude=_NO_EFFECT),
        seed,
        [stream_digest(stream) for stream in streams],
        {name: [*tensor.shape, str(tensor.dtype)] for name, tensor in weights.items()},
    ]
    return hashlib.blake2b(json.dumps(parts, sort_keys=True).encode(), digest_size=16).hexdigest()


def stream_digest(stream: Stream) -> str:
    """A digest of the words and labels of a stream's sentences, their cost, and its place in the model."""
    digest = hashlib.blake2b(digest_size=16)
    tags = stream.vocabulary.tags if stream.vocabulary else ()
    parts = [stream.name, stream.domain, stream.weight, tags, stream.num_pieces]
    if stream.words is not None:
        parts.append(stream.words.words)
    if (stream.batch_scale, stream.sets_pace) != (1.0, True):
        parts += [stream.batch_scale, stream.sets_pace]
    if stream.of_source is not None:
        parts.append(stream.of_source)
    if stream.types is not None:
        parts.append(stream.types.names)
    for part in parts:
        digest.update(repr(part).encode())
    for sentence in stream.sentences:
        digest.update(repr((sentence.words, sentence.spans, sentence.annotation, sentence.known)).encode())
    return digest.hexdigest()
