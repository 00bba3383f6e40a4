"""Settings of one training stage, and how a recipe overrides them per kind of stage."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails

from nerbridge.config.base import HIGHEST_SEED, OptionalInteger, OptionalNumber, Settings


class TrainingSettings(Settings):
    """How one stage is trained.

    Either `epochs` or `max_steps` bounds a stage (whichever comes first). With `selection = "dev"` the stage keeps the
    weights with the best dev F1 and stops after `patience` evaluations without a better one; with "last" it runs its
    fixed number of steps and keeps the last weights.
    """

    optimizer: Literal["adamw", "sgd", "rmsprop"] = Field("adamw", description="what turns gradients into steps")
    learning_rate: float = Field(5e-5, gt=0, description="of the encoder")
    head_learning_rate: float = Field(1e-3, gt=0, description="of contexts and heads")
    weight_decay: float = Field(0.01, ge=0, description="of every weight matrix; 0 turns adamw into Adam")
    momentum: float = Field(0.0, ge=0, lt=1, description="of sgd and rmsprop")
    schedule: Literal["constant", "linear", "cosine"] = Field("constant", description="after warm-up")
    warmup: float = Field(0.0, ge=0, lt=1, description="share of all steps with rising learning rate")
    clip_norm: OptionalNumber = Field(1.0, gt=0, description='gradient norm is clipped to this; "none": it is not')
    epochs: int = Field(60, ge=1, description="at most so many passes over the training sentences")
    max_steps: OptionalInteger = Field(None, ge=1, description="at most so many optimizer steps")
    batch_sentences: int = Field(16, ge=1, description="at most so many sentences per batch")
    batch_pieces: int = Field(8192, ge=16, description="at most so many pieces (padding included) per batch")
    evaluate_every: float = Field(2.0, gt=0, description="epochs between evaluations on dev")
    selection: Literal["dev", "last"] = Field("dev", description="keep the weights of the best dev F1, or the last")
    patience: int = Field(
        6, ge=1, description="evaluations without a better dev F1 before a stage stops; counted once dev F1 is above 0"
    )
    precision: Literal["float32", "bf16"] = Field("float32", description="bf16: mixed precision, for GPUs")
    checkpoint_seconds: float = Field(60.0, ge=0, description="time between checkpoints; 0 = after every step")
    seed: OptionalInteger = Field(
        None, ge=0, le=HIGHEST_SEED, description="of this stage; default: the experiment's seed"
    )


StageKind = Literal["source", "target", "joint"]
STAGE_KINDS: tuple[StageKind, ...] = ("source", "target", "joint")

# What differs from the class defaults when the stage is of this kind and the recipe does not say.
STAGE_DEFAULTS: dict[StageKind, dict[str, Any]] = {
    "source": {"epochs": 2, "schedule": "linear", "selection": "last"},
    "target": {},
    "joint": {"epochs": 10, "evaluate_every": 1.0},
}


def moved(item: ErrorDetails, place: tuple[int | str, ...]) -> InitErrorDetails:
    """The same finding of pydantic's at another place."""
    return InitErrorDetails(type=item["type"], loc=place, input=item["input"], ctx=item.get("ctx", {}))


class TrainingPlan(Settings):
    """[training] of a recipe: `base` keys for every stage, tables `source`, `target`, `joint` that override them."""

    base: dict[str, Any] = Field(default_factory=dict, description="keys for every stage")
    source: dict[str, Any] = Field(default_factory=dict, description="keys for source stages")
    target: dict[str, Any] = Field(default_factory=dict, description="keys for the target stage")
    joint: dict[str, Any] = Field(default_factory=dict, description="keys for the one stage of joint transfer")

    @model_validator(mode="after")
    def _check_stages(self) -> "TrainingPlan":
        """Every fault once, under the key that the recipe has: training.epochs or training.target.epochs."""
        found: dict[tuple[int | str, ...], InitErrorDetails] = {}
        for kind in STAGE_KINDS:
            try:
                self.for_stage(kind)
            except ValidationError as fault:
                for item in fault.errors():
                    overridden = item["loc"] and item["loc"][0] in getattr(self, kind)
                    place = (kind, *item["loc"]) if overridden else item["loc"]
                    found[place] = moved(item, place)
        if found:
            raise ValidationError.from_exception_data("TrainingPlan", list(found.values()))
        return self

    def for_stage(self, kind: StageKind, own: Mapping[str, Any] | None = None) -> TrainingSettings:
        """The settings of a stage of this kind; `own` keys of this very stage win over all others.

        Raises pydantic's ValidationError for unknown or wrong keys.
        """
        override: dict[str, Any] = getattr(self, kind)
        return TrainingSettings.model_validate({**STAGE_DEFAULTS[kind], **self.base, **override, **(own or {})})
