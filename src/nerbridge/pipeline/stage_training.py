"""One stage from its first model to its result: what is built, what is learnt from, what dev says."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nerbridge.assembly.build import build_tagger, rehead
from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.experiment import Experiment
from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import TrainingError
from nerbridge.evaluation.scoring import score_spans
from nerbridge.training.evaluation import MOST_COMMON_TAG, Evaluation, FitResult
from nerbridge.training.fit import fit
from nerbridge.training.journal import Journal
from nerbridge.training.progress import Progress
from nerbridge.transfer.bridge import tag_bridge
from nerbridge.transfer.stage import Stage

JOURNAL, WORK = "journal.jsonl", "work"  # in a stage's folder: what happened, and its checkpoints


@dataclass(frozen=True)
class StageRun:
    """What one stage needs besides its data.

    folder: of its result, journal and checkpoints. model_folder: of its bundle. parent: the bundle it starts from.
    aliases: spelling -> label, as the data sets of all stages were equated.
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
    aliases: Mapping[str, str] = field(default_factory=dict)


def initial_model(run: StageRun) -> Tagger:
    """The model before its first step: the parent's with a new head, or a new one around the pre-trained encoder."""
    experiment, stage = run.experiment, run.stage
    vocabulary = TagVocabulary(stage.labels, experiment.tagger.scheme)
    words = Counter(word for sentence in stage.train for word in sentence.words)
    if run.parent is None:
        spaces = {stage.domain: vocabulary}
        parts = experiment.encoder, experiment.context, experiment.tagger
        model = build_tagger(*parts, spaces, seed=run.seed, words=words)
    else:
        before = load_bundle(run.parent).model
        before.encoder.learn_words(words, experiment.encoder, run.seed)
        (domain,) = before.domains
        tags = tag_bridge(vocabulary, before.head(domain).vocabulary, stage.bridge)
        model = rehead(
            before, stage.domain, vocabulary, experiment.tagger, sources_from=domain, tag_sources=tags, seed=run.seed
        )
    if stage.decodable is not None:
        model.head(stage.domain).restrict(stage.decodable)
    return model


def fit_stage(run: StageRun, model: Tagger) -> FitResult:
    """Train `model` on the stage, from the last checkpoint if there is one. Raises TrainingError."""
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
        most_common = max(Counter(tags).values(), default=0)
        return Evaluation(
            scores.f1,
            {
                "precision": scores.precision,
                "recall": scores.recall,
                MOST_COMMON_TAG: most_common / max(len(tags), 1),
            },
        )

    return evaluate
