"""What the data commands read: a public data set by name, or the user's own files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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

        return None if self.format is None else FileFormat(self.format.value)

    def options(self) -> dict[str, Any]:
        """The options of the reader. Raises ConfigError for further options that it does not have."""
        from nerbridge.data.reader_options import parse_reader_options
        from nerbridge.data.schemes import Scheme

        scheme = {} if self.scheme is None else {"scheme": Scheme(self.scheme.value)}
        return {**parse_reader_options(self.further), "encoding": self.encoding, **scheme}


@dataclass(frozen=True)
class Inputs:
    """A card, or paths by split, never both."""

    name: str
    card: "Card | None" = None
    paths: Mapping[str, str] = field(default_factory=dict)


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
    return Inputs(" ".join(paths.values()), None, paths)


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
