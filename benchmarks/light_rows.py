"""The rows of the experiments of `light_grid.py`, each as its table or figure has them, and the raw text they read."""

from dataclasses import replace
from typing import NamedTuple

from label_aware_grid import MIT, Row

BIONLP = ("bionlp13pc", "bionlp13cg")
SCITECH, SCITECH_2019 = "cbs_scitech", "cbs_scitech-2019"
LIKE_TECH = "ai"  # the domain whose gazetteers go with text of technology
CORPORA = "corpora"  # a folder beside the place where the bench is started
RAW = 58_000  # sentences of each side: as many as there are of technology
SIZES = (100, 250, 500, 1000, 2000)  # target sentences of figure 6; all of them is the row of table 3
SHARES = (10, 25, 50, 75)  # percent of RAW on the axis of figure 8; 100 is the row of table 4
STEPS, BATCH = 3000, 60  # of the recipes in recipes/bionlp and recipes/pgn
# How names begin of what journals say of other tasks.
WATCHED = ("perplexity ", "f1 ", "discriminator_accuracy", "entity_f1", "attention_f1")
TRAINED_ON_ALL = 13  # evaluations of such a run
BUDGET = (  # of those recipes, for rows of the same tables whose recipes have another one
    "training.learning_rate=3e-3",
    "training.head_learning_rate=3e-3",
    "training.schedule=linear",
    f"training.batch_sentences={BATCH}",
    "training.patience=1000",
    f"training.joint.max_steps={STEPS}",
    "training.joint.epochs=1000",
)


class Places(NamedTuple):
    """Where raw text and word vectors lie. corpora: a folder; vectors: a name or FILE:NUMBER, of `light_texts.py`."""

    corpora: str = CORPORA
    vectors: str = "glove"

    @property
    def word_vectors(self) -> dict[str, str | int]:
        """Keys of an encoder that reads them: where they lie, and how many words of their head are known anyway."""
        name, _, number = self.vectors.partition(":")
        return {"vectors": name, "frequent": int(number)} if number else {"vectors": name}


USUAL = Places()


def raw_text(domain: str, places: Places, *, target: int = RAW, source: int = RAW) -> tuple[str, ...]:
    """Settings that name raw text of news and of a domain, and how many sentences of each are read."""
    return (
        f'transfer.source_raw=["{places.corpora}/newswire"]',
        f'transfer.target_raw=["{places.corpora}/{domain}"]',
        f"transfer.source_sentences={source}",
        f"transfer.target_sentences={target}",
    )


def bionlp_rows(places: Places = USUAL) -> list[Row]:
    """Table 3 of Jia et al. 2019; figures 3, 4 and 7 are other views of the same runs."""
    said = {
        "bionlp/stm-target": "STM-TARGET",
        "pgn/multitask-ner-lm": "MULTITASK(NER+LM)",
        "pgn/multitask-ner": "MULTITASK(NER)",
        "bionlp/finetune": "FINETUNE",
        "bionlp/stm-elmo": "STM+ELMO",
        "pgn/co-lm": "CO-LM",
        "pgn/co-ner": "CO-NER",
        "pgn/mix-data": "MIX-DATA",
        "pgn/supervised": "FINAL",
    }
    rows = [
        Row(f"bionlp-{recipe.partition('/')[2]}", recipe, domains=BIONLP, said=name) for recipe, name in said.items()
    ]
    elmo = (f"encoder.parts.1.checkpoint={places.corpora}/lm-{{domain}}",)
    return [replace(row, settings=elmo) if row.recipe.endswith("-elmo") else row for row in rows]


