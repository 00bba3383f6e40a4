"""Which model a folder means."""

import json
import logging
from pathlib import Path

import pytest

from nerbridge.errors import BundleError
from nerbridge.inference.locating import find_bundle


def make_bundle(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "bundle.json").write_text("{}")
    return folder


def make_seed(run: Path, number: int, scores: object) -> Path:
    bundle = make_bundle(run / f"seed-{number}" / "stage" / "model")
    (run / f"seed-{number}" / "scores.json").write_text(scores if isinstance(scores, str) else json.dumps(scores))
    return bundle


@pytest.mark.parametrize("place", [".", "model", "stage/model"])
def test_a_bundle_is_found_in_its_places(tmp_path: Path, place: str) -> None:
    make_bundle(tmp_path / "run" / place)
    assert find_bundle(str(tmp_path / "run")) == tmp_path / "run" / place


def test_the_best_seed_on_dev_is_taken_and_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    make_seed(tmp_path, 1, {"dev": {"f1": 0.5}, "test": {"f1": 0.9}})
    best = make_seed(tmp_path, 10, {"dev": {"f1": 0.61234}, "test": {"f1": 0.1}})
    make_seed(tmp_path, 2, {"dev": {"f1": float("nan")}})
    make_seed(tmp_path, 3, "{damaged")
    make_seed(tmp_path, 5, "[" * 100_000)
    make_seed(tmp_path, 6, f'{{"dev": {{"f1": {"9" * 400}}}}}')
    (tmp_path / "seed-4").mkdir()
    with caplog.at_level(logging.INFO, "nerbridge"):
        assert find_bundle(tmp_path) == best
    assert caplog.messages == [
        "not considered, because they hold no model: seed-4",
        "seed-10 is taken: of 6 seeds it has the best dev F1, 0.6123",
        "not considered, because their scores.json has no dev F1: seed-2, seed-3, seed-5, seed-6",
    ]


def test_of_equal_seeds_the_first_is_taken(tmp_path: Path) -> None:
    make_seed(tmp_path, 10, {"dev": {"f1": 0.5}})
    first = make_seed(tmp_path, 9, {"dev": {"f1": 0.5}})
    assert find_bundle(tmp_path) == first


def test_seeds_without_scores_cannot_be_chosen_from(tmp_path: Path) -> None:
    make_seed(tmp_path, 1, {"test": {"f1": 0.9}})
    make_seed(tmp_path, 2, "[]")
    with pytest.raises(BundleError) as caught:
        find_bundle(tmp_path)
    assert str(caught.value) == (
        f"'{tmp_path}' has models of 2 seeds, but no dev score to choose by\n"
        f"  where: {tmp_path}/seed-1/scores.json\n"
        '  expected: a number at "dev", "f1"\n'
        f"  hint: name one of the seeds: {tmp_path}/seed-1"
    )


def test_no_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(BundleError) as caught:
        find_bundle(tmp_path / "nowhere")
    assert str(caught.value) == (
        f"there is no model at '{tmp_path}/nowhere'\n"
        f"  where: {tmp_path}/nowhere\n"
        "  expected: a run folder or a bundle folder\n"
        "  hint: `nerbridge train` and `nerbridge adapt` write one and say where"
    )
    (tmp_path / "file").touch()
    with pytest.raises(BundleError, match="file' is not a folder"):
        find_bundle(tmp_path / "file")


def test_an_unfinished_run_is_said(tmp_path: Path) -> None:
    (tmp_path / "stage" / "model").mkdir(parents=True)
    with pytest.raises(BundleError) as caught:
        find_bundle(tmp_path)
    assert str(caught.value) == (
        f"there is no model in '{tmp_path}'\n"
        f"  where: {tmp_path}/stage/model\n"
        "  expected: the file bundle.json in the folder itself, or in model/ or stage/model/ of it or of its seeds\n"
        "  hint: a run that was interrupted goes on when the command that began it is given again"
    )


def test_an_encoder_is_no_tagger(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(BundleError) as caught:
        find_bundle(tmp_path)
    assert str(caught.value) == (
        f"'{tmp_path}' is an encoder, not a tagger\n  where: {tmp_path}\n  expected: a run folder or a bundle folder\n"
        f"  hint: train a tagger on it: nerbridge adapt --encoder {tmp_path} --target-train FILE --output RUN"
    )
