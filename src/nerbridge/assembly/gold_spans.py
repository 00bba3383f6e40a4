"""How well a head that finds spans first tells gold spans apart: its second step alone, on labelled sentences."""

from collections.abc import Sequence
from dataclasses import replace

import torch

from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.buckets import inference_batches
from nerbridge.batching.streams import Stream
from nerbridge.data.sentence import Sentence
from nerbridge.models.heads.coach import CoachHead

WORDS_PER_BATCH = 2048


def type_accuracy(model: Tagger, sentences: Sequence[Sentence], domain: str) -> float | None:
    """The share of gold spans that get their own label when they are given as spans (a fraction).

    Spans of labels that the head does not know count as wrong. None for heads without such a step, or without spans.
    """
    head = model.head(domain)
    total = sum(len(sentence.spans) for sentence in sentences)
    if not isinstance(head, CoachHead) or not total:
        return None
    known = [_with_known_labels(sentence, head) for sentence in sentences]
    stream = Stream("gold spans", domain, known, model.encoder.vectorizer, head.vocabulary)
    training, device = model.training, next(model.parameters()).device
    model.eval()
    right = 0
    with torch.inference_mode():
        for indices in inference_batches(stream.num_pieces, WORDS_PER_BATCH):
            batch = stream.batch(indices).to(device)
            right += int(head.gold_spans_typed(model.states(batch), batch).sum())
    model.train(training)
    return right / total


def _with_known_labels(sentence: Sentence, head: CoachHead) -> Sentence:
    spans = tuple(span for span in sentence.spans if span.label in head.vocabulary.labels)
    return sentence if len(spans) == len(sentence.spans) else replace(sentence, spans=spans)
