"""One stage from its first model to its result: what is built, what is learnt from, what dev says."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nerbridge.assembly.build import build_tagger, rehead
from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.experiment import Experiment
from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import TrainingError
from nerbridge.pipeline.mixture import describe_words, mixture_model, mixture_streams
from nerbridge.pipeline.watching import dev_evaluation
from nerbridge.training.evaluation import FitResult
from nerbridge.training.fit import fit
from nerbridge.training.journal import Journal
from nerbridge.training.progress import Progress
from nerbridge.transfer.bridge import tag_bridge
from nerbridge.transfer.stage import Mixture, Stage

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
    if stage.mixture is not None:
        return _mixed(run, stage.mixture)
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


def _mixed(run: StageRun, mixture: Mixture) -> Tagger:
    """A new model for all streams of a multi-task stage."""
    model = mixture_model(run.experiment, mixture, run.seed)
    if model.words is not None:
        run.say(f"{run.stage.name}: {describe_words(model.words.vocabulary)}")
    return model


def _streams(stage: Stage, model: Tagger) -> list[Stream]:
    if stage.mixture is not None:
        return mixture_streams(stage.mixture, model)
    vocabulary = model.head(stage.domain).vocabulary
    return [Stream(stage.name, stage.domain, stage.train, model.encoder.vectorizer, vocabulary)]


def fit_stage(run: StageRun, model: Tagger) -> FitResult:
    """Train `model` on the stage, from the last checkpoint if there is one. Raises TrainingError."""
    stage = run.stage
    chosen_on = stage.domain if stage.mixture is None else stage.mixture.selected_on
    if stage.settings.selection == "dev" and not stage.dev:
        raise TrainingError(
            f"stage '{stage.name}' selects on dev, but {chosen_on} has no dev sentences",
            where=chosen_on,
            expected="dev sentences, or selection = 'last' with fixed epochs or steps",
            hint=f"--set training.{stage.kind}.selection=last",
        )
    return fit(
        model,
        _streams(stage, model),
        stage.settings,
        seed=run.seed,
        evaluate=dev_evaluation(stage) if stage.dev else None,
        workdir=run.folder / WORK,
        journal=Journal(run.folder / JOURNAL, stage.name),
        progress=run.progress,
    )
