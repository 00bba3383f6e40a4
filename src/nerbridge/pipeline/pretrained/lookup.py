"""Which steps on raw text earlier runs have left in the cache."""

from dataclasses import dataclass
from pathlib import Path

from nerbridge.corpus.folder import CorpusFolder
from nerbridge.data.encoder_sums import PROVENANCE, check_sums
from nerbridge.errors import BundleError, DataError
from nerbridge.pipeline.pretrained.building import finished_corpus
from nerbridge.pipeline.pretrained.encoder import encoder_folder, is_too_small, names_for
from nerbridge.pipeline.pretrained.first_tagger import names_file, names_key
from nerbridge.pipeline.pretrained.level import finished_level, level_request
from nerbridge.pipeline.pretrained.work import RawWork


@dataclass(frozen=True)
class Known:
    """What earlier runs have left: each None where it must be made. names: the file of found names."""

    corpus: CorpusFolder | None
    level: CorpusFolder | None
    encoder: Path | None
    names: bool


def look_up(work: RawWork) -> Known:
    """Which steps the cache has."""
    corpus = finished_corpus(work)
    experiment = work.experiment
    given = bool(experiment.gazetteer.files) or not experiment.selection.needs_names
    names = given or names_file(work, names_key(work)).exists()
    level = None
    if corpus is not None and experiment.selection.takes_all:
        level = corpus
    elif corpus is not None and names:
        level = finished_level(work, level_request(work, corpus, names_for(work, corpus)))
    encoder = None
    if level is not None and not looks_too_small(work, level):
        folder = encoder_folder(work, level)
        encoder = folder if _is_whole(folder) else None
    return Known(corpus, level, encoder, names)


def _is_whole(folder: Path) -> bool:
    """Is there an encoder of the cache, as it was written? A damaged one is made again later."""
    if not (folder / PROVENANCE).exists():
        return False
    try:
        check_sums(folder, {})
    except BundleError:
        return False
    return True


def looks_too_small(work: RawWork, level: CorpusFolder) -> bool:
    """Is there too little text in a level of the cache? A damaged one, made again later, is taken for enough."""
    try:
        return is_too_small(work, level)
    except DataError:
        return False
