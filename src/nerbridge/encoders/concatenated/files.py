"""What a bundle keeps of a concatenated encoder: config.json with the number of parts, and a folder for each."""

import json
from pathlib import Path


def part_folder(folder: Path, number: int) -> Path:
    """Where part `number`, from 0, lies."""
    return folder / f"part-{number}"


def write_parts(folder: Path, number: int) -> None:
    """Write how many parts there are."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {"kind": "concatenated", "parts": number}
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
