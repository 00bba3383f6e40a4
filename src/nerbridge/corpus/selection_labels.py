"""Which labels are the domain's own: they make the task level."""

from collections.abc import Iterable

from nerbridge.data.labels import canonical
from nerbridge.data.near_labels import nearest_label, with_nearest
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


def check_known(names: Iterable[str], known: Iterable[str], option: str) -> None:
    """Raises ConfigError for labels of `option` that are not among the `known` ones of target and lists.

    They would change the selection without a word: a misspelt general label makes its namesake specialised.
    """
    known = tuple(dict.fromkeys(known))
    spelled = {canonical(label) for label in known}
    unknown = [name for name in names if canonical(name) not in spelled]
    if not unknown:
        return
    near = [found for name in unknown if (found := nearest_label(name, known)) is not None]
    nearest = f"nearest {'is' if len(near) == 1 else 'are'} {', '.join(map(repr, near))}"
    raise ConfigError(
        f"neither target nor lists have the {'label' if len(unknown) == 1 else 'labels'}: {', '.join(unknown)}",
        where=option,
        expected=f"labels among {', '.join(known)}",
        hint=nearest if near else f"leave it out of {option}, or name the target (--target)",
    )


def foreign_labels(labels: Iterable[str], target: Iterable[str]) -> list[str]:
    """A line about the labels of lists that `target` lacks, with its nearest where one is near; none for no such."""
    target = tuple(target)
    foreign = [label for label in labels if label not in target]
    said = f"labels of lists that the target lacks: {with_nearest(foreign, target)}; their names count as names"
    return [said] if foreign else []
