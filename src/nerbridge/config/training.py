"""Settings of one training stage, and how a recipe overrides them per kind of stage."""

from typing import Any, Literal

from pydantic import Field

from nerbridge.config.base import Settings


class TrainingSettings(Settings):
    """How one stage is trained.

    Either `epochs` or `max_steps` bounds a stage (whichever comes first). With `selection = "dev"` the stage keeps the
    weights with the best dev F1 and stops after `patience` evaluations without a better one; with "last" it runs its
    fixed number of steps and keeps the last weights.
    """

    optimizer: Literal["adamw", "sgd", "rmsprop"] = "adamw"
    learning_rate: float = Field(5e-5, gt=0, description="of the encoder")
    head_learning_rate: float = Field(1e-3, gt=0, description="of contexts and heads")
    weight_decay: float = Field(0.01, ge=0)
    momentum: float = Field(0.0, ge=0, lt=1, description="of sgd and rmsprop")
    schedule: Literal["constant", "linear", "cosine"] = Field("constant", description="after warm-up")
    warmup: float = Field(0.0, ge=0, lt=1, description="share of all steps with rising learning rate")
    clip_norm: float | None = Field(1.0, gt=0, description="gradient norm is clipped to this; none = no clipping")
    epochs: int = Field(60, ge=1)
    max_steps: int | None = Field(None, ge=1)
    batch_sentences: int = Field(16, ge=1, description="at most so many sentences per batch")
    batch_pieces: int = Field(8192, ge=16, description="at most so many pieces (padding included) per batch")
    evaluate_every: float = Field(2.0, gt=0, description="epochs between evaluations on dev")
    selection: Literal["dev", "last"] = "dev"
    patience: int = Field(6, ge=1, description="evaluations without a better dev F1 before a stage stops")
    precision: Literal["float32", "bf16"] = "float32"
    checkpoint_seconds: float = Field(60.0, ge=0, description="time between checkpoints; 0 = after every step")
    seed: int | None = Field(None, description="of this stage; default: the experiment's seed")


# What differs from the class defaults when the stage is of this kind and the recipe does not say.
STAGE_DEFAULTS: dict[str, dict[str, Any]] = {
    "source": {"epochs": 2, "schedule": "linear", "selection": "last"},
    "target": {},
    "joint": {"epochs": 10, "evaluate_every": 1.0},
}


class TrainingPlan(Settings):
    """[training] of a recipe: `base` keys for every stage, tables `source`, `target`, `joint` that override them."""

    base: dict[str, Any] = Field(default_factory=dict)
    source: dict[str, Any] = Field(default_factory=dict)
    target: dict[str, Any] = Field(default_factory=dict)
    joint: dict[str, Any] = Field(default_factory=dict)

    def for_stage(self, kind: Literal["source", "target", "joint"]) -> TrainingSettings:
        """The settings of a stage of this kind. Raises pydantic's ValidationError for unknown or wrong keys."""
        override: dict[str, Any] = getattr(self, kind)
        return TrainingSettings.model_validate({**STAGE_DEFAULTS[kind], **self.base, **override})
