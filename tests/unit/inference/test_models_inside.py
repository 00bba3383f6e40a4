"""A folder that lies above runs is answered by the models inside."""

from pathlib import Path

import pytest

from nerbridge.errors import BundleError
from nerbridge.inference.locating import find_bundle


def make_bundle(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "bundle.json").write_text("{}")


def test_the_cells_of_a_sweep_are_named(tmp_path: Path) -> None:
    sweep = tmp_path / "curve"
    for number in range(10, 20):
        make_bundle(sweep / f"num_train={number}" / "seed-1" / "model")
    (sweep / "num_train=40" / "seed-1").mkdir(parents=True)  # not finished
    with pytest.raises(BundleError) as caught:
        find_bundle(sweep)
    shown = ", ".join(f"'{sweep}/num_train={number}'" for number in range(10, 18))
    assert str(caught.value).splitlines() == [
        f"'{sweep}' is no run folder, but lies above some",
        f"  where: {sweep}",
        f"  expected: one of the models inside: {shown}, 2 more",
        f"  hint: name one of them, such as '{sweep}/num_train=10'",
    ]


def test_runs_are_found_two_folders_deep(tmp_path: Path) -> None:
    make_bundle(tmp_path / "grid" / "ai" / "model")
    make_bundle(tmp_path / ".cache" / "model")
    with pytest.raises(BundleError) as caught:
        find_bundle(tmp_path)
    assert caught.value.expected == f"one of the models inside: '{tmp_path}/grid/ai'"
