"""What CrossNER 2021 and LANER 2022 print about pre-training on text of the domain (BERT-base-cased, three runs)."""

from collections.abc import Mapping, Sequence

from crossner_cells import DOMAINS
from dapt_grid import NONE
from laner_published import CRF, FULL, NO_BACKGROUND, NO_CONTEXT, PLAIN, TABLE_4, Published

# Table 2 of CrossNER: politics, science, music, literature, ai, average.
DIRECT: Published = {
    NONE: TABLE_4["direct-linear"],
    "domain-token": (67.21, 64.63, 70.56, 62.54, 53.66, 63.72),
    "entity-token": (67.59, 65.97, 70.64, 63.77, 53.94, 64.38),
    "task-token": (67.30, 65.04, 70.37, 62.10, 53.19, 63.60),
    "integrated-token": (68.83, 66.55, 72.42, 63.95, 55.44, 65.44),
    "entity-span": (68.58, 66.70, 71.62, 64.67, 55.65, 65.44),
    "task-span": (68.37, 65.84, 70.66, 63.85, 54.48, 64.64),
    "integrated-span": (70.45, 67.59, 73.39, 64.96, 56.36, 66.55),
}
SEQUENTIAL: Published = {
    NONE: PLAIN,
    "domain-token": (69.37, 66.68, 72.05, 65.15, 61.48, 66.95),
    "entity-token": (70.32, 67.03, 71.55, 65.76, 61.52, 67.24),
    "task-token": (70.21, 65.99, 71.74, 65.32, 60.29, 66.71),
    "integrated-token": (71.44, 67.53, 74.02, 66.57, 61.90, 68.29),
    "entity-span": (71.85, 68.04, 73.34, 66.28, 61.66, 68.23),
    "task-span": (70.77, 67.41, 73.01, 66.58, 61.68, 67.89),
    "integrated-span": (72.05, 68.78, 75.71, 69.04, 62.56, 69.63),
}
JOINT: Published = {
    NONE: (68.85, 65.03, 67.59, 62.57, 58.57, 64.52),
    "domain-token": (69.49, 66.37, 71.94, 63.74, 60.53, 66.41),
    "entity-token": (70.01, 66.55, 71.51, 63.35, 61.29, 66.54),
    "task-token": (70.14, 66.06, 70.70, 62.68, 60.14, 65.94),
    "integrated-token": (71.09, 67.58, 72.57, 64.27, 62.55, 67.61),
    "entity-span": (71.90, 68.04, 71.98, 64.23, 61.63, 67.55),
    "task-span": (71.31, 67.75, 71.17, 63.24, 60.83, 66.86),
    "integrated-span": (72.76, 68.28, 74.30, 65.18, 63.07, 68.72),
}
# Tables 2 to 4 of LANER: without, and with pre-training (spans, integrated level).
LABEL_AWARE: Published = {NONE: FULL, "integrated-span": (74.06, 71.83, 78.78, 71.11, 65.79, 72.31)}
SEQUENTIAL_CRF: Published = {NONE: CRF, "integrated-span": (73.07, 68.99, 77.53, 68.82, 62.63, 70.21)}
WITHOUT_LC: Published = {NONE: NO_CONTEXT, "integrated-span": (73.99, 71.55, 78.71, 70.38, 64.78, 71.89)}
WITHOUT_LB: Published = {NONE: NO_BACKGROUND, "integrated-span": (73.94, 70.81, 77.41, 69.45, 62.82, 70.88)}
IN_DOMAIN: Published = {
    NONE: TABLE_4["direct-label-aware"],
    "integrated-span": (71.83, 69.23, 74.79, 66.35, 58.12, 68.06),
}
BY_TAGGER: Mapping[str, Published] = {
    "direct-linear": DIRECT,
    "sequential-linear": SEQUENTIAL,
    "joint-linear": JOINT,
    "sequential-label-aware": LABEL_AWARE,
    "sequential-crf": SEQUENTIAL_CRF,
    "without-context": WITHOUT_LC,
    "without-background": WITHOUT_LB,
    "direct-label-aware": IN_DOMAIN,
}
# Table 4 of CrossNER: labels of music without and with pre-training, direct and sequential.
MUSIC_LABELS = {
    "musicgenre": (77.35, 78.89, 79.12, 80.82),
    "song": (26.57, 42.63, 42.04, 58.67),
    "band": (71.65, 83.03, 68.45, 82.72),
    "album": (60.61, 65.93, 61.79, 69.28),
    "musicalartist": (80.71, 85.70, 76.75, 84.58),
    "country": (84.93, 83.86, 88.85, 85.61),
    "location": (67.82, 77.17, 78.47, 80.54),
    "organisation": (59.36, 69.43, 69.70, 75.16),
    "person": (7.97, 10.09, 10.15, 12.59),
    "misc": (17.20, 19.20, 29.80, 28.67),
}
MUSIC_COLUMNS = ("direct", "direct, pre-trained", "sequential", "sequential, pre-trained")


def published_for(names: Mapping[str, tuple[str, str]], domains: Sequence[str]) -> Published:
    """What is printed for rows, with the mean over `domains`; names: row -> tagger and kind of encoder."""
    found = {row: BY_TAGGER.get(tagger, {}).get(kind) for row, (tagger, kind) in names.items()}
    return {row: _shown(scores, domains) for row, scores in found.items() if scores is not None}


def _shown(scores: Sequence[float], domains: Sequence[str]) -> list[float]:
    each = [scores[DOMAINS.index(domain)] for domain in domains]
    return [*each, scores[len(DOMAINS)] if tuple(domains) == DOMAINS else sum(each) / len(each)]
