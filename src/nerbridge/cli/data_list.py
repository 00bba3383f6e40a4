"""`nerbridge data list`: the public data sets that have a card."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nerbridge.cli.console import console
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.data.registry import Card

NameArgument = Annotated[str | None, typer.Argument(help="Show this one in full.", show_default=False)]


def command(name: NameArgument = None, data_root: DataRootOption = None, json: JsonOption = False) -> None:
    """List the public data sets.

    Domain, sentences, labels, and whether they lie under the data root.
    """
    from nerbridge.data.registry import card_names, find_card

    cards = [find_card(name)] if name else [find_card(each) for each in card_names()]
    if json:
        console.json([_record(card, data_root) for card in cards])
    elif name:
        console.result(_in_full(cards[0], data_root))
    else:
        header = ["name", "domain", "train", "dev", "test", "labels", "under the data root", "what it is"]
        console.table(header, [_row(card, data_root) for card in cards])
    if data_root is None:
        console.note("no data root was given (--data-root or NERBRIDGE_DATA): what is present was not looked up")


def _presence(card: "Card", data_root: Path | None) -> str | None:
    from nerbridge.data.registry.presence import card_presence

    return None if data_root is None else str(card_presence(card, data_root))


def _row(card: "Card", data_root: Path | None) -> list[object]:
    counts = [card.files[split].counts if split in card.files else {} for split in ("train", "dev", "test")]
    sizes = [each.get("sentences") for each in counts]
    return [card.name, card.domain, *sizes, len(card.labels), _presence(card, data_root), card.title]


def _in_full(card: "Card", data_root: Path | None) -> str:
    lines = [f"{card.name}: {card.title}", f"domain: {card.domain}", f"licence: {card.licence}"]
    lines += [f"under the data root: {_presence(card, data_root)}"] if data_root else []
    lines += [f"note: {note}" for note in card.notes]
    lines += ["", counted(len(card.labels), "label")]
    lines += [f"  {label}: {card.labels.descriptions[label]}" for label in card.labels.names]
    lines += ["", counted(len(card.files), "file")]
    for part, file in card.files.items():
        counts = ", ".join(f"{number:,} {what}" for what, number in file.counts.items())
        lines += [f"  {part}: {file.path} ({counts})", f"    {card.url(file)}", f"    SHA-256 {file.sha256}"]
    return "\n".join(lines)


def _record(card: "Card", data_root: Path | None) -> dict[str, Any]:
    return {
        "name": card.name,
        "domain": card.domain,
        "title": card.title,
        "holds": "sentences" if card.holds_sentences else "names",
        "presence": _presence(card, data_root),
        "files": {
            part: {"path": file.path, "url": card.url(file), "sha256": file.sha256, **file.counts}
            for part, file in card.files.items()
        },
        "scheme": card.format.scheme if card.format else None,
        "labels": dict(card.labels.descriptions),
        "licence": card.licence,
        "notes": list(card.notes),
    }
