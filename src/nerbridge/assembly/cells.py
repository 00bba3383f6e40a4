"""What the cells of a multi-cell context make of labelled sentences: for pictures, and for scores of its own tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Int
from torch import Tensor

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.batch import UNKNOWN
from nerbridge.batching.buckets import inference_batches
from nerbridge.batching.entity_types import types_of_tags
from nerbridge.batching.streams import Stream
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence
from nerbridge.data.tags import TagVocabulary
from nerbridge.models.context.multi_cell import MultiCellNetwork, Reading

PIECES_PER_BATCH = 2048


@dataclass(frozen=True)
class CellReading:
    """One batch of sentences, longest first: where they stand among those that were given, their cells, their labels.

    types: of each word the place of its label among `reading.labels` (0 is O); UNKNOWN on padding and where the label
    is not known.
    """

    indices: tuple[int, ...]
    reading: Reading
    types: Int[Tensor, "batch unit"]


def read_cells(model: Tagger, sentences: Sequence[Sentence], domain: str) -> Iterator[CellReading]:
    """What the cells of `domain` say of `sentences`, batch by batch, without dropout; the domain needs no tag head.

    Spans of labels that it has no cell for count as O. ValueError for a model without cells, KeyError for a domain
    without labels.
    """
    context = model.context
    if not isinstance(context, MultiCellNetwork):
        raise ValueError(f"a {type(context).__name__} has no cells")
    vocabulary = TagVocabulary(LabelSet(context.labels[domain][1:]), "BIO")  # tells types alone, by any scheme
    known = [
        replace(one, spans=tuple(span for span in one.spans if span.label in vocabulary.labels)) for one in sentences
    ]
    stream = Stream("cells", domain, known, model.encoder.vectorizer, vocabulary)
    training, device = model.training, next(model.parameters()).device
    model.eval()
    try:
        with torch.inference_mode():
            for indices in inference_batches(stream.num_pieces, PIECES_PER_BATCH):
                batch = stream.batch(indices).to(device)
                reading = context.reading(model.encoder(batch.inputs), batch.mask, (domain, "tags"))
                yield CellReading(tuple(indices), reading, types_of_tags(batch.targets["tags"], vocabulary.scheme))
    finally:
        model.train(training)


def type_scores(model: Tagger, sentences: Sequence[Sentence], domain: str) -> dict[str, float]:
    """ "entity_f1" and "attention_f1": micro F1 of the words' labels, O left out, as equations 9 and 11 of the
    multi-cell LSTM predict them. Empty for models without cells, or with one, and without the score that is not learnt.
    """
    context = model.context
    if not isinstance(context, MultiCellNetwork) or context.settings.one_cell:
        return {}
    counts: dict[str, Tensor] = {}
    for one in read_cells(model, sentences, domain):
        learnt = {"entity_f1": one.reading.entity}
        if context.settings.attention_weight:
            learnt["attention_f1"] = one.reading.attention
        for name, scores in learnt.items():
            if scores is not None:
                found = _hits(scores.argmax(dim=2), one.types)
                counts[name] = counts[name] + found if name in counts else found
    return {name: _f1(*found.tolist()) for name, found in counts.items()}


def _hits(predicted: Int[Tensor, "batch unit"], types: Int[Tensor, "batch unit"]) -> Int[Tensor, " three"]:
    """How many words of entities are right, are predicted, and are there."""
    known = types != UNKNOWN
    right = known & (predicted == types) & (types > 0)
    return torch.stack([part.sum() for part in (right, known & (predicted > 0), types > 0)])


def _f1(right: int, predicted: int, there: int) -> float:
    return 2 * right / (predicted + there) if right else 0.0
