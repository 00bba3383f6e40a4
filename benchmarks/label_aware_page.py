"""The page of the label-aware tagger's experiments and the files beside it."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grid_provenance import describe, versions_differ
from grid_results import Results
from label_aware_figures import draw
from label_aware_sections import Table

from nerbridge.evaluation.files import write_text
from nerbridge.pipeline.sweep.lines import Picture

TITLES = {
    "main": "Beside the linear and the CRF head",
    "options": "Options, each against the recipe as it is",
    "ablations": "Ablations (table 3)",
    "in-domain": "In-domain, without a source (table 4)",
    "labels": "F1 by label (figure 2)",
    "widths": "Width of tag embeddings (figure 3)",
    "sizes": "Number of target sentences (figure 4)",
    "mit": "MIT Movie and Restaurant, an honest dev",
}


@dataclass(frozen=True)
class Look:
    """What pages of another grid have of their own. stem: of its files; titles: of its sections, in their order."""

    heading: str
    stem: str
    titles: Mapping[str, str]


LABEL_AWARE = Look("The label-aware tagger: quality", "label-aware-quality", TITLES)


@dataclass(frozen=True)
class Section:
    """One experiment on the page. cells: how many there are of how many."""

    name: str
    cells: str
    table: Table
    picture: Picture | None = None


def page(results: Results, found: Sequence[Section], stem: str, note: str, look: Look = LABEL_AWARE) -> str:
    """The Markdown page."""
    parts = [f"# {look.heading}", *([note] if note else [])]
    parts.append(
        "F1 in percent, mean over seeds; ± is the deviation over seeds, of an average that of the seeds' averages. "
        "Cells: how many runs there are of those that were planned. Rows in italics are the paper's: "
        "BERT-base-cased, mean of three runs."
    )
    for section in found:
        parts += [f"## {look.titles[section.name]}", table_markdown(section.table)]
        parts.append(" ".join([f"{section.cells} cells.", *section.table.after]))
        parts += [f"![{look.titles[section.name]}]({stem}-{section.name}.png)"] if section.picture else []
    absent = [title for name, title in look.titles.items() if name not in {section.name for section in found}]
    parts += ["## What the runs were made with", "\n".join(describe(results))]
    parts += [f"Runs differ in {name}." for name in versions_differ(results)]
    parts += [f"No runs yet: {'; '.join(absent)}."] if absent else []
    parts += ["\n".join(f"- {note}" for note in results.notes)] if results.notes else []
    return "\n\n".join(parts) + "\n"


def table_markdown(table: Table) -> str:
    """A table as lines of Markdown."""
    lines = [table.header, ["---"] * len(table.header), *table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table_csv(table: Table) -> str:
    """A table as CSV, without the marks of bold cells."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [table.header, *([cell.strip("*") for cell in row] for row in table.rows)]
    )
    return text.getvalue()


def write(
    results: Results, found: Sequence[Section], folder: Path, name: str, note: str, look: Look = LABEL_AWARE
) -> list[Path]:
    """The page, a CSV per table, a PNG per figure; returns their paths."""
    stem = f"{look.stem}-{name}"
    paths = [folder / f"{stem}.md"]
    for section in found:
        paths.append(folder / f"{stem}-{section.name}.csv")
        write_text(paths[-1], table_csv(section.table))
        if section.picture:
            paths.append(folder / f"{stem}-{section.name}.png")
            draw(section.picture, paths[-1], f"{look.titles[section.name]}: test F1, mean and deviation over seeds")
    write_text(paths[0], page(results, found, stem, note, look))
    return paths
