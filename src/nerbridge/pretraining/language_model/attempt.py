"""One attempt at a language model: everything is made ready, said, and run."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from nerbridge.config.language_models import LanguageModelPretraining
from nerbridge.encoders.language_model.files import write_model
from nerbridge.pretraining.corpora import Corpus
from nerbridge.pretraining.estimate import Estimate, estimate
from nerbridge.pretraining.language_model.material import prepare
from nerbridge.pretraining.language_model.result import LanguageModelResult
from nerbridge.pretraining.language_model.text import TextCounts, read_text
from nerbridge.pretraining.learner import Learner
from nerbridge.pretraining.loop import Loop
from nerbridge.pretraining.progress import Watcher
from nerbridge.pretraining.recovery import Recovery
from nerbridge.pretraining.reporter import Measure, Reporter
from nerbridge.pretraining.result import JOURNAL, WORK
from nerbridge.pretraining.state import DirectedEvaluation, State
from nerbridge.training.journal import Journal
from nerbridge.training.processes import Processes
from nerbridge.wording import counted

PACKAGES = ("nerbridge", "torch", "accelerate", "numpy")


class LanguageModelAttempt:
    """A training that has not begun. estimate: of the whole, in words, earlier attempts not considered."""

    def __init__(
        self,
        settings: LanguageModelPretraining,
        corpora: Sequence[Corpus],
        output: Path,
        *,
        key: str,
        processes: Processes,
        say: Callable[[str], None],
    ) -> None:
        self.settings, self._corpora = settings, corpora
        self._output, self._key, self._processes = output, key, processes
        text = read_text(corpora)
        self._counts: tuple[TextCounts, ...] = text.counts
        self._prepared = prepare(text, settings, processes)
        self.objective = self._prepared.objective.to(processes.device)
        material = self._prepared.material
        self._share = self._prepared.words / int(material.collator.sizes.sum())  # words in a unit that is read
        self._learner = Learner(self.objective, settings, material.timetable, processes)
        found = estimate(self._learner, material, settings, processes)
        words, pace = round(found.pieces * self._share), found.pieces_per_second * self._share
        self.estimate = Estimate(found.seconds, words, pace, found.held_out_seconds)
        self._describe(say, len(text.words))

    def run(self, watcher: Watcher) -> LanguageModelResult:
        """Train, from the last checkpoint if there is one. Raises TrainingError when numbers are not finite."""
        journal, speaks = Journal(self._output / JOURNAL, "pretraining"), self._processes.is_main
        loop = Loop(
            self._learner,
            self._prepared.material,
            self.settings,
            recovery=Recovery(self._learner, self._output / WORK, self._key),
            processes=self._processes,
            reporter=Reporter(journal, watcher, speaks=speaks, measure=Measure("words", self._share)),
        )
        return self._result(loop.run())

    def save(self, folder: Path) -> None:
        """Write config, vocabulary and weights. Raises OSError when the disk refuses."""
        write_model(folder, self.objective.model, self._prepared.alphabet)

    def about(self) -> dict[str, Any]:
        """Where the language model comes from: settings, text, versions."""
        corpora = zip(self._corpora, self._counts, strict=True)
        return {
            "settings": self.settings.model_dump(mode="json"),
            "corpora": [
                {"path": str(corpus.path), "sha256": corpus.sha256, **asdict(counts)} for corpus, counts in corpora
            ],
            "environment": {
                "python": platform.python_version(),
                **{name: version(name) for name in PACKAGES},
                "device": str(self._processes.device),
                "processes": self._processes.count,
                "threads": torch.get_num_threads(),
            },
        }

    @property
    def _parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.objective.model.parameters())

    def _describe(self, say: Callable[[str], None], num_distinct: int) -> None:
        prepared, settings, timetable = self._prepared, self.settings, self._prepared.material.timetable
        documents, words = (sum(getattr(one, name) for one in self._counts) for name in ("documents", "words"))
        domains = ", ".join(sorted({corpus.domain for corpus in self._corpora}))
        say(
            f"text     {counted(documents, 'document')} of {domains}, {counted(words, 'word')} "
            f"({num_distinct:,} distinct)"
        )
        rows = counted(len(prepared.material.collator.sizes), "row")
        say(f"learns   from {counted(prepared.documents, 'document')}, {counted(prepared.words, 'word')} in {rows}")
        if prepared.held_out_documents:
            say(f"held out {counted(prepared.held_out_documents, 'document')}")
        for note in prepared.notes:
            say(f"note     {note}")
        unit = "word" if settings.model == "elmo" else "character"
        say(
            f"predicts {counted(prepared.predicted, unit)} both ways; {100 * prepared.other_share:.2f} % of the text's "
            f"{unit}s are not among them"
        )
        width, parameters = self.objective.model.width, self._parameters
        say(f"model    {settings.model}, vectors {width} wide, {parameters:,} parameters")
        say(
            f"steps    {timetable.total:,} of at most {counted(settings.batch_pieces, unit)} "
            f"({timetable.total / timetable.steps_per_epoch:.2f} epochs, {100 * timetable.padding:.1f} % padding)"
        )
        say(f"time     {self.estimate.describe('word', str(self._processes.device))}")

    def _result(self, state: State) -> LanguageModelResult:
        prepared, timetable = self._prepared, self._prepared.material.timetable
        return LanguageModelResult(
            folder=self._output,
            key=self._key,
            model=self.settings.model,
            width=self.objective.model.width,
            parameters=self._parameters,
            predicted=prepared.predicted,
            other_share=round(prepared.other_share, 5),
            steps=timetable.total,
            epochs=round(timetable.total / timetable.steps_per_epoch, 4),
            words=round(state.pieces * self._share),
            padding_share=round(timetable.padding, 4),
            documents=prepared.documents,
            held_out_documents=prepared.held_out_documents,
            evaluations=tuple(one for one in state.evaluations if isinstance(one, DirectedEvaluation)),
            seconds=round(state.seconds, 3),
            estimated_seconds=round(self.estimate.seconds, 3),
            words_per_second=round(state.pieces_per_second * self._share, 1),
            waiting_share=round(state.waiting_share, 5),
        )
