"""A run with raw text: cached step by step, shared, guarded, said beforehand, and refused where it makes no sense."""

import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from running import Runner, weights
from sweeping import Here

from nerbridge.corpus.folder import CorpusFolder, write_corpus
from nerbridge.errors import ConfigError, DataError, MissingExtraError
from nerbridge.pipeline.data import load_data
from nerbridge.pipeline.pretrained import building
from nerbridge.pipeline.pretrained.description import describe_steps
from nerbridge.pipeline.pretrained.encoder import distinct_words, pretraining_corpora
from nerbridge.pipeline.pretrained.forecast import (
    PiecePace,
    Step,
    describe_forecast,
    pretraining_seconds,
    stage_seconds,
)
from nerbridge.pipeline.pretrained.lookup import look_up
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.pipeline.run import RunResult
from nerbridge.pipeline.sweep.crew import Crew
from nerbridge.pipeline.sweep.plan import plan_sweep
from nerbridge.pipeline.sweep.sweep import run_sweep
from nerbridge.pipeline.sweep.variations import parse_variations
from nerbridge.pretraining import estimate_pretraining
from nerbridge.transfer.plan import plan_stages
from raw_project import raw_tables, write_raw
from tiny_project import write_project, write_recipe_file

KINDS = ("corpora", "levels", "encoders")  # folders of the cache
ALL = ("corpus", "level", "pre-training", "source-1", "source-2", "target")


@pytest.fixture
def runner(project: Path) -> Runner:
    return Runner(write_raw(project))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    """A project that has been run once, in the folder 'run'."""
    runner = Runner(write_raw(write_project(tmp_path_factory.mktemp("finished") / "project")))
    run(runner)
    return runner


def run(runner: Runner, folder: str = "run", *, without: tuple[str, ...] = (), **tables: Any) -> RunResult:
    """Runs with raw text. tables: of the recipe, those of raw text key by key; without: keys of [gazetteer]."""
    raw = raw_tables(runner.project, **tables)
    for key in without:
        raw["gazetteer"].pop(key)
    others = {name: table for name, table in tables.items() if name not in raw}
    return runner.run(folder, **raw, **others)


def steps(runner: Runner) -> dict[str, str]:
    """Step -> 'made' or 'reused', as the last run said; stages of training too."""
    found: dict[str, str] = {}
    for line in runner.said:
        if line.startswith("corpus   ") and "words" in line:
            found["corpus"] = "reused" if "already built" in line else "made"
        elif line.startswith("level    ") and "times the corpus" in line:
            found["level"] = "reused" if "already chosen" in line else "made"
        elif line.startswith("already pre-trained"):
            found["pre-training"] = "reused"
        elif line.startswith("pre-training: "):
            found.setdefault("pre-training", "made")
    trained = {"trained": "made", "reused": "reused"}
    return {**found, **{name: trained[word] for name, word in runner.stages().items()}}


def expected(*made: str) -> dict[str, str]:
    return {name: "made" if name in made else "reused" for name in ALL}


def test_every_step_is_made_once_and_a_second_run_makes_nothing(runner: Runner) -> None:
    first = run(runner)
    assert steps(runner) == expected(*ALL)
    before = weights(first.folder)
    again = run(runner)
    assert steps(runner) == expected()
    assert any(line == f"cache    {', '.join(ALL)}: finished by an earlier run" for line in runner.said)
    assert not any(line.startswith("time     about") for line in runner.said)
    assert (weights(again.folder), again.summaries) == (before, first.summaries)


@pytest.mark.slow
def test_the_encoder_of_the_stages_is_the_pre_trained_one(runner: Runner) -> None:
    with_text, without = run(runner, "with"), runner.run("without")
    record = json.loads((with_text.folder / "raw_text.json").read_text())
    folder = Path(record["pretraining"]["folder"])
    assert folder.parent == runner.project / "cache" / "encoders"
    assert (folder / "model.safetensors").is_file()
    assert record["pretraining"]["steps"] == 4
    assert weights(with_text.folder) != weights(without.folder)
    assert runner.stages() == {"source-1": "trained", "source-2": "trained", "target": "trained"}
    assert not (without.folder / "raw_text.json").exists()


