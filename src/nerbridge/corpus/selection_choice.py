"""Choosing sentences by the names in them (CrossNER, section on the pre-training corpus).

Entity level: sentences with plentiful entities, here at least two names. Task level: sentences with a name of a
specialised label. Both thresholds are settings. The names found are counted, and a few sentences are kept to look at.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from nerbridge.config.gazetteer import SelectionSettings
from nerbridge.corpus.gazetteer import labels_of_bits
from nerbridge.corpus.matching import Found, Matcher
from nerbridge.corpus.tally import Size

ENTITY, TASK = 1, 2  # bits of a choice
KINDS = {"entity and task": ENTITY | TASK, "entity": ENTITY, "task": TASK, "neither": 0}
EXAMPLES = 5  # of each kind

Example = tuple[int, str]  # what orders the examples; the sentence with its names marked


@dataclass(slots=True)
class Survey:
    """What was found in a corpus or in a part of it.

    levels: domain, entity, task -> what belongs to it. hits: number of the pattern -> how often it was found. examples:
    choice -> the sentences with the smallest keys, so that parts can be joined in any order.
    """

    levels: dict[str, Size] = field(default_factory=lambda: {name: Size() for name in ("domain", "entity", "task")})
    hits: dict[int, int] = field(default_factory=dict)
    examples: dict[int, list[Example]] = field(default_factory=lambda: {kind: [] for kind in KINDS.values()})

    def include(self, other: "Survey") -> None:
        """Count all of `other` too."""
        for level, size in other.levels.items():
            self.levels[level].include(size)
        for number, count in other.hits.items():
            self.hits[number] = self.hits.get(number, 0) + count
        for kind, examples in other.examples.items():
            self.examples[kind] = sorted({*self.examples[kind], *examples})[:EXAMPLES]


class Chooser:
    """Says of every sentence which levels it belongs to, and keeps a Survey.

    specialised: labels of the task level. selection: thresholds, and the seed of the examples. sure: a name of several
    labels is specialised only if all of them are.
    """

    def __init__(
        self,
        matcher: Matcher,
        specialised: Sequence[str],
        selection: SelectionSettings | None = None,
        *,
        sure: bool = True,
    ) -> None:
        selection = selection or SelectionSettings()
        self._matcher = matcher
        self._least = selection.min_entities
        self._least_specialised = selection.min_specialised
        self._seed = selection.seed
        own = sum(1 << place for place, label in enumerate(matcher.labels) if label in specialised)
        self._special = bytearray(bool(bits & own) and not (sure and bits & ~own) for bits in matcher.bits)
        self._hits = [0] * len(matcher.patterns)
        self.survey = Survey()

    def choose(self, words: Sequence[str]) -> int:
        """The levels of one sentence: ENTITY and TASK, added."""
        found = self._matcher.find(words)
        choice = ENTITY if len(found) >= self._least else 0
        specialised = 0
        for number, _, _ in found:
            self._hits[number] += 1
            specialised += self._special[number]
        if specialised >= self._least_specialised:
            choice |= TASK
        key = zlib.crc32("".join(words).encode("utf-8", "surrogatepass"), self._seed)
        examples = self.survey.examples[choice]
        if len(examples) < EXAMPLES or key < examples[-1][0]:
            self._keep(examples, (key, self._marked(words, found)))
        return choice

    def choose_document(self, document: Sequence[Sequence[str]]) -> bytes:
        """One choice for every sentence of a document, counted in the survey."""
        choices = bytes(map(self.choose, document))
        levels = self.survey.levels
        lengths = list(map(len, document))
        levels["domain"].add(documents=1, sentences=len(lengths), words=sum(lengths))
        for name, bit in (("entity", ENTITY), ("task", TASK)):
            chosen = [length for choice, length in zip(choices, lengths, strict=True) if choice & bit]
            if chosen:
                levels[name].add(documents=1, sentences=len(chosen), words=sum(chosen))
        return choices

    def take_survey(self) -> Survey:
        """The survey so far; a new one begins."""
        survey, self.survey = self.survey, Survey()
        survey.hits = {number: count for number, count in enumerate(self._hits) if count}
        self._hits = [0] * len(self._hits)
        return survey

    def _keep(self, examples: list[Example], example: Example) -> None:
        if example not in examples:
            examples.append(example)
            examples.sort()
            del examples[EXAMPLES:]

    def _marked(self, words: Sequence[str], found: Found) -> str:
        """'[Ada Lovelace|person] wrote .'"""
        parts, last = [], 0
        for number, start, end in self._matcher.words_of(words, found):
            labels = "/".join(labels_of_bits(self._matcher.labels, self._matcher.bits[number]))
            parts += [*words[last:start], f"[{' '.join(words[start:end])}|{labels}]"]
            last = end
        return " ".join((*parts, *words[last:]))
