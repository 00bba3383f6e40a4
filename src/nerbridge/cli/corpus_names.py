"""Options of the corpus commands that look for names, and what they mean together."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console

if TYPE_CHECKING:
    from nerbridge.config.gazetteer import GazetteerSettings
    from nerbridge.corpus.gazetteer import Gazetteer


class CaseName(StrEnum):
    """How capitals count; the same as in nerbridge.config.gazetteer."""

    SMART = "smart"
    EXACT = "exact"
    LOWER = "lower"


class AmbiguousName(StrEnum):
    """What happens to a name of several labels."""

    SURE = "sure"
    ANY = "any"
    DROP = "drop"


class OrdinaryName(StrEnum):
    """What happens to a name that is an ordinary word."""

    DROP = "drop"
    INNER = "inner"
    KEEP = "keep"


GazetteerOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--gazetteer",
        help="Names: a folder of <label>.txt, .csv, .tsv or .jsonl with types, DBpedia's .nt or .ttl; may be repeated.",
        show_default=False,
    ),
]
LabelledOption = Annotated[
    list[Path] | None,
    typer.Option("--from-labelled", help="Take the names of a labelled file; may be repeated.", show_default=False),
]
ClassesOption = Annotated[
    str | None,
    typer.Option(
        "--classes",
        metavar="CROSSNER/DOMAIN|FILE",
        help="Which DBpedia class means which label: a table shipped here, or a TOML file of Class = 'label'.",
        show_default=False,
    ),
]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target", metavar="NAME|FILE", help="Whose labels count; by default the lists'.", show_default=False
    ),
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        metavar="NAME|FILE",
        help="Whose labels are not specialised; by default those of CoNLL-2003; may be repeated.",
        show_default=False,
    ),
]
SpecialisedOption = Annotated[
    str | None,
    typer.Option("--specialised", metavar="LABEL,LABEL", help="The labels of the task level.", show_default=False),
]
GeneralOption = Annotated[
    str, typer.Option("--general", metavar="LABEL,LABEL", help="Labels that are never specialised.")
]
CaseOption = Annotated[CaseName, typer.Option("--case", help="How capitals count.")]
MinLengthOption = Annotated[int, typer.Option("--min-length", min=1, help="Characters of the shortest name.")]
AmbiguousOption = Annotated[
    AmbiguousName, typer.Option("--ambiguous", help="What a name of several labels counts for.")
]
OrdinaryOption = Annotated[OrdinaryName, typer.Option("--ordinary", help="What becomes of names that are words.")]
MinEntitiesOption = Annotated[
    int, typer.Option("--min-entities", min=1, max=1000, help="Names that a sentence of the entity level holds.")
]
ShareOption = Annotated[float, typer.Option("--share", help="Share of the documents that is used, drawn with --seed.")]
JobsOption = Annotated[
    int, typer.Option("--jobs", min=1, max=256, help="Processes that look for names; each holds all of them.")
]


@dataclass(frozen=True)
class Names:
    """Where names come from, and whose labels they have."""

    gazetteer: Sequence[Path]
    labelled: Sequence[Path]
    classes: str | None
    target: str | None
    source: Sequence[str]
    specialised: str | None
    general: str
    data_root: Path | None

    def read(self, settings: "GazetteerSettings") -> "tuple[Gazetteer, tuple[str, ...]]":
        """The names of all sources together, and the specialised labels; says what was read and left out.

        Raises DataError and ConfigError where the files or the labels cannot be used.
        """
        from nerbridge.corpus.gazetteer_classes import load_classes
        from nerbridge.corpus.gazetteer_files import read_gazetteer
        from nerbridge.corpus.selection_labels import SOURCE_LABELS, specialised_labels

        classes = load_classes(self.classes) if self.classes else None
        gazetteer = read_gazetteer(self.gazetteer, settings, classes=classes, labelled=self.labelled)
        for line in gazetteer.counts.report():
            console.note(f"names: {line}")
        target = tuple(sorted(self._labels([self.target]))) if self.target else gazetteer.labels
        gazetteer, renames = gazetteer.respelled(target)
        for old, new in renames.items():
            console.note(f"the lists' label '{old}' counts as '{new}'")
        if self.specialised is not None:
            return gazetteer, tuple(_listed(self.specialised))
        source = self._labels(self.source) if self.source else SOURCE_LABELS
        return gazetteer, specialised_labels(target, source, _listed(self.general))

    def _labels(self, names: Sequence[str]) -> set[str]:
        """The labels of public data sets or labelled files."""
        from nerbridge.data.reading import read_sentences
        from nerbridge.data.registry import card_names, find_card
        from nerbridge.data.sentence import labels_of

        found: set[str] = set()
        for name in names:
            if name in card_names():
                found.update(find_card(name).labels.names)
            else:
                found.update(labels_of(read_sentences(name).sentences))
        return found


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
