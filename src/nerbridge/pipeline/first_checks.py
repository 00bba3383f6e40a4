"""What is wrong with the places of an experiment's data, found before anything heavy is imported."""

from collections.abc import Iterator
from pathlib import Path

from nerbridge.config.experiment import Experiment
from nerbridge.config.files import FilesSettings
from nerbridge.data.reading import read_sentences
from nerbridge.data.registry import card_names
from nerbridge.data.registry.loading import existing_root


def check_places(experiment: Experiment, data_root: Path | None) -> None:
    """Raises what `load_data` raises: ConfigError for a data root that is missing, DataError for a file that is not
    there. What is there is not read."""
    for files in _files(experiment):
        for path in (files.train, files.dev, files.test):
            if path is not None and not Path(path).exists():
                read_sentences(path)
    named = [experiment.target.dataset, *(name for stage in experiment.source for name in stage.datasets)]
    for name in named:
        if name in card_names():
            existing_root(data_root, name)


def _files(experiment: Experiment) -> Iterator[FilesSettings]:
    if experiment.target.files is not None:
        yield experiment.target.files
    for stage in experiment.source:
        yield from stage.files
