"""What can be wrong with raw text and lists, found before anything is built."""

from nerbridge.corpus.inputs import find_inputs
from nerbridge.corpus.labelled_text import refuse_other_than_raw
from nerbridge.corpus.matching import build_automaton
from nerbridge.corpus.reading import check_inputs
from nerbridge.pipeline.pretrained.names import listed_names
from nerbridge.pipeline.pretrained.work import RawWork


def check_raw_text(work: RawWork) -> None:
    """Finds faults before anything is built.

    Raises DataError for raw text or lists that are missing, empty, damaged or labelled data, MissingExtraError for a
    part of nerbridge that is not installed, ConfigError for lists without a label of the target.
    """
    settings = work.settings
    files = find_inputs(settings.files, settings.text.format)
    check_inputs(files, settings.text)
    refuse_other_than_raw(files)
    if not work.experiment.selection.takes_all:
        build_automaton([b"probe"])
    if work.experiment.selection.needs_names and work.experiment.gazetteer.files:
        listed_names(work)
