"""What a tagger says where no labelled sentence can judge it: how much it finds in a part of the target's raw text."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.data.sentence import Sentence

LOOKED_AT = 200  # raw sentences: a second or two for any tagger
EXAMPLES = 3  # different entities of each label that are shown


@dataclass(frozen=True)
class FoundEntities:
    """How many entities of each label a tagger finds in some raw sentences, the most frequent label first.

    sentences: so many were looked at. examples: the first few different texts of each label.
    """

    sentences: int
    entities: dict[str, int]
    examples: dict[str, tuple[str, ...]]

    def to_json(self) -> dict[str, Any]:
        """As part of a run's JSON."""
        examples = {label: list(texts) for label, texts in self.examples.items()}
        return {"raw_sentences": self.sentences, "entities": dict(self.entities), "examples": examples}


def find_entities(model: Tagger, raw: Sequence[Sentence], domain: str) -> FoundEntities | None:
    """What the head of `domain` finds in at most `LOOKED_AT` of the raw sentences; None without any. The same sentences
    give the same answer, whatever the seed."""
    if not raw:
        return None
    places = sorted(random.Random(LOOKED_AT).sample(range(len(raw)), min(LOOKED_AT, len(raw))))
    sentences = [raw[place] for place in places]
    texts: dict[str, list[str]] = {}
    for sentence, answer in zip(sentences, predict(model, sentences, domain), strict=True):
        for span in answer.spans:
            texts.setdefault(span.label, []).append(" ".join(sentence.words[span.start : span.end]))
    counts = Counter({label: len(found) for label, found in sorted(texts.items())})
    examples = {label: tuple(dict.fromkeys(texts[label]))[:EXAMPLES] for label, _ in counts.most_common()}
    return FoundEntities(len(sentences), dict(counts.most_common()), examples)
