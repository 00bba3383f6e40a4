"""Figures of taggers on pre-trained encoders: share of the text, number of sentences, width of tags, F1 by label."""

from collections.abc import Sequence
from dataclasses import replace

from dapt_grid import CURVES, LINEAR, NONE, OURS, recipe, sized, wide
from dapt_published import MUSIC_COLUMNS, MUSIC_LABELS
from dapt_sections import SAID, Plan, begun
from grid_results import Results
from label_aware_figures import Curves, by_label, curves
from label_aware_grid import SIZES, WIDTHS, Row
from label_aware_page import Section


def share_section(results: Results, plan: Plan) -> Section | None:
    """Figure 2 of CrossNER: F1 by the share of the text, none of it first; a curve per tagger that has one."""
    parts = {(cell.level, cell.masking, cell.suffix) for cell in plan.kinds.values() if cell.share != 100}
    asked: dict[str, dict[float, Row]] = {}
    for level, masking, suffix in sorted(parts):
        for tagger in plan.recipes:
            found = [
                one for one in plan.kinds.values() if (one.level, one.masking, one.suffix) == (level, masking, suffix)
            ]
            rows = {float(one.share): plan.row(one.kind, recipe(tagger)) for one in found}
            if not begun(results, [row for share, row in rows.items() if share < 100]):
                continue
            rows[0.0] = plan.row(NONE, recipe(tagger))
            name = ", ".join(filter(None, (SAID.get(tagger, tagger), masking, level, suffix)))
            asked[name] = dict(sorted(rows.items()))
    return _curve(results, plan, "shares", asked, "share of the text, percent")


def size_section(results: Results, plan: Plan) -> Section | None:
    """Figure 3 of CrossNER, figure 4 of LANER: F1 by the number of target sentences."""
    asked = {
        f"{SAID.get(tagger, tagger)}; {plan.said(kind)}": {
            float(size): plan.row(kind, sized(tagger, size)) for size in SIZES
        }
        for tagger in CURVES
        for kind in (NONE, *plan.near)
    }
    return _curve(results, plan, "sizes", asked, "target sentences")


def width_section(results: Results, plan: Plan) -> Section | None:
    """Figure 3 of LANER: F1 by the width of tag embeddings."""
    asked = {
        plan.said(kind): {float(width): plan.row(kind, wide(width)) for width in WIDTHS} for kind in (NONE, *plan.near)
    }
    return _curve(results, plan, "widths", asked, "label width")


def _curve(results: Results, plan: Plan, name: str, asked: Curves, axis: str) -> Section | None:
    """None where the figures' domain has no cell but those that other sections have too."""
    rows = [row for points in asked.values() for row in points.values()]
    own = [row for row in rows if row.name.rsplit("-", 1)[-1].isdigit() or "-share" in row.name]
    found = curves(results, asked, axis, plan.curves_of) if begun(results, own, plan.curves_of) else None
    if found is None:
        return None
    return Section(name, results.cells(rows, [plan.curves_of]), found[0], found[1])


def label_section(results: Results, plan: Plan) -> Section | None:
    """Table 4 of CrossNER, figure 2 of LANER: F1 by label, without pre-training and with it."""
    kinds, taggers = (NONE, *plan.near), ("direct-linear", LINEAR, OURS)
    rows = [
        plan.row(kind, recipe(tagger), f"{SAID.get(tagger, tagger)}; {plan.said(kind)}")
        for tagger in taggers
        for kind in kinds
    ]
    found = by_label(results, rows, plan.labels_of) if begun(results, rows) else None
    if found is None:
        return None
    table, picture = found
    if plan.labels_of == "music":
        header = [*table.header, *(f"*paper: {name}*" for name in MUSIC_COLUMNS)]
        table = replace(table, header=header, rows=[[*row, *_printed(row[0])] for row in table.rows])
    return Section("labels", results.cells(rows, [plan.labels_of]), table, picture)


def _printed(label: str) -> Sequence[str]:
    printed = MUSIC_LABELS.get(label)
    return ["-"] * len(MUSIC_COLUMNS) if printed is None else [f"{score:.2f}" for score in printed]
