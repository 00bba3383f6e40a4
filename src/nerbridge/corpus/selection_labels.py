"""Which labels are the domain's own: they make the task level."""

from collections.abc import Iterable

from nerbridge.data.labels import canonical
from nerbridge.errors import ConfigError

SOURCE_LABELS = ("location", "misc", "organisation", "person")  # of CoNLL-2003, CrossNER's source


def specialised_labels(target: Iterable[str], source: Iterable[str], general: Iterable[str]) -> tuple[str, ...]:
    """The labels of `target` that `source` lacks, without the `general` ones (country and misc), sorted.

    Spellings are equated by the explicit table of `nerbridge.data.labels` only.

    >>> specialised_labels(["band", "country", "organisation"], ["ORG", "PER"], ["country", "misc"])
    ('band',)
    """
    passed = {canonical(label) for label in (*source, *general)}
    return tuple(sorted({label for label in target if canonical(label) not in passed}))


def check_specialised(specialised: Iterable[str], known: Iterable[str]) -> None:
    """Raises ConfigError unless there is a specialised label, and each is among the `known` ones of the gazetteer."""
    wanted, known = tuple(specialised), tuple(known)
    if any(label in known for label in wanted):
        return
    raise ConfigError(
        f"no list has names of a specialised label: {', '.join(wanted) or 'there is no such label'}",
        where="the labels that make the task level",
        expected=f"one of the labels of the lists: {', '.join(known)}",
        hint="name them with --specialised, tell labels with --source and --target, or choose --levels entity",
    )
