"""From raw text to the encoder that the stages start from."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from nerbridge.config.experiment import Experiment
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.pipeline.interruption import keeping_checkpoint, keeping_finished
from nerbridge.pipeline.pretrained.building import make_corpus
from nerbridge.pipeline.pretrained.first_tagger import find_names, names_key
from nerbridge.pipeline.pretrained.level import level_request, make_level
from nerbridge.pipeline.pretrained.names import listed_names, read_names
from nerbridge.pipeline.pretrained.record import pretraining_record, text_record
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.pretraining import Corpus, PretrainingResult, pretrain, pretraining_key
from nerbridge.pretraining.doubt import doubt
from nerbridge.training.progress import clock_text
from nerbridge.wording import counted


@dataclass(frozen=True)
class Adapted:
    """What became of raw text.

    experiment: the one whose stages are trained, its encoder the pre-trained one. record: what is kept in the run
    folder. pretraining: None where the text was too little. finished: the steps that are in the cache now.
    """

    experiment: Experiment
    record: Mapping[str, Any]
    pretraining: PretrainingResult | None
    finished: tuple[str, ...] = ()


def adapt_encoder(work: RawWork) -> Adapted:
    """The experiment with an encoder that has learnt from its raw text; each step comes from the cache where it can.

    Raises what building, choosing and pre-training raise.
    """
    steps: list[str] = []
    with keeping_finished(steps):
        corpus = make_corpus(work)
        steps.append("corpus")
        level, names = corpus, Gazetteer((), {})
        if not work.experiment.selection.takes_all:
            names = names_for(work, corpus)
            level = make_level(work, level_request(work, corpus, names))
            steps.append("level")
        adapted = _pretrained(work, level, text_record(work, corpus, level, names))
        steps += [] if adapted.pretraining is None else ["pre-training"]
        return replace(adapted, finished=tuple(steps))


def names_for(work: RawWork, corpus: CorpusFolder) -> Gazetteer:
    """The names that choose sentences: of the lists, or found now where there are none. The domain level has none."""
    if not work.experiment.selection.needs_names:
        return Gazetteer((), {})
    if work.experiment.gazetteer.files:
        return listed_names(work)
    return read_names(find_names(work, corpus, names_key(work)), work)


def pretraining_corpora(work: RawWork, level: CorpusFolder) -> list[Corpus]:
    """The level as the pre-training knows it."""
    return [Corpus(level.path, work.data.target.name)]


def encoder_folder(work: RawWork, level: CorpusFolder) -> Path:
    """Where the encoder that has learnt from `level` is kept."""
    key = pretraining_key(work.experiment.pretraining, pretraining_corpora(work, level), work.encoder)
    return work.folder("encoders", key)


def is_too_small(work: RawWork, level: CorpusFolder) -> bool:
    """Is there too little text to learn from? Copies of a sentence teach nothing more, and count once."""
    return distinct_words(level, work.experiment.selection.min_words) < work.experiment.selection.min_words


def distinct_words(level: CorpusFolder, enough: int) -> int:
    """The words of a level whose sentences are counted once each, as far as `enough`."""
    seen: set[str] = set()
    words = 0
    for sentence in chain.from_iterable(level.documents()):
        text = " ".join(sentence)
        if text not in seen:
            seen.add(text)
            words += len(sentence)
        if words >= enough:
            break
    return words


def _pretrained(work: RawWork, level: CorpusFolder, record: Mapping[str, Any]) -> Adapted:
    """record: of the text, to which that of the pre-training is added."""
    if is_too_small(work, level):
        reason = _too_small(work, level)
        work.say(f"note     {reason}. {_advice(work)}")
        return Adapted(work.experiment, {**record, "pretraining": None, "reason": reason}, None)
    folder = encoder_folder(work, level)
    around = work.surroundings
    with keeping_checkpoint("pre-training", folder / "work"):
        result = pretrain(
            work.experiment.pretraining,
            pretraining_corpora(work, level),
            folder,
            encoder=work.encoder,
            cache=around.cache,
            watcher=around.watcher,
            say=around.say,
        )
    work.say(f"pre-training: {_describe(result)}")
    if fault := doubt(result):
        work.say(
            f"note     {fault}; taggers may lose by it: more steps (--set pretraining.max_steps), or leave --raw out"
        )
    encoder = work.encoder.model_copy(update={"checkpoint": str(folder), "revision": None})
    experiment = work.experiment.model_copy(update={"encoder": encoder})
    return Adapted(experiment, {**record, "pretraining": pretraining_record(work, result)}, result)


def _too_small(work: RawWork, level: CorpusFolder) -> str:
    choice = work.experiment.selection
    words = counted(distinct_words(level, choice.min_words), "word")
    return (
        f"{words} on the {choice.level} level, each sentence counted once, are too few to pre-train on: "
        f"selection.min_words = {choice.min_words}"
    )


def _advice(work: RawWork) -> str:
    others = "" if work.experiment.selection.takes_all else "; --level domain takes all of it"
    return "The encoder stays as it is, and the stages are trained without pre-training; more raw text helps" + others


def _describe(result: PretrainingResult) -> str:
    steps = counted(result.steps, "step")
    if result.head_steps:
        steps = f"{counted(result.head_steps, 'step')} of the new head alone, {steps} of all"
    text = f"{steps}, {counted(result.pieces, 'piece')} in {clock_text(result.seconds)}"
    if len(result.evaluations) > 1:
        first, last = result.evaluations[0], result.evaluations[-1]
        text += f", perplexity of held-out text {first.span:,.2f} -> {last.span:,.2f} (span masks)"
    return text
