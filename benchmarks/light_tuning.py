"""Settings of multi-task transfer and parameter generation that are tried before the tables are made; dev chooses.

Without labels of the target nothing can be chosen on it. Settings are then chosen on other targets of the same kind, on
their dev sets: politics and literature of CrossNER with the labels of news (`light_texts.py`).
"""

from label_aware_grid import Row
from light_rows import Places, raw_text

OTHERS = ("politics", "literature")
NO_DATASET = "none"  # the target is files
WEIGHTS = {f"weight-{weight}": (f"transfer.words_weight={weight}",) for weight in ("0.03", "0.3", "1.0")}
TARGETS = {f"target-{weight}": (f"transfer.target_weight={weight}",) for weight in ("1.0", "2.0")}
BIO = {"bio": ("tagger.scheme=BIO",)}
SLOW = ("context.embedding_rate=0.1",)
SHARED = ("context.likeness=0.9", "context.start=shared")
LIKE = {  # beside those of the zero-shot recipe
    "random": (
        "context.likeness=0.0",
        "context.task_likeness=0.0",
        "context.start=random",
        "context.embedding_rate=1.0",
    ),
    "likeness-0.9": ("context.likeness=0.9",),
    "tasks-apart": ("context.task_likeness=0.5",),
    "fast": ("context.embedding_rate=1.0",),
}


def rates(rate: str) -> tuple[str, ...]:
    return f"training.learning_rate={rate}", f"training.head_learning_rate={rate}"


def as_news(domain: str, places: Places) -> tuple[str, ...]:
    """Settings that make files of `domain` the target; its dev set is scored in the place of a test set."""
    folder = f"{places.corpora}/{domain}-as-news"
    files = {"train": "train", "dev": "dev", "test": "dev"}
    return tuple(f"target.files.{split}={folder}/{name}.txt" for split, name in files.items())


def tuning_rows(places: Places) -> list[Row]:
    """Settings that are chosen on dev: of 13PC with labels; without, of other domains than technology."""
    labelled = {
        "stm": (
            "bionlp/stm-target",
            {
                "1e-3": rates("1e-3"),
                "5e-3": rates("5e-3"),
                "rmsprop": ("training.optimizer=rmsprop", *rates("1e-3")),
                **BIO,
            },
        ),
        "mt": ("pgn/multitask-ner", {"1e-3": rates("1e-3"), "5e-3": rates("5e-3"), **TARGETS}),
        "full": (
            "pgn/supervised",
            {
                "1e-3": rates("1e-3"),
                "5e-3": rates("5e-3"),
                **WEIGHTS,
                **TARGETS,
                "half": ("context.likeness=0.5",),
                "shared": SHARED,
                "slow": SLOW,
                "log-q": ("transfer.words.log_q=true",),
            },
        ),
    }
    unlabelled = {
        "stm": ("pgn/scitech-stm-source", {"1e-3": rates("1e-3")}),
        "lm": ("pgn/scitech-multitask-lm", {"1e-3": rates("1e-3"), **WEIGHTS}),
        "full": (
            "pgn/scitech-zero-shot",
            {"1e-3": rates("1e-3"), **WEIGHTS, **LIKE, "log-q": ("transfer.words.log_q=true",)},
        ),
    }
    rows = [
        Row(f"tune-{name}-{said}", recipe, own, ("bionlp13pc",), f"{name}, {said}")
        for name, (recipe, options) in labelled.items()
        for said, own in {"base": (), **options}.items()
    ]
    for domain in OTHERS:
        for name, (recipe, options) in unlabelled.items():
            text = () if name == "stm" else raw_text(domain, places)
            files = as_news(domain, places)
            rows += [
                Row(f"tune0-{name}-{said}-{domain}", recipe, (*files, *text, *own), (NO_DATASET,), f"{name}, {said}")
                for said, own in {"base": (), **options}.items()
            ]
    return rows
