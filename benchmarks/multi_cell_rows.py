"""The rows of the experiments of `multi_cell_grid.py`: tables 2, 3 and 5 of Jia and Zhang 2020, features."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from label_aware_grid import MIT, Row
from light_rows import LIKE_TECH, RAW, SCITECH, USUAL, Places


class Target(NamedTuple):
    """A target with labels. short: in names of rows; recipes: how theirs begin.

    settings: of rows with a source; alone: of rows without. An epoch is one of the longest data set: without a source
    it is shorter, and dev is asked after several, so that all rows choose among as many weights.
    """

    dataset: str
    short: str
    recipes: str
    grad: str
    settings: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


TARGETS = (
    Target("bionlp13cg", "bionlp", "bionlp", "grad/bionlp13cg"),
    Target("broad_twitter", "broad", "twitter", "grad/broad-twitter"),
    Target(
        "twitter2017",
        "twitter",
        "twitter",
        "grad/twitter2017",
        ("transfer.target_weight=2.0",),
        ("training.target.evaluate_every=4.1",),
    ),
)
FULL = "multi-cell"
SYSTEMS = {  # table 2, and the rows of table 5 that are as large; how recipes end -> what tables call them
    "target-bilstm": "BILSTM, target only",
    "target": "MULTI-CELL LSTM, target only",
    "multitask": "MULTI-TASK (LSTM)",
    "multitask-one-cell": "MULTI-TASK, one cell",
    "multitask-pgn": "MULTI-TASK+PGN",
    "grad": "MULTI-TASK+GRAD",
    "stacked": "STACKED BILSTMS",
    "expanded": "HIDDEN EXPANSION",
    FULL: "MULTI-CELL LSTM",
}
WITHOUT_ENTITY, WITHOUT_ATTENTION = "context.entity_weight=0.0", "context.attention_weight=0.0"
ABLATIONS = {  # table 5
    "without-ent": ("- L_ent", (WITHOUT_ENTITY,)),
    "without-atten": ("- L_atten", (WITHOUT_ATTENTION,)),
    "without-both": ("- L_ent - L_atten", (WITHOUT_ENTITY, WITHOUT_ATTENTION)),
}
PART = 13_000  # of RAW: the paper's rows with a language model read 1,931 thousand words, LM(ALL) 8,664 thousand
ZERO_SHOT_FULL = "multi-cell-lm-dictionary"
ZERO_SHOT = {  # table 3, and the rows of table 5 that are as large
    "bilstm": "BILSTM",
    "multi-cell": "MULTI-CELL LSTM",
    "bilstm-lm": "BILSTM+LM",
    "bilstm-lm-dictionary": "BILSTM+LM+DICT",
    "stacked": "STACKED BILSTMS+LM+DICT",
    "expanded": "HIDDEN EXPANSION+LM+DICT",
    "multi-cell-lm-part": "MULTI-CELL LSTM+LM, a part of the raw text",
    "multi-cell-lm": "MULTI-CELL LSTM+LM",
    ZERO_SHOT_FULL: "MULTI-CELL LSTM+LM+DICT",
}
HEAVIER = {  # ten times what recipes have a word known by the dictionary weigh
    "bilstm-lm-dictionary": "transfer.dictionary.weight=1.0",
    ZERO_SHOT_FULL: "context.entity_weight=1.0",
}
DICTIONARIES = {  # what tables call the options of `dictionary_options`
    "names-1.0": "names weigh 1.0",
    "lists": "gazetteers beside it",
    "lists-1.0": "gazetteers beside it, names weigh 1.0",
}
CONTEXTS = {"bilstm": "BiLSTM-CRF", FULL: "multi-cell LSTM"}
FROZEN = "encoder.freeze=true"


def system_row(target: Target, system: str) -> Row:
    """A row of table 2."""
    recipe = target.grad if system == "grad" else f"multicell/{target.recipes}-{system}"
    own = target.alone if system.startswith("target") else target.settings
    settings = () if system == "grad" else own
    return Row(f"multicell-{target.short}-{system}", recipe, settings, (target.dataset,), SYSTEMS[system])


def system_rows(targets: Sequence[Target] = TARGETS) -> list[Row]:
    """Table 2, all rows of a target together; tables 4 and figure 2 are other views of the same runs."""
    return [system_row(target, system) for target in targets for system in SYSTEMS]


def ablation_rows(places: Places = USUAL) -> list[Row]:
    """Table 5: the full model of every target and of SciTech, and the same without one loss, and without both."""
    rows = []
    for target in TARGETS:
        full = system_row(target, FULL)
        rows += [full, *(_without(full, f"multicell-{target.short}", ending) for ending in ABLATIONS)]
    zero_shot = {row.name: row for row in zero_shot_rows(places)}
    full = zero_shot[f"multicell-scitech-{ZERO_SHOT_FULL}"]
    rows += [full, *(_without(full, "multicell-scitech", ending) for ending in ("without-ent", "without-atten"))]
    # Without both losses a dictionary has nothing to teach, which is refused: the row is the one with raw text alone.
    neither = _without(zero_shot["multicell-scitech-multi-cell-lm"], "multicell-scitech", "without-both")
    return [*rows, neither]


def _without(full: Row, start: str, ending: str) -> Row:
    said, settings = ABLATIONS[ending]
    return replace(full, name=f"{start}-{ending}", settings=(*full.settings, *settings), said=said)


def zero_shot_rows(places: Places = USUAL) -> list[Row]:
    """Table 3: SciTech News without labels. All rows with a language model read as much, but for one."""
    return [_zero_shot(ending, said, places) for ending, said in ZERO_SHOT.items()]


def _zero_shot(ending: str, said: str, places: Places) -> Row:
    number = PART if ending.endswith("-part") else RAW
    text = (f'transfer.target_raw=["{places.corpora}/tech"]', f"transfer.target_sentences={number}")
    settings = () if ending in ("bilstm", "multi-cell") else text
    recipe = f"multicell/scitech-{ending.removesuffix('-part')}"
    return Row(f"multicell-scitech-{ending}", recipe, settings, (SCITECH,), said)


def dictionary_options(system: str, domain: str, places: Places) -> dict[str, tuple[str, ...]]:
    """Other dictionaries than the recipe's: names that weigh more, and a domain's gazetteers beside the paper's."""
    heavier = HEAVIER[system]
    lists = (f'transfer.dictionary.files=["{places.corpora}/{domain}-names"]', "transfer.dictionary.ordinary=inner")
    return {"names-1.0": (heavier,), "lists": lists, "lists-1.0": (*lists, heavier)}


