"""The page of the light experiments, and of other grids with a look of their own, and the files beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grid_provenance import describe, versions_differ
from grid_results import Results
from label_aware_page import Look, table_csv, table_markdown
from label_aware_sections import Table

from nerbridge.evaluation.files import write_text
from nerbridge.pipeline.sweep.lines import Picture
from nerbridge.pipeline.sweep.plot import draw_picture

TITLES = {
    "tuning": "Settings, chosen on dev of BioNLP13PC",
    "tuning-zero-shot": "Settings without target labels, chosen on dev of other targets with the labels of news",
    "bionlp": "BioNLP13PC and BioNLP13CG, source CoNLL-2003 (table 3)",
    "bionlp-watched": "The other tasks of these runs",
    "curves-bionlp13pc": "Dev F1 over training, 13PC",
    "curves-bionlp13cg": "Dev F1 over training, 13CG (figure 3)",
    "tasks-f1": "The full model's taggers over training (figure 4)",
    "tasks-perplexity": "The full model's language models over training (figure 4)",
    "labels-bionlp13pc": "F1 by label, 13PC (figure 7)",
    "labels-bionlp13cg": "F1 by label, 13CG (figure 7)",
    "scitech": "CBS SciTech News without target labels, source CoNLL-2003 (table 4)",
    "scitech-watched": "Perplexities and discriminator of these runs",
    "scitech-found": "Correctly found entities (table 5)",
    "crossner": "CrossNER, source CoNLL-2003",
    "crossner-coach": "CrossNER: both steps of Coach",
    "mit": "MIT Movie and Restaurant, an honest dev",
    "mit-coach": "MIT: both steps of Coach",
    "sizes": "Number of labelled target sentences (figure 6)",
    "raw": "Amount of raw text (figure 8)",
}
LIGHT = Look("Light taggers, multi-task transfer, parameter generation: quality", "light-quality", TITLES)
MANY_BARS = 9


@dataclass(frozen=True)
class Section:
    """One table, one figure, or both. said: sentences behind the table. unit: of the figure's vertical axis."""

    name: str
    table: Table | None = None
    picture: Picture | None = None
    said: tuple[str, ...] = ()
    unit: str = "test F1"


def page(results: Results, found: Sequence[Section], stem: str, note: str, look: Look = LIGHT) -> str:
    """The Markdown page."""
    titles = look.titles
    parts = [f"# {look.heading}", *([note] if note else [])]
    parts.append(
        "F1 in percent, mean over seeds; ± is the deviation over seeds, of an average that of the seeds' averages. "
        "Cells: how many runs there are of those that were planned. Rows in italics are printed ones."
    )
    for section in found:
        parts.append(f"## {titles[section.name]}")
        if section.table:
            parts.append(table_markdown(section.table))
        said = [*section.said, *(section.table.after if section.table else ())]
        parts += [" ".join(said)] if said else []
        parts += [f"![{titles[section.name]}]({stem}-{section.name}.png)"] if section.picture else []
    absent = [title for name, title in titles.items() if name not in {section.name for section in found}]
    parts += ["## What the runs were made with", "\n".join(describe(results))]
    parts += [f"Runs differ in {name}." for name in versions_differ(results)]
    parts += [f"No runs yet: {'; '.join(absent)}."] if absent else []
    parts += ["\n".join(f"- {note}" for note in results.notes)] if results.notes else []
    return "\n\n".join(parts) + "\n"


def write(
    results: Results, found: Sequence[Section], folder: Path, name: str, note: str, look: Look = LIGHT
) -> list[Path]:
    """The page, a CSV per table, a PNG per figure; returns their paths."""
    stem = f"{look.stem}-{name}"
    paths = [folder / f"{stem}.md"]
    for section in found:
        place = folder / f"{stem}-{section.name}"
        if section.table:
            paths.append(place.with_name(f"{place.name}.csv"))
            write_text(paths[-1], table_csv(section.table))
        if section.picture:
            paths.append(place.with_name(f"{place.name}.png"))
            drawn = section.picture
            number = max(len(points) for points in drawn.lines.values())
            title = f"{look.titles[section.name]}: {section.unit}, mean over seeds"
            wide = not drawn.numeric and number >= MANY_BARS
            draw_picture(drawn, [paths[-1]], title=title, unit=section.unit, width=11.0 if wide else 7.0)
    write_text(paths[0], page(results, found, stem, note, look))
    return paths