def scitech_rows(places: Places) -> list[Row]:
    """Table 4 of Jia et al. 2019, and a shared BiLSTM that learns from the same streams as the full model."""
    raw = raw_text("tech", places)
    target = raw[1], raw[3]
    rows = [
        Row("scitech-stm-source", "pgn/scitech-stm-source", said="STM-SOURCE"),
        Row("scitech-self-train", "pgn/scitech-self-train", (*target, *BUDGET), said="SELF-TRAIN"),
        Row("scitech-dann", "pgn/scitech-dann", (*raw, *BUDGET), said="DANN"),
        *(
            Row(
                f"scitech-elmo-{side}",
                "pgn/scitech-elmo",
                (f"encoder.parts.1.checkpoint={places.corpora}/lm-{side}",),
                said=name,
            )
            for side, name in (("source", "STM+ELMO(SRC)"), ("target", "STM+ELMO(TGT)"), ("both", "STM+ELMO"))
        ),
        Row("scitech-multitask-lm", "pgn/scitech-multitask-lm", raw, said="shared BiLSTM, same streams"),
        Row("scitech-zero-shot", "pgn/scitech-zero-shot", raw, said="cross-domain LM (full model)"),
    ]
    return [replace(row, domains=(SCITECH,)) for row in rows]


def crossner_rows(places: Places) -> list[Row]:
    """BiLSTM-CRF and Coach of CrossNER, table 2, with words alone and with characters, and the cross-domain LM."""
    rows = []
    for head, name in (("crf", "BiLSTM-CRF"), ("coach", "Coach")):
        for kind in ("direct", "sequential", "joint"):
            for reads, settings in (("word", ("encoder.characters=none",)), ("char", ())):
                said = f"{name} ({'word' if reads == 'word' else 'word + char'}), {kind}"
                recipe = f"bilstm/{kind}-{head}"
                rows.append(Row(f"crossner-{head}-{reads}-{kind}", recipe, settings, said=said))
    shorter = ("training.source.epochs=5", "training.source.batch_sentences=32")  # as the other rows
    for kind, own in (("direct", ()), ("sequential", shorter)):
        model = f"encoder.parts.1.checkpoint={places.corpora}/flair-{{domain}}"
        rows.append(Row(f"crossner-flair-{kind}", f"bilstm/flair-{kind}-crf", (model, *own), said=f"FLAIR, {kind}"))
    full = Row("crossner-pgn", "pgn/crossner", raw_text("{domain}", places), said="cross-domain LM (full model)")
    return [*rows, full]


def mit_rows() -> list[Row]:
    """BiLSTM-CRF and Coach on MIT Movie and Restaurant; LANER 2022, table 3."""
    return [
        Row(f"mit-{head}-{kind}", f"mit/bilstm-{kind}-{head}", domains=MIT, said=f"{name}, {kind}")
        for head, name in (("crf", "BiLSTM-CRF"), ("coach", "Coach"))
        for kind in ("sequential", "direct")
    ]


def size_rows(places: Places) -> list[Row]:
    """Figure 6: STM-TARGET and the full model with so many labelled target sentences of 13CG.

    Every size learns for as many steps. The target's language model reads the words of the whole training set.
    """
    whole = {row.name: replace(row, domains=BIONLP[1:]) for row in bionlp_rows()}
    rows = [whole["bionlp-stm-target"], whole["bionlp-supervised"]]
    raw = f'transfer.target_raw=["{places.corpora}/bionlp13cg"]'
    for number in SIZES:
        first = f"target.num_train={number}"
        steps = -(-number // BATCH)  # of one epoch
        epochs = (
            f"training.target.epochs={-(-STEPS // steps)}",
            f"training.target.evaluate_every={STEPS / steps / TRAINED_ON_ALL:.3g}",
        )
        rows.append(Row(f"stm-target-{number}", "bionlp/stm-target", (first, *epochs), BIONLP[1:], "STM-TARGET"))
        rows.append(Row(f"supervised-{number}", "pgn/supervised", (first, raw), BIONLP[1:], "FINAL"))
    return rows


def raw_rows(places: Places) -> list[Row]:
    """Figure 8: zero-shot with a share of the raw text of both sides, of the target alone, of the source alone."""
    whole = next(row for row in scitech_rows(places) if row.name == "scitech-zero-shot")
    rows = [whole]
    for share in SHARES:
        number = RAW * share // 100
        for side, source, target in (("both", number, number), ("target", RAW, number), ("source", number, RAW)):
            settings = raw_text("tech", places, source=source, target=target)
            rows.append(replace(whole, name=f"raw-{side}-{share}", settings=settings, said=f"{side} varies"))
    return rows
