"""What papers print on the benchmarks of docs/results.md, and which recipe here stands beside each number."""

from typing import NamedTuple


class Printed(NamedTuple):
    """One published row. scores: targets of the benchmark, in percent, None where nothing is printed.

    recipe: what stands beside it here, one or several with spaces between; empty: nothing does. raw_text: only with
    an encoder that was pre-trained on text of the domain.
    """

    name: str
    encoder: str
    paper: str
    scores: tuple[float | None, ...]
    recipe: str = ""
    raw_text: bool = False


BERT, GLOVE, GLOVE_100, PUBMED = "BERT-base-cased", "GloVe", "GloVe 100d", "PubMed 200d"
CROSSNER, LANER, JIA_2019, JIA_2020 = "CrossNER 2021", "LANER 2022", "Jia et al. 2019", "Jia & Zhang 2020"
PUBLISHED: dict[str, tuple[Printed, ...]] = {
    "crossner": (
        Printed("BiLSTM-CRF, word", GLOVE, CROSSNER, (52.52, 44.60, 40.77, 35.69, 38.24), "bilstm/joint-crf"),
        Printed("BiLSTM-CRF, word + char", GLOVE, CROSSNER, (56.60, 49.97, 44.79, 43.03, 43.56), "bilstm/joint-crf"),
        Printed("Coach, word", GLOVE, CROSSNER, (54.01, 44.88, 45.58, 36.18, 40.41), "bilstm/joint-coach"),
        Printed("Coach, word + char", GLOVE, CROSSNER, (61.50, 52.09, 51.66, 48.35, 45.15), "bilstm/joint-coach"),
        Printed("cross-domain LM", GLOVE, CROSSNER, (68.44, 64.31, 63.56, 59.59, 53.70), "pgn/crossner"),
        Printed("FLAIR", "FLAIR", LANER, (69.54, 64.71, 65.60, 61.35, 52.48), "bilstm/flair-sequential-crf"),
        Printed("BARTNER", "BART-base", LANER, (69.90, 65.14, 65.35, 58.93, 53.00)),
        Printed(
            "multi-cell LSTM", BERT, CROSSNER, (70.56, 66.42, 70.52, 66.96, 58.28), "multicell/crossner-multi-cell"
        ),
        Printed(
            "multi-cell LSTM + DAPT",
            BERT,
            CROSSNER,
            (71.45, 67.68, 74.19, 68.63, 61.64),
            "multicell/crossner-multi-cell",
            True,
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
        Printed("multi-cell LSTM", BERT, LANER, (69.41, 78.67), "multicell/mit-multi-cell"),
        Printed("BERT tagger", BERT, LANER, (69.80, 78.63), "mit/sequential-linear"),
        Printed("BERT-CRF", BERT, LANER, (69.92, 78.74), "mit/sequential-crf"),
        Printed("LANER", BERT, LANER, (72.41, 80.55), "mit/sequential-label-aware"),
    ),
    "bionlp": (
        Printed("STM-TARGET", GLOVE_100, JIA_2019, (82.59, 76.55), "bionlp/stm-target"),
        Printed("MULTITASK(NER+LM)", GLOVE_100, JIA_2019, (81.33, 75.27), "pgn/multitask-ner-lm"),
        Printed("MULTITASK(NER)", GLOVE_100, JIA_2019, (83.09, 77.73), "pgn/multitask-ner"),
        Printed("FINETUNE", GLOVE_100, JIA_2019, (82.55, 76.73), "bionlp/finetune"),
        Printed("STM + ELMo", "GloVe 100d, ELMo", JIA_2019, (82.76, 78.24), "bionlp/stm-elmo"),
        Printed("CO-LM", GLOVE_100, JIA_2019, (84.43, 78.60), "pgn/co-lm"),
        Printed("CO-NER", GLOVE_100, JIA_2019, (83.87, 78.43), "pgn/co-ner"),
        Printed("MIX-DATA", GLOVE_100, JIA_2019, (83.88, 78.70), "pgn/mix-data"),
        Printed("cross-domain LM", GLOVE_100, JIA_2019, (85.54, 79.86), "pgn/supervised"),
        Printed("BiLSTM", PUBMED, JIA_2020, (None, 79.24), "multicell/bionlp-target-bilstm"),
        Printed("multi-cell LSTM, target only", PUBMED, JIA_2020, (None, 78.76), "multicell/bionlp-target"),
        Printed("MULTI-TASK, from 13PC", PUBMED, JIA_2020, (None, 81.06), "multicell/bionlp-multitask"),
        Printed(
            "MULTI-TASK [REPRO], from 13PC", PUBMED, JIA_2020, (None, 81.45), "multicell/bionlp-multitask-one-cell"
        ),
        Printed("MULTI-TASK+PGN, from 13PC", PUBMED, JIA_2020, (None, 81.17), "multicell/bionlp-multitask-pgn"),
        Printed("MULTI-TASK+GRAD, from 13PC", PUBMED, JIA_2020, (None, 81.63), "grad/bionlp13cg"),
        Printed("stacked BiLSTMs, from 13PC", PUBMED, JIA_2020, (None, 80.61), "multicell/bionlp-stacked"),
        Printed("hidden expansion, from 13PC", PUBMED, JIA_2020, (None, 80.32), "multicell/bionlp-expanded"),
        Printed("multi-cell LSTM, from 13PC", PUBMED, JIA_2020, (None, 83.12), "multicell/bionlp-multi-cell"),
        Printed("multi-cell LSTM + BioBERT, from 13PC", "BioBERT", JIA_2020, (None, 86.96)),
    ),
    "twitter": (
        Printed("BiLSTM", GLOVE_100, JIA_2020, (72.98, None), "multicell/twitter-target-bilstm"),
        Printed("multi-cell LSTM, target only", GLOVE_100, JIA_2020, (72.54, None), "multicell/twitter-target"),
        Printed("MULTI-TASK", GLOVE_100, JIA_2020, (73.84, None), "multicell/twitter-multitask"),
        Printed("MULTI-TASK [REPRO]", GLOVE_100, JIA_2020, (73.82, None), "multicell/twitter-multitask-one-cell"),
        Printed("MULTI-TASK+PGN", GLOVE_100, JIA_2020, (73.70, None), "multicell/twitter-multitask-pgn"),
        Printed("MULTI-TASK+GRAD", GLOVE_100, JIA_2020, (74.12, None), "grad/broad-twitter grad/twitter2017"),
        Printed("stacked BiLSTMs", GLOVE_100, JIA_2020, (73.86, None), "multicell/twitter-stacked"),
        Printed("hidden expansion", GLOVE_100, JIA_2020, (72.34, None), "multicell/twitter-expanded"),
        Printed("multi-cell LSTM", GLOVE_100, JIA_2020, (74.82, None), "multicell/twitter-multi-cell"),
        Printed("multi-cell LSTM + BERT", "BERT-base", JIA_2020, (78.43, None)),
    ),
    "scitech": (
        Printed("BiLSTM", GLOVE_100, JIA_2020, (70.73,), "multicell/scitech-bilstm pgn/scitech-stm-source"),
        Printed("multi-cell LSTM", GLOVE_100, JIA_2020, (70.03,), "multicell/scitech-multi-cell"),
        Printed("BiLSTM + LM", GLOVE_100, JIA_2020, (71.30,), "multicell/scitech-bilstm-lm"),
        Printed("BiLSTM + LM + dictionary", GLOVE_100, JIA_2020, (72.49,), "multicell/scitech-bilstm-lm-dictionary"),
        Printed("stacked BiLSTMs + LM + dictionary", GLOVE_100, JIA_2020, (69.62,), "multicell/scitech-stacked"),
        Printed("hidden expansion + LM + dictionary", GLOVE_100, JIA_2020, (73.17,), "multicell/scitech-expanded"),
        Printed("multi-cell LSTM + LM", GLOVE_100, JIA_2020, (72.81,), "multicell/scitech-multi-cell-lm"),
        Printed("multi-cell LSTM + LM, all raw text", GLOVE_100, JIA_2020, (73.56,)),
        Printed(
            "multi-cell LSTM + LM + dictionary",
            GLOVE_100,
            JIA_2020,
            (75.19,),
            "multicell/scitech-multi-cell-lm-dictionary",
        ),
        Printed("BERT", "BERT-base", JIA_2020, (74.23,)),
    ),
}
AVERAGES = {  # as printed, where the numbers beside them have another mean
    ("crossner", "FLAIR"): 62.73,
    ("crossner", "multi-cell LSTM + DAPT"): 68.71,
    ("crossner", "TOPT"): 78.78,
}
