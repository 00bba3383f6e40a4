"""Corpora -> what a pre-training learns from: rows, batches, held-out text, and what there is to say about them."""

from dataclasses import dataclass
from typing import Any

import torch

from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.errors import DataError
from nerbridge.pretraining.batch import Collator, Share
from nerbridge.pretraining.held_out import HeldOut
from nerbridge.pretraining.loop import Material
from nerbridge.pretraining.masking import Flags, PieceTraits
from nerbridge.pretraining.model import MaskedLanguageModel
from nerbridge.pretraining.packing import Rows, cut_rows, hold_out, join_rows
from nerbridge.pretraining.shards import Shards
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
    filled = shards.starts[1:] > shards.starts[:-1]
    held = hold_out(shards.starts, settings.held_out_pieces, settings.seed)
    if not filled.any():
        raise DataError(
            "there is nothing to learn from: the corpora hold no words",
            where=", ".join(sorted({one.domain for one in shards.counts})),
            expected="text, one paragraph per line, or a built corpus with sentences",
            hint="look at the files; `nerbridge corpus stats` counts what a built corpus holds",
        )
    at_once = _rows_at_once(settings, processes.device) * settings.length
    collator = _collator(shards, filled & ~held, words, traits, settings)
    timetable = Timetable(collator.sizes, settings, settings.head_steps if model.new_head else 0)
    tested = None
    if held.any():
        kept = _collator(shards, held, words, traits, settings.model_copy(update={"join_documents": False}))
        tested = HeldOut(kept, torch.arange(len(kept.sizes)).numpy(), settings, at_once)
    material = Material(collator, timetable, Share(processes.index, processes.count, at_once), tested)
    return Prepared(material, int((filled & ~held).sum()), int(held.sum()), tuple(_notes(material, settings, shards)))


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


def _notes(material: Material, settings: PretrainingSettings, shards: Shards) -> list[str]:
    notes = []
    unknown, pieces = sum(one.unknown_pieces for one in shards.counts), sum(one.pieces for one in shards.counts)
    if unknown:
        notes.append(
            f"{counted(unknown, 'piece')} ({100 * unknown / pieces:.2f} %) stand for what the encoder cannot spell"
        )
    if material.held_out is None and settings.held_out_pieces:
        notes.append("no document is small enough beside the others to be held out: there will be no perplexity")
    if material.timetable.steps_per_epoch == 1:
        notes.append(f"the text is smaller than one batch: {counted(int(material.collator.sizes.sum()), 'piece')}")
    return notes
