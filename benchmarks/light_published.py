"""What the papers print, by the names that the rows of `light_rows.py` have; percent."""

from collections.abc import Mapping, Sequence

Published = Mapping[str, Sequence[float]]
TABLE_3: Published = {  # Jia et al. 2019, GloVe 100d: 13PC, 13CG
    "bionlp-stm-target": (82.59, 76.55),
    "bionlp-multitask-ner-lm": (81.33, 75.27),
    "bionlp-multitask-ner": (83.09, 77.73),
    "bionlp-finetune": (82.55, 76.73),
    "bionlp-stm-elmo": (82.76, 78.24),
    "bionlp-co-lm": (84.43, 78.60),
    "bionlp-co-ner": (83.87, 78.43),
    "bionlp-mix-data": (83.88, 78.70),
    "bionlp-supervised": (85.54, 79.86),
}
TABLE_4: Published = {  # Jia et al. 2019, on the test file of 2019: precision, recall, F1
    "scitech-stm-source": (63.87, 71.28, 67.37),
    "scitech-self-train": (62.56, 75.04, 68.24),
    "scitech-dann": (65.14, 73.84, 69.22),
    "scitech-elmo-source": (65.43, 70.14, 67.70),
    "scitech-elmo-target": (67.78, 72.73, 70.17),
    "scitech-elmo-both": (67.19, 74.93, 70.85),
    "scitech-zero-shot": (68.48, 79.52, 73.59),
}
SCITECH_2020 = "BiLSTM 70.73, BiLSTM + LM 71.30, multi-cell LSTM 70.03, multi-cell LSTM + LM 72.81"
TABLE_5 = {  # Jia et al. 2019: correct entities of STM-SOURCE and of the full model, on the test file of 2019
    "person": (1501, 1569),
    "location": (469, 512),
    "organisation": (941, 1050),
    "misc": (134, 193),
}
CROSSNER: Published = {  # CrossNER 2021, table 2, GloVe 300d (char: n-gram vectors), joint; FLAIR: LANER 2022, table 2
    "crossner-crf-word-joint": (52.52, 44.60, 40.77, 35.69, 38.24, 42.36),
    "crossner-crf-char-joint": (56.60, 49.97, 44.79, 43.03, 43.56, 47.59),
    "crossner-coach-word-joint": (54.01, 44.88, 45.58, 36.18, 40.41, 44.21),
    "crossner-coach-char-joint": (61.50, 52.09, 51.66, 48.35, 45.15, 51.75),
    "crossner-flair-sequential": (69.54, 64.71, 65.60, 61.35, 52.48, 62.73),
    "crossner-pgn": (68.44, 64.31, 63.56, 59.59, 53.70, 61.92),
}
MIT: Published = {  # LANER 2022, table 3: movie, restaurant
    "mit-crf-sequential": (68.31, 78.13),
    "mit-coach-sequential": (67.62, 77.82),
}
