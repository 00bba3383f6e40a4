"""One experiment: what a recipe file asks for."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from nerbridge.config.base import HIGHEST_SEED, OptionalInteger, OptionalText, Settings
from nerbridge.config.combinations import multi_task_fault
from nerbridge.config.context import ContextSettings, NoContext
from nerbridge.config.encoder import EncoderSettings, TransformerSettings
from nerbridge.config.files import FilesSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.config.raw import ChoiceSettings, NameListSettings, RawCorpusSettings
from nerbridge.config.tagger import LinearSettings, TaggerSettings
from nerbridge.config.training import TrainingPlan, moved
from nerbridge.config.transfer import SequentialSettings, StrategySettings, StreamsSettings

STREAMS = ("multi_task", "self_training")  # kinds of transfer that learn from streams, in one stage or several alike
OF_RAW_TEXT = ("gazetteer", "selection", "pretraining")  # tables without effect where no [corpus] is

# Of tables whose variants a recipe need not name.
DEFAULT_KINDS: Mapping[str, str] = {"encoder": "transformer", "context": "none"}


class SourceStageSettings(Settings):
    """One source stage: any number of registered data sets or own files, labels united by name.

    Zero-shot transfer chooses weights on dev sentences of its source: of data without a dev split, `holdout` of the
    training sentences is held out for that, drawn with `holdout_seed` (and said so).
    """

    datasets: tuple[str, ...] = Field(
        (), description='registered data sets; "crossner/others" means the CrossNER domains other than the target'
    )
    files: tuple[FilesSettings, ...] = Field((), description="labelled files of your own")
    holdout: float = Field(
        0.1,
        gt=0,
        lt=1,
        description="share of train held out as dev where there is no dev split; zero-shot transfer only",
    )
    holdout_seed: int = Field(1, ge=0, le=HIGHEST_SEED, description="seed of that draw")
    training: dict[str, Any] = Field(
        default_factory=dict, description="keys of [training] for this stage alone; sequential transfer only"
    )

    @model_validator(mode="after")
    def _not_empty(self) -> "SourceStageSettings":
        if not self.datasets and not self.files:
            raise ValueError("a source stage needs `datasets` or `files`")
        return self


class TargetSettings(Settings):
    """The target: a registered data set, or own files.

    Without a dev split, `holdout` of the training sentences is held out, drawn with `holdout_seed` (and said so).
    `num_train` keeps a seeded subset of the training sentences, for learning curves; `only` keeps some of the labels.
    """

    dataset: OptionalText = Field(None, description="a registered data set, such as crossner/ai")
    files: FilesSettings | None = Field(None, description="labelled files of your own, instead of `dataset`")
    holdout: float = Field(0.1, gt=0, lt=1, description="share of train held out as dev where there is no dev split")
    holdout_seed: int = Field(1, ge=0, le=HIGHEST_SEED, description="seed of that draw")
    num_train: OptionalInteger = Field(None, ge=1, description="keep so many training sentences, drawn with a seed")
    descriptions: dict[str, str] = Field(default_factory=dict, description="label -> what it means")
    only: tuple[str, ...] = Field((), description="take entities of these labels only; default: all")

    @model_validator(mode="after")
    def _one_of(self) -> "TargetSettings":
        if (self.dataset is None) == (self.files is None):
            raise ValueError("the target needs either `dataset` or `files`")
        return self


class Experiment(Settings):
    """One recipe, resolved. Equal experiments with equal data and seed give equal scores on CPU."""

    name: str = Field(
        min_length=1, pattern=r"^[A-Za-z0-9._-]+$", description="names the run folder: letters, digits, '.', '_', '-'"
    )
    description: str = Field("", description="what it is and which row of which paper it stands for")
    seed: int = Field(1, ge=0, le=HIGHEST_SEED, description="seed of every random choice that has none of its own")
    source: tuple[SourceStageSettings, ...] = Field((), description="source stages, in the order they are trained")
    target: TargetSettings = Field(description="the domain that the tagger is for")
    encoder: EncoderSettings = Field(TransformerSettings(), description="words -> vectors")
    context: ContextSettings = Field(NoContext(), description="vectors -> states")
    tagger: TaggerSettings = Field(LinearSettings(), description="states -> tags")
    transfer: StrategySettings = Field(SequentialSettings(), description="what is learnt after what")
    training: TrainingPlan = Field(TrainingPlan(), description="how stages are trained")
    corpus: RawCorpusSettings | None = Field(None, description="raw text that the encoder learns from first")
    gazetteer: NameListSettings = Field(NameListSettings(), description="names that choose sentences of raw text")
    selection: ChoiceSettings = Field(ChoiceSettings(), description="which sentences of it")
    pretraining: PretrainingSettings = Field(PretrainingSettings(), description="how the encoder learns from them")

    @property
    def is_zero_shot(self) -> bool:
        """Is no labelled sentence of the target learnt from?"""
        return isinstance(self.transfer, StreamsSettings) and self.transfer.zero_shot

    @field_validator("encoder", "context", mode="before")
    @classmethod
    def _of_a_kind(cls, value: Any, info: ValidationInfo) -> Any:
        """A table without `kind` is of the kind that was there first."""
        return {"kind": DEFAULT_KINDS[str(info.field_name)], **value} if isinstance(value, dict) else value

    @field_validator("training", mode="before")
    @classmethod
    def _nest(cls, value: Any) -> Any:
        """Recipes write base keys straight into [training]."""
        if not isinstance(value, dict) or "base" in value:
            return value
        tables = {key: value[key] for key in ("source", "target", "joint") if key in value}
        return {"base": {key: v for key, v in value.items() if key not in tables}, **tables}

    @model_validator(mode="after")
    def _consistent(self) -> "Experiment":
        if self.transfer.kind == "direct" and self.source:
            raise ValueError(
                "direct transfer has no source stages; remove [[source]] (--set source=[]) or set transfer.kind"
            )
        if self.transfer.kind not in ("direct", *STREAMS) and not self.source:
            raise ValueError(
                f"{self.transfer.kind} transfer needs at least one [[source]]; add one or set transfer.kind to direct"
            )
        if self.transfer.kind in ("joint", *STREAMS) and any(stage.training for stage in self.source):
            raise ValueError(
                f"{self.transfer.kind} transfer trains in one stage; write source.training keys into [training.joint]"
            )
        if fault := multi_task_fault(self.transfer, self.context, self.encoder, len(self.source)):
            raise ValueError(fault)
        self._check_own_training()
        self._check_raw()
        return self

    def _check_raw(self) -> None:
        tables = {name: getattr(self, name) for name in OF_RAW_TEXT}
        given = [f"[{name}]" for name, table in tables.items() if table != type(table)()]
        if self.corpus is None and given:
            verb = "has" if len(given) == 1 else "have"
            raise ValueError(
                f"{' and '.join(given)} {verb} no effect without raw text; add [corpus] with its `files` "
                "(`--raw FILE` of `nerbridge adapt`)"
            )
        if self.corpus is not None and self.transfer.kind in STREAMS:
            raise ValueError(
                f"{self.transfer.kind} transfer learns from raw text by streams of its own: name it in "
                "transfer.target_raw and remove [corpus]"
            )
        if self.corpus is not None and self.encoder.kind != "transformer":
            way = "multi_cell" if self.context.kind == "multi_cell" else "parameter_generation"
            raise ValueError(
                f"an encoder of kind {self.encoder.kind} cannot be pre-trained on raw text; remove [corpus] (`--raw`), "
                "or choose a transformer; with word vectors, raw text is learnt from by `nerbridge adapt --context "
                f"{way} --raw FILE`, or by `nerbridge pretrain --model elmo`"
            )

    def _check_own_training(self) -> None:
        found = []
        for number, stage in enumerate(self.source):
            try:
                self.training.for_stage("source", stage.training)
            except ValidationError as fault:
                found += [moved(item, ("source", number, "training", *item["loc"])) for item in fault.errors()]
        if found:
            raise ValidationError.from_exception_data("Experiment", found)


def recorded_experiment(tables: Mapping[str, Any]) -> Experiment:
    """The experiment of a run's record, of this version or of an earlier one, whose defaults may have been others.

    Raises ValidationError where it is none.
    """
    idle = () if tables.get("corpus") is not None else OF_RAW_TEXT
    return Experiment.model_validate({key: table for key, table in tables.items() if key not in idle})
