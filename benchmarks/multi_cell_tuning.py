"""Settings of the multi-cell experiments that are tried before the tables are made; dev chooses.

With labels, on dev of both sets of tweets, alike for the full model and for the rows it is held against; the base of
both are the rows of table 2. Without, as in `light_tuning.py`, on dev of politics and literature with the labels of
news: what names in raw text should weigh, and whether the gazetteers of the domain should stand beside the paper's.
"""

from dataclasses import replace

from label_aware_grid import Row
from light_rows import Places, raw_text
from light_tuning import NO_DATASET, OTHERS, as_news, rates
from multi_cell_rows import FULL, HEAVIER, TARGETS, dictionary_options, system_row

TWEETS = tuple(target for target in TARGETS if target.recipes == "twitter")
ALIKE = {
    "1e-3": rates("1e-3"),
    "decay": ("training.weight_decay=0.1",),
    "short": ("training.joint.max_steps=1000",),
    "sgd": ("training.optimizer=sgd", *rates("1.0")),
}
CELLS = {
    "losses-0.3": ("context.entity_weight=0.3", "context.attention_weight=0.3"),
    "losses-0.1": ("context.entity_weight=0.1", "context.attention_weight=0.1"),
    "entity-0.1": ("context.entity_weight=0.1",),
    "as-printed": ("context.attention_width=200", "context.attention_apart=true"),
}
BESIDE = "multitask"  # what the full model is held against
LABELLED: dict[str, dict[str, tuple[str, ...]]] = {FULL: {**ALIKE, **CELLS}, BESIDE: ALIKE}
EXPLAINED = (
    "Settings: sgd: SGD at 1.0 instead of AdamW at 3e-3; decay: weight decay of 0.1; short: 1,000 steps; losses: both "
    "losses of cells weigh so much; entity: that of entity types alone; as-printed: an attention of 200 for each "
    "domain."
)
UNLABELLED = ("bilstm-lm", "bilstm-lm-dictionary", "multi-cell-lm", "multi-cell-lm-dictionary")


def tuning_rows(places: Places) -> list[Row]:
    """The recipe as it is, and one setting after the other."""
    return [*_labelled(), *_unlabelled(places)]


def _labelled() -> list[Row]:
    rows = []
    for target in TWEETS:
        for system, options in LABELLED.items():
            base = system_row(target, system)
            rows.append(replace(base, said=f"{system}, base"))
            rows += [
                replace(
                    base,
                    name=f"mtune-{target.short}-{system}-{said}",
                    settings=(*base.settings, *own),
                    said=f"{system}, {said}",
                )
                for said, own in options.items()
            ]
    return rows


def _unlabelled(places: Places) -> list[Row]:
    rows = []
    for domain in OTHERS:
        _, text, _, number = raw_text(domain, places)
        files = as_news(domain, places)
        for system in UNLABELLED:
            options = dictionary_options(system, domain, places) if system in HEAVIER else {}
            rows += [
                Row(
                    f"mtune0-{system}-{said}-{domain}",
                    f"multicell/scitech-{system}",
                    (*files, text, number, *own),
                    (NO_DATASET,),
                    f"{system}, {said}",
                )
                for said, own in {"base": (), **options}.items()
            ]
    return rows
