"""A sweep as a whole: cells as `train` makes them, resumed, grown, failed and retried; worker processes that die."""

import errno
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from running import Runner, weights
from sweeping import Faking, Here, plan_in

from nerbridge.errors import BundleError, ConfigError, DataError, TrainingError
from nerbridge.pipeline.sweep import worker_process
from nerbridge.pipeline.sweep.crew import Crew, parse_devices
from nerbridge.pipeline.sweep.outcome import SweepResult
from nerbridge.pipeline.sweep.plan import Cell, SweepPlan, plan_sweep
from nerbridge.pipeline.sweep.sweep import raise_failures, run_sweep
from nerbridge.pipeline.sweep.variations import parse_variations
from nerbridge.pipeline.sweep.worker import carry_out
from nerbridge.pipeline.sweep.worker_process import WorkerProcess, make_order
from tiny_project import write_recipe_file


@pytest.fixture
def no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans whose cells are only pretended name data sets that need not be there."""
    monkeypatch.setattr("nerbridge.pipeline.sweep.sweep.check_data", lambda plan, root: None)


def plan_real(project: Path, *vary: str, seeds: tuple[int, ...] = (1,), **tables: Any) -> SweepPlan:
    recipe = write_recipe_file(project, **tables)
    return plan_sweep(recipe, parse_variations(vary), seeds=seeds, folder=project / "sweep")


def sweep(plan: SweepPlan, worker: Any, said: list[str] | None = None, **options: Any) -> SweepResult:
    heard = [] if said is None else said
    return run_sweep(plan, Crew(None, plan.folder / "cache"), say=heard.append, workers=[worker], **options)


def test_a_cell_is_what_train_makes(project: Path) -> None:
    """Same weights as a run of the same settings, source stages shared, finished cells left alone."""
    said: list[str] = []
    worker = Here(project / "cache")
    plan = plan_real(project, "target.num_train=4,8")
    result = sweep(plan, worker, said)
    assert said[0] == f"sweep    2 cells in {plan.folder}: 2 target.num_train x 1 seed; 0 finished already"
    dev = 100 * result.rows[1].f1["dev"].mean
    test = 100 * result.rows[1].f1["test"].mean
    assert said[2] == f"[2/2] num_train=8, seed 1: dev F1 {dev:.2f}, test F1 {test:.2f}"
    assert [row.num_train for row in result.rows] == [4, 8]

    runner = Runner(project)
    target = {**runner.experiment().target.model_dump(exclude_none=True), "num_train": 8}
    alone = runner.run("alone", target=target)
    assert weights(alone.folder) == weights(plan.folder / "num_train=8" / "seed-1")
    assert runner.stages() == {"source-1": "reused", "source-2": "reused", "target": "trained"}

    again = Here(project / "cache")
    grown = sweep(plan_real(project, "target.num_train=4,8,12"), again, said)
    assert again.cells == ["num_train=12, seed 1"]
    assert grown.rows[:2] == result.rows


def test_a_failed_cell_is_told_of_and_tried_again(project: Path) -> None:
    def breaks(cell: Cell) -> str | None:
        return "it broke\n  where: there" if cell.name == "num_train=4" else None

    said: list[str] = []
    plan = plan_real(project, "target.num_train=4,8")
    result = sweep(plan, Here(project / "cache", breaks), said)
    assert said[1].startswith("[1/2] num_train=4, seed 1: failed: it broke, about ")
    assert [row.name for row in result.rows] == ["num_train=8"]
    with pytest.raises(TrainingError) as caught:
        raise_failures(result)
    assert str(caught.value) == (
        "1 of 2 cells failed:\n"
        "    num_train=4, seed 1: it broke\n"
        "      where: there\n"
        f"  where: {plan.folder / 'num_train=4' / 'seed-1.log'}\n"
        "  expected: every cell to end with scores\n"
        "  hint: the same command tries them again; finished cells stay"
    )
    worker = Here(project / "cache")
    result = sweep(plan, worker, said, drop_models=True)
    assert worker.cells == ["num_train=4, seed 1"]
    raise_failures(result)
    assert len(result.rows) == 2
    assert [(plan.folder / row.name / "seed-1" / "model").exists() for row in result.rows] == [False, True]


def test_a_fault_of_the_data_is_the_cells_own(project: Path) -> None:
    lines = (project / "train.txt").read_text(encoding="utf-8")
    (project / "raw.txt").write_text("\n".join(line.split("\t")[0] for line in lines.splitlines()), encoding="utf-8")
    files = ",".join(f'"{project / name}"' for name in ("train.txt", "raw.txt"))
    plan = plan_real(project, f"target.files.train={files}")
    result = sweep(plan, Here(project / "cache"))
    (failed,) = result.failures
    assert failed[0] is plan.cells[1]
    assert failed[1].splitlines()[0] == "no training sentence of 'music' is annotated"


@pytest.mark.usefixtures("no_data")
def test_an_interrupted_sweep_writes_what_it_has(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25,40", seeds=(1,))
    worker = Faking(interrupts_at="num_train=40, seed 1")
    with pytest.raises(KeyboardInterrupt):
        sweep(plan, worker)
    assert worker.is_closed
    content = json.loads((plan.folder / "sweep.json").read_text(encoding="utf-8"))
    assert [cell["state"] for cell in content["cells"]] == ["finished", "finished", "waiting"]
    assert len((plan.folder / "table.csv").read_text(encoding="utf-8").splitlines()) == 3
    worker = Faking()
    sweep(plan, worker)
    assert worker.cells == ["num_train=40, seed 1"]


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("lost", ["scores.json", "cell.json", "predictions/test.jsonl"])
def test_a_cell_that_lost_a_file_is_run_again(tmp_path: Path, lost: str) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", seeds=(1,))
    sweep(plan, Faking())
    (plan.cells[1].folder / lost).unlink()
    worker = Faking()
    sweep(plan, worker)
    assert worker.cells == ["num_train=25, seed 1"]


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize(
    ("there", "what"),
    [
        ("notes.txt", "is not empty and no folder of a sweep"),
        ("experiment.json", "is the folder of a single run"),
    ],
)
def test_a_folder_of_something_else_is_refused(tmp_path: Path, there: str, what: str) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25")
    plan.folder.mkdir()
    (plan.folder / there).write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        sweep(plan, Faking())
    assert caught.value.what == f"'{plan.folder}' {what}"


@pytest.mark.usefixtures("no_data")
def test_a_damaged_table_is_made_again_as_its_message_says(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", seeds=(1,))
    sweep(plan, Faking())
    (plan.folder / "sweep.json").write_text("{", encoding="utf-8")
    with pytest.raises(BundleError) as caught:
        sweep(plan, Faking())
    assert caught.value.hint == "remove it and run its command again"
    (plan.folder / "sweep.json").unlink()
    worker = Faking()
    sweep(plan, worker)
    assert worker.cells == []
    assert (plan.folder / "sweep.json").is_file()


@pytest.mark.usefixtures("no_data")
def test_a_file_in_the_place_of_the_folder_is_called_one(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25")
    plan.folder.write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"^'{plan.folder}' is a file\n"):
        sweep(plan, Faking())


@pytest.mark.usefixtures("no_data")
def test_a_sweep_over_other_keys_and_another_recipe_are_refused(tmp_path: Path) -> None:
    sweep(plan_in(tmp_path, "target.num_train=10,25"), Faking())
    with pytest.raises(ConfigError, match=r"holds a sweep over target\.num_train, not over tagger\.kind"):
        sweep(plan_in(tmp_path, "tagger.kind=linear,crf"), Faking())
    plan = plan_in(tmp_path, "target.num_train=10,25", text=(tmp_path / "recipe.toml").read_text() + "bridge = {a='b'}")
    with pytest.raises(ConfigError, match="holds another experiment: transfer") as caught:
        sweep(plan, Faking())
    assert caught.value.expected == "an earlier run of the same cell, made from the same recipe and --set"


@pytest.mark.usefixtures("no_data")
def test_the_same_keys_in_another_order_are_refused(tmp_path: Path) -> None:
    sweep(plan_in(tmp_path, "target.num_train=4,8", "tagger.kind=linear,crf"), Faking())
    with pytest.raises(ConfigError) as caught:
        sweep(plan_in(tmp_path, "tagger.kind=linear,crf", "target.num_train=4,8"), Faking())
    assert caught.value.what.endswith(
        "holds a sweep over the same keys in another order: target.num_train, tagger.kind"
    )
    assert caught.value.hint == "give --vary in the order target.num_train, tagger.kind, or choose another --output"


@pytest.mark.parametrize("file", ["train.txt", "test.txt", "news.txt", "encoder/config.json"])
def test_finished_cells_of_other_data_are_refused(project: Path, file: str) -> None:
    """A table must not compare settings on different sentences."""
    sweep(plan_real(project, "target.num_train=4,8"), Here(project / "cache"))
    path = project / file
    path.write_text(f"{path.read_text(encoding='utf-8')}\n", encoding="utf-8")
    again = Here(project / "cache")
    if not file.startswith("encoder"):  # another blank line changes no sentence
        sweep(plan_real(project, "target.num_train=4,8"), again)
        path.write_text(f"{path.read_text(encoding='utf-8')}\nada\tB-person\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        sweep(plan_real(project, "target.num_train=4,8,12"), again)
    assert again.cells == []
    error = caught.value
    told = {"train.txt": "music train", "test.txt": "music test", "news.txt": "news train"}.get(file, "the encoder's")
    assert error.what.startswith(f"2 of 2 finished cells were made from other data: {told} ")
    assert error.where == str(project / "sweep" / "num_train=4" / "seed-1" / "data.json")
    assert error.hint == (
        "choose another --output; or remove the folders of these cells, and the same command trains them anew"
    )
    assert again.cells == []


@pytest.mark.usefixtures("no_data")
def test_averages_that_are_no_more_leave_no_file(tmp_path: Path) -> None:
    few = plan_in(tmp_path, "target.dataset=crossner/ai,crossner/music", "tagger.kind=linear,crf")
    sweep(few, Faking())
    assert (few.folder / "averages.csv").is_file()
    more = plan_in(tmp_path, "target.dataset=crossner/ai,crossner/music,crossner/science", "tagger.kind=linear,crf")
    with pytest.raises(KeyboardInterrupt):
        sweep(more, Faking(interrupts_at="dataset=crossner-science,tagger.kind=linear, seed 1"))
    assert not (few.folder / "averages.csv").exists()


def test_missing_data_is_said_before_anything_is_trained(tmp_path: Path, project: Path) -> None:
    worker = Faking()
    with pytest.raises(DataError, match="crossner/aii"):
        sweep(plan_in(tmp_path, "target.dataset=crossner/ai,crossner/aii"), worker)
    with pytest.raises(DataError) as caught:
        sweep(plan_real(project, f"target.files.test={project / 'test.txt'},{project / 'tset.txt'}"), worker)
    assert caught.value.what == f"there is no file '{project / 'tset.txt'}'"
    assert worker.cells == []


def test_missing_vectors_and_raw_text_are_said_before_anything_is_trained(project: Path) -> None:
    worker = Faking()
    with pytest.raises(ConfigError, match=r"there are no word vectors at '.*none.txt'"):
        sweep(plan_real(project, f"encoder.vectors=none,{project / 'none.txt'}", encoder={"kind": "word_char"}), worker)
    source = [{"files": [{"train": str(project / "news.txt"), "domain": "news"}]}]
    streams = {"kind": "multi_task", "streams": ["source/tags", "target/tags", "target/words"]}
    tables = {"encoder": {"kind": "word_char", "vectors": "none"}, "transfer": streams, "source": source}
    with pytest.raises(DataError, match=r"'.*none.txt' does not exist"):
        sweep(plan_real(project, f'transfer.target_raw=[],["{project / "none.txt"}"]', **tables), worker)
    assert worker.cells == []


ZERO_SHOT = {
    "encoder": {"kind": "word_char", "vectors": "none", "word_width": 4},
    "context": {"kind": "bilstm", "hidden": 8},
    "transfer": {"kind": "multi_task", "streams": ["source/tags"]},
    "training": {"joint": {"max_steps": 2, "selection": "last"}},
}


def test_without_training_sentences_of_the_target_a_sweep_compares_test_scores(project: Path) -> None:
    source = [{"files": [{"train": str(project / "news.txt"), "domain": "news"}]}]
    target = {"files": {"test": str(project / "test.txt"), "domain": "music"}}
    plan = plan_real(project, "context.hidden=4,8", source=source, target=target, **ZERO_SHOT)
    result = sweep(plan, Here(project / "cache"))
    raise_failures(result)
    assert [(row.num_train, list(row.f1)) for row in result.rows] == [(0, ["test"]), (0, ["test"])]


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("test.txt", "music test 10 sentences"),
        ("raw.txt", "raw text of the target 3 sentences"),
        ("names/PER.txt", "dictionary 2 names"),
    ],
)
def test_finished_zero_shot_cells_of_other_data_are_refused(project: Path, file: str, told: str) -> None:
    """Test sentences whose labels are spelled otherwise than the source's, raw text and a dictionary."""
    (project / "raw.txt").write_text("the band sang .\nada sang .\nbob wrote .\n", encoding="utf-8")
    (project / "names").mkdir()
    (project / "names" / "PER.txt").write_text("ada\nbob\n", encoding="utf-8")
    source = [{"files": [{"train": str(project / "news.txt"), "domain": "news"}]}]
    target = {"files": {"test": str(project / "test.txt"), "domain": "music"}}
    dictionary = {"files": [str(project / "names")], "case": "lower", "ordinary": "keep"}
    transfer = {
        "kind": "multi_task",
        "streams": ["source/tags", "target/words"],
        "target_raw": [str(project / "raw.txt")],
        "dictionary": dictionary,
    }
    tables = {**ZERO_SHOT, "source": source, "target": target, "transfer": transfer}
    for _ in range(2):  # the second finds all as it was
        raise_failures(sweep(plan_real(project, "context.hidden=4", **tables), Here(project / "cache")))
    added = {"test.txt": "\nada\tB-person\n", "raw.txt": "they sang .\n", "names/PER.txt": "lovelace\n"}[file]
    with (project / file).open("a", encoding="utf-8") as stream:
        stream.write(added)
    again = Here(project / "cache")
    with pytest.raises(ConfigError) as caught:
        sweep(plan_real(project, "context.hidden=4,8", **tables), again)
    assert caught.value.what.startswith(f"1 of 1 finished cell were made from other data: {told}")
    assert again.cells == []


