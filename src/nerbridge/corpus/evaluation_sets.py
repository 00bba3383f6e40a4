"""The sentences of the dev and test splits that raw text must not hold."""

from collections.abc import Sequence
from pathlib import Path

from nerbridge.config.corpus import FilterSettings
from nerbridge.corpus.overlap_guard import MOST_SETS, OverlapGuard
from nerbridge.data.reading import read_sentences
from nerbridge.data.registry import load_dataset, names_a_file
from nerbridge.errors import ConfigError

HELD_OUT = ("dev", "test")


def guard_of(names: Sequence[str], data_root: Path | None, filters: FilterSettings) -> OverlapGuard | None:
    """A guard of the dev and test splits of registered data sets, and of whole labelled files; None for no names.

    Raises DataError for a name that is neither and for a file that is not there, ConfigError for a data set without dev
    and test or too many sets, and what reading them raises.
    """
    sets: dict[str, list[tuple[str, ...]]] = {}
    for name in dict.fromkeys(names):
        if names_a_file(name):
            sets[name] = [sentence.words for sentence in read_sentences(name).sentences]
            continue
        splits = load_dataset(name, data_root).splits
        held_out = [split for split in HELD_OUT if split in splits]
        if not held_out:
            raise _refused(f"data set '{name}' has neither dev nor test", "leave it out: there is nothing to guard")
        for split in held_out:
            sets[f"{name} {split}"] = [sentence.words for sentence in splits[split]]
    if not sets:
        return None
    if len(sets) > MOST_SETS:
        raise _refused(f"{len(sets)} evaluation sets are too many", "join small files into one")
    return OverlapGuard(sets, num_words=filters.overlap_words, shortest=filters.overlap_sentence)


def _refused(what: str, hint: str) -> ConfigError:
    return ConfigError(
        what,
        where="the evaluation sets to guard",
        expected=f"at most {MOST_SETS} dev and test splits and labelled files",
        hint=hint,
    )
