"""Finished cells of a sweep are compared with what a run would read now."""

from pathlib import Path
from typing import Any

from nerbridge.config.loading import parse_experiment
from nerbridge.data.encoder_files import encoder_fingerprint
from nerbridge.evaluation.run_folder import DATA
from nerbridge.pipeline.data import load_data
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.same_data import ENCODER
from nerbridge.pipeline.sweep.plan import Cell
from nerbridge.pipeline.sweep.same_inputs import refuse_other_inputs


def cell(folder: Path, source: dict[str, Any], selection: str) -> Cell:
    tables = {
        "name": "t",
        "target": {"files": {"domain": "music"}},
        "source": [source],
        "encoder": {"kind": "word_char", "vectors": "none"},
        "transfer": {"kind": "multi_task", "streams": ["source/tags"]},
        "training": {"selection": selection},
    }
    return Cell({}, folder.name, parse_experiment(tables, where="test"), folder)


def test_cells_of_a_source_whose_part_is_held_out_are_those_of_the_same_data(tmp_path: Path) -> None:
    """Whether something is held out, and how much, is another choice of each cell over the same file."""
    file = tmp_path / "news.txt"
    file.write_text("\n".join(f"Ada\tB-PER\nsang\tO\nsong{number}\tO\n" for number in range(20)), encoding="utf-8")
    source = {"files": [{"train": str(file)}]}
    cells = [
        cell(tmp_path / "tenth", source, "dev"),
        cell(tmp_path / "third", {**source, "holdout": 0.3}, "dev"),
        cell(tmp_path / "last", source, "last"),
    ]
    for one in cells:
        one.folder.mkdir()
        record = load_data(one.experiment, None).record()
        write_json(one.folder / DATA, {**record, ENCODER: encoder_fingerprint(one.experiment.encoder)})
    refuse_other_inputs(cells, None)
