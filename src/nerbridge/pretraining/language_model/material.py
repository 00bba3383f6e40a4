"""Corpora -> a language model with all that it learns from: rows, vocabulary, held-out text."""

from dataclasses import dataclass
from typing import assert_never

import numpy as np
import torch

from nerbridge.config.language_models import ElmoSettings, FlairSettings, LanguageModelPretraining
from nerbridge.encoders.word_char.vocabulary import CharacterVocabulary
from nerbridge.errors import TrainingError
from nerbridge.pretraining.held_out_text import split_documents
from nerbridge.pretraining.language_model.held_out import DirectedHeldOut
from nerbridge.pretraining.language_model.kinds import CharacterKind, WordKind
from nerbridge.pretraining.language_model.objective import DirectedObjective
from nerbridge.pretraining.language_model.text import WordText
from nerbridge.pretraining.learning_material import Material
from nerbridge.pretraining.masking import Ids
from nerbridge.pretraining.step_batch import Share
from nerbridge.pretraining.timetable import Timetable
from nerbridge.training.processes import Processes
from nerbridge.training.seeding import derive_seed
from nerbridge.wording import counted


@dataclass(frozen=True)
class Prepared:
    """objective: an untrained model with its output. material: of the loop. alphabet: characters that it reads.

    words: that are learnt from. predicted, other_share: see `LanguageModelResult`. notes: what the user should know.
    """

    objective: DirectedObjective
    material: Material
    alphabet: CharacterVocabulary
    words: int
    documents: int
    held_out_documents: int
    predicted: int
    other_share: float
    notes: tuple[str, ...]


def prepare(text: WordText, settings: LanguageModelPretraining, processes: Processes) -> Prepared:
    """Everything that a language model learns from and is measured on, and the model, drawn with the seed."""
    split = split_documents(text.ids, text.documents, settings.held_out_words, settings.seed, unit="words")
    learnt = np.repeat(split.learnt, np.diff(text.documents))
    counts = np.bincount(text.ids[learnt], minlength=len(text.words))
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(derive_seed(settings.seed, "language model"))
        kind = _kind(text, counts, settings)
    if not kind.predicted:
        raise _nothing_predicted(settings)
    collator = kind.collator(split.learnt)
    at_once = (settings.rows_at_once or settings.batch_rows) * settings.length
    held_out = None
    if split.held.any():
        kept = kind.collator(split.held)
        held_out = DirectedHeldOut(kept, np.arange(len(kept.sizes)), at_once, kind.objective.reading_share())
    timetable = Timetable(collator.sizes, settings, 0)
    material = Material(collator, timetable, Share(processes.index, processes.count, at_once), held_out)
    small = timetable.steps_per_epoch == 1
    notes = (f"the text is smaller than one batch: {counted(int(counts.sum()), 'word')}",) if small else ()
    return Prepared(
        kind.objective,
        material,
        kind.alphabet,
        int(counts.sum()),
        int(split.learnt.sum()),
        int(split.held.sum()),
        kind.predicted,
        kind.other_share,
        (*split.notes, *notes),
    )


def _nothing_predicted(settings: LanguageModelPretraining) -> TrainingError:
    rare = getattr(settings, "min_count", 1)
    return TrainingError(
        f"no word stands {rare} times or more in the text that is learnt from, so that none would be predicted",
        where=f"min_count = {rare}",
        expected="text in which words come again",
        hint="give more text; --set min_count=1 predicts words that stand there once",
    )


def _kind(text: WordText, counts: Ids, settings: LanguageModelPretraining) -> WordKind | CharacterKind:
    match settings:
        case ElmoSettings():
            return WordKind(text, counts, settings, num_sentences=len(text.parts) - 1)
        case FlairSettings():
            return CharacterKind(text, counts, settings)
        case _:
            assert_never(settings)
