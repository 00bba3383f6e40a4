"""Contestants of training: `nerbridge.training.fit` and `transformers.Trainer` on the same sentences.

Both start from the same encoder with a new linear head over the first piece of every word, learn from the same
sentences, all of them once, in batches of the same number of sentences, with AdamW (fused), weight decay, gradient
clipping at 1.0, dropout 0.1 and a constant rate, in float32. Nothing is evaluated or saved inside the measured time;
both get sentences whose words are turned into pieces already. Trainer groups sentences by length, as nerbridge does
(`train_sampling_strategy="group_by_length"`): without it, it is slower.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from transformers import (
    AutoModelForTokenClassification,
    AutoTokenizer,
    DataCollatorForTokenClassification,
    PrinterCallback,
    Trainer,
    TrainingArguments,
)

from nerbridge.assembly.build import build_tagger
from nerbridge.batching.streams import Stream, tag_ids
from nerbridge.config.context import NoContext
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.tagger import LinearSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.data.sentence import Sentence
from nerbridge.data.tags import TagVocabulary
from nerbridge.training.fit import fit
from nerbridge.training.journal import Journal

BATCH, RATE, SEED = 16, 5e-5, 1
Work = Callable[[], object]


class NerbridgeTraining:
    """Prepares one epoch of `fit`."""

    def __init__(self, encoder: Path, sentences: Sequence[Sentence], vocabulary: TagVocabulary, folder: Path) -> None:
        self._encoder = TransformerSettings(checkpoint=str(encoder))
        self._sentences, self._vocabulary, self._folder = sentences, vocabulary, folder

    def __call__(self) -> Work:
        model = build_tagger(self._encoder, NoContext(), LinearSettings(), {"all": self._vocabulary}, seed=SEED)
        stream = Stream("train", "all", self._sentences, model.encoder.vectorizer, self._vocabulary)
        assert stream.num_pieces, "the sentences are turned into pieces here, outside the measured time"
        assert stream.tag_ids
        workdir = Path(tempfile.mkdtemp(dir=self._folder))
        settings = TrainingSettings(
            epochs=1, batch_sentences=BATCH, learning_rate=RATE, selection="last", checkpoint_seconds=1e9
        )
        journal = Journal(workdir / "journal.jsonl")
        return lambda: fit(model, [stream], settings, seed=SEED, evaluate=None, workdir=workdir, journal=journal)


class PlainTraining:
    """Prepares one epoch of `Trainer`. on_cpu: leave a GPU alone."""

    def __init__(
        self, encoder: Path, sentences: Sequence[Sentence], vocabulary: TagVocabulary, folder: Path, *, on_cpu: bool
    ) -> None:
        self._encoder, self._vocabulary, self._folder, self._on_cpu = encoder, vocabulary, folder, on_cpu
        self._tokenizer = AutoTokenizer.from_pretrained(encoder)
        self._examples = examples(self._tokenizer, sentences, vocabulary)

    def __call__(self) -> Work:
        arguments = TrainingArguments(
            output_dir=tempfile.mkdtemp(dir=self._folder),
            per_device_train_batch_size=BATCH,
            num_train_epochs=1,
            learning_rate=RATE,
            lr_scheduler_type="constant",
            weight_decay=0.01,
            max_grad_norm=1.0,
            train_sampling_strategy="group_by_length",
            save_strategy="no",
            logging_strategy="no",
            disable_tqdm=True,
            report_to="none",
            use_cpu=self._on_cpu,
            dataloader_pin_memory=not self._on_cpu,
            seed=SEED,
        )
        trainer = Trainer(
            AutoModelForTokenClassification.from_pretrained(self._encoder, num_labels=len(self._vocabulary)),
            arguments,
            data_collator=DataCollatorForTokenClassification(self._tokenizer),
            train_dataset=self._examples,
            processing_class=self._tokenizer,
        )
        trainer.remove_callback(PrinterCallback)  # it prints to stdout
        return trainer.train


def examples(tokenizer: Any, sentences: Sequence[Sentence], vocabulary: TagVocabulary) -> list[dict[str, list[int]]]:
    """The sentences as transformers' guide to token classification makes them: the first piece carries the tag."""
    encoded = tokenizer([list(s.words) for s in sentences], is_split_into_words=True, truncation=True, max_length=512)
    made = []
    for number, sentence in enumerate(sentences):
        tags, before, labels = tag_ids(sentence, vocabulary), None, []
        for word in encoded.word_ids(number):
            labels.append(-100 if word is None or word == before else tags[word])
            before = word
        ids, mask = encoded["input_ids"][number], encoded["attention_mask"][number]
        made.append({"input_ids": ids, "attention_mask": mask, "labels": labels})
    return made
