"""What the corpus commands ask for about levels, and how they print what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nerbridge.cli.console import console
from nerbridge.cli.corpus_names import Names
from nerbridge.cli.corpus_options import AmbiguousName, CaseName, OrdinaryName
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.config.gazetteer import LevelSettings
    from nerbridge.corpus.selection_request import SelectionRequest

OPTIONS = {
    "gazetteer.min_length": "--min-length",
    **{f"selection.{name}": f"--{name.replace('_', '-')}" for name in ("levels", "min_entities", "share", "seed")},
}  # key -> what it is called on the command line
UNSURE = " *"  # behind a name that is found, but chooses no sentence for the task level


@dataclass(frozen=True)
class LevelOptions:
    """The settings of a selection as the command line gives them."""

    case: CaseName
    min_length: int
    ambiguous: AmbiguousName
    ordinary: OrdinaryName
    levels: str
    min_entities: int
    task_copies: int
    general: str
    share: float
    seed: int
    overrides: Sequence[str]

    def requests(self, corpora: Sequence[Path], names: Names) -> "list[SelectionRequest]":
        """One for each of `corpora`, with the names, which are read once; says which labels are specialised.

        Raises ConfigError for settings out of range, and what reading the corpora and the names raises.
        """
        from nerbridge.corpus.built_documents import refuse_level
        from nerbridge.corpus.folder import CorpusFolder
        from nerbridge.corpus.selection_request import EXPECTED, SelectionRequest

        settings = self._settings()
        folders = [CorpusFolder(corpus) for corpus in corpora]
        for folder in folders:
            refuse_level(folder, expected=EXPECTED)  # before the long work
        gazetteer, specialised = names.read(settings.gazetteer)
        console.note(f"specialised labels (task level): {', '.join(specialised) or 'none'}")
        lacking = [label for label in specialised if label not in gazetteer.labels]
        if lacking and len(lacking) < len(specialised):
            console.warning(f"no list has names of: {', '.join(lacking)}")
        return [
            SelectionRequest(folder, gazetteer, specialised, settings.gazetteer, settings.selection)
            for folder in folders
        ]

    def _settings(self) -> "LevelSettings":
        """Raises ConfigError listing every wrong key at once."""
        from pydantic import ValidationError

        from nerbridge.config.faults import config_error
        from nerbridge.config.gazetteer import LevelSettings
        from nerbridge.config.loading import apply_overrides

        kinds = {"case": self.case.value, "ambiguous": self.ambiguous.value, "ordinary": self.ordinary.value}
        selection = {
            "levels": _listed(self.levels),
            "min_entities": self.min_entities,
            "task_copies": self.task_copies,
            "general": _listed(self.general),
            "share": self.share,
            "seed": self.seed,
        }
        tables = {"gazetteer": {"min_length": self.min_length, **kinds}, "selection": selection}
        tables = apply_overrides(tables, self.overrides)
        try:
            return LevelSettings.model_validate(tables)
        except ValidationError as fault:
            where, hint = "the command line of `nerbridge corpus`", "correct the option, or the key behind --set"
            page = "docs/gazetteers.md"
            raise config_error(fault, tables, where, hint, settings=LevelSettings, page=page, options=OPTIONS) from None


def print_levels(record: Mapping[str, Any]) -> None:
    """Table 3 of CrossNER: the size of each level, and its words in relation to the domain level."""
    rows = [
        [level, row["documents"], row["sentences"], row["words"], f"{row['ratio']:.2f}x"]
        for level, row in record["levels"].items()
    ]
    console.table(["level", "documents", "sentences", "words", "ratio"], rows)


def print_matches(record: Mapping[str, Any]) -> None:
    """Names and matches by label, and the most frequent ones."""
    console.result("")
    rows = [
        [
            label,
            label in record["specialised"],
            record["gazetteer"]["names"].get(label, 0),
            matches,
            _few(record, label),
        ]
        for label, matches in record["matches_by_label"].items()
    ]
    console.table(["label", "specialised", "names", "matches", "most frequent"], rows)


def match_notes(record: Mapping[str, Any]) -> list[str]:
    """Lines about the marks of the table, and about names that were left out before the search or changed."""
    from nerbridge.corpus.gazetteer import such_as

    lines = []
    if any(UNSURE in _few(record, label) for label in record["matches_by_label"]):
        lines.append(
            "names with * are in lists of other labels too, not all specialised: "
            "they choose no sentence for the task level"
        )
    prepared = {"examples": {}, **record["gazetteer"]["prepared"]}  # earlier versions kept none
    for reason, count in prepared["left_out"].items():
        lines.append(f"{counted(count, 'name')} left out: {reason}{such_as(prepared['examples'].get(reason, ()))}")
    if nouns := record["gazetteer"]["labels_of_nouns"]:
        lines.append(f"names of {', '.join(nouns)} are nouns by their lists: found with a small first letter too")
    return lines + [f"{counted(count, 'name')} {what}" for what, count in prepared["changed"].items()]


def warn_of_unfound(record: Mapping[str, Any]) -> None:
    """Labels of lists of which the text has no name: a slip in the list, or a list for another text."""
    from nerbridge.corpus.selection_record import unfound

    for line in unfound(record):
        console.warning(line)


def print_examples(record: Mapping[str, Any]) -> None:
    """Sentences of each kind, their names marked."""
    for kind, sentences in record["examples"].items():
        console.result(f"\n{kind}:")
        for text in sentences or ["(none)"]:
            console.result(f"  {text if len(text) <= 300 else text[:300] + ' ...'}")


def _few(record: Mapping[str, Any], label: str, shown: int = 4) -> str:
    frequent: Mapping[str, int] = record["frequent"][label]
    return ", ".join(
        f"{name} {count:,}{UNSURE * _is_unsure(record, label, name)}" for name, count in list(frequent.items())[:shown]
    )


def _is_unsure(record: Mapping[str, Any], label: str, name: str) -> bool:
    """Does a name of a specialised label count for nothing, because other lists have it too?"""
    special: Sequence[str] = record["specialised"]
    own: Sequence[str] = record.get("several", {}).get(name, ())  # earlier versions kept none
    sure = record["settings"]["gazetteer"]["ambiguous"] == "sure"
    return sure and label in special and not set(own) <= set(special)


def _listed(text: str) -> Sequence[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
