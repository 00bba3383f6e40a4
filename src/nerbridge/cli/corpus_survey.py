"""The levels part of `nerbridge corpus stats`: table 3 of CrossNER, of level folders or by a search without writing."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nerbridge.cli.console import console
from nerbridge.cli.corpus_levels import print_examples, print_levels, print_matches

if TYPE_CHECKING:
    from nerbridge.corpus.folder import CorpusFolder


def level_records(corpora: "Sequence[CorpusFolder]") -> dict[str, dict[str, Any]]:
    """Folder -> record, for the folders that `corpus select` wrote; several levels of one selection count once."""
    records: dict[str, dict[str, Any]] = {}
    for corpus in corpora:
        record = corpus.manifest.get("selection")
        if isinstance(record, dict) and record["key"] not in {known["key"] for known in records.values()}:
            records[str(corpus.path)] = record
    return records


def with_levels(folder: Path) -> list[Path]:
    """`folder`, or the levels inside where `corpus select` wrote them there."""
    from nerbridge.config.gazetteer import LEVELS
    from nerbridge.corpus.folder_writing import MANIFEST

    levels = [folder / level for level in LEVELS if (folder / level / MANIFEST).is_file()]
    return levels if levels and not (folder / MANIFEST).exists() else [folder]


def print_survey(name: str, record: dict[str, Any], *, examples: bool) -> None:
    """The levels, the matches by label, and, where wanted, sentences to look at.

    name: of the folder that was asked for; what `corpus select` wrote there tells of the corpus that it chose from.
    """
    chosen_from = record.get("corpus")
    console.result(f"\n{name}" + (f": all levels, and the matches of all of {chosen_from}" if chosen_from else ""))
    print_levels(record)
    print_matches(record)
    if examples:
        print_examples(record)
