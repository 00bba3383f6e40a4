"""What an ablation leaves out, and says, where the raw text of its runs was too little to pre-train on."""

from pathlib import Path
from typing import Any

import pytest
from running import Runner

from nerbridge.pipeline.ablation_remarks import not_done, remark_on
from nerbridge.pipeline.files import write_json
from raw_project import raw_tables, write_raw

TOO_FEW = "too few words to pre-train on"


def write_run(folder: Path, *, pretrained: bool, words: int = 1200) -> Path:
    """The record of raw text of a run, and what makes its folder one."""
    record: dict[str, Any] = {"corpus": {"counts": {"kept": {"words": words}}}}
    write_json(folder / "raw_text.json", {**record, "pretraining": {"steps": 4} if pretrained else None})
    write_json(folder / "experiment.json", {})
    return folder


@pytest.mark.parametrize(
    ("pretrained", "words", "reasons"),
    [
        (True, 49, {}),
        (False, 50, {"pretraining": TOO_FEW}),
        (False, 49, {"pretraining": TOO_FEW, "selection": f"{TOO_FEW}, even on the domain level"}),
    ],
)
def test_what_would_be_the_same_run_is_not_done(
    project: Path, pretrained: bool, words: int, reasons: dict[str, str]
) -> None:
    runner = Runner(write_raw(project))
    experiment = runner.experiment(**raw_tables(project, selection={"min_words": 50}))
    write_run(project / "one", pretrained=pretrained, words=words)
    write_run(project / "several" / "seed-1", pretrained=pretrained, words=words)
    write_run(project / "several" / "seed-2", pretrained=pretrained, words=words)
    assert not_done(experiment, project / "one") == reasons
    assert not_done(experiment, project / "several") == reasons
    assert not_done(runner.experiment(), project) == {}


@pytest.mark.parametrize(
    ("name", "without", "whole", "remark"),
    [
        ("pretraining", False, True, ""),
        ("selection", True, True, ""),
        ("source", False, False, ""),
        ("selection", False, False, f"neither encoder was pre-trained ({TOO_FEW}): both runs are the same"),
        (
            "selection",
            True,
            False,
            "F1 without selection is that of an encoder pre-trained on the domain level, F1 with selection that of one "
            f"without pre-training ({TOO_FEW}): the gain is not that of selection alone",
        ),
        (
            "source",
            False,
            True,
            f"F1 without source is that of an encoder without pre-training ({TOO_FEW}), F1 with source that of a "
            "pre-trained one: the gain is not that of source alone",
        ),
    ],
)
def test_a_comparison_says_what_it_holds_beside_its_part(
    tmp_path: Path, name: str, without: bool, whole: bool, remark: str
) -> None:
    folders = (
        write_run(tmp_path / "whole" / "ablation" / f"without-{name}", pretrained=without),
        write_run(tmp_path / "whole", pretrained=whole),
    )
    assert remark_on(name, *folders) == remark
