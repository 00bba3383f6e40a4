"""`nerbridge corpus stats`: tables 1 and 3 of CrossNER for built corpora."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nerbridge.cli.console import console
from nerbridge.cli.corpus_levels import LevelOptions, match_notes, warn_of_unfound
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
from nerbridge.cli.corpus_survey import level_records, print_survey, with_levels
from nerbridge.cli.options import JsonOption, SeedOption

if TYPE_CHECKING:
    from nerbridge.corpus.folder import CorpusFolder

FoldersArgument = Annotated[list[Path], typer.Argument(metavar="FOLDER", help="Built corpora, or levels of them.")]
VerifyOption = Annotated[bool, typer.Option("--verify", help="Compare the checksum of every file first.")]
ExamplesOption = Annotated[bool, typer.Option("--examples", help="Show sentences of each kind, names marked.")]


def command(
    folders: FoldersArgument,
    verify: VerifyOption = False,
    gazetteer: GazetteerOption = None,
    from_labelled: LabelledOption = None,
    target: TargetOption = None,
    source: SourceOption = None,
    specialised: SpecialisedOption = None,
    general: GeneralOption = "country,misc",
    min_entities: MinEntitiesOption = 2,
    share: ShareOption = 1.0,
    case: CaseOption = CaseName.SMART,
    min_length: MinLengthOption = 2,
    ambiguous: AmbiguousOption = AmbiguousName.SURE,
    ordinary: OrdinaryOption = OrdinaryName.DROP,
    classes: ClassesOption = None,
    settings: SetOption = None,
    examples: ExamplesOption = False,
    seed: SeedOption = 1,
    jobs: JobsOption = 1,
    json: JsonOption = False,
) -> None:
    """Count what built corpora and their levels hold.

    Documents, paragraphs, sentences and words, and what belongs to which level.

    Levels are known of folders that `corpus select` wrote; the folder above them stands for all. With names
    (--gazetteer, --from-labelled) they are searched for in the other folders, and nothing is written.
    """
    from nerbridge.corpus.folder import CorpusFolder
    from nerbridge.corpus.selection import survey_levels

    corpora = [CorpusFolder(place) for folder in folders for place in with_levels(folder)]
    if verify:
        for corpus in corpora:
            corpus.verify()
    surveys = level_records(corpora)
    if gazetteer or from_labelled:
        names = Names(gazetteer or [], from_labelled or [], classes, target, source or [], specialised, general)
        options = LevelOptions(
            case=case,
            min_length=min_length,
            ambiguous=ambiguous,
            ordinary=ordinary,
            levels="domain",
            min_entities=min_entities,
            task_copies=2,
            general=general,
            share=share,
            seed=seed,
            overrides=settings or (),
        )
        searched = [corpus.path for corpus in corpora if "selection" not in corpus.manifest]
        for request in options.requests(searched, names) if searched else ():
            name = str(request.corpus.path)
            surveys[name] = survey_levels(request, jobs=jobs)
            warn_of_unfound(surveys[name])
    records = [_record(corpus) for corpus in corpora]
    if json:
        console.json([{**record, "selection": surveys.get(record["corpus"])} for record in records])
        return
    header = ["corpus", "documents", "paragraphs", "sentences", "words", "words per sentence", "files", "bytes"]
    console.table(header, [list(record.values()) for record in records])
    for name, survey in surveys.items():
        print_survey(name, survey, examples=examples)
    for line in dict.fromkeys(line for survey in surveys.values() for line in match_notes(survey)):
        console.note(line)


def _record(corpus: "CorpusFolder") -> dict[str, Any]:
    """Paragraphs are known of what `corpus build` wrote; a selection parts them."""
    return {
        "corpus": str(corpus.path),
        "documents": corpus.num_documents,
        "paragraphs": corpus.manifest.get("counts", {}).get("kept", {}).get("paragraphs"),
        "sentences": corpus.num_sentences,
        "words": corpus.num_words,
        "words_per_sentence": round(corpus.num_words / max(corpus.num_sentences, 1), 2),
        "files": len(corpus.shards),
        "bytes": sum(shard.bytes for shard in corpus.shards),
    }
