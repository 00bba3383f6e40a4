"""`nerbridge corpus stats`: tables 1 and 3 of CrossNER for built corpora."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nerbridge.cli.console import console
from nerbridge.cli.corpus_survey import level_records, print_survey
from nerbridge.cli.options import JsonOption

if TYPE_CHECKING:
    from nerbridge.corpus.folder import CorpusFolder

FoldersArgument = Annotated[list[Path], typer.Argument(metavar="FOLDER", help="Built corpora, or levels of them.")]
VerifyOption = Annotated[bool, typer.Option("--verify", help="Compare the checksum of every file first.")]
ExamplesOption = Annotated[bool, typer.Option("--examples", help="Of levels: sentences to look at.")]


def command(
    folders: FoldersArgument, verify: VerifyOption = False, examples: ExamplesOption = False, json: JsonOption = False
) -> None:
    """Count documents, paragraphs, sentences and words of built corpora; of levels, matches by label too."""
    from nerbridge.corpus.folder import CorpusFolder

    corpora = [CorpusFolder(folder) for folder in folders]
    if verify:
        for corpus in corpora:
            corpus.verify()
    records = [_record(corpus) for corpus in corpora]
    levels = level_records(corpora)
    if json:
        console.json([{**record, "selection": levels.get(record["corpus"])} for record in records])
        return
    header = ["corpus", "documents", "paragraphs", "sentences", "words", "words per sentence", "files", "bytes"]
    console.table(header, [list(record.values()) for record in records])
    for name, level in levels.items():
        print_survey(name, level, examples=examples)


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
