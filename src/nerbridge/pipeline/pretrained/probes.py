"""Short measurements before a run: how fast this machine builds, pre-trains and trains. Nothing is learnt or kept."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from nerbridge.assembly.build import build_tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.experiment import Experiment
from nerbridge.corpus.building import Moment, build_corpus
from nerbridge.corpus.folder import CorpusFolder, write_corpus
from nerbridge.corpus.inputs import find_inputs
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.tally import Tally
from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import DataError
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.pretraining import Corpus, estimate_pretraining
from nerbridge.training.processes import Processes
from nerbridge.transfer.stage import Stage

SAMPLE_CHARACTERS = 400_000  # of raw text that probes read
PACKED = 3.0  # how many times larger the text of a compressed file is, about
TAGGER_SECONDS, TAGGER_BATCHES = 1.5, 12


@dataclass(frozen=True)
class TextPace:
    """words: of the whole raw text, about, as they are kept. seconds: that building takes."""

    words: float
    seconds: float


def probe_text(work: RawWork, folder: Path) -> tuple[TextPace, CorpusFolder | None]:
    """Build a corpus of the first documents in `folder`; None where nothing of them is kept."""
    settings, total = work.settings, 0
    texts: list[str] = []
    cut: list[list[list[str]]] = []  # of built corpora
    for document in read_documents(settings.files, settings.text, tally=Tally()):
        if document.cut:
            cut.append([line.split(" ") for line in document.text.split("\n")])
        else:
            texts.append(document.text)
        total += len(document.text.encode())
        if total >= SAMPLE_CHARACTERS:
            break
    sample = folder / "sample.jsonl"
    sample.write_text("".join(f"{_record(text)}\n" for text in texts), encoding="utf-8")
    inputs = [sample, write_corpus(folder / "cut", cut).path] if cut else [sample]
    building = settings.building.model_copy(update={"text": type(settings.text)()})
    moments: list[Moment] = []
    try:
        corpus = build_corpus(inputs, folder / "corpus", building, guard=work.guard, on_progress=moments.append)
    except DataError:  # nothing of the sample stays; building the whole will say why
        return TextPace(0.0, 0.0), None
    share = max(_text_bytes(work) / max(total, 1), 1.0)
    return TextPace(corpus.num_words * share, _whole_seconds(moments, share)), corpus


def _whole_seconds(moments: Sequence[Moment], share: float) -> float:
    """What `share` times the sample takes. The first batch makes things ready, which is done once."""
    first, last = moments[0], moments[-1]
    words, seconds = last.words_now - first.words_now, last.seconds - first.seconds
    if not words:
        return last.seconds * share
    return first.seconds + (last.words_now * share - first.words_now) * seconds / words


def probe_pieces(work: RawWork, corpus: CorpusFolder) -> float:
    """Pieces per second that a pre-training on `corpus` learns from: a few batches of it."""
    settings, encoder = work.experiment.pretraining, work.encoder
    texts = [Corpus(corpus.path, work.data.target.name)]
    found = estimate_pretraining(settings, texts, encoder=encoder, say=_silent)
    return found.pieces_per_second


def probe_tagger(experiment: Experiment, stage: Stage) -> float:
    """Words per second that a tagger learns from, in all processes together: a few batches of `stage`."""
    vocabulary = TagVocabulary(stage.labels, experiment.tagger.scheme)
    words = Counter(word for sentence in stage.train for word in sentence.words)
    parts = experiment.encoder, experiment.context, experiment.tagger
    model = build_tagger(*parts, {stage.domain: vocabulary}, seed=0, words=words).to(Processes().device)
    size = stage.settings.batch_sentences
    some = stage.train[:: max(len(stage.train) // (size * TAGGER_BATCHES), 1)]
    stream = Stream(stage.name, stage.domain, some, model.encoder.vectorizer, vocabulary)
    model.train()
    read, started = 0, time.perf_counter()
    for number, start in enumerate(islice(range(0, len(some), size), TAGGER_BATCHES)):
        indices = range(start, min(start + size, len(some)))
        torch.autograd.backward(model(stream.batch(indices).to(Processes().device)))
        model.zero_grad(set_to_none=True)
        if number or len(some) <= size:  # the first batch makes caches and memory ready
            read += sum(len(some[index]) for index in indices)
        else:
            started = time.perf_counter()
        if read and time.perf_counter() - started >= TAGGER_SECONDS:
            break
    return Processes().count * read / max(time.perf_counter() - started, 1e-9)


def sample_folder() -> "TemporaryDirectory[str]":
    """A folder for what probes write."""
    return TemporaryDirectory(prefix="nerbridge-probe-")


def _text_bytes(work: RawWork) -> float:
    files = find_inputs(work.settings.files, work.settings.text.format)
    packed = (".gz", ".bz2", ".xz", ".zst")
    return sum(one.path.stat().st_size * (PACKED if one.path.suffix in packed else 1.0) for one in files)


def _record(text: str) -> str:
    return json.dumps({"text": text}, ensure_ascii=False)


def _silent(text: str) -> None:
    """Probes do not speak."""