def test_other_lists_of_names_are_refused(runner: Runner) -> None:
    folder = run(runner).folder
    before = weights(folder)
    (runner.project / "lists" / "person.txt").write_text("ada lovelace\nbob\nada\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"was made from other data: lists of names 6 names \(.{8}\) then, 7 names"):
        run(runner)
    assert weights(folder) == before


@pytest.mark.parametrize(("file", "told"), [("raw.txt", "raw text "), ("lists/person.txt", "lists of names 6 names ")])
def test_finished_cells_of_other_raw_text_are_refused(runner: Runner, file: str, told: str) -> None:
    recipe = write_recipe_file(runner.project, **raw_tables(runner.project))

    def sweep(vary: str) -> list[str]:
        plan = plan_sweep(recipe, parse_variations([vary]), seeds=(1,), folder=runner.project / "sweep")
        worker = Here(runner.project / "cache")
        run_sweep(plan, Crew(None, runner.project / "cache"), say=runner.said.append, workers=[worker])
        return worker.cells

    assert len(sweep("target.num_train=4")) == 1
    assert sweep("target.num_train=4") == []
    with (runner.project / file).open("a", encoding="utf-8") as stream:
        stream.write("they wrote to ada .\n")
    with pytest.raises(ConfigError) as caught:
        sweep("target.num_train=4,8")
    assert caught.value.what.startswith(f"1 of 1 finished cell were made from other data: {told}")


SHORTER = {"learning_rate": 1e-3, "batch_sentences": 4, "source": {"epochs": 1}, "target": {"epochs": 2}}
BEHIND = ("pre-training", "source-1", "source-2", "target")  # a new encoder


def test_what_a_run_has_made_itself_is_not_remarked_on(runner: Runner, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    run(runner)
    run(runner, "again")
    assert "not needed and not read" not in caplog.text  # the head that the pre-training has learnt with
    assert "the levels are there already" not in caplog.text
    assert sum(line.startswith("level    already chosen, ") for line in runner.said) == 1


def test_a_changed_last_stage_makes_nothing_else(runner: Runner) -> None:
    run(runner, "one")
    run(runner, "two", training=SHORTER)
    assert steps(runner) == expected("target")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tables", "made"),
    [
        ({"seed": 2}, ("source-1", "source-2", "target")),
        ({"pretraining": {"max_steps": 5}}, BEHIND),
        ({"pretraining": {"checkpoint_seconds": 60.0}}, ("target",)),
        ({"selection": {"level": "task"}}, BEHIND),
        ({"selection": {"min_entities": 1}}, ("level", *BEHIND)),
        ({"corpus": {"filters": {"similarity": "none", "min_words": 6}}}, ("corpus", "level", "target")),
        ({"corpus": {"filters": {"similarity": "none", "max_words": 18}}}, ALL),
    ],
    ids=["seed", "pre-training", "pace of checkpoints", "level", "threshold", "idle filter", "filter"],
)
def test_a_change_makes_again_what_depends_on_it(runner: Runner, tables: dict[str, Any], made: tuple[str, ...]) -> None:
    """A level with the same sentences gives the same encoder, whatever filters the corpus went through."""
    run(runner, "one")
    run(runner, "two", **tables)
    assert steps(runner) == expected(*made)


@pytest.mark.slow
def test_another_target_with_the_same_dev_and_test_shares_all_but_its_own_stage(runner: Runner) -> None:
    run(runner, "one")
    lines = (runner.project / "train.txt").read_text().split("\n\n")
    (runner.project / "train.txt").write_text("\n\n".join(lines[:-3]) + "\n\n")
    run(runner, "two")
    assert steps(runner) == expected("target")


def test_text_of_dev_and_test_is_left_out(runner: Runner) -> None:
    words = ("grace", "wrote", "to", "london", "with", "a", "band", "that", "sang", "in", "the", "royal", "society")
    for split, first in (("dev", "ada"), ("test", "bob")):
        with (runner.project / f"{split}.txt").open("a") as file:
            file.write("\n" + "".join(f"{word}\tO\n" for word in (first, *words)))
        with (runner.project / "raw.txt").open("a") as file:
            file.write(f"Once {first} {' '.join(words)} .\n")
    run(runner)
    line = next(line for line in runner.said if line.startswith("corpus   "))
    assert "paragraphs that share words in a row with an evaluation set (2)" in line
    assert line.endswith("paragraphs shared with music dev 2, music test 2")
    corpus = CorpusFolder(json.loads((runner.project / "run" / "raw_text.json").read_text())["corpus"]["folder"])
    assert not any("grace" in sentence for document in corpus.documents() for sentence in document)


def test_what_will_be_done_is_said_before_it_is_done(finished: Runner) -> None:
    runner = finished
    start = next(place for place, line in enumerate(runner.said) if line.startswith("plan     first: "))
    plan = runner.said[start : start + 8]
    assert plan[:3] == [
        "plan     first: corpus of 1 file (0.0 MB), without what dev and test of music hold",
        "plan     first: names of 'lists'",
        "plan     first: sentences with 2 names or more, and 2 copies of those with a name of a specialised label "
        "(integrated level); specialised: band",
    ]
    assert plan[3] == (
        f"plan     first: pre-training of {runner.project / 'encoder'}: at most 4 steps or 15 epochs of 128 pieces, "
        "span masking; a head that is new first learns alone for 1 step (pretraining.head_steps)"
    )
    ended = next(line for line in runner.said if line.startswith("pre-training: "))
    assert ended.startswith("pre-training: 1 step of the new head alone, 4 steps of all, ")
    parts = ", ".join(f"{name} \\d+:\\d\\d" for name in (*ALL, "scores"))
    assert [line[:12] for line in plan[4:7]] == ["plan     1. ", "plan     2. ", "plan     3. "]  # as they will be done
    time = next(line for line in runner.said if line.startswith("time     "))
    aside = "beside start-up and the short trials that tell it"
    assert re.fullmatch(f"time     about \\d+:\\d\\d in all, {aside}: {parts}", time)
    assert next(place for place, line in enumerate(runner.said) if line.startswith("corpus   ")) > start + 4


def test_dev_f1_is_said_behind_every_stage(finished: Runner) -> None:
    said = "\n".join(finished.said)
    assert re.search(r"^source-1: dev F1 of music \d+\.\d\d so far, on 2 of 3 labels: location, person$", said, re.M)
    assert re.search(
        r"^source-2: dev F1 of music \d+\.\d\d so far, on 3 of 3 labels: band, location, person$", said, re.M
    )
    scores = json.loads((finished.project / "run" / "scores.json").read_text())
    journal = (finished.project / "run" / "stage" / "journal.jsonl").read_text().splitlines()
    kept = next(line["kept_step"] for line in map(json.loads, journal) if line["event"] == "finished")
    at = "" if kept == 12 else f" at step {kept}"
    assert f"target: trained (12 steps, dev F1 {100 * scores['dev']['conlleval']['f1']:.2f}{at})" in said


@pytest.mark.slow
def test_the_domain_level_needs_no_names(runner: Runner) -> None:
    shutil.rmtree(runner.project / "lists")
    run(runner, selection={"level": "domain"}, without=("files",))
    assert steps(runner) == {name: "made" for name in ALL if name != "level"}


@pytest.mark.slow
def test_a_share_of_the_domain_level_needs_no_names_and_no_first_tagger(runner: Runner) -> None:
    shutil.rmtree(runner.project / "lists")
    choice = {"level": "domain", "share": 0.5}
    run(runner, selection=choice, without=("files",))
    assert steps(runner) == expected(*ALL)
    assert not [line for line in runner.said if line.startswith("names")]
    assert "plan     first: all sentences of 50 % of the documents (domain level)" in runner.said
    record = json.loads((runner.project / "run" / "raw_text.json").read_text())
    assert 0 < record["level"]["documents"] < record["corpus"]["counts"]["kept"]["documents"]
    run(runner, selection=choice, without=("files",))
    assert steps(runner) == expected()


def test_lists_that_the_domain_level_does_not_use_are_said(runner: Runner) -> None:
    said = {}
    for level in ("domain", "entity"):
        experiment = runner.experiment(**raw_tables(runner.project, selection={"level": level}))
        data = load_data(experiment, None)
        plan = plan_stages(experiment, data.sources, data.target)
        said[level] = describe_steps(RawWork(experiment, data, plan, runner.surroundings))
    assert "plan     first: all sentences (domain level); the lists of names have no effect" in said["domain"]
    assert not [line for line in said["entity"] if "no effect" in line]


@pytest.mark.slow
def test_without_lists_a_first_tagger_finds_names_once_for_all_seeds(runner: Runner) -> None:
    found = {"confidence": 0.2, "tagged_words": 500}
    run(runner, "one", without=("files",), gazetteer=found)
    text = "\n".join(runner.said)
    assert "names    a first tagger is trained without raw text, to look for names in it" in text
    read = re.search(r"the first tagger reads (\d+) sentences \((\d+) words\)", text)
    assert read is not None
    assert 0 < int(read[2]) < 1000
    (file,) = (runner.project / "cache" / "names").glob("*/names.jsonl")
    names = [json.loads(line) for line in file.read_text().splitlines()]
    assert {"name": "ada lovelace", "label": ["person"]} in names
    run(runner, "two", without=("files",), gazetteer=found, seed=2)
    assert "a first tagger is trained" not in "\n".join(runner.said)
    assert steps(runner) == expected("source-1", "source-2", "target")


@pytest.mark.slow
def test_labelled_names_alone_need_no_tagger(runner: Runner) -> None:
    run(runner, without=("files",), gazetteer={"tagged_words": 0})
    assert "plan     first: names of the labelled sentences" in runner.said
    assert not any("first tagger" in line for line in runner.said)
    assert steps(runner) == expected(*ALL)


@pytest.mark.slow
def test_too_little_text_is_said_and_the_encoder_stays_as_it_is(runner: Runner) -> None:
    result = run(runner, "with", selection={"min_words": 100_000})
    said = [line for line in runner.said if "too few to pre-train on" in line]
    assert len(said) == 1
    assert re.fullmatch(
        r"note     [\d,]+ words on the integrated level, each sentence counted once, are too few to pre-train on: "
        r"selection.min_words = 100000. The encoder stays as it is, and the stages are trained without pre-training; "
        r"more raw text helps; "
        r"--level domain takes all of it",
        said[0],
    )
    assert "pre-training" not in steps(runner)
    record = json.loads((result.folder / "raw_text.json").read_text())
    assert record["pretraining"] is None
    assert said[0].startswith(f"note     {record['reason']}. The encoder stays as it is")
    assert f"<td>none: {record['reason']}</td>" in (result.folder / "report.html").read_text()
    without = runner.run("without")
    assert weights(result.folder) == weights(without.folder)
    assert "Raw text" not in (without.folder / "report.html").read_text()


def test_the_report_says_what_the_encoder_has_learnt_from(finished: Runner) -> None:
    folder = finished.project / "run"
    record = json.loads((folder / "raw_text.json").read_text())
    first, last = record["pretraining"]["evaluations"][0], record["pretraining"]["evaluations"][-1]
    told = re.findall("<td>(.*?)</td>", (folder / "report.html").read_text())
    for text in (
        f"1, of {finished.project / 'raw.txt'}",
        "60 documents, 60 sentences, 1,200 words",
        f"6, of {finished.project / 'lists'}; 2 band, 2 location, 2 person",
        f"integrated: {record['level']['sentences']} sentences, {record['level']['words']:,} words, copies counted",
        f"4 steps, and 1 step of a new head alone before; {record['pretraining']['pieces']} pieces",
        "float32",
    ):
        assert text in told
    perplexity = told[told.index("held-out perplexity, span masks") + 1]
    assert perplexity.startswith(f"{first['span']:,.2f} before, ")
    assert perplexity.endswith(f", {last['span']:,.2f} after")


def test_copies_of_a_sentence_are_no_more_text(tmp_path: Path) -> None:
    level = write_corpus(tmp_path / "level", [[["Ada", "sang"], ["Ada", "slept"]], [["Ada", "sang"]]])
    assert level.num_words == 6
    assert distinct_words(level, 100) == 4
    assert distinct_words(level, 3) == 4


def test_a_time_that_cannot_be_told_yet_is_said_to_be_missing() -> None:
    steps = [Step("corpus", 61.0), Step("pre-training", None), Step("target", 30.0), Step("level", 0.0, done=True)]
    assert describe_forecast(steps) == [
        "cache    level: finished by an earlier run",
        "time     about 1:31 without pre-training, whose time is told when the text is known, beside start-up and the "
        "short trials that tell it: corpus 1:01, target 0:30",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("step", ["corpora", "levels", "encoders"])
def test_a_damaged_step_is_said_and_made_again(runner: Runner, step: str) -> None:
    first = run(runner, "one")
    for path in (runner.project / "cache" / step).rglob("*"):
        if path.suffix in (".gz", ".safetensors"):
            path.write_bytes(path.read_bytes()[:-1] + b"\x77")
    second = run(runner, "two")
    assert any("damaged" in line for line in runner.said)
    made = {"corpora": "corpus", "levels": "level", "encoders": "pre-training"}[step]
    assert steps(runner)[made] == "made"
    assert weights(first.folder) == weights(second.folder)


def test_labelled_data_as_raw_text_is_refused(runner: Runner) -> None:
    path = runner.project / "train.txt"
    with pytest.raises(DataError) as caught:
        run(runner, corpus={"files": [str(path)]})
    assert str(caught.value) == (
        "'train.txt' holds labelled sentences, a word and a tag per line, and no raw text\n"
        f"  where: {path}\n"
        "  expected: running text, one paragraph per line\n"
        f"  hint: labelled sentences are for --target-train {path} of `nerbridge adapt`, or target.files of a recipe"
    )


def test_empty_raw_text_is_refused(runner: Runner) -> None:
    path = runner.project / "raw.txt"
    path.write_text("\n")
    with pytest.raises(DataError) as caught:
        run(runner)
    assert str(caught.value).splitlines()[:2] == ["no text is left: the files are empty", f"  where: {path}"]


def test_raw_text_that_changes_behind_the_plan_is_refused(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    path = runner.project / "raw.txt"
    original = building.build_corpus

    def late(*arguments: Any, **options: Any) -> CorpusFolder:
        path.write_text(path.read_text(encoding="utf-8") + "one more line came from elsewhere .\n", encoding="utf-8")
        return original(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(building, "build_corpus", late)
        with pytest.raises(DataError) as caught:
            run(runner)
    assert str(caught.value) == (
        "the raw text changed after the plan was made\n"
        f"  where: {path}\n"
        "  expected: files and folders that stay as they are until the corpus is built\n"
        "  hint: run the same command again when nothing writes there any more, or on a copy"
    )
    assert run(runner).folder.is_dir()


def test_an_encoder_that_reads_less_than_a_row_is_refused_before_anything_is_built(runner: Runner) -> None:
    with pytest.raises(ConfigError, match="length = 5000 is more than encoder"):
        run(runner, pretraining={"length": 5000})
    assert not (runner.project / "cache" / "corpora").exists()


def test_lists_without_a_label_of_the_target_are_refused_before_anything_is_built(runner: Runner) -> None:
    for path in (runner.project / "lists").iterdir():
        path.rename(path.with_name(f"x{path.name}"))
    with pytest.raises(ConfigError) as caught:
        run(runner)
    assert str(caught.value) == (
        "no list has names of a label of the target: the lists have xband (is it 'band'?), "
        "xlocation (is it 'location'?), xperson (is it 'person'?)\n"
        f"  where: {runner.project / 'lists'}\n"
        "  expected: one of band, location, person\n"
        "  hint: rename the lists to labels of the target (<label>.txt), or leave --gazetteer out: then labelled "
        "sentences and a first tagger name what to look for"
    )
    assert not (runner.project / "cache" / "corpora").exists()


def test_lists_without_specialised_labels_are_refused_for_levels_that_need_them(runner: Runner) -> None:
    (runner.project / "lists" / "band.txt").unlink()
    with pytest.raises(ConfigError) as caught:
        run(runner)
    assert str(caught.value) == (
        "the integrated level needs names of specialised labels, and there are none: band\n"
        "  where: the names that choose sentences\n"
        "  expected: names of one of these labels; there are names of location, person\n"
        "  hint: --level entity or --level domain; or lists of such names (--gazetteer); or name the labels: "
        "--set 'selection.specialised=[\"LABEL\"]'"
    )
    run(runner, selection={"level": "entity"})
    assert steps(runner)["level"] == "made"


def test_a_missing_part_is_named_before_anything_is_built(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ahocorasick_rs", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'nerbridge\[corpus\]'"):
        run(runner)
    assert not (runner.project / "cache" / "corpora").exists()


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"pretraining": {"max_steps": 5}}, r"\[pretraining\] has no effect without raw text; add \[corpus\]"),
        ({"gazetteer": {"files": ["x"]}, "selection": {"level": "task"}}, r"\[gazetteer\] and \[selection\] have no"),
        ({"corpus": {"files": []}}, "corpus.files: "),
    ],
)
def test_tables_that_do_nothing_are_refused(runner: Runner, tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        runner.experiment(**tables)


@pytest.mark.slow
def test_a_sweep_over_levels_and_maskings_builds_one_corpus(runner: Runner) -> None:
    tables = raw_tables(runner.project)
    path = write_recipe_file(runner.project, **tables)
    vary = parse_variations(["selection.level=entity,task", "pretraining.masking=token,span"])
    plan = plan_sweep(path, vary, seeds=(1, 2), folder=runner.project / "sweep")
    worker = Here(runner.project / "cache")
    result = run_sweep(plan, Crew(None, runner.project / "cache"), say=runner.said.append, workers=[worker])
    assert result.failures == ()
    assert (len(result.rows), len(plan.cells)) == (4, 8)
    kept = {kind: len(list((runner.project / "cache" / kind).glob("[!.]*"))) for kind in KINDS}
    assert kept == {"corpora": 1, "levels": 1, "encoders": 4}


@pytest.mark.parametrize("changes", [{}, {"max_steps": "none", "epochs": 2}, {"max_steps": 100, "head_steps": 50}])
def test_the_work_foreseen_is_within_a_factor_of_two_of_what_the_text_needs(
    finished: Runner, changes: dict[str, Any]
) -> None:
    """The same pace put aside: pieces that the forecast counts on, and those that the tokenised level has."""
    experiment = finished.experiment(**raw_tables(finished.project, pretraining=changes))
    data = load_data(experiment, None)
    work = RawWork(experiment, data, plan_stages(experiment, data.sources, data.target), finished.surroundings)
    level = look_up(work).level
    assert level is not None
    exact = estimate_pretraining(experiment.pretraining, pretraining_corpora(work, level), encoder=work.encoder)
    foreseen = pretraining_seconds(work, level.num_words, PiecePace(1.0, new_head=True))
    assert 0.5 < foreseen / (exact.seconds * exact.pieces_per_second) < 2


@pytest.mark.parametrize(
    ("changes", "epochs", "looks"),
    [
        ({"selection": "last", "epochs": 2, "evaluate_every": 4.0}, 2, 1),  # one look at the end at least
        ({"selection": "dev", "epochs": 60, "patience": 6}, 30, 15),
        ({"selection": "dev", "epochs": 10, "patience": 6}, 10, 5),  # too short for its patience to end
    ],
)
def test_the_time_of_a_stage_counts_its_epochs_and_its_looks_at_dev(
    finished: Runner, changes: dict[str, Any], epochs: int, looks: int
) -> None:
    experiment = finished.experiment()
    data = load_data(experiment, None)
    stage = plan_stages(experiment, data.sources, data.target).stages[-1]
    settings = stage.settings.model_copy(update={"evaluate_every": 2.0, "max_steps": None, **changes})
    words, dev = (sum(map(len, sentences)) for sentences in (stage.train, stage.dev))
    seconds = stage_seconds(replace(stage, settings=settings), pace=10.0)
    assert seconds == pytest.approx((epochs * words + looks * dev / 3) / 10)
