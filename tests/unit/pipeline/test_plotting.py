"""`nerbridge plot`: which words, which states, which scores, and what becomes of what cannot be drawn."""

import csv
import errno
import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import torch
from running import Runner

from builders import batch, four_sentences, partial, sentence, tiny_tagger
from nerbridge.cli import main
from nerbridge.config.context import MultiCellSettings
from nerbridge.config.experiment import Experiment
from nerbridge.data.labels import LabelSet
from nerbridge.errors import BundleError, ConfigError, DataError, TrainingError
from nerbridge.pipeline.plotting.curves import curves_of, read_curves
from nerbridge.pipeline.plotting.dots import By, Dot, Legend, draw_dots
from nerbridge.pipeline.plotting.projection import place_vectors
from nerbridge.pipeline.plotting.states import Vectors, cell_states, hidden_states
from nerbridge.pipeline.plotting.words import Choice, ChosenWord, Labelled, choose_words
from tiny_project import write_project

KNOWN = LabelSet.of(("person", "organisation", "location"))
PNG, SVG = b"\x89PNG", "<?xml"


def chosen(choice: Choice, *, aliases: dict[str, str] | None = None) -> list[ChosenWord]:
    return choose_words(Labelled("news", four_sentences()), choice, KNOWN, aliases or {})


def test_words_of_entities_are_shown_with_their_labels() -> None:
    words = chosen(Choice())
    assert [(word.sentence, word.place, word.text, word.label) for word in words[:4]] == [
        (0, 0, "ada", "person"),
        (0, 1, "lovelace", "person"),
        (0, 5, "royal", "organisation"),
        (0, 6, "society", "organisation"),
    ]
    assert {word.label for word in chosen(Choice(outside=True))} == {"person", "organisation", "location", "O"}


def test_so_many_sentences_and_words_at_most_and_the_seed_draws_them() -> None:
    assert len({word.sentence for word in chosen(Choice(sentences=2))}) == 2
    some = chosen(Choice(words=3))
    assert len(some) == 3
    assert some == sorted(some, key=lambda word: (word.sentence, word.place))
    assert some == chosen(Choice(words=3))
    assert {tuple(chosen(Choice(words=3, seed=seed))) for seed in range(8)} != {tuple(some)}


def test_words_of_unknown_label_are_not_shown_and_labels_are_spelled_as_the_model_does() -> None:
    mine = [partial("ada wrote london", [0, 1], (0, 1, "WRITER")), sentence("london sang", (0, 1, "LOC"))]
    words = choose_words(Labelled("mine", mine), Choice(outside=True), KNOWN, {"WRITER": "person"})
    assert [(word.text, word.label) for word in words] == [
        *(("ada", "person"), ("wrote", "O"), ("london", "location"), ("sang", "O"))
    ]


def test_data_without_entities_are_refused() -> None:
    with pytest.raises(DataError) as caught:
        choose_words(Labelled("raw.txt", [sentence("the band sang")]), Choice(), KNOWN, {})
    assert str(caught.value) == (
        "there is no word to show in 1 sentence of 'raw.txt'\n"
        "  where: raw.txt\n"
        "  expected: labelled sentences with entities\n"
        "  hint: name other data with --data, more --sentences, or show words outside entities too: --outside"
    )


def test_states_are_what_the_head_reads_whatever_the_batches() -> None:
    model = tiny_tagger().eval()
    words = chosen(Choice(outside=True))
    states = hidden_states(model, four_sentences(), words, "news")
    with torch.inference_mode():
        expected = model.states(batch(model, four_sentences()))
    for word, row in zip(words, states.vectors, strict=True):
        assert torch.allclose(torch.from_numpy(row), expected[word.sentence, word.place], atol=1e-5)
    assert list(states.groups) == [word.label for word in words]


def test_every_word_has_a_point_for_each_cell() -> None:
    model = tiny_tagger(context=MultiCellSettings(hidden=8)).eval()
    words = chosen(Choice(words=5))
    states = cell_states(model, four_sentences(), words, "news")
    assert states.vectors.shape == (5 * 4, 8)
    assert states.groups[:4] == states.groups[4:8]
    assert set(states.groups) == {"O", "person", "organisation", "location"}
    assert [word.text for word in states.words[:5]] == [words[0].text] * 4 + [words[1].text]
    assert len({row.tobytes() for row in states.vectors}) == 20


