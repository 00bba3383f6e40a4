"""What is wrong with the places of an experiment's data, found before anything heavy is imported."""

from collections.abc import Iterator
from pathlib import Path

from nerbridge.config.encoder import ConcatenatedSettings, EncoderSettings, WordCharSettings
from nerbridge.config.experiment import Experiment
from nerbridge.config.files import FilesSettings
from nerbridge.config.transfer import StreamsSettings
from nerbridge.corpus.inputs import check_paths
from nerbridge.data.packaged_vectors import vectors_place
from nerbridge.data.reading import read_sentences
from nerbridge.data.registry import card_names
from nerbridge.data.registry.loading import existing_root


def check_places(experiment: Experiment, data_root: Path | None) -> None:
    """Raises what a run raises later: ConfigError for a data root or word vectors that are missing, DataError for a
    file, a folder or a pattern of raw text that leads nowhere. What is there is not read."""
    for files in _files(experiment):
        for path in (files.train, files.dev, files.test):
            if path is not None and not Path(path).exists():
                read_sentences(path)
    named = [experiment.target.dataset, *(name for stage in experiment.source for name in stage.datasets)]
    for name in named:
        if name in card_names():
            existing_root(data_root, name)
    check_paths(_raw_text(experiment))
    _check_vectors(experiment.encoder)


def _raw_text(experiment: Experiment) -> Iterator[str]:
    if experiment.corpus is not None:
        yield from experiment.corpus.files
    if isinstance(experiment.transfer, StreamsSettings):
        yield from experiment.transfer.source_raw
        yield from experiment.transfer.target_raw


def _check_vectors(encoder: EncoderSettings) -> None:
    match encoder:
        case WordCharSettings(vectors=str(name)):
            vectors_place(name)
        case ConcatenatedSettings():
            for part in encoder.parts:
                _check_vectors(part)


def _files(experiment: Experiment) -> Iterator[FilesSettings]:
    if experiment.target.files is not None:
        yield experiment.target.files
    for stage in experiment.source:
        yield from stage.files
