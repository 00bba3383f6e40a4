"""What papers print of the multi-cell LSTM and what stands beside it, by the names of `multi_cell_rows.py`; percent."""

from collections.abc import Mapping

from light_published import Published

CALLED: Mapping[str, str] = {  # endings of rows -> what the paper calls the row beside them, where that is another one
    "multitask-one-cell": "MULTI-TASK (LSTM)[REPRO]",
    "stacked": "STACKED BILSTMS",  # of SciTech it is not said whether they have LM and DICT
    "expanded": "HIDDEN EXPANSION",
}
TABLE_2: Mapping[str, Mapping[str, tuple[float, str]]] = {  # Jia and Zhang 2020: F1 and number of parameters
    "bionlp13cg": {
        "target-bilstm": (79.24, "304K"),
        "target": (78.76, "2,704K"),
        "multitask": (81.06, "309K"),
        "multitask-one-cell": (81.45, "312K"),
        "multitask-pgn": (81.17, "4,533K"),
        "grad": (81.63, "447K"),
        "multi-cell": (83.12, "2,929K"),
    },
    "broad_twitter": {
        "target-bilstm": (72.98, "210K"),
        "target": (72.54, "641K"),
        "multitask": (73.84, "214K"),
        "multitask-one-cell": (73.82, "214K"),
        "multitask-pgn": (73.70, "3,238K"),
        "grad": (74.12, "342K"),
        "multi-cell": (74.82, "827K"),
    },
    "twitter2017": {
        "target-bilstm": (77.18, "211K"),
        "target": (77.05, "743K"),
        "multitask": (79.55, "215K"),
        "multitask-one-cell": (79.90, "215K"),
        "multitask-pgn": (80.07, "3,239K"),
        "grad": (79.72, "344K"),
        "multi-cell": (81.37, "828K"),
    },
}
TABLE_3: Mapping[str, tuple[float, str, str]] = {  # the same paper: F1, number of parameters, words of raw text
    "bilstm": (70.73, "211K", "-"),
    "multi-cell": (70.03, "743K", "-"),
    "bilstm-lm": (71.30, "211K", "1,931K words"),
    "bilstm-lm-dictionary": (72.49, "212K", "1,931K words"),
    "multi-cell-lm": (72.81, "743K", "1,931K words"),
    "multi-cell-lm-dictionary": (75.19, "743K", "1,931K words"),
}
TABLE_3_ALL = 'Of the paper besides: "LM(ALL)", 8,664 thousand words of raw text: 73.56; Jia et al. 2019: 73.59.'
TABLE_4: Mapping[str, tuple[float, float, float]] = {  # the same paper, 13CG: F1 of LSTM, MULTI, Ours
    "Simple_chemical": (69.13, 73.57, 74.95),
    "Cellular_component": (78.29, 79.67, 80.00),
    "Gene_or_gene_product": (82.79, 85.83, 86.67),
    "Cell": (85.00, 85.14, 87.10),
    "Organism": (79.08, 79.47, 81.92),
    "all": (79.23, 81.05, 82.70),
}
TABLE_4_READ = (
    "Of the paper, SPE (species) is read as Organism, GGP as Gene_or_gene_product; its full model has 83.12 in "
    "table 2, 83.15 in table 5 and 82.70 here."
)
TABLE_5: Mapping[str, Mapping[str, float]] = {  # the same paper: row -> target -> F1
    "full": {"bionlp13cg": 83.15, "broad_twitter": 74.82, "cbs_scitech": 75.19},
    "without-ent": {"bionlp13cg": 82.71, "broad_twitter": 73.97, "cbs_scitech": 74.95},
    "without-atten": {"bionlp13cg": 81.65, "broad_twitter": 73.25, "cbs_scitech": 73.04},
    "without-both": {"bionlp13cg": 81.74, "broad_twitter": 73.64, "cbs_scitech": 72.59},
    "bilstm": {"bionlp13cg": 81.06, "broad_twitter": 73.84, "cbs_scitech": 72.49},
    "stacked": {"bionlp13cg": 80.61, "broad_twitter": 73.86, "cbs_scitech": 69.62},
    "expanded": {"bionlp13cg": 80.32, "broad_twitter": 72.34, "cbs_scitech": 73.17},
}
CROSSNER: Published = {"multicell-crossner-multi-cell": (70.56, 66.42, 70.52, 66.96, 58.28, 66.55)}  # CrossNER 2021
CROSSNER_DAPT = (71.45, 67.68, 74.19, 68.63, 61.64, 68.71)  # the same, over encoders that were pre-trained
CALLED_FEATURES = {  # papers do not say whether BERT learns; in the public code it stays as it is, beside word vectors
    "multicell-crossner-multi-cell": "Multi-Cell LSTM",
    "multicell-mit-multi-cell": "Multi-Cell LSTM",
}
DAPT = "Multi-Cell LSTM + DAPT"
MIT: Published = {"multicell-mit-multi-cell": (69.41, 78.67)}  # LANER 2022: movie, restaurant
OTHER_TWITTER = "Twitter-2017 of the paper is another set: ours is a part of it."