def test_a_tagger_without_cells_has_none_to_show() -> None:
    for model in (tiny_tagger(), tiny_tagger(context=MultiCellSettings(hidden=8, one_cell=True))):
        with pytest.raises(ConfigError) as caught:
            cell_states(model, four_sentences(), chosen(Choice()), "news")
        assert str(caught.value) == (
            "the tagger of domain 'news' has no cell for each label\n"
            "  where: --what cells\n"
            "  expected: a tagger with context.kind = 'multi_cell' and more than one cell\n"
            "  hint: --what states shows what the head of any tagger reads"
        )


def test_neighbours_stay_together_and_the_seed_gives_the_same_places() -> None:
    generator = np.random.default_rng(0)
    groups = np.repeat([0, 100], 30)
    vectors = (generator.normal(size=(60, 64)) + groups[:, None]).astype(np.float32)
    places = place_vectors(vectors, perplexity=5, seed=3)
    assert places.shape == (60, 2)
    assert np.array_equal(places, place_vectors(vectors, perplexity=5, seed=3))
    nearest = [np.argsort(np.linalg.norm(places - place, axis=1))[1] for place in places]
    assert np.array_equal(groups[nearest], groups)


def test_a_perplexity_that_is_too_large_and_weights_that_are_broken_are_refused() -> None:
    with pytest.raises(ConfigError) as caught:
        place_vectors(np.zeros((12, 4), dtype=np.float32), perplexity=30, seed=1)
    assert str(caught.value) == (
        "perplexity 30 is too much for 12 points\n"
        "  where: --perplexity\n"
        "  expected: fewer neighbours than points\n"
        "  hint: --perplexity 3, or more --sentences and --words"
    )
    with pytest.raises(ConfigError, match="1 point cannot be placed beside others"):
        place_vectors(np.ones((1, 4), dtype=np.float32), perplexity=1, seed=1)
    with pytest.raises(TrainingError, match="the states of all 12 points are the same"):
        place_vectors(np.ones((12, 4), dtype=np.float32), perplexity=3, seed=1)
    broken = np.array([[0.0, 1.0], [np.nan, 1.0], [np.inf, 0.0]], dtype=np.float32)
    with pytest.raises(TrainingError, match="the states of 2 words hold no finite numbers"):
        place_vectors(broken, perplexity=1, seed=1)


def test_curves_hold_the_scores_of_all_stages_one_behind_the_other() -> None:
    def event(stage: str, step: int, **values: object) -> dict[str, object]:
        kind = "evaluation" if values else "finished"
        return {"stage": stage, "event": kind, "step": step, **values}

    more = {"loss": 0.5, "seconds": 1.0, "improved": True, "share_of_most_common_tag": 0.9}
    journal = [
        event("source-1", 10, f1=0.5, epoch=1.0, **more),
        event("source-1", 20),
        event("target", 5, f1=0.25, attention_f1=0.4, **{"perplexity tech": 12.0}),
        event("target", 10, f1=0.75, attention_f1=None),
    ]
    curves = curves_of(journal)
    assert [(one.stage, one.step, one.total, one.name, one.value) for one in curves.marks] == [
        ("source-1", 10, 10, "f1", 0.5),
        ("target", 5, 25, "f1", 0.25),
        ("target", 5, 25, "attention_f1", 0.4),
        ("target", 5, 25, "perplexity tech", 12.0),
        ("target", 10, 30, "f1", 0.75),
    ]
    assert curves.stages == {"source-1": 0, "target": 20}
    assert curves.total == 30
    assert curves.names == ["f1", "attention_f1", "perplexity tech"]


def test_a_run_that_keeps_its_last_weights_has_no_curves_and_says_why(tmp_path: Path) -> None:
    target = {"files": {"train": "train.txt"}}
    tables = {"name": "a", "target": target, "transfer": {"kind": "direct"}, "training": {"selection": "last"}}
    experiment = Experiment.model_validate(tables)
    (tmp_path / "experiment.json").write_text(experiment.model_dump_json(), encoding="utf-8")
    finished = {"stage": "target", "event": "finished", "step": 4}
    (tmp_path / "journal.jsonl").write_text(json.dumps(finished) + "\n", encoding="utf-8")
    with pytest.raises(BundleError, match=r"with selection = \"last\" '.*' was not evaluated while") as caught:
        read_curves(tmp_path)
    assert caught.value.where == str(tmp_path / "experiment.json")


STARTED = b'{"stage": "target", "event": "started", "step": 0}\n'


