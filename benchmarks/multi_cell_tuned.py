"""What is said of the multi-cell LSTM with settings other than the tables', and which of them dev chose."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grid_results import Results
from label_aware_grid import Row
from light_sections import above
from multi_cell_rows import FULL, SYSTEMS
from multi_cell_tuning import BESIDE, EXPLAINED
from tuning_sections import chosen_settings


def told_of_settings(results: Results, rows: Sequence[Row], rounds: int) -> Iterator[str]:
    """Test F1 of the full model beside that of the row it is held against: with one setting, and each with its own."""
    yield EXPLAINED
    by = {(row.domains, row.said): row for row in rows}
    for row in rows:
        system, _, setting = row.said.partition(", ")
        other = by.get((row.domains, f"{BESIDE}, {setting}")) if system == FULL and setting != "base" else None
        if other and (told := above(results, other, row, row.domains[0], rounds)):
            yield told
    for target, best in chosen_settings(results, rows).items():
        if len(best) > 1 and (told := above(results, best[BESIDE], best[FULL], target, rounds)):
            yield f"Each as dev of the set chose it: {told}"


def chosen_rows(results: Results, rows: Sequence[Row]) -> list[Row]:
    """The settings that dev of a set chose, but those of the tables, as rows of their own."""
    return [
        replace(row, said=f"{SYSTEMS[kind]}, {row.said.partition(', ')[2]}, chosen on dev")
        for best in chosen_settings(results, rows).values()
        for kind, row in best.items()
        if not row.said.endswith(", base")
    ]