def dictionary_rows(places: Places = USUAL) -> dict[str, tuple[Row, Row]]:
    """SciTech with these dictionaries: option -> the row of a BiLSTM, the row of cells."""
    found: dict[str, list[Row]] = {}
    for system in HEAVIER:
        row = _zero_shot(system, ZERO_SHOT[system], places)
        for said, own in dictionary_options(system, LIKE_TECH, places).items():
            called = f"{row.said}, {DICTIONARIES[said]}"
            mine = replace(row, name=f"{row.name}-{said}", settings=(*row.settings, *own), said=called)
            found.setdefault(said, []).append(mine)
    return {said: (bilstm, cells) for said, (bilstm, cells) in found.items()}


def feature_rows(data: str) -> list[Row]:
    """CrossNER (data: "crossner") or MIT ("mit"): both contexts over one transformer, that learns or stays as it is."""
    rows = [
        Row(f"multicell-{data}-{context}{ending}", f"multicell/{data}-{context}", settings, said=f"{said}, {how}")
        for ending, settings, how in (("", (), "fine-tuned"), ("-frozen", (FROZEN,), "frozen"))
        for context, said in CONTEXTS.items()
    ]
    return [replace(row, domains=MIT) for row in rows] if data == "mit" else rows


def rows_of_kind(rows: Sequence[Row], kind: str) -> list[Row]:
    """`rows` over encoders of a kind, as they are named in `dapt_bench.py`: the kind stands before."""
    return [replace(row, name=f"{kind}-{row.name}", said=f"{row.said}, {kind}") for row in rows]


def pretrained_rows(rows: Sequence[Row], pattern: str) -> list[Row]:
    """The same with the encoders' place, as in 'encoders/{domain}-integrated-span'; own settings stay the last."""
    found = rows_of_kind(rows, pattern.rpartition("{domain}-")[2])
    return [replace(row, settings=(f"encoder.checkpoint={pattern}", *row.settings)) for row in found]
