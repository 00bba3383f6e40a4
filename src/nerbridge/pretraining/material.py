"""Corpora -> what a pre-training learns from: rows, batches, held-out text, and what there is to say about them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.errors import DataError
from nerbridge.pretraining.batch import Collator
from nerbridge.pretraining.held_out import HeldOut
from nerbridge.pretraining.held_out_text import split_documents
from nerbridge.pretraining.learning_material import Material
from nerbridge.pretraining.masking import Flags, PieceTraits
from nerbridge.pretraining.model import MaskedLanguageModel
from nerbridge.pretraining.packing import Rows, cut_rows, join_rows
from nerbridge.pretraining.shards import Shards
from nerbridge.pretraining.step_batch import Share
from nerbridge.pretraining.timetable import Timetable
from nerbridge.pretraining.tokenising import WordPieces, piece_traits
from nerbridge.training.processes import Processes
from nerbridge.wording import counted

CPU_ROWS = 8  # full rows that go through an encoder together on a CPU, where more only miss the caches


@dataclass(frozen=True)
class Prepared:
    """material: of the loop. documents, held_out_documents: with pieces. notes: what the user should know."""

    material: Material
    documents: int
    held_out_documents: int
    notes: tuple[str, ...]


def prepare(
    shards: Shards,
    words: WordPieces,
    tokenizer: Any,
    model: MaskedLanguageModel,
    settings: PretrainingSettings,
    processes: Processes,
) -> Prepared:
    """Rows of the documents that are learnt from and of those held out. Raises DataError when there is no text."""
    traits = piece_traits(tokenizer, model.num_embeddings)
    if not len(shards.pieces):
        raise DataError(
            "there is nothing to learn from: the corpora hold no words",
            where=", ".join(sorted({one.domain for one in shards.counts})),
            expected="text, one paragraph per line, or a built corpus with sentences",
            hint="look at the files; `nerbridge corpus stats` counts what a built corpus holds",
        )
    split = split_documents(shards.pieces, shards.starts, settings.held_out_pieces, settings.seed)
    at_once = _rows_at_once(settings, processes.device) * settings.length
    collator = _collator(shards, split.learnt, words, traits, settings)
    timetable = Timetable(collator.sizes, settings, settings.head_steps if model.new_head else 0)
    tested = None
    if split.held.any():
        kept = _collator(shards, split.held, words, traits, settings.model_copy(update={"join_documents": False}))
        tested = HeldOut(kept, np.arange(len(kept.sizes)), settings, at_once)
    material = Material(collator, timetable, Share(processes.index, processes.count, at_once), tested)
    notes = (*split.notes, *_notes(material, shards))
    return Prepared(material, int(split.learnt.sum()), int(split.held.sum()), notes)


def _collator(
    shards: Shards, chosen: Flags, words: WordPieces, traits: PieceTraits, settings: PretrainingSettings
) -> Collator:
    special = words.special
    capacity = settings.length - len(special.before) - len(special.after)
    rows: Rows = cut_rows(shards.pieces, shards.starts, chosen, capacity, traits.continues)
    if settings.join_documents:
        rows = join_rows(rows, capacity, 1)
    separator = next(iter((*special.after, *special.before, special.unknown)))
    return Collator(shards.pieces, rows, special, traits, separator)


def _rows_at_once(settings: PretrainingSettings, device: torch.device) -> int:
    if settings.rows_at_once is not None:
        return settings.rows_at_once
    return min(settings.batch_rows, CPU_ROWS) if device.type == "cpu" else settings.batch_rows


def _notes(material: Material, shards: Shards) -> list[str]:
    notes = []
    unknown, pieces = sum(one.unknown_pieces for one in shards.counts), len(shards.pieces)
    if unknown:
        notes.append(f"the encoder cannot spell {counted(unknown, 'piece')} ({100 * unknown / pieces:.2f} %)")
    if material.timetable.steps_per_epoch == 1:
        notes.append(f"the text is smaller than one batch: {counted(int(material.collator.sizes.sum()), 'piece')}")
    return notes
