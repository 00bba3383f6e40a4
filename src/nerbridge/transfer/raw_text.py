"""Which sentences without labels each domain's language model learns from."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nerbridge.config.transfer import SelfTrainingSettings, StreamsSettings
from nerbridge.data.sentence import Sentence
from nerbridge.errors import TrainingError
from nerbridge.transfer.dictionary import label_words
from nerbridge.transfer.stage import DomainData, RawTexts
from nerbridge.wording import counted

HELD_OUT = 200  # raw sentences that are not learnt and whose perplexity is watched
ENOUGH = 2_000  # raw sentences of which so many may be spared


@dataclass(frozen=True)
class Text:
    """Sentences to learn from, and some that are only watched."""

    sentences: tuple[Sentence, ...]
    held_out: tuple[Sentence, ...] = ()


Sides = Mapping[str, Text]


def raw_sides(
    strategy: StreamsSettings, sources: Sequence[DomainData], target: DomainData, raw: RawTexts
) -> tuple[Sides, list[str]]:
    """The text of each domain by its name, and the notes about it.

    Without raw text a domain has the words of its training set. Raw sentences equal to a dev or test sentence of the
    target are left out, unless the strategy keeps leaks. All sources share the raw text of the source. In the text of
    the target the names of a dictionary have their labels. Raises DataError for a dictionary of other labels,
    TrainingError for raw text with nothing but such sentences.
    """
    notes: list[str] = []
    read = {name.split("/")[0] for name in strategy.streams if not name.endswith("/tags")}
    wanted = read | ({"target"} if isinstance(strategy, SelfTrainingSettings) else set())
    watched = read if strategy.watch else set()
    sides: dict[str, Text] = {}
    for data in sources if "source" in wanted or strategy.mix_raw else ():
        sides[data.name] = _text(data, raw.source, target, strategy, notes, spare="source" in watched)
    if "target" in wanted or strategy.mix_raw:
        sides[target.name] = _text(target, raw.target, target, strategy, notes, spare="target" in watched)
    if strategy.mix_raw:
        again = {data.name for data in sources[1:]} if raw.source else set()  # sources that share raw text: once
        mixed = tuple(one for name, text in sides.items() if name not in again for one in text.sentences)
        notes.append(f"mixed raw text: every language model learns from the same {counted(len(mixed), 'sentence')}")
        sides = {name: Text(mixed, text.held_out) for name, text in sides.items()}
    if raw.dictionary is not None and target.name in sides:
        guide = sources[0] if strategy.zero_shot else target
        known, said = label_words(sides[target.name].sentences, raw.dictionary, guide.labels, target.name, guide.name)
        sides[target.name] = Text(known, sides[target.name].held_out)
        notes += said
    return sides, list(dict.fromkeys(notes))


def _text(
    data: DomainData,
    raw: tuple[Sentence, ...],
    target: DomainData,
    strategy: StreamsSettings,
    notes: list[str],
    *,
    spare: bool,
) -> Text:
    """Its sentences. spare: some are held out, where there are enough."""
    if not raw:
        return Text(data.train)
    if strategy.drop_leaks:
        held_out = {sentence.words for sentence in (*target.dev, *target.test)}
        kept = tuple(sentence for sentence in raw if sentence.words not in held_out)
        if len(kept) < len(raw):
            number = counted(len(raw) - len(kept), "raw sentence")
            notes.append(f"{data.name}: {number} left out, equal to a dev or test sentence of {target.name}")
        if not kept:
            raise _only_leaks(data.name, target.name, len(raw))
        raw = kept
    if spare and len(raw) < ENOUGH:
        notes.append(f"{data.name}: {_watched_instead(data)}, and there are {len(raw):,}")
    if not spare or len(raw) < ENOUGH:
        return Text(raw)
    chosen = set(random.Random(HELD_OUT).sample(range(len(raw)), HELD_OUT))
    notes.append(f"{data.name}: {HELD_OUT} of {counted(len(raw), 'raw sentence')} are not learnt, only watched")
    return Text(
        tuple(sentence for number, sentence in enumerate(raw) if number not in chosen),
        tuple(raw[number] for number in sorted(chosen)),
    )


def _watched_instead(data: DomainData) -> str:
    """What is watched where no raw sentence is held out: labelled dev sentences, or nothing."""
    needed = f"{ENOUGH:,} raw sentences are needed"
    if not data.dev:
        return f"its perplexity is not watched: for that {needed}, {HELD_OUT} of which are held out"
    size = counted(min(len(data.dev), HELD_OUT), "labelled dev sentence")
    return f"its perplexity is watched on {size}, not on raw text: to hold out {HELD_OUT} of that, {needed}"


def _only_leaks(name: str, target: str, number: int) -> TrainingError:
    return TrainingError(
        f"{name}: {counted(number, 'raw sentence')} left out, and none is left: all are equal to a dev or test "
        f"sentence of {target}",
        where=name,
        expected="raw text that is not what the tagger is scored on",
        hint="give other raw text, or leave it out: the words of the training set are read then",
    )
