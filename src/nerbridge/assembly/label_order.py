"""Which labels the weights were learnt with, written into the weights' file: bundle.json can be edited by hand.

Rows of a head belong to labels by their order alone. Whoever renames or reorders labels in bundle.json would get
entities under wrong labels, and the weights would still fit.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from safetensors import SafetensorError, safe_open

from nerbridge.assembly.metadata import METADATA, WEIGHTS, DomainSpace
from nerbridge.errors import BundleError

LABELS = "labels"  # in the header of the weights' file


def label_order(domains: Mapping[str, DomainSpace]) -> dict[str, str]:
    """What the header of the weights' file is to say. One key, for safetensors writes several in any order."""
    return {LABELS: json.dumps({domain: space.labels for domain, space in domains.items()})}


def check_label_order(folder: Path, domains: Mapping[str, DomainSpace]) -> None:
    """Raises BundleError where bundle.json has other labels than the weights of `folder`, or in another order.

    Bundles of earlier versions do not say it in their weights; they are taken as they are.
    """
    for domain, names in _learnt(folder / WEIGHTS).items():
        if domain in domains and domains[domain].labels != tuple(names):
            raise BundleError(
                f"{METADATA} has not the labels of domain '{domain}' that the weights were learnt with, in their order",
                where=str(folder / METADATA),
                expected=f"{', '.join(names)}, as {WEIGHTS} says",
                hint="copy the bundle again from where it was made; labels are renamed in the data, before training",
            )


def _learnt(path: Path) -> Mapping[str, Sequence[str]]:
    """The labels of each domain; nothing where the file does not say, or is none: whoever loads it will see."""
    try:
        with safe_open(path, framework="pt") as file:
            said: Mapping[str, str] = file.metadata() or {}
    except SafetensorError:
        return {}
    labels: Mapping[str, Sequence[str]] = json.loads(said.get(LABELS, "{}"))
    return labels
