"""What contexts chosen by `adapt --context` share: all domains and objectives are streams of one multi-task stage."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting_raw import whole

GENERATION = "parameter_generation"  # what --context calls them
CELLS = "multi_cell"
CONTEXTS = (GENERATION, CELLS)
WORDS_WEIGHT = 0.1  # a predicted word costs some 50 times what a tag costs


@dataclass(frozen=True)
class Given:
    """What there is to learn from.

    labelled: are there labelled sentences of the target? sourced: is there a source? raw, raw_source: raw text of the
    target, and of the source. lists: names whose labels are known in raw.
    """

    labelled: bool
    sourced: bool
    raw: Sequence[str] = ()
    raw_source: Sequence[str] = ()
    lists: Sequence[str] = ()

    @property
    def sides(self) -> list[str]:
        """Whose labelled sentences are learnt."""
        return [side for side, there in (("source", self.sourced), ("target", self.labelled)) if there]


def check_given(given: Given, context: str) -> None:
    """Raises ConfigError without labels and raw text of the target, and without any labels."""
    if not given.labelled and not given.raw:
        raise ConfigError(
            "there is nothing of the target to learn from",
            where="nerbridge adapt",
            expected=f"--raw FILE with raw text of the new domain, for zero-shot --context {context}",
            hint="add --raw, or --target-train with labelled sentences",
        )
    if not given.sides:
        raise ConfigError(
            "there is no labelled sentence to learn from, neither of the target nor of a source",
            where="nerbridge adapt",
            expected="--source NAME or FILE, for zero-shot, or --target-train",
            hint="leave --source out to take conll2003, or name labelled sentences of your own",
        )


def transfer_table(given: Given, words: Sequence[str]) -> dict[str, Any]:
    """The table [transfer] of tags of all labelled sides, and of language models of the sides in `words`."""
    streams = [*(f"{side}/tags" for side in given.sides), *(f"{side}/words" for side in words)]
    table: dict[str, Any] = {"kind": "multi_task", "streams": streams}
    if not words:
        return table
    texts = {"target_raw": given.raw, "source_raw": given.raw_source}
    return {
        **table,
        "words_weight": WORDS_WEIGHT,
        **{key: [whole(path) for path in paths] for key, paths in texts.items()},
    }
