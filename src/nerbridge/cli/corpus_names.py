"""Where the corpus commands take names from, and whose labels they have."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nerbridge.cli.console import console
from nerbridge.errors import ConfigError

if TYPE_CHECKING:
    from nerbridge.config.gazetteer import GazetteerSettings
    from nerbridge.corpus.gazetteer import Gazetteer


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

    def read(self, settings: "GazetteerSettings") -> "tuple[Gazetteer, tuple[str, ...]]":
        """The names of all sources together, and the specialised labels; says what was read and left out.

        Raises DataError and ConfigError where the files or the labels cannot be used.
        """
        from nerbridge.corpus.gazetteer_classes import load_classes
        from nerbridge.corpus.gazetteer_files import read_gazetteer
        from nerbridge.corpus.selection_labels import SOURCE_LABELS, foreign_labels, specialised_labels

        if not self.gazetteer and not self.labelled:
            raise ConfigError(
                "no names were given",
                where="the command line",
                expected="lists of names, or labelled sentences to take them from",
                hint="--gazetteer FOLDER, or --from-labelled train.txt",
            )
        classes = load_classes(self.classes) if self.classes else None
        gazetteer = read_gazetteer(self.gazetteer, settings, classes=classes, labelled=self.labelled)
        for line in gazetteer.counts.report():
            console.note(f"names: {line}")
        target = tuple(sorted(self._labels([self.target]))) if self.target else gazetteer.labels
        gazetteer, renames = gazetteer.respelled(target)
        for old, new in renames.items():
            console.note(f"the lists' label '{old}' counts as '{new}'")
        for line in foreign_labels(gazetteer.labels, target):
            console.note(line)
        self._check_labels((*target, *gazetteer.labels))
        if self.specialised is not None:
            return gazetteer, tuple(_listed(self.specialised))
        if not self.target:
            console.note("specialised labels are taken from those of the lists: --target NAME|FILE tells the target's")
        source = self._labels(self.source) if self.source else SOURCE_LABELS
        return gazetteer, specialised_labels(target, source, _listed(self.general))

    def _check_labels(self, known: Sequence[str]) -> None:
        """Raises ConfigError for a label of the options that is nowhere; the usual general ones may be missing."""
        from nerbridge.config.gazetteer import SelectionSettings
        from nerbridge.corpus.selection_labels import check_known

        usual = SelectionSettings().general
        check_known(_listed(self.general), (*known, *usual), "--general")
        check_known(_listed(self.specialised or ""), known, "--specialised")

    def _labels(self, names: Sequence[str]) -> set[str]:
        """The labels of public data sets or labelled files. Raises DataError for what is neither."""
        from nerbridge.data.reading import read_sentences
        from nerbridge.data.registry import find_card, names_a_file
        from nerbridge.data.sentence import labels_of

        found: set[str] = set()
        for name in names:
            if names_a_file(name):
                found.update(labels_of(read_sentences(name).sentences))
            else:
                found.update(find_card(name).labels.names)
        return found


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
