"""Is the data of every cell there? Asked before the first cell is trained, so that the last one does not fail."""

from pathlib import Path

from nerbridge.config.encoder import WordCharSettings
from nerbridge.config.experiment import Experiment
from nerbridge.config.files import FilesSettings
from nerbridge.config.transfer import StreamsSettings
from nerbridge.corpus.folder_writing import MANIFEST
from nerbridge.corpus.gazetteer_files import list_files
from nerbridge.corpus.inputs import find_inputs
from nerbridge.data.packaged_vectors import GLOVE, vectors_place
from nerbridge.data.registry.loading import check_files, existing_root, find_sentences
from nerbridge.errors import ConfigError, DataError
from nerbridge.pipeline.sweep.plan import SweepPlan


def check_data(plan: SweepPlan, data_root: Path | None) -> None:
    """Raises DataError for an unknown data set or a missing file, ConfigError where the data root is missing, and where
    no cell can have a score: a target without any labelled sentence."""
    names: set[str] = set()
    files: set[str] = set()
    for cells in plan.settings:
        experiment = cells[0].experiment
        _check_scores(experiment, plan)
        _check_raw(experiment)
        _check_vectors(experiment)
        names.update(_names(experiment))
        files.update(_files(experiment))
    cards = [find_sentences(name) for name in sorted(names)]
    for card in cards:
        check_files(card, existing_root(data_root))
    for path in sorted(files):
        if not Path(path).exists():
            raise DataError(
                f"there is no file '{path}'",
                where=str(plan.recipe),
                expected="a labelled file in every cell; nothing was trained",
                hint="correct the path in the recipe, in --set or in --vary",
            )


def _check_scores(experiment: Experiment, plan: SweepPlan) -> None:
    files = experiment.target.files
    if files is not None and files.train is None and files.dev is None and files.test is None:
        raise ConfigError(
            "the target has no labelled sentences, so that no setting would have a score",
            where=str(plan.recipe),
            expected="target.files with dev or test, which sweeps compare settings on",
            hint="label some sentences and add target.files.test; `nerbridge train` takes a recipe without",
        )


def _check_vectors(experiment: Experiment) -> None:
    """Raises ConfigError when a file of word vectors is not there."""
    for part in getattr(experiment.encoder, "parts", (experiment.encoder,)):
        if isinstance(part, WordCharSettings) and part.vectors not in (None, GLOVE):
            vectors_place(str(part.vectors))


def _check_raw(experiment: Experiment) -> None:
    """Raises DataError when raw text, or a list of names, is not there."""
    if isinstance(experiment.transfer, StreamsSettings):
        for path in (*experiment.transfer.source_raw, *experiment.transfer.target_raw):
            if not (Path(path) / MANIFEST).is_file():
                find_inputs([path])
    if experiment.corpus is not None:
        find_inputs(experiment.corpus.files, experiment.corpus.text.format)
    for path in experiment.gazetteer.files:
        list_files(Path(path))


def _names(experiment: Experiment) -> set[str]:
    """The registered data sets; those that 'FAMILY/others' stands for are left to the run."""
    named = [experiment.target.dataset, *(name for stage in experiment.source for name in stage.datasets)]
    return {name for name in named if name is not None and not name.endswith("/others")}


def _files(experiment: Experiment) -> set[str]:
    settings: list[FilesSettings] = [one for stage in experiment.source for one in stage.files]
    if experiment.target.files is not None:
        settings.append(experiment.target.files)
    return {path for one in settings for path in (one.train, one.dev, one.test) if path is not None}