@pytest.mark.parametrize(
    ("journal", "what"),
    [
        (b"", "the journal of 'RUN' is empty"),
        (b"\xff\xfe\n[]\n", "no line of the journal of 'RUN' is whole"),
        (STARTED, "'RUN' has stopped, or still trains, before its first evaluation"),
        (
            STARTED + b'{"stage": "target", "event": "eval\n',
            "the journal of 'RUN' has no evaluation that can be read: 1 line of it is damaged",
        ),
        (None, "'RUN' has no journal"),
    ],
)
@pytest.mark.parametrize("place", ["journal.jsonl", "stage/journal.jsonl"])
def test_a_run_without_curves_says_what_its_journal_holds(
    tmp_path: Path, journal: bytes | None, what: str, place: str
) -> None:
    experiment = Experiment.model_validate(
        {"name": "a", "target": {"files": {"train": "train.txt"}}, "training": {"selection": "last"}}
        | {"transfer": {"kind": "direct"}}
    )
    (tmp_path / "experiment.json").write_text(experiment.model_dump_json(), encoding="utf-8")
    (tmp_path / "stage").mkdir()
    if journal is not None:
        (tmp_path / place).write_bytes(journal)
    with pytest.raises(BundleError) as caught:
        read_curves(tmp_path)
    assert caught.value.what == what.replace("RUN", str(tmp_path))
    assert caught.value.where == str(tmp_path / (place if journal is not None else "journal.jsonl"))


