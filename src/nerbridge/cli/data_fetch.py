"""`nerbridge data fetch`: download public data sets from their source, pinned by checksum."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.errors import ConfigError, DownloadError
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.data.registry import Card
    from nerbridge.data.registry.fetch import Source

NamesArgument = Annotated[list[str] | None, typer.Argument(help="Data sets; none with --all.", show_default=False)]
AllOption = Annotated[bool, typer.Option("--all", help="Fetch every data set that has a card.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Print the addresses and the places, fetch nothing.")]
MirrorOption = Annotated[
    str | None, typer.Option("--mirror", help="Base address of a mirror that keeps the paths OWNER/NAME/COMMIT/FILE.")
]
TriesOption = Annotated[int, typer.Option("--tries", min=1, help="How often to try each file.")]


def command(
    names: NamesArgument = None,
    all_: AllOption = False,
    data_root: DataRootOption = None,
    dry_run: DryRunOption = False,
    mirror: MirrorOption = None,
    tries: TriesOption = 3,
    json: JsonOption = False,
) -> None:
    """Download public data sets.

    They come into the data root from the repositories that publish them.

    Every file is pinned to a commit and a SHA-256; what has another checksum is refused and removed. Files that are
    present and right are skipped, downloads that broke off go on where they stopped. Read the licence that is shown.
    """
    from nerbridge.data.registry import card_names, find_card
    from nerbridge.data.registry.card import PUBLIC_SOURCE
    from nerbridge.data.registry.fetch import Source

    cards = [find_card(name) for name in _wanted(names or [], all_, card_names())]
    source = Source(base=(mirror or PUBLIC_SOURCE).rstrip("/"), tries=tries)
    root = _target_root(data_root)
    outcomes = [outcome for card in cards for outcome in _fetch(card, root, source, dry_run=dry_run)]
    if json:
        console.json(outcomes)
    else:
        console.table(
            ["state", "file", "address"], [[each["state"], each["file"], each["address"]] for each in outcomes]
        )
    _raise_failures(outcomes, root)


def _wanted(names: list[str], everything: bool, known: tuple[str, ...]) -> list[str]:
    if bool(names) == everything:
        raise ConfigError(
            "name the data sets to fetch, or use --all" if not names else "--all goes without names",
            where="the command line of `nerbridge data fetch`",
            expected=f"some of {', '.join(known)}",
            hint="nerbridge data fetch crossner/ai conll2003 --data-root FOLDER",
        )
    return list(dict.fromkeys(names)) or list(known)


def _target_root(data_root: Path | None) -> Path:
    if data_root is None:
        raise ConfigError(
            "no data root was given",
            where="--data-root or the environment variable NERBRIDGE_DATA",
            expected="the folder to put the data sets into; it is created when it does not exist",
            hint="nerbridge data fetch NAME --data-root data",
        )
    if data_root.exists() and not data_root.is_dir():
        raise ConfigError(
            f"the data root '{data_root}' is a file",
            where="--data-root or NERBRIDGE_DATA",
            expected="a folder",
            hint="name another one; it is created when it does not exist",
        )
    return data_root


def _fetch(card: "Card", root: Path, source: "Source", *, dry_run: bool) -> list[dict[str, str]]:
    """One outcome per file; a file that fails never hides the others, a source that cannot be reached ends it all."""
    from nerbridge.data.registry.fetch import SourceUnreachable, fetch_file
    from nerbridge.data.registry.presence import presence

    console.note(f"{card.name}: licence {card.licence}")
    outcomes = []
    for file in card.every_file():
        outcome = {"state": "failed", "file": str(root / file.path), "address": card.url(file, source.base)}
        try:
            outcome["state"] = str(presence(file, root)) if dry_run else fetch_file(card, file, root, source)
        except SourceUnreachable as error:
            raise _with_every_file(error, card, root) from error
        except DownloadError as error:
            outcome["reason"] = error.what
        except OSError as error:
            outcome["reason"] = f"'{file.path}' cannot be written: {error.strerror}"
        console.note(f"{outcome['state']}: {outcome['file']}")
        outcomes.append(outcome)
    return outcomes


def _with_every_file(error: DownloadError, card: "Card", root: Path) -> DownloadError:
    """`error` of the first file, with a hint that names all files of `card` that are not there yet."""
    from nerbridge.data.registry.presence import Presence, presence

    missing = [root / file.path for file in card.every_file() if presence(file, root) is not Presence.PRESENT]
    hint = (
        f"without a network, copy {counted(len(missing), 'file')} from elsewhere: {', '.join(map(str, missing))}; "
        f"`nerbridge data list {card.name}` says where they come from, `nerbridge data check {card.name}` verifies them"
    )
    return DownloadError(error.what, where=error.where, expected=error.expected, hint=hint)


def _raise_failures(outcomes: list[dict[str, str]], root: Path) -> None:
    failed = [each for each in outcomes if each["state"] == "failed"]
    reasons = [each["reason"] for each in failed]
    if failed:
        raise DownloadError(
            "\n    ".join([f"{len(failed)} of {counted(len(outcomes), 'file')} failed", *reasons]),
            where=failed[0]["address"],
            expected=f"the files as their cards pin them, under the data root '{root}'",
            hint=f"try again later, or copy them from elsewhere, e.g. to {failed[0]['file']}",
        )
