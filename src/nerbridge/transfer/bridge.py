"""The label bridge: which parameters of an earlier head a new head starts from, by name.

Labels that both heads have are carried over. A map such as {'politician': 'person'} lets a new label start from
another one's parameters. Every other row starts random, as in the papers.
"""

from collections.abc import Mapping

from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import ConfigError
from nerbridge.wording import counted


def label_bridge(new: LabelSet, old: LabelSet, asked: Mapping[str, str], *, carry: bool) -> dict[str, str]:
    """New label -> old label for each label that starts from an old one's parameters.

    Raises ConfigError when `asked` names a label that the new or old set lacks.
    """
    for label, origin in asked.items():
        if label not in new or origin not in old:
            missing, labels = (label, new) if label not in new else (origin, old)
            raise ConfigError(
                f"the label bridge '{label}' <- '{origin}' names '{missing}', which does not exist",
                where="transfer.bridge",
                expected=f"one of {', '.join(labels.names)}",
                hint="the left side is a label of the target, the right side one of the stage before",
            )
    shared = {name: name for name in new.names if name in old} if carry else {}
    return {**shared, **asked}


def describe_bridge(new: LabelSet, bridge: Mapping[str, str]) -> str:
    """Which labels start from the stage before: '2 of 3 labels start from ...: place, star <- person'."""
    if not bridge:
        return "no label starts from the stage before"
    pairs = [label if bridge[label] == label else f"{label} <- {bridge[label]}" for label in sorted(bridge)]
    start = "starts" if len(bridge) == 1 else "start"
    return f"{len(bridge)} of {counted(len(new), 'label')} {start} from the stage before: {', '.join(pairs)}"


def tag_bridge(new: TagVocabulary, old: TagVocabulary, labels: Mapping[str, str]) -> dict[str, str]:
    """New tag -> old tag for each pair of labels, O included. Both vocabularies have one scheme."""
    assert new.scheme == old.scheme, "a stage does not change the scheme"
    tags = {"O": "O"} if labels else {}
    for tag in new.tags[1:]:
        prefix, _, label = tag.partition("-")
        if label in labels:
            tags[tag] = f"{prefix}-{labels[label]}"
    return tags
