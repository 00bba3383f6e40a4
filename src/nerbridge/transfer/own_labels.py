"""Which answers of a tagger about raw text are taken for true, counted by label.

A sentence, entity or other word is kept when it is surer than the threshold. A sentence, and an entity, is as sure as
its least sure word (or as its words on average); the sureness of a word is the probability of its tag given the whole
sentence. Taken literally this fills the training set with sentences without entities, of which a tagger is surest; so
the share of these is bounded, by default by that of the labelled sentences.
"""

import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.assembly.prediction import Predicted
from nerbridge.config.transfer import KeepSettings
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.wording import counted


@dataclass(frozen=True)
class Kept:
    """Sentences to learn from, and how they came about.

    read: sentences that were tagged. plain, plain_sure: kept sentences without entity, and all that were sure enough.
    kept, dropped: entities of each label. surest: how sure the surest sentence with an entity is, or the surest entity
    where parts are kept; None where none is found.
    """

    sentences: tuple[Sentence, ...]
    read: int
    plain: int
    plain_sure: int
    kept: Counter[str]
    dropped: Counter[str]
    surest: float | None = None

    def counts(self) -> dict[str, Any]:
        """The numbers as JSON values."""
        labels = sorted({*self.kept, *self.dropped})
        return {
            "read": self.read,
            "kept": len(self.sentences),
            "dropped": self.read - len(self.sentences),
            "kept_without_entity": self.plain,
            "sure_without_entity": self.plain_sure,
            "surest": self.surest,
            "labels": {label: {"kept": self.kept[label], "dropped": self.dropped[label]} for label in labels},
        }


def describe_counts(counts: dict[str, Any]) -> list[str]:
    """What `Kept.counts` says, in two lines."""
    labels = [f"{name} {one['kept']:,} and {one['dropped']:,}" for name, one in counts["labels"].items()]
    return [
        f"{counts['kept']:,} of {counted(counts['read'], 'sentence')} kept, {counts['dropped']:,} dropped; without "
        f"entity {counts['kept_without_entity']:,} of {counts['sure_without_entity']:,} that are sure enough",
        f"entities kept and dropped: {', '.join(labels) or 'none'}",
    ]


def describe_nothing(counts: dict[str, Any], keeping: KeepSettings) -> str:
    """Why nothing is kept, and what decides. counts: of `Kept.counts`; those of earlier versions lack the surest."""
    if not counts["labels"]:
        return "no entity is found in the raw text"
    unit = "sentence with an entity" if keeping.keep == "sentences" else "entity"
    surest = counts.get("surest")  # rounded down, so that it never seems to be above the threshold
    most = "" if surest is None else f", the surest is {math.floor(1000 * surest) / 1000:g}"
    return f"no {unit} is surer than {keeping.threshold:g}{most} (--set transfer.threshold=... decides)"


def plain_share(sentences: Sequence[Sentence]) -> float:
    """The share (0 to 1) of sentences without entity."""
    return sum(not sentence.spans for sentence in sentences) / max(len(sentences), 1)


def keep_sure(
    answers: Iterable[tuple[Sentence, Predicted]], settings: KeepSettings, *, share: float, seed: int
) -> Kept:
    """What is kept of `answers`, in their order.

    share: of sentences without entity, where the settings do not say. seed: of what is drawn among too many.
    """
    taken = _whole if settings.keep == "sentences" else _parts
    sure: list[tuple[int, Sentence]] = []
    found: Counter[str] = Counter()
    judged: list[float] = []
    read = 0
    for read, (sentence, answer) in enumerate(answers, start=1):
        found.update(span.label for span in answer.spans)
        judged += _judged(answer, settings)
        kept = taken(sentence, answer, settings)
        if kept is not None:
            sure.append((read, kept))
    plain = [number for number, one in sure if not one.spans]
    share = share if settings.without_entity is None else settings.without_entity
    chance = random.Random(seed)
    chosen = {number for number, one in sure if one.spans}
    chosen.update(_drawn(plain, _allowed(len(chosen), share, len(plain)), chance))
    if settings.most is not None:
        chosen = set(_drawn(sorted(chosen), settings.most, chance))
    sentences = tuple(one for number, one in sure if number in chosen)
    labels = Counter(span.label for one in sentences for span in one.spans)
    kept_plain, surest = sum(not one.spans for one in sentences), max(judged, default=None)
    return Kept(sentences, read, kept_plain, len(plain), labels, found - labels, surest)


def _allowed(with_entity: int, share: float, plain: int) -> int:
    """How many of `plain` sentences without entity may stand beside so many with one."""
    return plain if share == 1 else min(plain, int(with_entity * share / (1 - share)))


def _drawn(numbers: Sequence[int], most: int, chance: random.Random) -> Sequence[int]:
    return numbers if len(numbers) <= most else chance.sample(numbers, most)


def _sureness(confidences: Sequence[float], settings: KeepSettings) -> float:
    return min(confidences) if settings.confidence == "least" else sum(confidences) / len(confidences)


def _judged(answer: Predicted, settings: KeepSettings) -> list[float]:
    """How sure what has an entity is: the sentence, or each entity where parts are kept."""
    if settings.keep == "sentences":
        return [_sureness(answer.confidences, settings)] if answer.spans else []
    return [_sureness(answer.confidences[span.start : span.end], settings) for span in answer.spans]


def _whole(sentence: Sentence, answer: Predicted, settings: KeepSettings) -> Sentence | None:
    if _sureness(answer.confidences, settings) <= settings.threshold:
        return None
    return Sentence(sentence.words, answer.spans)


def _parts(sentence: Sentence, answer: Predicted, settings: KeepSettings) -> Sentence | None:
    """The sure entities and the sure words outside all entities are known, the others not; None where nothing is."""
    known = [sure > settings.threshold for sure in answer.confidences]
    spans: list[Span] = []
    for span in answer.spans:
        inside = slice(span.start, span.end)
        sure = _sureness(answer.confidences[inside], settings) > settings.threshold
        known[inside] = [sure] * (span.end - span.start)
        spans += [span] if sure else []
    if not any(known):
        return None
    if all(known):
        return Sentence(sentence.words, tuple(spans))
    return Sentence(sentence.words, tuple(spans), Annotation.PARTIAL, tuple(known))
