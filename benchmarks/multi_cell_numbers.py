"""What finished runs say of themselves, for the tables of the multi-cell experiments: sizes, raw text, dictionaries."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grid_results import Results
from kept_later import is_there
from label_aware_grid import Row
from label_aware_sections import Table
from label_gains import ALL, KNOWN, NEW, gains
from multi_cell_published import TABLE_4_READ

_FINDS = re.compile(r"the dictionary finds (.*)")
_KNOWN = re.compile(r"([\d,]+) of ([\d,]+) words")


def parameters(results: Results, row: Row) -> str:
    """'700,526 (context 160,800)': the numbers that `train` prints of the last stage; several that differ, all."""
    found = dict[str, None]()
    for domain in row.domains:
        for seed in results.seeds:
            stages = results.lines.get((row.name, domain, seed), {}).get("stages") or {}
            counts = list(stages.values())[-1].get("parameters", {}) if stages else {}
            if "all" in counts:
                context = f" (context {counts['context']:,})" if "context" in counts else ""
                found[f"{counts['all']:,}{context}"] = None
    return "; ".join(found) or "-"


def raw_text(row: Row) -> str:
    """How many sentences of raw text a row reads, as its settings say."""
    asked = [one.partition("=")[2] for one in row.settings if one.startswith("transfer.target_sentences=")]
    return f"{int(asked[-1]):,} sentences" if asked else "-"


def found_by_dictionary(results: Results, row: Row, domain: str, *, brief: bool = False) -> str:
    """What a run's notes say that its dictionary finds in raw text; brief: the share of words alone."""
    for seed in results.seeds:
        key = (row.name, domain, seed)
        folder = results.run_folder(key) if key in results.lines else None
        path = None if folder is None else folder / "data.json"
        if path is None or not path.is_file():
            continue
        for note in json.loads(path.read_text(encoding="utf-8")).get("plan", ()):
            if said := _FINDS.search(note):
                return _share(said[1]) if brief else said[1]
    return "-" if brief else ""


def _share(said: str) -> str:
    counted = _KNOWN.search(said)
    if counted is None:
        return "-"
    known, words = (int(number.replace(",", "")) for number in counted.groups())
    return f"{100 * known / words:.2f} % of words" if words else "-"


def gains_table(
    results: Results, rows: Sequence[Row], domain: str, printed: Mapping[str, Sequence[float]]
) -> Table | None:
    """Table 4: F1 by label and the gain over the first of `rows`; labels of the source apart from new ones.

    printed: label -> F1 of the same rows in the paper. None where the first row, or all others, have no run.
    """
    folders = {row.said: _scored(results, row, domain) for row in rows}
    systems = {said: found for said, found in folders.items() if found}
    first, *others = [row.said for row in rows]
    if first not in systems or len(systems) < 2:
        return None
    others = [said for said in others if said in systems]
    header = ["label", "entities", first, *(text for said in others for text in (said, "gain"))]
    header += [f"paper: {row.said}" for row in rows] if printed else []
    lines = []
    for one in gains(systems):
        cells = [text for said in others for text in (f"{one[said][0]:.2f}", f"{one[said][1]:+.2f}")]
        name = f"**{one['row']}**" if one["row"] in (KNOWN, NEW, ALL) else one["row"]
        paper = [f"*{number:.2f}*" for number in printed.get(one["row"], ())] or [""] * len(rows)
        lines.append([name, str(one["gold"]), f"{one[first][0]:.2f}", *cells, *(paper if printed else [])])
    runs = ", ".join(f"{said} {len(found)} of {len(results.seeds)}" for said, found in folders.items())
    return Table(header, lines, (f"Runs: {runs}.", *([TABLE_4_READ] if printed else [])))


def _scored(results: Results, row: Row, domain: str) -> list[Path]:
    """The folders of a row's runs that have scores and data."""
    keys = [(row.name, domain, seed) for seed in results.seeds]
    folders = [results.run_folder(key) for key in keys if key in results.lines]
    return [
        one for one in folders if one is not None and is_there(one / "scores.json") and (one / "data.json").is_file()
    ]