def test_a_sweep_without_any_score_is_refused(project: Path) -> None:
    source = [{"files": [{"train": str(project / "news.txt"), "domain": "news"}]}]
    target = {"files": {"domain": "music"}}
    worker = Faking()
    with pytest.raises(ConfigError) as caught:
        sweep(plan_real(project, "context.hidden=4,8", source=source, target=target, **ZERO_SHOT), worker)
    assert str(caught.value) == (
        "the target has no labelled sentences, so that no setting would have a score\n"
        f"  where: {project / 'recipe.toml'}\n"
        "  expected: target.files with dev or test, which sweeps compare settings on\n"
        "  hint: label some sentences and add target.files.test; `nerbridge train` takes a recipe without"
    )
    assert worker.cells == []


def test_jobs_and_devices_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="0 jobs train nothing"):
        Crew(None, tmp_path, jobs=0)
    assert parse_devices("0, 1") == ("0", "1")
    for wrong in ("", "0,", "0,0"):
        with pytest.raises(ConfigError, match="cannot be read"):
            parse_devices(wrong)
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ConfigError, match="accelerate launch"):
        Crew(None, tmp_path)


# A worker that answers at once with what it found, dies, or sleeps: nothing is trained here.
PRETENDER = """
import json, os, pathlib, sys, time
for line in sys.stdin:
    order = json.loads(line)
    log = pathlib.Path(order["log"])
    log.parent.mkdir(parents=True, exist_ok=True)
    what = order["experiment"]["target"]["num_train"]
    if what == 10:
        log.write_text("loading\\n\\nRuntimeError: out of memory\\n")
        os._exit(3)
    if what == 20:
        os.kill(os.getpid(), 9)
    if what == 30:
        log.write_text("sleeping")
        time.sleep(60)
    names = ("CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS")
    print(json.dumps({"error": " ".join(str(os.environ.get(name)) for name in names)}), flush=True)
"""


