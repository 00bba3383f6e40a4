"""Tables of taggers on pre-trained encoders: levels and maskings, what pre-training adds, the encoders themselves."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from crossner_cells import RowText
from dapt_cells import LEVELS, MASKINGS, Cell
from dapt_grid import EXPERIMENTS, LINEAR, NONE, OURS, recipe
from dapt_published import published_for
from grid_results import Results
from label_aware_grid import Row
from label_aware_page import Section
from label_aware_sections import Table, domain_table, order_of_averages

Line = tuple[Cell, dict[str, Any]]
SAID = {LINEAR: "sequential, linear", OURS: "sequential, label-aware", "sequential-crf": "sequential, CRF"}


@dataclass(frozen=True)
class Plan:
    """What there is to be shown. lines: of encoders, the last one of each; near: kinds of encoders of the ablations."""

    lines: dict[Cell, dict[str, Any]]
    domains: tuple[str, ...]
    recipes: tuple[str, ...]
    near: tuple[str, ...]
    curves_of: str
    labels_of: str
    rounds: int

    @property
    def kinds(self) -> dict[str, Cell]:
        """Encoders by kind, in the order of the tables: whole text first, then as the paper has them."""
        places = {level: number for number, level in enumerate(LEVELS)}
        finished = [cell for cell, line in self.lines.items() if "failed" not in line]
        finished.sort(key=lambda one: (one.suffix, -one.share, -MASKINGS.index(one.masking), places[one.level]))
        return {cell.kind: cell for cell in finished}

    @property
    def whole(self) -> list[str]:
        """The kinds that learnt from all of their level."""
        return [kind for kind, cell in self.kinds.items() if cell.share == 100]

    def row(self, kind: str, tagger: RowText, said: str = "") -> Row:
        """A row of the grid, for the domains of the page."""
        return Row(f"{kind}-{tagger.name}", tagger.recipe, tagger.settings, self.domains, said or self.said(kind))

    def said(self, kind: str) -> str:
        """'span, integrated' and what else is in the name."""
        cell = self.kinds.get(kind)
        if cell is None:
            return "without pre-training" if kind == NONE else kind
        share = f"{cell.share} %" if cell.share != 100 else ""
        return ", ".join(filter(None, (cell.masking, cell.level, share, cell.suffix)))

    def without(self) -> Iterator[tuple[Row, str]]:
        """The rows without pre-training, and what `label_aware_grid.py` calls them."""
        own = [tagger for several in EXPERIMENTS.values() for tagger in several]
        for tagger in dict.fromkeys((*map(recipe, self.recipes), *own)):
            kind = tagger.name.removeprefix("sequential-") if tagger.settings else tagger.name
            yield self.row(NONE, tagger), kind

    def wanted(self) -> Iterator[Row]:
        """Every row that a section may need."""
        near = [tagger for several in EXPERIMENTS.values() for tagger in several]
        for kind, tagger in product((NONE, *self.kinds), (*map(recipe, self.recipes), *near)):
            yield self.row(kind, tagger)


def shared_rows(results: Results, plan: Plan) -> list[Row]:
    """The rows that stand beside other methods: no curves, no shares of the text, no rows of other grids."""
    near = [tagger for name in ("ablations", "in-domain") for tagger in EXPERIMENTS[name]]
    asked = [*product((NONE, *plan.whole), map(recipe, plan.recipes)), *product((NONE, *plan.near), near)]
    rows = [
        plan.row(kind, tagger, f"{SAID.get(tagger.name, tagger.name)}; {plan.said(kind)}")
        for kind, tagger in dict.fromkeys(asked)
    ]
    return [row for row in rows if row.name not in results.called]


def begun(results: Results, rows: Sequence[Row], domain: str = "") -> bool:
    """Is there a cell of one of the rows? domain: of this one, else of any."""
    names = {row.name for row in rows}
    return any(key[0] in names and domain in ("", key[1]) for key in results.lines)


def encoder_section(plan: Plan) -> Section:
    """How every encoder came about, and how well it fills in text that it has not learnt from."""
    header = ["domain", "masking", "level", "share", "suffix", "steps", "epochs", "million pieces"]
    header += ["perplexity, token masks", "perplexity, span masks", "pieces per second", "waiting for data", "seconds"]
    order = {kind: number for number, kind in enumerate(plan.kinds)}
    good = [(cell, line) for cell, line in plan.lines.items() if "failed" not in line]
    good.sort(key=lambda one: (one[0].domain, order[one[0].kind]))
    after = (
        "Perplexities of masked pieces in text held out, before the encoder learns (a new head has learnt alone by "
        "then) and at the end. Encoders of other text, and so of another level or share, hold out other documents: "
        "they compare between maskings only. Seconds: of the pre-training alone; in brackets with start, tokenising "
        "and estimate.",
    )
    return Section(
        "encoders", f"{len(good)} of {len(plan.lines)}", Table(header, [_encoder(*one) for one in good], after)
    )


def _encoder(cell: Cell, line: dict[str, Any]) -> list[str]:
    looks = line["evaluations"]
    begun = [look for look in looks if look["step"] <= line["head_steps"]]
    perplexities = [f"{begun[-1][kind]:.2f} to {looks[-1][kind]:.2f}" if begun else "-" for kind in ("token", "span")]
    return [
        *(cell.domain, cell.masking, cell.level, f"{cell.share} %", cell.suffix or "-"),
        *(f"{line['steps']:,}", f"{line['epochs']:.2f}", f"{line['pieces'] / 1e6:.2f}"),
        *perplexities,
        *(f"{line['pieces_per_second']:,.0f}", f"{100 * line['waiting_share']:.1f} %"),
        f"{line['seconds']:,.0f} ({line['wall_seconds']:,.0f})",
    ]


def level_section(results: Results, plan: Plan, tagger: str) -> Section | None:
    """Levels and maskings under one tagger, each against the one without pre-training; none without a cell."""
    rows = [plan.row(kind, recipe(tagger)) for kind in (NONE, *plan.whole)]
    if not begun(results, rows[1:]):
        return None
    kinds = dict(zip((row.name for row in rows), (NONE, *plan.whole), strict=True))
    printed = published_for({name: (tagger, kind) for name, kind in kinds.items()}, plan.domains)
    table = domain_table(results, rows, rows[0], plan.rounds, published=printed, domains=plan.domains)
    return Section(f"levels-{tagger}", results.cells(rows, plan.domains), table)


def ablation_section(results: Results, plan: Plan) -> Section | None:
    """Table 3 of LANER without and with pre-training, every half against its own label-aware tagger."""
    return _halves(results, plan, "ablations", EXPERIMENTS["ablations"], order=True)


def in_domain_section(results: Results, plan: Plan) -> Section | None:
    """Table 4 of LANER: without a source."""
    return _halves(results, plan, "in-domain", EXPERIMENTS["in-domain"][::-1], order=False)


def _halves(results: Results, plan: Plan, name: str, taggers: Sequence[RowText], *, order: bool) -> Section | None:
    """The taggers without pre-training and on each near encoder; the first one is what the others are held against."""
    halves = {
        kind: [plan.row(kind, tagger, f"{SAID.get(tagger.name, tagger.name)}; {plan.said(kind)}") for tagger in taggers]
        for kind in (NONE, *plan.near)
    }
    elsewhere = {LINEAR, OURS, "direct-linear"}  # shown with the levels too
    own = [
        row for kind in plan.near for row, one in zip(halves[kind], taggers, strict=True) if one.name not in elsewhere
    ]
    if not begun(results, own):
        return None
    tables, after = [], []
    for kind, rows in halves.items():
        plain = "integrated-span" if kind != NONE else NONE  # what is printed is printed for that one
        names = {row.name: (tagger.name, plain) for row, tagger in zip(rows, taggers, strict=True)}
        printed = published_for(names, plan.domains)
        tables.append(domain_table(results, rows, rows[0], plan.rounds, published=printed, domains=plan.domains))
        if order:
            after += [f"{plan.said(kind)}:", *order_of_averages(results, rows, plan.rounds, printed)]
    table = replace(tables[0], rows=[row for one in tables for row in one.rows], after=tuple(after))
    return Section(name, results.cells([row for rows in halves.values() for row in rows], plan.domains), table)
