"""Contestants of tagging: nerbridge's pipeline and transformers' `pipeline("token-classification")`.

Both hold the same weights: an encoder and a linear head over all labels of the five CrossNER domains, trained for a
minute so that both find a realistic number of entities. Both tag the same shuffled sentences. nerbridge gets the words;
transformers gets the words joined by spaces, because its pipeline takes text only. nerbridge does more: it decodes
legal sequences, scores every entity with its posterior probability and returns word positions; transformers averages
the scores of pieces and returns character positions, with pieces of one word often labelled apart, so it finds more.
"""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer, pipeline
from transformers.pipelines.base import Pipeline as PlainPipeline

from nerbridge.assembly.build import build_tagger
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.context import NoContext
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.tagger import LinearSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.data.sentence import Sentence
from nerbridge.data.tags import TagVocabulary
from nerbridge.encoders.transformer.encoder import TransformerEncoder
from nerbridge.inference.model_tagger import ModelTagger
from nerbridge.inference.pipeline import Pipeline
from nerbridge.training.fit import fit
from nerbridge.training.journal import Journal

Work = Callable[[], list[int]]


def trained_tagger(encoder: Path, sentences: Sequence[Sentence], vocabulary: TagVocabulary, steps: int) -> Tagger:
    """A linear tagger after `steps` updates on `sentences`."""
    settings = TransformerSettings(checkpoint=str(encoder))
    model = build_tagger(settings, NoContext(), LinearSettings(), {"all": vocabulary}, seed=1)
    stream = Stream("train", "all", sentences, model.encoder.vectorizer, vocabulary)
    training = TrainingSettings(
        learning_rate=1e-4, head_learning_rate=5e-3, max_steps=steps, selection="last", checkpoint_seconds=1e9
    )
    with tempfile.TemporaryDirectory() as name:
        journal = Journal(Path(name) / "journal.jsonl")
        fit(model, [stream], training, seed=1, evaluate=None, workdir=Path(name), journal=journal)
    return model.eval()


class NerbridgeTagging:
    """Tags sentences; the work returns the number of entities of each."""

    def __init__(self, model: Tagger, sentences: Sequence[Sentence], device: torch.device) -> None:
        self._pipeline = Pipeline(ModelTagger(model.to(device), "all"))
        self._words = [sentence.words for sentence in sentences]

    def __call__(self) -> Work:
        return lambda: [len(tagged.spans) for tagged in self._pipeline.tag_words(self._words)]


class PlainTagging:
    """The same with transformers. batch_size: sentences per batch."""

    def __init__(self, tagger: PlainPipeline, sentences: Sequence[Sentence], batch_size: int) -> None:
        self._pipeline, self._batch_size = tagger, batch_size
        self._texts = [" ".join(sentence.words) for sentence in sentences]

    def __call__(self) -> Work:
        return lambda: [len(found) for found in self._pipeline(self._texts, batch_size=self._batch_size)]


def plain_pipeline(model: Tagger, encoder: Path, device: torch.device) -> PlainPipeline:
    """transformers' pipeline around the weights of `model`, which must have a linear head."""
    head = model.head("all")
    names = dict(enumerate(head.vocabulary.tags))
    plain = AutoModelForTokenClassification.from_pretrained(
        encoder, num_labels=len(names), id2label=names, label2id={tag: number for number, tag in names.items()}
    )
    assert isinstance(model.encoder, TransformerEncoder)
    base = {name: tensor.cpu() for name, tensor in model.encoder.model.state_dict().items()}
    plain.base_model.load_state_dict(base)
    output = head.get_submodule("output").state_dict()
    plain.classifier.load_state_dict({name: tensor.cpu() for name, tensor in output.items()})
    tokenizer = AutoTokenizer.from_pretrained(encoder)
    return pipeline(
        "token-classification",
        model=plain.float().eval(),
        tokenizer=tokenizer,
        aggregation_strategy="simple",
        device=device,
    )