@pytest.fixture
def pretender(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "COMMAND", (sys.executable, "-c", PRETENDER))


@pytest.mark.usefixtures("pretender")
def test_jobs_take_devices_in_turn_and_share_the_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("nerbridge.pipeline.sweep.crew._num_cores", lambda: 8)
    (cell,) = plan_in(tmp_path, "target.num_train=40", seeds=(1,)).cells
    workers = Crew(None, tmp_path, jobs=3, devices=("4", "6")).hire(9)
    assert [worker.run(cell) for worker in workers] == ["4 2", "6 2", "4 2"]
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "7")
    workers += Crew(None, tmp_path, jobs=2).hire(9)
    assert workers[-1].run(cell) == "7 5"
    for worker in workers:
        worker.close()


def test_no_more_workers_are_hired_than_there_are_cells(tmp_path: Path) -> None:
    assert len(Crew(None, tmp_path, jobs=10**27).hire(2)) == 2


def test_what_the_machine_refuses_is_the_cells_own_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "cell/scores.json")

    monkeypatch.setattr("nerbridge.pipeline.sweep.worker.run_experiment", refuse)
    (cell,) = plan_in(tmp_path, "target.num_train=40", seeds=(1,)).cells
    assert carry_out(dict(make_order(cell, None, tmp_path))) == (
        "the disk is full: No space left on device\n"
        "  where: cell/scores.json\n"
        "  expected: files and folders that can be read and written, and room on the disk\n"
        "  hint: make room, or choose another place; then run the same command again: where it keeps finished steps, "
        "it goes on"
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: 16 bytes"),
            "not enough memory: can't",
        ),
        (MemoryError(), "there is not enough memory"),
    ],
)
def test_too_little_memory_is_the_cells_own_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    def greedy(*arguments: object) -> None:
        raise error

    monkeypatch.setattr("nerbridge.pipeline.sweep.worker.run_experiment", greedy)
    cell = plan_in(tmp_path, "target.num_train=4,8").cells[0]
    assert said in str(carry_out(dict(make_order(cell, None, tmp_path / "cache"))))
    error = RuntimeError("a bug")
    with pytest.raises(RuntimeError, match="a bug"):
        carry_out(dict(make_order(cell, None, tmp_path / "cache")))


