"""What raw_text.json of a run keeps: the text, the names that chose sentences, what the encoder learnt of them."""

from typing import Any

from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.tally import REASONS
from nerbridge.data.encoder_sums import PROVENANCE
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.pipeline.same_data import LISTS
from nerbridge.pretraining import PretrainingResult


def text_record(work: RawWork, corpus: CorpusFolder, level: CorpusFolder, names: Gazetteer) -> dict[str, Any]:
    """What was read, kept and left out, where the names came from, and what the level holds, copies counted."""
    record = {
        "corpus": {
            "folder": str(corpus.path),
            "files": list(work.settings.files),
            "num_files": len(corpus.manifest["inputs"]),
            "counts": corpus.manifest["counts"],
            "left_out": left_out(corpus),
        },
        "level": {"name": work.experiment.selection.level, "folder": str(level.path), **level.manifest["holds"]},
    }
    if work.experiment.selection.needs_names:
        record["names"] = {"from": names_from(work), "number": len(names), "labels": names.names_by_label()}
    if lists := work.lists_record:
        record[LISTS] = lists
    return record


def left_out(corpus: CorpusFolder) -> dict[str, int]:
    """Reason in words -> how many paragraphs, or documents or sentences where it concerns those."""
    sizes = corpus.manifest["counts"]["dropped"].items()
    return {REASONS[name]: size["paragraphs"] or size["documents"] or size["sentences"] for name, size in sizes}


def names_from(work: RawWork) -> list[str]:
    """The lists, as the recipe names them; without lists, what names were found with."""
    settings = work.experiment.gazetteer
    if settings.files:
        return list(settings.files)
    return ["labelled sentences of the target", *(["a first tagger"] if settings.tagged_words else [])]


def pretraining_record(work: RawWork, result: PretrainingResult) -> dict[str, Any]:
    """What came out, with what was masked and the precision in which the encoder learnt, maybe in an earlier run."""
    environment = read_json(result.folder / PROVENANCE).get("environment", {})
    about = {"masking": work.experiment.pretraining.masking, "precision": environment.get("precision", "not recorded")}
    return {**result.to_json(), **about}
