"""What a model said about one sentence whose answer is known: the input of every score, comparison and report."""

from collections.abc import Sequence
from dataclasses import dataclass

from nerbridge.data.sentence import Sentence, Span
from nerbridge.evaluation.readings import Reading, check_tags, count_malformed, read_tags

Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One sentence with its gold and predicted spans; both are kept sorted and distinct.

    span_scores: one number per predicted span, as `predicted` was given. origin: "file:line" or "".
    gold_tags, predicted_tags: the raw tags under their scheme (BIO or BIOES) where they are known. The spans are then
    the conlleval reading of these tags; only the strict reading looks at the tags again.

    Raises ValueError when spans leave the sentence, lengths differ, or spans and tags disagree.

    >>> Prediction(("Ada", "wrote"), gold=(Span(0, 1, "person"),), predicted=()).mention(Span(0, 1, "person"))
    'Ada'
    """

    words: tuple[str, ...]
    gold: Spans
    predicted: Spans
    span_scores: tuple[float, ...] | None = None
    origin: str = ""
    gold_tags: tuple[str, ...] | None = None
    predicted_tags: tuple[str, ...] | None = None
    gold_scheme: str = "BIO"
    predicted_scheme: str = "BIO"

    def __post_init__(self) -> None:
        if self.span_scores is not None and len(self.span_scores) != len(self.predicted):
            raise ValueError(f"{len(self.span_scores)} scores for {len(self.predicted)} predicted spans")
        self._sort_spans()
        for span in (*self.gold, *self.predicted):
            if span.end > len(self.words):
                raise ValueError(f"{span} ends behind the last of {len(self.words)} words")
        _check_agreement(self.gold, self.gold_tags, self.gold_scheme, len(self.words))
        _check_agreement(self.predicted, self.predicted_tags, self.predicted_scheme, len(self.words))

    def _sort_spans(self) -> None:
        if self.span_scores is not None:
            scored = dict(zip(self.predicted, self.span_scores, strict=True))
            object.__setattr__(self, "span_scores", tuple(scored[span] for span in sorted(scored)))
        object.__setattr__(self, "gold", tuple(sorted(set(self.gold))))
        object.__setattr__(self, "predicted", tuple(sorted(set(self.predicted))))

    @classmethod
    def of(
        cls,
        sentence: Sentence,
        predicted: Sequence[Span],
        *,
        span_scores: Sequence[float] | None = None,
        predicted_tags: Sequence[str] | None = None,
        predicted_scheme: str = "BIO",
    ) -> "Prediction":
        """The prediction for a labelled `sentence`. Raises ValueError as the class does."""
        malformed = sentence.malformed
        return cls(
            sentence.words,
            sentence.spans,
            tuple(predicted),
            span_scores=None if span_scores is None else tuple(span_scores),
            origin=str(sentence.origin or ""),
            gold_tags=malformed.tags if malformed else None,
            gold_scheme=malformed.scheme if malformed else "BIO",
            predicted_tags=None if predicted_tags is None else tuple(predicted_tags),
            predicted_scheme=predicted_scheme,
        )

    def mention(self, span: Span) -> str:
        """The words of `span`, joined by single spaces."""
        return " ".join(self.words[span.start : span.end])

    def read_gold(self, reading: Reading) -> Spans:
        """The gold spans under `reading`; the same for both readings where no tags are known."""
        if self.gold_tags is None or reading == "conlleval":
            return self.gold
        return read_tags(self.gold_tags, scheme=self.gold_scheme, reading=reading)

    def read_predicted(self, reading: Reading) -> Spans:
        """The predicted spans under `reading`; the same for both readings where no tags are known."""
        if self.predicted_tags is None or reading == "conlleval":
            return self.predicted
        return read_tags(self.predicted_tags, scheme=self.predicted_scheme, reading=reading)

    def num_malformed(self) -> tuple[int, int]:
        """The numbers of illegal tag neighbours in gold and in predicted tags; 0 where no tags are known."""
        gold = count_malformed(self.gold_tags or (), self.gold_scheme)
        return gold, count_malformed(self.predicted_tags or (), self.predicted_scheme)


def _check_agreement(spans: Spans, tags: tuple[str, ...] | None, scheme: str, num_words: int) -> None:
    if tags is None:
        return
    check_tags(tags, scheme)
    if len(tags) != num_words:
        raise ValueError(f"{len(tags)} tags for {num_words} words")
    read = read_tags(tags, scheme=scheme)
    if read != spans:
        raise ValueError(f"the tags {' '.join(tags)} hold the spans {list(read)}, not {list(spans)}")