@pytest.mark.usefixtures("pretender")
def test_a_worker_that_dies_is_answered_for_and_replaced(tmp_path: Path) -> None:
    broken, killed, fine = plan_in(tmp_path, "target.num_train=10,20,40", seeds=(1,)).cells
    worker = WorkerProcess(None, tmp_path, {})
    assert worker.run(broken) == (
        "the process that trained it ended with exit code 3; the end of its log:\n"
        "  loading\n"
        "  RuntimeError: out of memory"
    )
    assert worker.run(killed) == "the process that trained it was ended by signal 9; its log is empty"
    assert worker.run(fine) == "None None"
    worker.close()
    assert worker.run(fine) == "stopped"


@pytest.mark.usefixtures("pretender", "no_data")
def test_an_interruption_ends_a_worker_that_is_busy(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=30,10", seeds=(1,))
    busy = plan.cells[0]

    class Interrupting(Faking):
        def run(self, cell: Cell) -> str | None:
            while not busy.log.exists():
                pass
            raise KeyboardInterrupt

    workers = [WorkerProcess(None, tmp_path, {}), Interrupting()]
    with pytest.raises(KeyboardInterrupt):
        run_sweep(plan, Crew(None, tmp_path, jobs=2), say=lambda text: None, workers=workers)
    assert workers[0].run(busy) == "stopped"
