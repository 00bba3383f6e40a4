"""A run with raw text: what it will do is said, the encoder learns, then the stages are trained on it."""

from pathlib import Path

from nerbridge.pipeline.description import describe_plan
from nerbridge.pipeline.files import write_json
from nerbridge.pipeline.interruption import keeping_finished
from nerbridge.pipeline.pretrained.checks import check_raw_text
from nerbridge.pipeline.pretrained.description import describe_steps
from nerbridge.pipeline.pretrained.dev_scores import describe_source_dev
from nerbridge.pipeline.pretrained.encoder import adapt_encoder
from nerbridge.pipeline.pretrained.forecast import describe_forecast, forecast
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.pipeline.processes import is_main, wait_for_all
from nerbridge.pipeline.same_data import RAW_TEXT
from nerbridge.pipeline.sequence import Trained, run_stages
from nerbridge.transfer.stage import Stage


def train_with_raw_text(work: RawWork, folder: Path, last: tuple[Path, Path]) -> dict[str, Trained]:
    """Every stage of the plan, on an encoder that has learnt from the raw text.

    folder: of the run. last: folders of the last stage and of its bundle. Raises what the steps and stages raise.
    """
    check_raw_text(work)
    for line in (*describe_steps(work), *describe_plan(work.plan)):
        work.say(line)
    for line in describe_forecast(forecast(work, folder)):
        work.say(line)
    adapted = adapt_encoder(work)
    if is_main():
        write_json(folder / RAW_TEXT, dict(adapted.record))

    def trained(stage: Stage, one: Trained) -> None:
        if is_main() and stage is not work.plan.stages[-1] and work.data.target.dev:
            work.say(describe_source_dev(stage, one, work.data.target))
        wait_for_all()

    with keeping_finished(adapted.finished):
        return run_stages(adapted.experiment, work.plan, work.surroundings, last=last, trained=trained)
