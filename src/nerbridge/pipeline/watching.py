"""What dev says of a model: the F1 that selects weights, and beside it, for the journal, how other streams stand."""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import torch

from nerbridge.assembly.cells import type_scores
from nerbridge.assembly.gold_spans import type_accuracy
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.buckets import inference_batches
from nerbridge.batching.streams import Stream
from nerbridge.data.sentence import Sentence
from nerbridge.evaluation.scoring import score_spans
from nerbridge.training.evaluation import DISCRIMINATOR_ACCURACY, MOST_COMMON_TAG, Evaluation
from nerbridge.transfer.stage import Stage, StreamPlan

WATCHED_WORDS = 200  # sentences of a stream that a perplexity, or a discriminator, is measured on
WATCHED_SENTENCES = 500  # of dev that the tasks of a context are scored on
PIECES = 2048  # padded pieces of one batch of them


def dev_evaluation(stage: Stage) -> Callable[[Tagger], Evaluation]:
    """A function that scores a model on the stage's dev sentences: exact micro F1, conlleval reading.

    Of a head that finds spans first it also gives "boundary_f1" and "type_accuracy_on_gold_spans", of a context with
    cells "entity_f1" and "attention_f1" of its own tasks, on some of them.
    Of a mixture it also gives "f1 DOMAIN" of other domains with labels and "perplexity DOMAIN", as far as watched, and
    "discriminator_accuracy" where something tells the domains apart.
    """
    domain = stage.domain if stage.mixture is None else stage.mixture.selected_on
    others = [] if stage.mixture is None else [stream for stream in stage.mixture.streams if stream.watched]

    def evaluate(model: Tagger) -> Evaluation:
        answers = predict(model, stage.dev, domain)
        scores = score_spans([s.spans for s in stage.dev], [a.spans for a in answers])
        tags = [tag for answer in answers for tag in answer.tags]
        most_common = max(Counter(tags).values(), default=0)
        numbers = {
            "precision": scores.precision,
            "recall": scores.recall,
            MOST_COMMON_TAG: most_common / max(len(tags), 1),
        }
        if (typed := type_accuracy(model, stage.dev, domain)) is not None:
            numbers |= {"boundary_f1": scores.boundary.f1, "type_accuracy_on_gold_spans": typed}
        numbers |= type_scores(model, stage.dev[:WATCHED_SENTENCES], domain)
        for stream in others:
            if stream.objective == "words":
                numbers[f"perplexity {stream.domain}"] = perplexity(model, stream)
            elif stream.objective == "tags" and stream.domain != domain:
                numbers[f"f1 {stream.domain}"] = _f1(model, stream.watched, stream.domain)
        if model.discriminator is not None and stage.mixture is not None:
            numbers[DISCRIMINATOR_ACCURACY] = discriminator_accuracy(model, stage.mixture.streams)
        return Evaluation(scores.f1, numbers)

    return evaluate


def _f1(model: Tagger, sentences: Sequence[Sentence], domain: str) -> float:
    answers = predict(model, sentences, domain)
    return score_spans([s.spans for s in sentences], [a.spans for a in answers]).f1


def discriminator_accuracy(model: Tagger, streams: Sequence[StreamPlan]) -> float:
    """Share (0 to 1) of sentences whose domain is told right, the mean of both sides: 1/2 is by chance.

    On watched sentences of each stream; where there are none, on the first of those that are learnt.
    """
    assert model.discriminator is not None, "nothing tells domains apart"
    device = next(model.parameters()).device
    right, number = {True: 0, False: 0}, {True: 0, False: 0}
    with torch.no_grad():
        for plan in streams:
            stream = _watched(plan, model)
            for indices in inference_batches(stream.num_pieces, PIECES):
                batch = stream.batch(indices).to(device)
                told, judged = model.discriminator.accuracy(model.judged(batch), batch)
                right[plan.of_source] += told
                number[plan.of_source] += judged
    return sum(right[side] / number[side] for side in number) / len(number)


def _watched(plan: StreamPlan, model: Tagger) -> Stream:
    words = model.words.vocabulary if plan.objective == "words" and model.words is not None else None
    sentences = (plan.watched or plan.sentences)[:WATCHED_WORDS]
    vectorizer = model.encoder.vectorizer
    return Stream(plan.name, plan.domain, sentences, vectorizer, None, words=words, of_source=plan.of_source)


def perplexity(model: Tagger, plan: StreamPlan) -> float:
    """exp of the mean of -log p over the whole vocabulary, both directions, on some watched sentences of a stream."""
    assert model.words is not None, "no head predicts words"
    sentences = plan.watched[:WATCHED_WORDS]
    stream = Stream(plan.name, plan.domain, sentences, model.encoder.vectorizer, None, words=model.words.vocabulary)
    device = next(model.parameters()).device
    total, number = 0.0, 0
    with torch.no_grad():
        for indices in inference_batches(stream.num_pieces, PIECES):
            batch = stream.batch(indices).to(device)
            lost, predicted = model.words.full_loss(model.states(batch), batch)
            total, number = total + lost, number + predicted
    return math.exp(min(total / max(number, 1), 700.0))
