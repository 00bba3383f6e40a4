"""Options of the corpus commands that look for names."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


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
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Any other setting: gazetteer.max_length=80, gazetteer.broader.guitarist=person, ...; may be repeated.",
        show_default=False,
    ),
]
ShareOption = Annotated[float, typer.Option("--share", help="Share of the documents that is used, drawn with --seed.")]
JobsOption = Annotated[
    int, typer.Option("--jobs", min=1, max=256, help="Processes that look for names; each holds all of them.")
]
