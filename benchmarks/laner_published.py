"""What the LANER paper (2022) prints, by the names that its rows have in the grid."""

from collections.abc import Mapping, Sequence

Published = Mapping[str, Sequence[float]]  # row -> scores of the domains and, where printed, the average; percent
FULL, NO_CONTEXT, NO_BACKGROUND, CRF, PLAIN = (  # LANER 2022, table 3, BERT-base-cased, source CoNLL-2003, three runs
    (71.65, 69.29, 73.07, 67.98, 61.72, 68.74),
    (70.94, 71.11, 71.51, 67.24, 59.23, 67.93),  # printed so; the mean of the five is 68.01
    (70.61, 68.43, 70.07, 67.53, 59.41, 67.21),
    (70.47, 66.77, 70.34, 67.15, 58.03, 66.55),
    (68.71, 64.94, 68.30, 63.63, 58.88, 64.89),
)
TABLE_3: Published = {
    "sequential-label-aware": FULL,
    "without-context": NO_CONTEXT,
    "without-background": NO_BACKGROUND,
    "without-both-crf": CRF,
    "without-both": PLAIN,
    "sequential-crf": CRF,
    "sequential-linear": PLAIN,
}
TABLE_4: Published = {
    "direct-linear": (66.56, 63.73, 66.59, 59.95, 50.37, 61.44),
    "direct-label-aware": (68.13, 66.21, 68.75, 61.37, 53.09, 63.51),
}
TABLE_3_MIT: Published = {
    "mit-sequential-linear": (69.80, 78.63),
    "mit-sequential-crf": (69.92, 78.74),
    "mit-sequential-label-aware": (72.41, 80.55),
}
GAINS = {"without a source": 2.07, "with CoNLL-2003": 3.85}  # LANER minus BERT tagger, tables 4 and 3
