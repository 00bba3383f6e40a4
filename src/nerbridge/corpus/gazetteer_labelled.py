"""Names without lists: from labelled sentences of the target, or from what a first tagger is sure of."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from nerbridge.config.gazetteer import GazetteerSettings
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.gazetteer_cleaning import NameCollector
from nerbridge.data.sentence import Sentence

UNSURE = "predicted with too little confidence, or too seldom"
DISPUTED = "predictions do not agree on their label"


def names_from_labelled(sentences: Iterable[Sentence], settings: GazetteerSettings | None = None) -> Gazetteer:
    """The names that labelled sentences mention, with every label that they have there."""
    collector = NameCollector(settings)
    take_mentions(sentences, collector)
    return collector.gazetteer()


def take_mentions(sentences: Iterable[Sentence], collector: NameCollector) -> None:
    """Take every distinct mention of labelled sentences with its label."""
    mentions: dict[str, dict[str, None]] = defaultdict(dict)  # label -> names, in order
    for sentence in sentences:
        for span in sentence.spans:
            mentions[span.label][sentence.mention(span)] = None
    for label in sorted(mentions):
        bit = collector.bit(label, "labelled sentences")
        for name in mentions[label]:
            collector.add(name, bit)


def names_from_predictions(
    predictions: Iterable[tuple[Sentence, Sequence[float]]],
    settings: GazetteerSettings | None = None,
    *,
    confidence: float = 0.9,
    mentions: int = 2,
    agreement: float = 0.5,
) -> Gazetteer:
    """The names that a tagger predicts again and again with confidence.

    predictions: sentences with predicted spans, and one score from 0 to 1 for each span, in order; any number of them,
    what is held grows with the distinct names. confidence: the least score that counts. mentions: how often a name must
    be predicted so. agreement: the share of these predictions that its most frequent label must have. Raises ValueError
    when spans and scores differ in number.
    """
    collector = NameCollector(settings)
    sure: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))  # name -> label -> mentions
    for sentence, scores in predictions:
        for span, score in zip(sentence.spans, scores, strict=True):
            sure[sentence.mention(span)][span.label] += score >= confidence
    for label in sorted({label for labels in sure.values() for label in labels}):
        collector.bit(label, "predicted sentences")
    for name, labels in sure.items():
        total, best = sum(labels.values()), max(labels, key=lambda label: (labels[label], label))
        if total < mentions:
            collector.skip(UNSURE, name)
        elif labels[best] < agreement * total:
            collector.skip(DISPUTED, name)
        else:
            collector.add(name, collector.bit(best, "predicted sentences"))
    return collector.gazetteer()
