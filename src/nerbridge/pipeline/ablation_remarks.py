"""An ablation whose raw text was too little to pre-train on: what is not done, and what comparisons then say."""

from pathlib import Path

from nerbridge.config.experiment import Experiment
from nerbridge.evaluation.run_folder import run_folders
from nerbridge.pipeline.files import read_json
from nerbridge.pipeline.same_data import RAW_TEXT

TOO_FEW = "too few words to pre-train on"


def not_done(experiment: Experiment, folder: Path) -> dict[str, str]:
    """Part -> why it is not left out: where the whole, in `folder`, was not pre-trained, that would be the same run."""
    if experiment.corpus is None or _is_pretrained(folder):
        return {}
    found = {"pretraining": TOO_FEW}
    if all(words < experiment.selection.min_words for words in _corpus_words(folder)):
        found["selection"] = f"{TOO_FEW}, even on the domain level"
    return found


def remark_on(name: str, without: Path, whole: Path) -> str:
    """What a comparison of the runs without the part `name` and the whole ones holds beside that part; else empty.

    without, whole: the folders of these runs.
    """
    if name == "pretraining":
        return ""
    level = " on the domain level" if name == "selection" else ""
    match _is_pretrained(without), _is_pretrained(whole):
        case True, False:
            return (
                f"F1 without {name} is that of an encoder pre-trained{level}, F1 with {name} that of one without "
                f"pre-training ({TOO_FEW}): the gain is not that of {name} alone"
            )
        case False, True:
            return (
                f"F1 without {name} is that of an encoder without pre-training ({TOO_FEW}{level}), F1 with {name} that "
                f"of a pre-trained one: the gain is not that of {name} alone"
            )
        case False, False if name == "selection":
            return f"neither encoder was pre-trained ({TOO_FEW}): both runs are the same"
        case _:
            return ""


def _is_pretrained(folder: Path) -> bool:
    """Has raw text taught the encoder of the runs in `folder`? One seed stands for all: they share the text."""
    records = (run / RAW_TEXT for run in run_folders(folder).values())
    return any(read_json(path).get("pretraining") for path in records if path.exists())


def _corpus_words(folder: Path) -> list[int]:
    """The words of all raw text that was kept, by run; the domain level has no more."""
    records = [read_json(run / RAW_TEXT) for run in run_folders(folder).values()]
    return [int(record["corpus"]["counts"]["kept"]["words"]) for record in records]
