"""Cells that begin a shared stage come first; a worker rather takes a cell that need not wait for another."""

from pathlib import Path
from threading import Event, Thread

import pytest
from sweeping import RECIPE, Faking, plan_in

from nerbridge.pipeline.sweep.order import Schedule, in_order, shared_stages
from nerbridge.pipeline.sweep.plan import Cell
from nerbridge.pipeline.sweep.running import run_cells


def marks(folder: Path, *vary: str, text: str = RECIPE) -> list[tuple[str, ...]]:
    return [shared_stages(cell.experiment) for cell in plan_in(folder, *vary, seeds=(1,), text=text).cells]


@pytest.mark.parametrize(
    ("vary", "shared"),
    [
        ("target.num_train=10,25", True),
        ("target.dataset=crossner/ai,crossner/music", True),
        ("training.target.epochs=3,4", True),
        ("training.checkpoint_seconds=3,4", True),
        ("training.source.epochs=3,4", False),
        ("training.learning_rate=1e-4,1e-5", False),
        ("tagger.kind=linear,crf", False),
        ("encoder.pooling=first,mean", False),
        ('source.0.datasets=["conll2003"],["mit_movie"]', False),
        ("transfer.drop_leaks=true,false", False),
    ],
)
def test_what_decides_whether_a_source_stage_is_shared(tmp_path: Path, vary: str, shared: bool) -> None:
    first, second = marks(tmp_path, vary)
    assert (first == second) == shared


def test_others_hangs_on_the_target(tmp_path: Path) -> None:
    text = RECIPE.replace('"conll2003"', '"crossner/others"')
    first, second = marks(tmp_path, "target.dataset=crossner/ai,crossner/music", text=text)
    assert first != second


def test_a_fixed_seed_of_the_source_stage_is_shared_by_all_seeds(tmp_path: Path) -> None:
    text = RECIPE + "[training.source]\nseed = 7\n"
    first, second = plan_in(tmp_path, "target.num_train=10", text=text).cells
    assert shared_stages(first.experiment) == shared_stages(second.experiment)
    assert shared_stages(first.experiment) != shared_stages(
        plan_in(tmp_path, "target.num_train=10").cells[0].experiment
    )


def test_joint_and_direct_transfer_share_nothing(tmp_path: Path) -> None:
    assert marks(tmp_path, "transfer.kind=joint") == [()]
    without = RECIPE.replace('[[source]]\ndatasets = ["conll2003"]\n', "")
    assert marks(tmp_path, "transfer.kind=direct", text=without) == [()]


def test_cells_that_begin_a_stage_come_first(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25", "tagger.kind=linear,crf")
    assert [str(cell).replace("num_train=", "").replace("tagger.kind=", "") for cell in in_order(plan.cells)] == [
        "10,linear, seed 1",
        "10,linear, seed 2",
        "10,crf, seed 1",
        "10,crf, seed 2",
        "25,linear, seed 1",
        "25,linear, seed 2",
        "25,crf, seed 1",
        "25,crf, seed 2",
    ]
    two_stages = RECIPE.replace("[target]", '[[source]]\ndatasets = ["mit_movie"]\n[target]')
    plan = plan_in(
        tmp_path, "target.num_train=10,25", "source.1.training.epochs=1,2", "tagger.kind=linear,crf", text=two_stages,
        seeds=(1,),
    )  # fmt: skip
    assert [cell.name.replace("tagger.kind=", "") for cell in in_order(plan.cells)][:5] == [
        "num_train=10,epochs=1,linear",  # begins a first stage
        "num_train=10,epochs=1,crf",
        "num_train=10,epochs=2,linear",  # begins a second stage
        "num_train=10,epochs=2,crf",
        "num_train=25,epochs=1,linear",
    ]


def test_a_free_worker_takes_a_cell_that_need_not_wait(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25,40")
    schedule = Schedule(plan.cells)
    first, second = schedule.take(), schedule.take()
    assert (str(first), str(second)) == ("num_train=10, seed 1", "num_train=10, seed 2")
    schedule.finish(second)
    assert str(schedule.take()) == "num_train=25, seed 2"  # seed 1 still trains its source stage
    assert str(schedule.take()) == "num_train=40, seed 2"
    assert str(schedule.take()) == "num_train=25, seed 1"  # nothing else is left
    schedule.finish(first)
    assert str(schedule.take()) == "num_train=40, seed 1"


def test_every_cell_is_run_once_and_told_of(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25,40")
    workers = [Faking(), Faking()]
    told: list[tuple[str, str | None]] = []
    run_cells(plan.cells, workers, lambda cell, error: told.append((str(cell), error)))
    assert sorted(name for name, _ in told) == sorted(str(cell) for cell in plan.cells)
    assert {error for _, error in told} == {None}
    assert sorted(workers[0].cells + workers[1].cells) == sorted(str(cell) for cell in plan.cells)
    assert all(worker.is_closed for worker in workers)


class Waiting(Faking):
    """A worker whose cells end when it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.started, self.ended = Event(), Event()

    def run(self, cell: Cell) -> str | None:
        self.cells.append(str(cell))
        self.started.set()
        assert self.ended.wait(600)
        return "stopped"

    def close(self) -> None:
        self.ended.set()


def test_an_interruption_closes_the_workers_and_starts_nothing_more(tmp_path: Path) -> None:
    plan = plan_in(tmp_path, "target.num_train=10,25,40")
    quick, waiting = Faking(), Waiting()

    def interrupt(cell: Cell, error: str | None) -> None:
        assert waiting.started.wait(600)
        raise KeyboardInterrupt

    def sweep() -> None:
        with pytest.raises(KeyboardInterrupt):
            run_cells(plan.cells, [waiting, quick], interrupt)

    thread = Thread(target=sweep)
    thread.start()
    thread.join(600)
    assert not thread.is_alive()
    assert quick.is_closed
    assert waiting.ended.is_set()
    assert len(waiting.cells) == 1
