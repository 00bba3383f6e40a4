"""`nerbridge corpus select`: a built corpus and names -> corpus levels."""

from pathlib import Path
from typing import Annotated

import typer

from nerbridge.cli.console import console
from nerbridge.cli.corpus_levels import LevelOptions, match_notes, print_levels, print_matches, warn_of_unfound
from nerbridge.cli.corpus_names import Names
from nerbridge.cli.corpus_options import (
    AmbiguousName,
    AmbiguousOption,
    CaseName,
    CaseOption,
    ClassesOption,
    GazetteerOption,
    GeneralOption,
    JobsOption,
    LabelledOption,
    MinEntitiesOption,
    MinLengthOption,
    OrdinaryName,
    OrdinaryOption,
    SetOption,
    ShareOption,
    SourceOption,
    SpecialisedOption,
    TargetOption,
)
from nerbridge.cli.options import JsonOption, SeedOption

CorpusArgument = Annotated[Path, typer.Argument(metavar="CORPUS", help="A folder written by `nerbridge corpus build`.")]
OutputOption = Annotated[Path, typer.Option("--output", "-o", help="Folder; each level becomes a folder in it.")]
LevelsOption = Annotated[
    str, typer.Option("--levels", metavar="LEVEL,LEVEL", help="Of domain, entity, task, integrated.")
]
CopiesOption = Annotated[
    int, typer.Option("--task-copies", min=1, max=100, help="Copies of the task level in the integrated one.")
]


def command(
    corpus: CorpusArgument,
    output: OutputOption,
    gazetteer: GazetteerOption = None,
    from_labelled: LabelledOption = None,
    target: TargetOption = None,
    source: SourceOption = None,
    specialised: SpecialisedOption = None,
    general: GeneralOption = "country,misc",
    levels: LevelsOption = "entity,task,integrated",
    min_entities: MinEntitiesOption = 2,
    task_copies: CopiesOption = 2,
    share: ShareOption = 1.0,
    case: CaseOption = CaseName.SMART,
    min_length: MinLengthOption = 2,
    ambiguous: AmbiguousOption = AmbiguousName.SURE,
    ordinary: OrdinaryOption = OrdinaryName.DROP,
    classes: ClassesOption = None,
    settings: SetOption = None,
    seed: SeedOption = 1,
    jobs: JobsOption = 1,
    json: JsonOption = False,
) -> None:
    """Choose the sentences of a built corpus by the names in them.

    entity: sentences with at least two names (--min-entities). task: sentences with a name of a specialised label, one
    that the target has and the source lacks. integrated: the entity level and two copies of the task level.
    """
    from nerbridge.corpus.selection import select_levels, wanted_levels

    names = Names(gazetteer or [], from_labelled or [], classes, target, source or [], specialised, general)
    options = LevelOptions(
        case=case,
        min_length=min_length,
        ambiguous=ambiguous,
        ordinary=ordinary,
        levels=levels,
        min_entities=min_entities,
        task_copies=task_copies,
        general=general,
        share=share,
        seed=seed,
        overrides=settings or (),
    )
    (request,) = options.requests([corpus], names)
    record = select_levels(request, output, jobs=jobs)
    warn_of_unfound(record)
    if json:
        console.json(record)
        return
    print_levels(record)
    print_matches(record)
    for line in match_notes(record):
        console.note(line)
    for level in wanted_levels(request.selection.levels):
        console.note(f"{level} level: {output / level}")
