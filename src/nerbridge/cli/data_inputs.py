"""What the data commands read: a public data set by name, or the user's own files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nerbridge.cli.data_options import FormatName, SchemeName
from nerbridge.errors import ConfigError

if TYPE_CHECKING:
    from nerbridge.data.counts import ReadCounts
    from nerbridge.data.registry import Card, DataSet
    from nerbridge.data.schemes import Repair
    from nerbridge.data.sentence import Sentence

SPLITS = ("train", "dev", "test")
DETECTED = (("format", None), ("encoding", "utf-8"))  # what a recipe need not say


@dataclass(frozen=True)
class Reading:
    """How the user's files are read: format and scheme None are detected; further options as 'name=value'."""

    format: FormatName | None = None
    scheme: SchemeName | None = None
    encoding: str = "utf-8"
    further: Sequence[str] = ()

    def file_format(self) -> Any:
        """The format as the reader names it."""
        from nerbridge.data.reading import FileFormat

        return FileFormat(self.format.value) if self.format is not None else self._parsed().get("format")

    def options(self) -> dict[str, Any]:
        """The options of the reader. Raises ConfigError for further options that it does not have."""
        from nerbridge.data.schemes import Scheme

        scheme = {} if self.scheme is None else {"scheme": Scheme(self.scheme.value)}
        further = {name: value for name, value in self._parsed().items() if name != "format"}
        return {"encoding": self.encoding, **further, **scheme}

    def settings(self) -> dict[str, Any]:
        """All of it as the table `read` of a recipe, without what is the default. Raises ConfigError."""
        options = self.options() | {"format": self.file_format()}
        plain = {name: value.value if isinstance(value, Enum) else value for name, value in options.items()}
        return {name: value for name, value in plain.items() if (name, value) not in DETECTED}

    def _parsed(self) -> dict[str, Any]:
        from nerbridge.data.reader_options import parse_reader_options

        return parse_reader_options(self.further)


@dataclass(frozen=True)
class Inputs:
    """A card, or paths by split, never both.

    in_order: the files were given without saying which is which, so people know them by their names.
    """

    name: str
    card: "Card | None" = None
    paths: Mapping[str, str] = field(default_factory=dict)
    in_order: bool = False

    def shown(self, split: str) -> str:
        """What `split` is called in text for people: as it is, or by its file where that was given without a role."""
        path = self.paths.get(split, split)
        name = Path(path).name
        if not self.in_order or name.split(".")[0] == split:
            return split
        return name if [Path(other).name for other in self.paths.values()].count(name) == 1 else path


def choose_inputs(given: Sequence[str] | None, **by_split: Path | None) -> Inputs:
    """What `given` and the options --train, --dev and --test mean together.

    Raises ConfigError when they contradict each other or nothing was given, DataError for a misspelt name.
    """
    given = list(given or [])
    named = {split: str(path) for split, path in by_split.items() if path is not None}
    if bool(given) == bool(named):
        raise ConfigError(
            "name either a public data set or files" if not given else "files were given in two ways",
            where="the command line",
            expected="a public data set, or files in the order train, dev, test, or --train, --dev and --test",
            hint="`nerbridge data list` names the public data sets",
        )
    card = _card(given[0]) if len(given) == 1 else None
    if card is not None:
        return Inputs(card.name, card)
    if len(given) > len(SPLITS):
        raise ConfigError(
            f"{len(given)} files were given",
            where="the command line",
            expected="at most three: train, dev, test",
            hint="check further files in a second call",
        )
    paths = named or dict(zip(SPLITS, given, strict=False))
    return Inputs(" ".join(paths.values()), None, paths, in_order=not named)


def load_inputs(
    inputs: Inputs, data_root: Path | None, reading: Reading, *, verify: bool = True, repair: "Repair | None" = None
) -> "DataSet":
    """The sentences of `inputs`, malformed tags read by `repair`; raises what `load_dataset` and `load_files` raise."""
    from nerbridge.data.registry import load_dataset, load_files

    policy: dict[str, Any] = {} if repair is None else {"repair": repair}
    if inputs.card is not None:
        return load_dataset(inputs.card.name, data_root, verify=verify, **policy)
    options = {**reading.options(), **policy}
    data = load_files(**inputs.paths, domain="", format=reading.file_format(), **options)
    return replace(data, name=inputs.name)  # sentences keep the domain that the file itself gives them, or none


def _card(name: str) -> "Card | None":
    """The card called `name`; None for a file. A name that is neither but nearly a card's is refused here."""
    from difflib import get_close_matches

    from nerbridge.data.registry import card_names
    from nerbridge.data.registry.loading import find_sentences

    known = card_names()
    if name in known or (not Path(name).exists() and get_close_matches(name, known)):
        return find_sentences(name)
    return None


def load_split(
    source: str, split: str, data_root: Path | None, reading: Reading, *, verify: bool = True
) -> "tuple[list[Sentence], ReadCounts]":
    """The sentences of one file, or of one split of a public data set, and what reading found.

    Raises ConfigError for a split that the data set lacks, and what `load_inputs` raises.
    """
    inputs = choose_inputs([source])
    wanted = split if inputs.card is not None else SPLITS[0]  # a single file is read as train
    data = load_inputs(inputs, data_root, reading, verify=verify)
    if wanted not in data.splits:
        raise ConfigError(
            f"'{data.name}' has no split '{split}'",
            where="--split",
            expected=f"one of {', '.join(data.splits)}",
            hint=f"nerbridge data list {data.name}",
        )
    return data.splits[wanted], data.counts[wanted]
