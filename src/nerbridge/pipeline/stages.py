"""One stage, trained once: found in its folder when inputs and settings are the same, continued when it was killed."""

import shutil
from dataclasses import asdict, replace
from pathlib import Path

from nerbridge.assembly.bundle import load_bundle, save_bundle, verify_bundle
from nerbridge.assembly.metadata import METADATA
from nerbridge.assembly.parameters import parameter_counts
from nerbridge.assembly.tagger import Tagger
from nerbridge.data.run_model import other_model
from nerbridge.errors import BundleError
from nerbridge.evaluation.files import write_text
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.interruption import keeping_checkpoint
from nerbridge.pipeline.mixture import built_from, delivered
from nerbridge.pipeline.processes import held, is_main, wait_for_all
from nerbridge.pipeline.stage_training import JOURNAL, WORK, StageRun, fit_stage, initial_model
from nerbridge.training.checkpoint import clear_checkpoints
from nerbridge.training.evaluation import FitResult
from nerbridge.training.journal import Journal
from nerbridge.training.progress import clock_text
from nerbridge.transfer.stage import Stage
from nerbridge.wording import counted

RESULT = "stage.json"  # in a stage's folder: its key and result, written last


def run_stage(run: StageRun) -> FitResult:
    """Train the stage, or find it finished. Afterwards `run.model_folder` holds its bundle.

    Raises TrainingError when training cannot go on, BundleError where its run holds another run's model.
    """
    with held(run.folder, run.say):
        done = _found(run)
        if done is not None:
            run.say(f"{run.stage.name}: already trained ({_length(run.stage, done)}), taken from {run.folder}")
            return done
        with keeping_checkpoint(run.stage.name, run.folder / WORK):
            model = initial_model(run)
            for line in model.encoder.describe():
                run.say(f"{run.stage.name}: {line}")
            run.say(f"{run.stage.name}: {_size(model)}")
            result = fit_stage(run, model)
            if is_main():
                _save(run, delivered(model, run.stage), result)
            wait_for_all()
        run.say(f"{run.stage.name}: trained ({_length(run.stage, result)}) in {clock_text(result.seconds)}")
        if result.stopped == "patience":
            run.say(f"{run.stage.name}: {_why_early(run)}")
        return result


def repeat_stage(run: StageRun, model: Path, result: FitResult, *, of: str) -> FitResult:
    """The stage as one that learns what the finished stage `of` has learnt, with the same seed: its weights are taken.

    model, result: of that stage. Its journal has one event, "repeated"; afterwards all is as behind `run_stage`.
    """
    with held(run.folder, run.say):
        done = _found(run)
        if done is not None:
            return done
        taken = replace(result, seconds=0.0)
        if is_main():
            (run.folder / JOURNAL).unlink(missing_ok=True)
            Journal(run.folder / JOURNAL, run.stage.name).write("repeated", step=taken.steps, of=of)
            _save(run, load_bundle(model).model, taken)
        wait_for_all()
        return taken


def _found(run: StageRun) -> FitResult | None:
    """The result of a stage that has ended, all processes together; else its folder is made ready."""
    done = _finished(run)
    wait_for_all()
    if is_main():
        if done is None:
            _discard_other(run)
        else:
            clear_checkpoints(run.folder / WORK)
    wait_for_all()
    return done


def _size(model: Tagger) -> str:
    """'22,566,916 parameters, all trained: encoder 22,565,376, context 0, heads 1,540'."""
    counts = parameter_counts(model)
    parts = ", ".join(f"{part} {counts[part]:,}" for part in ("encoder", "context", "heads"))
    trained = "all" if counts["trainable"] == counts["all"] else f"{counts['trainable']:,}"
    return f"{counted(counts['all'], 'parameter')}, {trained} trained: {parts}"


def _why_early(run: StageRun) -> str:
    waited = counted(run.stage.settings.patience, "evaluation")
    return f"ended early, after {waited} without a better dev F1 (training.{run.stage.kind}.patience)"


def _length(stage: Stage, result: FitResult) -> str:
    mixture = stage.mixture
    foreign = mixture is not None and mixture.target is not None and mixture.selected_on != mixture.target
    of = f" of {mixture.selected_on}" if mixture is not None and foreign else ""
    if result.f1 is None:
        return counted(result.steps, "step")
    best = result.f1 == result.best_f1 and result.best_step != result.steps
    kept = f" at step {result.best_step:,}" if best else ""
    return f"{counted(result.steps, 'step')}, dev F1{of} {100 * result.f1:.2f}{kept}"


def is_finished(folder: Path, key: str) -> bool:
    """Has an earlier run finished the stage of `key` in `folder`? Whether its bundle is whole is not looked at."""
    path = folder / RESULT
    try:
        return path.exists() and read_json(path).get("key") == key
    except BundleError:  # it is trained again, which says why
        return False


def _finished(run: StageRun) -> FitResult | None:
    """The result of an earlier run with the same key whose bundle is whole.

    Raises BundleError where a run folder holds the whole model of another run, which may be the only copy.
    """
    path = run.folder / RESULT
    if not path.exists():
        return None
    try:
        content = read_json(path)
        if content.get("key") != run.key:
            return None
        details = verify_bundle(run.model_folder).details
        result = FitResult(**content["result"])
    except BundleError as fault:
        reason = fault.what
    except (TypeError, KeyError):
        reason = f"'{RESULT}' is of another form"
    else:
        if details.get("key") == run.key:
            return replace(result, warnings=tuple(result.warnings))
        if run.model_folder.parent != run.folder:
            raise other_model(run.model_folder / METADATA, details, key=run.key, told_in=path)
        reason = "its model is another stage's"
    run.say(f"{run.stage.name}: the finished stage in {run.folder} is damaged and trained again ({reason})")
    return None


def _discard_other(run: StageRun) -> None:
    """Remove what another stage, a damaged or a killed run left in the folder; checkpoints of this stage stay."""
    key_file = run.folder / WORK / "key"
    if run.folder.exists() and (not key_file.exists() or key_file.read_bytes() != run.key.encode()):
        shutil.rmtree(run.folder)
    (run.folder / RESULT).unlink(missing_ok=True)
    model = run.model_folder
    for folder in [model, *model.parent.glob(f".{model.name}-*")]:  # bundles are written aside under such names
        shutil.rmtree(folder, ignore_errors=True)
    if not key_file.exists():
        write_text(key_file, run.key)


def _save(run: StageRun, tagger: Tagger, result: FitResult) -> None:
    """The bundle first, then the file that says the stage is finished, then the checkpoints go."""
    metadata = {"stage": run.stage.name, "key": run.key, "seed": run.seed, "experiment": run.experiment.name}
    aliases = {spelling: label for spelling, label in sorted(run.aliases.items()) if label in run.stage.labels}
    settings = built_from(run.experiment, run.stage)
    save_bundle(tagger, run.model_folder, settings=settings, aliases=aliases, metadata=metadata)
    write_json(run.folder / RESULT, {"key": run.key, "stage": run.stage.name, "result": asdict(result)})
    clear_checkpoints(run.folder / WORK)
