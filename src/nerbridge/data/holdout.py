"""A seeded development split for data that has none."""

from collections.abc import Sequence
from random import Random

from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError
from nerbridge.wording import counted


def holdout(
    sentences: Sequence[Sentence], *, fraction: float = 0.1, seed: int = 1
) -> tuple[list[Sentence], list[Sentence]]:
    """(kept, held out): both in their old order, nothing lost, at least one sentence each.

    fraction: the part held out, rounded to whole sentences; equal arguments draw equal sentences.
    Sentences of equal words go to the same side, so that the held-out part is not seen in training.
    Raises DataError when fewer than two distinct sentences are there.
    """
    if not 0 < fraction < 1:
        raise ValueError(f"the held-out fraction must lie between 0 and 1, not {fraction}")
    groups: dict[tuple[str, ...], list[int]] = {}
    for position, sentence in enumerate(sentences):
        groups.setdefault(sentence.words, []).append(position)
    if len(groups) < 2:
        raise DataError(
            f"{counted(len(groups), 'distinct sentence')} cannot be split into train and dev",
            where=str(sentences[0].origin) if sentences and sentences[0].origin else "",
            expected="at least two distinct sentences",
            hint="give a dev file, or keep the last weights: `--set training.target.selection=last`",
        )
    wanted = max(1, round(fraction * len(sentences)))
    held: set[int] = set()
    order = list(groups.values())
    Random(seed).shuffle(order)
    for group in order[:-1]:  # the last group always stays
        if len(held) + len(group) <= wanted:
            held.update(group)
    if not held:
        held.update(order[0])
    kept = [sentence for position, sentence in enumerate(sentences) if position not in held]
    return kept, [sentences[position] for position in sorted(held)]
