"""How much stands behind the score of a label, and whether that is enough to bound it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nerbridge.evaluation.prediction import Prediction
from nerbridge.evaluation.readings import Reading

# A bootstrap over sentences finds none of the k sentences with a label about once in exp(k) draws: with three of them
# the lower bound is 0 whatever the tagger does, and one or two right ones give 100 to 100. From ten on, an empty draw
# is rarer than one in twenty thousand, and ten right ones in a row say something.
ENOUGH_SENTENCES = 10


@dataclass(frozen=True, slots=True)
class Support:
    """gold: entities of a label; sentences: how many hold them."""

    gold: int = 0
    sentences: int = 0

    @property
    def is_enough(self) -> bool:
        """Can an interval be given? From `ENOUGH_SENTENCES` sentences with a gold entity of the label on."""
        return self.sentences >= ENOUGH_SENTENCES


def count_support(predictions: Sequence[Prediction], *, reading: Reading = "conlleval") -> Mapping[str, Support]:
    """The support of every label that a gold or predicted span has; by name."""
    gold: Counter[str] = Counter()
    sentences: Counter[str] = Counter()
    labels: set[str] = set()
    for prediction in predictions:
        found = [span.label for span in prediction.read_gold(reading)]
        gold.update(found)
        sentences.update(set(found))
        labels.update(found, (span.label for span in prediction.read_predicted(reading)))
    return {label: Support(gold[label], sentences[label]) for label in sorted(labels)}
