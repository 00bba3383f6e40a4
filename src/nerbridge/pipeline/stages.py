"""One stage, trained once: found in its folder when inputs and settings are the same, continued when it was killed."""

import logging
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from nerbridge.assembly.build import build_tagger, rehead
from nerbridge.assembly.bundle import load_bundle, save_bundle, verify_bundle
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.experiment import Experiment
from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import BundleError, TrainingError
from nerbridge.evaluation.scoring import score_spans
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.processes import held, is_main, wait_for_all
from nerbridge.training.checkpoint import clear_checkpoints
from nerbridge.training.evaluation import MOST_COMMON_TAG, Evaluation, FitResult
from nerbridge.training.fit import fit
from nerbridge.training.journal import Journal
from nerbridge.training.progress import Progress
from nerbridge.transfer.bridge import tag_bridge
from nerbridge.transfer.stage import Stage

logger = logging.getLogger(__name__)

RESULT, JOURNAL, WORK = "stage.json", "journal.jsonl", "work"


@dataclass(frozen=True)
class StageRun:
    """What one stage needs besides its data.

    folder: of its result, journal and checkpoints. model_folder: of its bundle. parent: the bundle it starts from.
    """

    experiment: Experiment
    stage: Stage
    key: str
    seed: int
    folder: Path
    model_folder: Path
    parent: Path | None
    progress: Progress
    say: Callable[[str], None]


def run_stage(run: StageRun) -> FitResult:
    """Train the stage, or find it finished. Afterwards `run.model_folder` holds its bundle.

    Raises TrainingError when training cannot go on.
    """
    with held(run.folder, run.say):
        done = _finished(run)
        wait_for_all()
        if done is not None:
            run.say(f"{run.stage.name}: already trained, taken from {run.folder}")
            return done
        if is_main():
            _discard_other(run)
        wait_for_all()
        model = _initial_model(run)
        result = _fit(run, model)
        if is_main():
            _save(run, model, result)
        wait_for_all()
        return result


def _finished(run: StageRun) -> FitResult | None:
    """The result of an earlier run with the same key whose bundle is whole."""
    path = run.folder / RESULT
    if not path.exists():
        return None
    try:
        content = read_json(path)
        if content.get("key") != run.key:
            return None
        verify_bundle(run.model_folder)
        return FitResult(**content["result"])
    except (BundleError, TypeError, KeyError) as fault:
        run.say(f"{run.stage.name}: the finished stage in {run.folder} is damaged and trained again ({fault})")
        return None


def _discard_other(run: StageRun) -> None:
    """Remove what another stage or a damaged run left in the folder; checkpoints of this stage stay."""
    key_file = run.folder / WORK / "key"
    if run.folder.exists() and (not key_file.exists() or key_file.read_text() != run.key):
        shutil.rmtree(run.folder)
    (run.folder / RESULT).unlink(missing_ok=True)
    if run.model_folder.exists():
        shutil.rmtree(run.model_folder)
    key_file.parent.mkdir(parents=True, exist_ok=True)
    key_file.write_text(run.key)


def _initial_model(run: StageRun) -> Tagger:
    experiment, stage = run.experiment, run.stage
    vocabulary = TagVocabulary(stage.labels, experiment.tagger.scheme)
    if run.parent is None:
        spaces = {stage.domain: vocabulary}
        model = build_tagger(experiment.encoder, experiment.context, experiment.tagger, spaces, seed=run.seed)
    else:
        before = load_bundle(run.parent).model
        (domain,) = before.domains
        tags = tag_bridge(vocabulary, before.head(domain).vocabulary, stage.bridge)
        model = rehead(
            before, stage.domain, vocabulary, experiment.tagger, sources_from=domain, tag_sources=tags, seed=run.seed
        )
    if stage.decodable is not None:
        model.head(stage.domain).restrict(stage.decodable)
    return model


def _fit(run: StageRun, model: Tagger) -> FitResult:
    stage = run.stage
    vocabulary = model.head(stage.domain).vocabulary
    stream = Stream(stage.name, stage.domain, stage.train, model.encoder.vectorizer, vocabulary)
    if stage.settings.selection == "dev" and not stage.dev:
        raise TrainingError(
            f"stage '{stage.name}' selects on dev, but {stage.domain} has no dev sentences",
            where=stage.domain,
            expected="dev sentences, or selection = 'last' with fixed epochs or steps",
            hint=f"--set training.{stage.kind}.selection=last",
        )
    return fit(
        model,
        [stream],
        stage.settings,
        seed=run.seed,
        evaluate=dev_evaluation(stage) if stage.dev else None,
        workdir=run.folder / WORK,
        journal=Journal(run.folder / JOURNAL, stage.name),
        progress=run.progress,
    )


def dev_evaluation(stage: Stage) -> Callable[[Tagger], Evaluation]:
    """A function that scores a model on the stage's dev sentences: exact micro F1, conlleval reading."""

    def evaluate(model: Tagger) -> Evaluation:
        answers = predict(model, stage.dev, stage.domain)
        scores = score_spans([s.spans for s in stage.dev], [a.spans for a in answers])
        tags = [tag for answer in answers for tag in answer.tags]
        most_common = max((tags.count(tag) for tag in set(tags)), default=0)
        return Evaluation(
            scores.f1,
            {
                "precision": scores.precision,
                "recall": scores.recall,
                MOST_COMMON_TAG: most_common / max(len(tags), 1),
            },
        )

    return evaluate


def _save(run: StageRun, model: Tagger, result: FitResult) -> None:
    """The bundle first, then the file that says the stage is finished, then the checkpoints go."""
    metadata = {"stage": run.stage.name, "key": run.key, "seed": run.seed, "experiment": run.experiment.name}
    save_bundle(model, run.model_folder, settings=run.experiment, metadata=metadata)
    write_json(run.folder / RESULT, {"key": run.key, "stage": run.stage.name, "result": asdict(result)})
    clear_checkpoints(run.folder / WORK)
