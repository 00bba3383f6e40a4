"""Is the data of every cell there? Asked before the first cell is trained, so that the last one does not fail."""

from pathlib import Path

from nerbridge.config.experiment import Experiment
from nerbridge.config.files import FilesSettings
from nerbridge.corpus.gazetteer_files import list_files
from nerbridge.corpus.inputs import find_inputs
from nerbridge.data.registry.loading import check_files, existing_root, find_sentences
from nerbridge.errors import DataError
from nerbridge.pipeline.sweep.plan import SweepPlan


def check_data(plan: SweepPlan, data_root: Path | None) -> None:
    """Raises DataError for an unknown data set or a missing file, ConfigError where the data root is missing."""
    names: set[str] = set()
    files: set[str] = set()
    for cells in plan.settings:
        experiment = cells[0].experiment
        _check_raw(experiment)
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


def _check_raw(experiment: Experiment) -> None:
    """Raises DataError when raw text, or a list of names, is not there."""
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
