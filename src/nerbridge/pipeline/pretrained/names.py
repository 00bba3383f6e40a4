"""The names that choose sentences: from lists, else from labelled sentences and a first tagger's predictions."""

from pathlib import Path

from nerbridge.config.experiment import Experiment
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.gazetteer_files import read_gazetteer
from nerbridge.corpus.selection_labels import SOURCE_LABELS, foreign_labels, specialised_labels
from nerbridge.data.labels import canonical
from nerbridge.data.near_labels import with_nearest
from nerbridge.errors import ConfigError
from nerbridge.pipeline.data import ExperimentData
from nerbridge.pipeline.pretrained.work import RawWork

LISTED = 8  # labels that a line names


def specialised_of(experiment: Experiment, data: ExperimentData) -> tuple[str, ...]:
    """The labels of the task level: as the recipe names them, or those of the target that the first source lacks."""
    choice, sources = experiment.selection, data.sources
    if choice.specialised:
        return choice.specialised
    source = [label for part in sources[0] for label in part.labels.names] if sources else SOURCE_LABELS
    return specialised_labels(data.target.labels.names, source, choice.general)


def listed_names(work: RawWork) -> Gazetteer:
    """The names of the lists, their labels spelled as the target spells them.

    Raises ConfigError when no list has a label of the target, and what reading lists raises.
    """
    gazetteer, _ = work.lists.respelled(work.data.target.labels.names)
    _refuse_foreign(gazetteer.labels, work)
    return gazetteer


def read_names(path: Path, work: RawWork) -> Gazetteer:
    """The names of one file, their labels spelled as the target spells them."""
    gazetteer = read_gazetteer([path], work.experiment.gazetteer.cleaning)
    return gazetteer.respelled(work.data.target.labels.names)[0]


def describe_names(gazetteer: Gazetteer) -> str:
    """'1,204 names: 800 person, 300 band, 104 song'."""
    sizes = sorted(gazetteer.names_by_label().items(), key=lambda item: -item[1])
    shown = [f"{number:,} {label}" for label, number in sizes[:LISTED]]
    more = [f"{len(sizes) - LISTED} more labels"] if len(sizes) > LISTED else []
    noun = "name" if len(gazetteer) == 1 else "names"
    return f"{len(gazetteer):,} {noun}: {', '.join([*shown, *more])}"


def remarks(work: RawWork, gazetteer: Gazetteer) -> list[str]:
    """What was left out of the lists, which labels of theirs count as others, and which the target lacks."""
    target = work.data.target.labels.names
    lines = gazetteer.counts.report()
    if work.experiment.gazetteer.files:
        renames = work.lists.respelled(target)[1]
        lines += [f"the lists' label '{old}' counts as '{new}'" for old, new in renames.items()]
    return lines + foreign_labels(gazetteer.labels, target)


def check_names(gazetteer: Gazetteer, specialised: tuple[str, ...], work: RawWork) -> None:
    """Raises ConfigError when the wanted level needs names of specialised labels and there are none."""
    level = work.experiment.selection.level
    if level not in ("task", "integrated") or any(label in gazetteer.labels for label in specialised):
        return
    raise ConfigError(
        f"the {level} level needs names of specialised labels, and there are none: "
        + (", ".join(specialised) or "the source has every label of the target"),
        where="the names that choose sentences",
        expected=f"names of one of these labels; there are names of {', '.join(gazetteer.labels) or 'no label'}",
        hint="--level entity or --level domain; or lists of such names (--gazetteer); or name the labels: "
        "--set 'selection.specialised=[\"LABEL\"]'",
    )


def _refuse_foreign(found: tuple[str, ...], work: RawWork) -> None:
    wanted = {canonical(label) for label in work.data.target.labels.names}
    if any(canonical(label) in wanted for label in found):
        return
    raise ConfigError(
        "no list has names of a label of the target: the lists have "
        + with_nearest(found, work.data.target.labels.names),
        where=", ".join(work.experiment.gazetteer.files),
        expected=f"one of {', '.join(work.data.target.labels.names)}",
        hint="rename the lists to labels of the target (<label>.txt), or leave --gazetteer out: "
        "then labelled sentences and a first tagger name what to look for",
    )
