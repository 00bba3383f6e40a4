"""What `nerbridge predict` does once its options are understood."""

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nerbridge.cli.console import console
from nerbridge.cli.predict_likeness import watched
from nerbridge.data.jsonl_format import OffsetUnit
from nerbridge.data.lines import codec_of
from nerbridge.data.schemes import Scheme
from nerbridge.data.sentence import Sentence
from nerbridge.errors import ConfigError, DataError
from nerbridge.inference.faults import FaultLog
from nerbridge.inference.html import HtmlPage
from nerbridge.inference.items import InputFormat, Item, format_of, open_items
from nerbridge.inference.loading import load
from nerbridge.inference.output import open_output
from nerbridge.inference.pipeline import BATCH, Pipeline
from nerbridge.inference.rendering import Columns, JsonLines, Renderer
from nerbridge.wording import counted


@dataclass(frozen=True)
class Request:
    """What to read and what to write, as the options say it.

    input_format None: the suffix of each file decides. columns: how column files are read, see `predict_columns`.
    """

    files: tuple[str, ...]
    input_format: str | None
    encoding: str
    output_format: str
    output: Path | None
    offsets: str
    scheme: str
    min_score: float
    columns: Mapping[str, Any] = field(default_factory=dict)

    def form_of(self, path: str) -> InputFormat:
        """The format that `path` is read as."""
        return InputFormat(self.input_format) if self.input_format else format_of(path)


@dataclass
class Progress:
    """What has been tagged so far."""

    texts: int = 0
    words: int = 0
    entities: int = 0
    started: float = field(default_factory=time.perf_counter)

    def summary(self, pipeline: Pipeline) -> str:
        """One line for people: counts, speed, and what the encoder could not read."""
        seconds = time.perf_counter() - self.started
        seen = pipeline.word_counts()
        parts = [
            f"{counted(self.texts, 'text')}, {counted(self.words, 'word')}",
            counted(self.entities, "entity"),
            f"{self.words / max(seconds, 1e-9):,.0f} words per second",
            f"{counted(seen.pieceless, 'word')} without pieces",
        ]
        if seen.without_vector is not None:
            parts[-1] = _outside_vocabulary(seen.without_vector, self.words)
        if seen.unknown:
            parts.append(f"{counted(seen.unknown, 'word')} with unknown pieces")
        if seen.shortened:
            parts.append(f"{counted(seen.shortened, 'word')} read by the first pieces only")
        if seen.windowed:
            parts.append(f"{counted(seen.windowed, 'sentence')} read in windows")
        return ", ".join(parts)


def _outside_vocabulary(number: int, words: int) -> str:
    """What an encoder with word vectors did not know; such an encoder has no pieces to count."""
    return f"{counted(number, 'word')} ({100 * number / max(words, 1):.1f} %) without a vector of their own"


def predict_files(request: Request, model: Path, *, device: str, batch_pieces: int | None, threads: int | None) -> None:
    """Tag everything that `request` names. Raises DataError at the end when inputs had to be left out."""
    codec_of(request.encoding, "--encoding")
    _refuse_own_input(request)
    _refuse_idle_columns(request)
    replaces = request.output is not None and request.output.is_file()
    if threads is not None:
        import torch

        torch.set_num_threads(threads)
    pipeline = load(model, None if device == "auto" else device, max_pieces=batch_pieces)
    faults = FaultLog()
    renderer = _renderer(request, pipeline)
    progress = Progress()
    with open_output(request.output) as stream:
        stream.write(renderer.begin())
        for text in _rendered(request, pipeline, renderer, faults, progress):
            stream.write(text)
        if faults.count and not progress.texts:  # an earlier output file is better than an empty one
            raise faults.error(0)
        stream.write(renderer.end())
    written = [f"{request.output}: {'an earlier file was replaced' if replaces else 'written'}"]
    for note in (*(written if request.output else ()), *renderer.notes(), progress.summary(pipeline)):
        console.note(note)
    if not progress.texts and not faults.count:
        console.warning(f"there was nothing to tag in {', '.join(map(_named, request.files))}")
    if faults.count:
        raise faults.error(progress.texts)


def _named(path: str) -> str:
    return "standard input" if path == "-" else f"'{path}'"


def _refuse_own_input(request: Request) -> None:
    output = request.output
    if output is None or not output.is_file():
        return
    if any(Path(name).is_file() and output.samefile(name) for name in request.files):
        raise ConfigError(
            f"'{output}' is a file that is read",
            where="--output",
            expected="another path",
            hint="write to a new file, then move it",
        )


def _refuse_idle_columns(request: Request) -> None:
    if request.columns and not any(request.form_of(path) is InputFormat.CONLL for path in request.files):
        raise ConfigError(
            "--read is given, and no input is a column file",
            where="--read",
            expected="column files, by their suffix or by --input-format conll",
            hint="--input-format conll reads the input as columns",
        )


def _rendered(
    request: Request, pipeline: Pipeline, renderer: Renderer, faults: FaultLog, progress: Progress
) -> Iterator[str]:
    """What is written for each item, in order."""
    batch = 1 if request.files == ("-",) and sys.stdin.isatty() else BATCH
    tagged = pipeline.tag_items(_items(request, faults), batch=batch, min_score=request.min_score)
    for item, sentences in tagged:
        try:
            yield renderer.item(item, sentences)
        except DataError as fault:
            faults.add(fault)
            continue
        progress.texts += 1
        progress.words += item.num_words
        progress.entities += sum(len(sentence.spans) for sentence in sentences)


def _items(request: Request, faults: FaultLog) -> Iterator[tuple[Item, list[Sentence]]]:
    for path in request.files:
        form = request.form_of(path)
        items = open_items(path, form, faults, encoding=request.encoding, columns=request.columns)
        for item in watched(items, path) if form is InputFormat.TEXT and not request.input_format else items:
            yield item, item.sentences


def _renderer(request: Request, pipeline: Pipeline) -> Renderer:
    match request.output_format:
        case "jsonl":
            return JsonLines(OffsetUnit(request.offsets))
        case "conll":
            return Columns(Scheme(request.scheme))
        case "html":
            return HtmlPage(pipeline.labels, "Entities")
    raise AssertionError(request.output_format)
