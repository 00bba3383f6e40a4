"""New names for labels, spelled out by the user."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from nerbridge.data.sentence import Sentence, labels_of
from nerbridge.errors import ConfigError, LabelError
from nerbridge.wording import counted


def parse_renames(pairs: Sequence[str]) -> dict[str, str]:
    """{'PER': 'person'} from 'PER=person'. Raises ConfigError for a pair without '=' and for a repeated label."""
    renames: dict[str, str] = {}
    for pair in pairs:
        old, _, new = (part.strip() for part in pair.partition("="))
        if not old or not new or old in renames:
            raise ConfigError(
                f"'{pair}' is no renaming" if old not in renames else f"label '{old}' is renamed twice",
                where="--rename",
                expected="OLD=NEW, one for each label to rename",
                hint="--rename PER=person --rename LOC=location",
            )
        renames[old] = new
    return renames


def rename_labels(sentences: Sequence[Sentence], renames: Mapping[str, str]) -> list[Sentence]:
    """The sentences with new labels; the renames happen at once, so A=B with B=A swaps.

    Raises LabelError for a label that no sentence has.
    """
    known = labels_of(sentences)
    for old in renames:
        if old not in known:
            near = get_close_matches(old, known, n=1)
            raise LabelError(
                f"label '{old}' does not occur",
                where="--rename",
                expected=f"one of {counted(len(known), 'label')}: {', '.join(known)}",
                hint=f"nearest is '{near[0]}'" if near else "check the spelling",
            )
    return [sentence.with_labels(renames) for sentence in sentences]


def count_joined(sentences: Sequence[Sentence], renames: Mapping[str, str]) -> list[str]:
    """The labels that several old labels become: what the renaming makes indistinguishable."""
    olds: dict[str, set[str]] = {}
    for label in labels_of(sentences):
        olds.setdefault(renames.get(label, label), set()).add(label)
    return [f"{', '.join(sorted(group))} all become '{new}'" for new, group in sorted(olds.items()) if len(group) > 1]
