"""The experiments on pre-trained encoders: which taggers each of them is made of.

Beside the recipes as they are, those of tables 3 and 4 of LANER 2022, its figures 3 and 4, figure 3 of CrossNER 2021.
"""

from dataclasses import replace

from crossner_cells import RowText
from label_aware_grid import SIZE, SIZES, WIDTH, WIDTHS, size_settings

NONE = "none"  # the kind of encoder that was not pre-trained
LINEAR, OURS, CRF = "sequential-linear", "sequential-label-aware", "sequential-crf"
IN_DOMAIN = ("direct-linear", "direct-label-aware")
WITHOUT_CONTEXT, WITHOUT_BACKGROUND = "without-context", "without-background"
CURVES = (LINEAR, OURS, "direct-linear")


def recipe(name: str) -> RowText:
    """The tagger of a recipe as it is."""
    return RowText(name, name, (), ())


def sized(name: str, number: int) -> RowText:
    """The tagger of a recipe with so many target sentences; all of them: the recipe as it is."""
    return recipe(name) if number == SIZE else RowText(f"{name}-{number}", name, (), size_settings(number))


def wide(width: int) -> RowText:
    """The label-aware tagger with tag embeddings of another width."""
    return recipe(OURS) if width == WIDTH else RowText(f"width-{width}", OURS, (), (f"tagger.label_width={width}",))


EXPERIMENTS: dict[str, tuple[RowText, ...]] = {
    "ablations": (
        recipe(OURS),
        RowText(WITHOUT_CONTEXT, OURS, (), ("tagger.context=false",)),
        RowText(WITHOUT_BACKGROUND, OURS, (), ("tagger.background=false",)),
        recipe(CRF),
        recipe(LINEAR),
    ),
    "in-domain": tuple(map(recipe, IN_DOMAIN)),
    "sizes": tuple(sized(name, number) for name in CURVES for number in SIZES),
    "widths": tuple(map(wide, WIDTHS)),
}


def rows_of(experiment: str, domain: str) -> list[RowText]:
    """The taggers of an experiment; those of a curve are for one domain alone."""
    of_curve = experiment in ("sizes", "widths")
    return [replace(row, targets=(domain,)) if of_curve else row for row in EXPERIMENTS[experiment]]