def test_one_cell_for_all_labels_is_said_to_have_no_picture(
    project: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    context = {"kind": "multi_cell", "hidden": 8, "one_cell": True}
    once = {"source": [], "transfer": {"kind": "direct"}, "training": {"max_steps": 2, "batch_sentences": 4}}
    Runner(project).run("single", context=context, **once)
    capsys.readouterr()
    assert main(["plot", str(project / "single"), "--formats", "svg"]) == 0
    output = capsys.readouterr()
    assert "single: no cells, it has one for all labels (context.one_cell)\n" in output.err
    assert "cells" not in output.out
    assert main(["plot", str(project / "single"), "--formats", "svg", "--what", "states"]) == 0
    assert "no cells" not in capsys.readouterr().err


def test_a_run_that_was_never_evaluated_has_no_curves(tmp_path: Path) -> None:
    finished = {"stage": "target", "event": "finished", "step": 4}
    (tmp_path / "journal.jsonl").write_text(json.dumps(finished) + "\n", encoding="utf-8")
    with pytest.raises(BundleError) as caught:
        read_curves(tmp_path)
    assert str(caught.value) == (
        f"the journal of '{tmp_path}' has no evaluation\n"
        f"  where: {tmp_path / 'journal.jsonl'}\n"
        "  expected: a run that was evaluated on dev while it trained\n"
        "  hint: train with selection = 'dev', or leave curves out: --what states"
    )


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a finished run of a multi-cell tagger, `run`; the tests work on copies."""
    project = write_project(tmp_path_factory.mktemp("plotting") / "project")
    context = {"kind": "multi_cell", "hidden": 8}
    Runner(project).run("run", context=context, source=[], transfer={"kind": "direct"})
    return project


@pytest.fixture
def project(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "project"))


@pytest.fixture
def run(project: Path) -> Path:
    return project / "run"


def test_the_command_draws_all_that_there_is(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(run), "--perplexity", "5"]) == 0
    output = capsys.readouterr()
    names = [f"{name}.{suffix}" for name in ("states", "cells", "curves") for suffix in ("png", "svg", "csv")]
    assert output.out == "".join(f"{run / 'plots' / name}\n" for name in names)
    number = len((run / "plots" / "states.csv").read_text(encoding="utf-8").splitlines()) - 1
    assert output.err == (
        f"run: {number} words in 10 of 10 sentences of music\n"
        f"run, states: t-SNE of {number} points on the CPU (minutes for thousands)\n"
        f"run, cells: t-SNE of {4 * number} points on the CPU (minutes for thousands)\n"
    )
    assert (run / "plots" / "states.png").read_bytes().startswith(PNG)
    picture = (run / "plots" / "cells.svg").read_text(encoding="utf-8")
    assert picture.startswith(SVG)
    assert all(f">{label}<" in picture for label in ("band", "person", "location", "O"))
    with (run / "plots" / "cells.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["run", "domain", "sentence", "word", "text", "label", "cell", "x", "y"]
    assert [row["cell"] for row in rows[:4]] == ["O", "band", "location", "person"]
    with (run / "plots" / "curves.csv").open(encoding="utf-8") as file:
        curves = list(csv.DictReader(file))
    assert {"f1", "entity_f1", "attention_f1"} <= {row["name"] for row in curves}
    assert [row["total"] for row in curves if row["name"] == "f1"] == ["4", "8", "12"]


def test_of_a_run_that_was_scored_on_nothing_there_are_curves_alone(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(run / "predictions")
    (run / "scores.json").write_text("{}", encoding="utf-8")
    (run / "data.json").unlink()
    assert main(["plot", str(run), "--formats", "svg"]) == 0
    output = capsys.readouterr()
    assert output.out == "".join(f"{run / 'plots' / name}\n" for name in ("curves.svg", "curves.csv"))
    assert output.err == "run: no states, it was scored on no sentence; name labelled sentences with --data\n"
    assert main(["plot", str(run), "--what", "cells"]) == 2
    assert capsys.readouterr().err == (
        f"error: run '{run}' has no sentences of its own: it was scored on none\n"
        f"  where: {run / 'predictions'}\n"
        "  expected: labelled sentences whose words are shown\n"
        "  hint: --data NAME or --data FILE; `--what curves` needs none\n"
    )


def test_a_run_whose_predictions_are_gone_is_not_taken_for_one_that_was_scored_on_nothing(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(run / "predictions")
    assert main(["plot", str(run), "--formats", "svg"]) == 0
    assert capsys.readouterr().err == (
        "run: no states, its predictions are missing: run the training command again, "
        "or name labelled sentences with --data\n"
    )
    assert main(["plot", str(run), "--what", "states"]) == 2
    assert capsys.readouterr().err == (
        f"error: run '{run}' has no predictions of split 'test'\n"
        f"  where: {run / 'predictions' / 'test.jsonl'}\n"
        "  expected: a finished run\n"
        "  hint: name another split with --split, or run the training command again: it restores what is missing; "
        "or show other sentences: --data NAME or --data FILE\n"
    )


def test_words_of_predictions_that_do_not_fit_their_run_are_not_shown(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = run / "predictions" / "test.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("band", "choir"), encoding="utf-8")
    assert main(["plot", str(run), "--what", "states"]) == 2
    assert "are about other sentences or gold entities than the run was scored on\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sound", "damage", "why"),
    [
        ('"f1": ', '"f1": 70 ,"f": ', "f1 70"),
        ('"f1": ', '"f1": NaN, "f": ', "f1 nan"),
        ('"step": 8', '"step": -8', "step -8"),
    ],
)
def test_values_that_cannot_be_are_damage_and_not_drawn(
    run: Path, capsys: pytest.CaptureFixture[str], sound: str, damage: str, why: str
) -> None:
    path = run / "journal.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if '"evaluation"' in line and '"step": 8' in line)
    lines[place] = lines[place].replace(sound, damage, 1)
    path.write_text("".join(lines), encoding="utf-8")
    assert main(["plot", str(run), "--what", "curves", "--formats", "svg"]) == 0
    assert capsys.readouterr().err == f"{path}: 1 damaged line left out, line {place + 1}: {why} cannot be\n"
    with (run / "plots" / "curves.csv").open(encoding="utf-8") as file:
        assert [row["total"] for row in csv.DictReader(file) if row["name"] == "f1"] == ["4", "12"]


def test_several_runs_and_domains_in_one_picture(
    run: Path, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    data = ["--data", str(project / "news.txt"), "--data", str(project / "test.txt")]
    asked = ["plot", str(run), str(run / "model"), *data, "--what", "states", "--perplexity", "4", "--words", "12"]
    assert main([*asked, "--formats", "svg", "--coordinates", "jsonl", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    files = ["plots/states.svg", "plots/states.jsonl"]
    assert answer == {"states": {"files": files, "points": {"run": 24, "model": 24}}}
    rows = [json.loads(line) for line in Path("plots/states.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["domain"] for row in rows} == {"news.txt", "test.txt"}
    assert {row["label"] for row in rows if row["domain"] == "news.txt"} == {"person", "location"}  # as the model says
    picture = Path("plots/states.svg").read_text(encoding="utf-8")
    assert ">news.txt<" in picture
    first = [(row["x"], row["y"]) for row in rows if row["run"] == "run"]
    assert first == [(row["x"], row["y"]) for row in rows if row["run"] == "model"]  # the same weights


def test_by_domain_colours_tell_domains(run: Path, project: Path) -> None:
    data = ["--data", str(project / "news.txt"), "--data", str(project / "test.txt")]
    asked = ["plot", str(run), *data, "--what", "states", "--perplexity", "4", "--formats", "svg", "--by", "domain"]
    assert main(asked) == 0
    picture = (run / "plots" / "states.svg").read_text(encoding="utf-8")
    assert ">news.txt<" in picture
    assert ">person<" not in picture


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["RUN", "RUN"], "'RUN' is named twice"),
        (["RUN/model"], "'RUN/model' is a model without a run, and no data are named"),
        (["RUN", "--what", "clouds"], "'clouds' is none of states, cells, curves"),
        (["RUN", "--formats", ","], "--formats names nothing"),
        (["RUN", "--data", "news.txt", "--data", "news.txt"], "'news.txt' is named twice"),
        (["RUN", "--split", "train"], "run 'RUN' has no predictions of split 'train'"),
        (["RUN", "--data", "conll2003x"], "'conll2003x' does not exist"),
        (["RUN/model", "--what", "curves"], "'RUN/model' has no journal"),
        (["nowhere"], "there is no run folder 'nowhere'"),
    ],
)
def test_what_cannot_be_drawn_is_an_error(
    run: Path, arguments: list[str], what: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run.parent)
    assert main(["plot", *(text.replace("RUN", "run") for text in arguments)]) == 2
    error = capsys.readouterr().err
    assert f"error: {what.replace('RUN', 'run')}\n" in error
    assert not (run / "plots").exists()


def test_without_scikit_learn_the_optional_part_is_named(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nerbridge.pipeline.plotting.projection.find_spec", lambda _: None)
    assert main(["plot", str(run)]) == 2
    assert "hint: pip install 'nerbridge[plot]'" in capsys.readouterr().err
    assert main(["plot", str(run), "--what", "curves"]) == 0


def test_of_several_seeds_the_first_is_shown(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    above = run.parent / "seeds"
    above.mkdir()
    for seed in (2, 10):
        (above / f"seed-{seed}").symlink_to(run, target_is_directory=True)
    assert main(["plot", str(above), "--what", "curves", "--formats", "png"]) == 0
    output = capsys.readouterr()
    assert output.err == f"{above}: seed-2 of 2 seeds is shown\n"
    assert output.out == f"{above}/plots/curves.png\n{above}/plots/curves.csv\n"


def test_few_points_have_fewer_neighbours(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(run), "--what", "states", "--words", "10", "--formats", "svg"]) == 0
    assert "\nrun, states: perplexity 3, since there are 10 points only\n" in capsys.readouterr().err
    assert main(["plot", str(run), "--what", "states", "--words", "1"]) == 2
    assert capsys.readouterr().err.endswith(
        "error: 1 point cannot be placed beside others\n"
        "  where: the words that are shown\n"
        "  expected: at least 2 points\n"
        "  hint: more --sentences and --words, or other --data; --outside shows words outside entities too\n"
    )


def test_a_run_that_still_trains_shows_its_curves_so_far(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("model", "predictions"):
        shutil.rmtree(run / name)
    for name in ("scores.json", "journal.jsonl"):
        (run / name).unlink()
    assert main(["plot", str(run), "--formats", "svg"]) == 0
    output = capsys.readouterr()
    assert output.err == "run: no states, it has no finished model\n"
    assert output.out == "".join(f"{run / 'plots' / name}\n" for name in ("curves.svg", "curves.csv"))
    assert main(["plot", str(run), "--what", "states,curves"]) == 2
    assert capsys.readouterr().err == (
        f"error: '{run}' has no finished model\n"
        f"  where: {run / 'model' / 'bundle.json'}\n"
        "  expected: a run that has ended, or a model folder\n"
        "  hint: a run that was interrupted goes on when the command that began it is given again; `--what curves` "
        "shows how far it came\n"
    )


def test_one_run_or_file_under_two_paths_is_named_twice(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(run.parent)
    assert main(["plot", "run", "run/../run"]) == 2
    assert "error: 'run/../run' is named twice\n" in capsys.readouterr().err
    assert main(["plot", "run", "--data", "test.txt", "--data", "./test.txt"]) == 2
    assert "error: './test.txt' is named twice\n" in capsys.readouterr().err


def test_it_is_said_before_the_points_are_placed(
    run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = []

    def placing(vectors: Vectors, **options: Any) -> Any:
        said.append(capsys.readouterr().err.splitlines()[-1])
        return place_vectors(vectors, **options)

    monkeypatch.setattr("nerbridge.pipeline.plotting.placed.place_vectors", placing)
    assert main(["plot", str(run), "--what", "states,cells", "--words", "10", "--formats", "svg"]) == 0
    assert said == [
        "run, states: t-SNE of 10 points on the CPU (minutes for thousands)",
        "run, cells: t-SNE of 40 points on the CPU (minutes for thousands)",
    ]


def key_colours(picture: Path) -> dict[str, str]:
    """Name -> colour of its key in the legend of an SVG file."""
    keys = re.findall(
        r'fill: (#[0-9a-f]{6})[^>]*/>\s*</g>\s*</g>\s*<g id="text_\d+">(?:(?!</g>).)*?>([^<>]+)</text>',
        picture.read_text(encoding="utf-8"),
        re.DOTALL,
    )
    return {name: colour for colour, name in keys}


def test_a_label_has_one_colour_in_all_pictures(run: Path, project: Path) -> None:
    mine = project / "mine.txt"
    mine.write_text((project / "test.txt").read_text(encoding="utf-8") + "\nrex\tB-animal\n", encoding="utf-8")
    asked = ["plot", str(run), "--data", str(mine), "--what", "states,cells", "--perplexity", "5"]
    assert main([*asked, "--outside", "--formats", "svg"]) == 0
    states, cells = (key_colours(run / "plots" / f"{name}.svg") for name in ("states", "cells"))
    assert list(states) == ["animal", "band", "location", "person", "O"]
    assert list(cells) == ["band", "location", "person", "O"]  # the tagger has no cell for animals
    assert cells == {name: states[name] for name in cells}
    assert len(set(states.values())) == 5


def dots(names: Sequence[str]) -> dict[str, list[Dot]]:
    return {"run": [Dot(number, -number, name, "news") for number, name in enumerate(names)]}


def draw(names: Sequence[str], paths: Sequence[Path], by: By = "label") -> str:
    panels = dots(names)
    return draw_dots(panels, paths, title="a title", legend=Legend.of(panels["run"], by))


def test_a_domain_has_one_shape_in_all_pictures_and_a_key_where_it_occurs(tmp_path: Path) -> None:
    there, elsewhere = Dot(0, 0, "person", "news"), Dot(1, 1, "person", "music")
    legend = Legend.of([there, elsewhere], "both")
    assert legend.shapes() == {"news": "o", "music": "*"}
    assert Legend.of([there], "both").shapes() == {}
    draw_dots({"run": [elsewhere]}, [tmp_path / "one.svg"], title="one", legend=legend)
    picture = (tmp_path / "one.svg").read_text(encoding="utf-8")
    assert ">music<" in picture
    assert ">news<" not in picture


def test_many_labels_all_have_a_place_beside_the_picture(tmp_path: Path) -> None:
    def wide(names: Sequence[str]) -> float:
        draw(names, [tmp_path / "many.svg"])
        picture = (tmp_path / "many.svg").read_text(encoding="utf-8")
        found = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', picture)
        assert found is not None
        places = dict(re.findall(r'translate\([0-9.]+ ([0-9.]+)\)">(label\d+)<', picture))
        assert all(0 < float(place) < float(found[2]) for place in places)
        assert all(f">{name}<" in picture for name in names)
        return float(found[1])

    assert wide([f"label{number}" for number in range(90)]) > wide(["label1", "label2"])


def test_names_that_a_picture_cannot_show_are_told_and_long_ones_cut(tmp_path: Path) -> None:
    pictures = [tmp_path / "odd.png", tmp_path / "odd.svg"]
    assert draw(["日本", "_x", "$y$", "l" * 50, "a\tb"], pictures, by="both") == "日本"
    picture = pictures[1].read_text(encoding="utf-8")
    assert all(f">{name}<" in picture for name in ("日本", "_x", "$y$", "l" * 39 + "…", "a\ufffdb"))


def test_a_picture_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "old.png"
    picture.write_bytes(b"old")
    full = OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr("nerbridge.data.writing.os.fsync", Mock(side_effect=full))
    with pytest.raises(OSError, match="No space left") as caught:
        draw(["person"], [picture])
    assert caught.value.filename == str(picture)
    assert [path.name for path in tmp_path.iterdir()] == ["old.png"]
    assert picture.read_bytes() == b"old"
