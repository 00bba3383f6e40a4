"""What papers print on the benchmarks of docs/results.md, and which recipe here stands beside each number."""

from typing import NamedTuple


class Printed(NamedTuple):
    """One published row. scores: targets of the benchmark, in percent, None where nothing is printed.

    recipe: what stands beside it here; empty: nothing does. raw_text: only with the pre-training of that recipe.
    """

    name: str
    encoder: str
    paper: str
    scores: tuple[float | None, ...]
    recipe: str = ""
    raw_text: bool = False


BERT, GLOVE = "BERT-base-cased", "GloVe"
CROSSNER, LANER, JIA_2019, JIA_2020 = "CrossNER 2021", "LANER 2022", "Jia et al. 2019", "Jia & Zhang 2020"
PUBLISHED: dict[str, tuple[Printed, ...]] = {
    "crossner": (
        Printed("BiLSTM-CRF, word", GLOVE, CROSSNER, (52.52, 44.60, 40.77, 35.69, 38.24), "bilstm/joint-crf"),
        Printed("BiLSTM-CRF, word + char", GLOVE, CROSSNER, (56.60, 49.97, 44.79, 43.03, 43.56), "bilstm/joint-crf"),
        Printed("Coach, word", GLOVE, CROSSNER, (54.01, 44.88, 45.58, 36.18, 40.41), "bilstm/joint-coach"),
        Printed("Coach, word + char", GLOVE, CROSSNER, (61.50, 52.09, 51.66, 48.35, 45.15), "bilstm/joint-coach"),
        Printed("cross-domain LM", GLOVE, CROSSNER, (68.44, 64.31, 63.56, 59.59, 53.70), "pgn/supervised"),
        Printed("FLAIR", "FLAIR", LANER, (69.54, 64.71, 65.60, 61.35, 52.48), "bilstm/flair-sequential-crf"),
        Printed("BARTNER", "BART-base", LANER, (69.90, 65.14, 65.35, 58.93, 53.00)),
        Printed("multi-cell LSTM", BERT, CROSSNER, (70.56, 66.42, 70.52, 66.96, 58.28), "multi-cell/crossner"),
        Printed(
            "multi-cell LSTM + DAPT", BERT, CROSSNER, (71.45, 67.68, 74.19, 68.63, 61.64), "multi-cell/crossner", True
        ),
        Printed("BERT tagger, direct", BERT, CROSSNER, (66.56, 63.73, 66.59, 59.95, 50.37), "direct-linear"),
        Printed("BERT tagger, sequential", BERT, CROSSNER, (68.71, 64.94, 68.30, 63.63, 58.88), "sequential-linear"),
        Printed("BERT tagger, joint", BERT, CROSSNER, (68.85, 65.03, 67.59, 62.57, 58.57), "joint-linear"),
        Printed("direct + DAPT", BERT, CROSSNER, (70.45, 67.59, 73.39, 64.96, 56.36), "direct-linear", True),
        Printed("sequential + DAPT", BERT, CROSSNER, (72.05, 68.78, 75.71, 69.04, 62.56), "sequential-linear", True),
        Printed("joint + DAPT", BERT, CROSSNER, (72.76, 68.28, 74.30, 65.18, 63.07), "joint-linear", True),
        Printed("BERT-CRF", BERT, LANER, (70.47, 66.77, 70.34, 67.15, 58.03), "sequential-crf"),
        Printed("LANER, in-domain", BERT, LANER, (68.13, 66.21, 68.75, 61.37, 53.09), "direct-label-aware"),
        Printed(
            "LANER, in-domain + DAPT", BERT, LANER, (71.83, 69.23, 74.79, 66.35, 58.12), "direct-label-aware", True
        ),
        Printed("LANER", BERT, LANER, (71.65, 69.29, 73.07, 67.98, 61.72), "sequential-label-aware"),
        Printed("LANER + DAPT", BERT, LANER, (74.06, 71.83, 78.78, 71.11, 65.79), "sequential-label-aware", True),
        Printed(
            "LANER, several sources",
            BERT,
            "later work",
            (72.81, 70.53, 72.22, 68.87, 64.21),
            "sequential-domains-label-aware",
        ),
        Printed("CP-NER", "T5", "later work", (74.25, 75.82, 79.10, 72.17, 67.95)),
        Printed("TOPT", "Flan-T5-base", "later work", (81.55, 80.16, 82.03, 77.85, 72.34)),
    ),
    "mit": (
        Printed("LSTM-CRF", GLOVE, LANER, (68.31, 78.13), "mit/bilstm-sequential-crf"),
        Printed("Coach", GLOVE, LANER, (67.62, 77.82), "mit/bilstm-sequential-coach"),
        Printed("BARTNER", "BART-base", LANER, (71.55, 79.53)),
        Printed("multi-cell LSTM", BERT, LANER, (69.41, 78.67), "multi-cell/mit"),
        Printed("BERT tagger", BERT, LANER, (69.80, 78.63), "mit/sequential-linear"),
        Printed("BERT-CRF", BERT, LANER, (69.92, 78.74), "mit/sequential-crf"),
        Printed("LANER", BERT, LANER, (72.41, 80.55), "mit/sequential-label-aware"),
    ),
    "bionlp": (
        Printed("STM-TARGET", "GloVe 100d", JIA_2019, (82.59, 76.55), "bionlp/stm-target"),
        Printed("MULTITASK(NER+LM)", "GloVe 100d", JIA_2019, (81.33, 75.27), "pgn/multitask-ner-lm"),
        Printed("MULTITASK(NER)", "GloVe 100d", JIA_2019, (83.09, 77.73), "pgn/multitask-ner"),
        Printed("FINETUNE", "GloVe 100d", JIA_2019, (82.55, 76.73), "bionlp/finetune"),
        Printed("STM + ELMo", "GloVe 100d, ELMo", JIA_2019, (82.76, 78.24), "bionlp/stm-elmo"),
        Printed("CO-LM", "GloVe 100d", JIA_2019, (84.43, 78.60), "pgn/co-lm"),
        Printed("CO-NER", "GloVe 100d", JIA_2019, (83.87, 78.43), "pgn/co-ner"),
        Printed("MIX-DATA", "GloVe 100d", JIA_2019, (83.88, 78.70), "pgn/mix-data"),
        Printed("cross-domain LM", "GloVe 100d", JIA_2019, (85.54, 79.86), "pgn/supervised"),
        Printed("BiLSTM (source 13PC)", "PubMed 200d", JIA_2020, (None, 79.24)),
        Printed("MULTI-TASK (source 13PC)", "PubMed 200d", JIA_2020, (None, 81.06)),
        Printed("MULTI-TASK + GRAD (source 13PC)", "PubMed 200d", JIA_2020, (None, 81.63), "grad/bionlp13cg"),
        Printed("multi-cell LSTM (source 13PC)", "PubMed 200d", JIA_2020, (None, 83.12), "multi-cell/bionlp13cg"),
        Printed("multi-cell LSTM + BioBERT (source 13PC)", "BioBERT", JIA_2020, (None, 86.96)),
    ),
    "twitter": (
        Printed("BiLSTM", "GloVe 100d", JIA_2020, (72.98, None)),
        Printed("MULTI-TASK", "GloVe 100d", JIA_2020, (73.84, None)),
        Printed("MULTI-TASK + PGN", "GloVe 100d", JIA_2020, (73.70, None)),
        Printed("MULTI-TASK + GRAD", "GloVe 100d", JIA_2020, (74.12, None), "grad/broad-twitter"),
        Printed("multi-cell LSTM", "GloVe 100d", JIA_2020, (74.82, None), "multi-cell/broad-twitter"),
        Printed("multi-cell LSTM + BERT", "BERT", JIA_2020, (78.43, None)),
    ),
    "scitech": (
        Printed("BiLSTM", "GloVe 100d", JIA_2020, (70.73,), "pgn/scitech-stm-source"),
        Printed("multi-cell LSTM", "GloVe 100d", JIA_2020, (70.03,)),
        Printed("BiLSTM + LM", "GloVe 100d", JIA_2020, (71.30,), "pgn/scitech-multitask-lm"),
        Printed("BiLSTM + LM + dictionary", "GloVe 100d", JIA_2020, (72.49,)),
        Printed("multi-cell LSTM + LM", "GloVe 100d", JIA_2020, (72.81,)),
        Printed("multi-cell LSTM + LM, all raw text", "GloVe 100d", JIA_2020, (73.56,)),
        Printed("multi-cell LSTM + LM + dictionary", "GloVe 100d", JIA_2020, (75.19,)),
        Printed("BERT", "BERT-base", JIA_2020, (74.23,)),
    ),
}
AVERAGES = {  # as printed, where the numbers beside them have another mean
    ("crossner", "FLAIR"): 62.73,
    ("crossner", "multi-cell LSTM + DAPT"): 68.71,
    ("crossner", "TOPT"): 78.78,
}
