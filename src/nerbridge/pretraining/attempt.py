"""One attempt at a pre-training: everything is made ready, said, and run."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.pretraining.corpora import Corpus
from nerbridge.pretraining.doubt import too_few
from nerbridge.pretraining.estimate import Estimate, estimate
from nerbridge.pretraining.keys import shards_key
from nerbridge.pretraining.learner import Learner, precision_on
from nerbridge.pretraining.loading import load_masked_model, save_encoder
from nerbridge.pretraining.loop import Loop
from nerbridge.pretraining.material import prepare
from nerbridge.pretraining.progress import Watcher
from nerbridge.pretraining.recovery import Recovery
from nerbridge.pretraining.reporter import Reporter
from nerbridge.pretraining.result import JOURNAL, WORK, PretrainingResult
from nerbridge.pretraining.shards import open_shards
from nerbridge.pretraining.state import MaskedEvaluation, State
from nerbridge.pretraining.tokenising import WordPieces
from nerbridge.training.journal import Journal
from nerbridge.training.processes import Processes
from nerbridge.wording import counted

PACKAGES = ("nerbridge", "torch", "transformers", "tokenizers", "accelerate", "numpy")


class Attempt:
    """A pre-training that has not begun. model, tokenizer: of the encoder; the model is on its device.

    settings: as they were given. material: what it learns from. estimate: of the whole pre-training, checkpoints of
    earlier attempts not considered.
    """

    def __init__(
        self,
        settings: PretrainingSettings,
        corpora: Sequence[Corpus],
        encoder: TransformerSettings,
        output: Path,
        *,
        key: str,
        processes: Processes,
        cache: Path | None,
        say: Callable[[str], None],
    ) -> None:
        self.settings, self._corpora, self._encoder = settings, corpora, encoder
        self._output, self._key, self._processes = output, key, processes
        say(f"model    reading {encoder.checkpoint}")
        self.model, self.tokenizer = load_masked_model(encoder, settings)
        self.model.to(processes.device)
        words = WordPieces(self.tokenizer)
        text = shards_key(corpora, words.digest)
        folder = output / WORK / "pieces" if cache is None else cache / "pieces" / text[:32]
        if processes.is_main:
            self._shards = open_shards(folder, text, corpora, words, say=say)
        processes.from_main(None)
        if not processes.is_main:
            self._shards = open_shards(folder, text, corpora, words)
        self._prepared = prepare(self._shards, words, self.tokenizer, self.model, settings, processes)
        self.material = self._prepared.material
        say("trial    a few batches, to estimate the time")
        self._learner = Learner(self.model, settings, self.material.timetable, processes)
        self.estimate: Estimate = estimate(self._learner, self.material, settings, processes)
        self._describe(say)

    def run(self, watcher: Watcher) -> PretrainingResult:
        """Train, from the last checkpoint if there is one. Raises TrainingError when numbers are not finite."""
        journal = Journal(self._output / JOURNAL, "pretraining")
        loop = Loop(
            self._learner,
            self.material,
            self.settings,
            recovery=Recovery(self._learner, self._output / WORK, self._key),
            processes=self._processes,
            reporter=Reporter(journal, watcher, speaks=self._processes.is_main),
        )
        return self._result(loop.run())

    def save(self, folder: Path) -> None:
        """Write the encoder as any tool of transformers wants it."""
        save_encoder(self.model, self.tokenizer, folder)

    def about(self) -> dict[str, Any]:
        """Where the encoder comes from: settings, encoder, text, versions."""
        corpora = zip(self._corpora, self._shards.counts, strict=True)
        return {
            "settings": self.settings.model_dump(mode="json"),
            "encoder": self._encoder.checkpoint,
            "encoder_sha256": encoder_fingerprint(self._encoder),
            "head": "new" if self.model.new_head else "of the checkpoint",
            "corpora": [
                {"path": str(corpus.path), "sha256": corpus.sha256, **asdict(counts)} for corpus, counts in corpora
            ],
            "environment": {
                "python": platform.python_version(),
                **{name: version(name) for name in PACKAGES},
                "device": str(self._processes.device),
                "precision": precision_on(self._processes.device, self.settings),
                "processes": self._processes.count,
                "threads": torch.get_num_threads(),
            },
        }

    def _describe(self, say: Callable[[str], None]) -> None:
        prepared, settings = self._prepared, self.settings
        timetable, collator = self.material.timetable, self.material.collator
        totals = [sum(getattr(one, name) for one in self._shards.counts) for name in ("documents", "words")]
        pieces, rows = counted(int(collator.sizes.sum()), "piece"), counted(len(collator.sizes), "row")
        domains = ", ".join(sorted({corpus.domain for corpus in self._corpora}))
        say(f"text     {counted(totals[0], 'document')} of {domains}, {counted(totals[1], 'word')}")
        if fault := too_few(totals[1]):
            say(f"warning  {fault}")
        say(f"learns   from {counted(prepared.documents, 'document')}, {pieces} in {rows}")
        if self.material.held_out is not None:
            held = counted(self.material.held_out.num_pieces, "piece")
            say(f"held out {counted(prepared.held_out_documents, 'document')}, {held}")
        for note in prepared.notes:
            say(f"note     {note}")
        if timetable.head_steps:
            say(f"head     new, learns alone for {counted(timetable.head_steps, 'step')} first")
        own = timetable.total - timetable.head_steps
        epochs = own / timetable.steps_per_epoch
        say(
            f"steps    {own:,} of at most {counted(settings.batch_pieces, 'piece')} ({epochs:.2f} epochs, "
            f"{100 * timetable.padding:.1f} % padding), {settings.masking} masking"
        )
        device = self._processes.device
        low = f" in {precision}" if (precision := precision_on(device, settings)) != "float32" else ""
        say(f"time     {self.estimate.describe('piece', f'{device}{low}')}")

    def _result(self, state: State) -> PretrainingResult:
        timetable = self.material.timetable
        own = timetable.total - timetable.head_steps
        return PretrainingResult(
            folder=self._output,
            key=self._key,
            steps=own,
            head_steps=timetable.head_steps,
            epochs=round(own / timetable.steps_per_epoch, 4),
            pieces=state.pieces,
            padding_share=round(timetable.padding, 4),
            documents=self._prepared.documents,
            held_out_documents=self._prepared.held_out_documents,
            evaluations=tuple(one for one in state.evaluations if isinstance(one, MaskedEvaluation)),
            seconds=round(state.seconds, 3),
            estimated_seconds=round(self.estimate.seconds, 3),
            pieces_per_second=round(state.pieces_per_second, 1),
            waiting_share=round(state.waiting_share, 5),
            vocabulary=len(self.tokenizer),
        )
