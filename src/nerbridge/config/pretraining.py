"""Settings of domain-adaptive pre-training: how an encoder goes on learning from raw text."""

from typing import Literal

from pydantic import Field, model_validator

from nerbridge.config.base import HIGHEST_SEED, OptionalInteger, OptionalNumber, Settings

Masking = Literal["token", "span"]


class PretrainingSettings(Settings):
    """How an encoder goes on learning to fill masked pieces.

    A step learns from at most `batch_rows` x `length` pieces, padding included: from `batch_rows` full rows, or from
    more shorter ones. Either `max_steps` or `epochs` bounds the pre-training, whichever comes first.
    """

    masking: Masking = Field("span", description="single pieces, or moved together into spans")
    mask_rate: float = Field(0.15, gt=0, le=0.9, description="share of the pieces that are masked")
    whole_words: bool = Field(False, description="mask words with all their pieces")
    length: int = Field(256, ge=8, le=100_000, description="pieces of a full row, special pieces included")
    batch_rows: int = Field(64, ge=1, le=1_000_000, description="full rows per step, all processes together")
    rows_at_once: OptionalInteger = Field(
        None, ge=1, description="full rows in memory at once, the rest is accumulated; default: 8 on a CPU, else all"
    )
    join_documents: bool = Field(
        False, description="fill rows with several short documents, a separator between; else a row has one document"
    )
    max_steps: OptionalInteger = Field(1000, ge=1, description="at most so many steps")
    epochs: int = Field(15, ge=1, le=100_000, description="at most so many passes over the text")
    learning_rate: float = Field(1e-4, gt=0, description="of encoder and head")
    weight_decay: float = Field(0.01, ge=0, description="of every weight matrix")
    schedule: Literal["constant", "linear", "cosine"] = Field("linear", description="after warm-up")
    warmup: float = Field(0.06, ge=0, lt=1, description="share of the steps with rising learning rate")
    clip_norm: OptionalNumber = Field(1.0, gt=0, description='gradient norm is clipped to this; "none": it is not')
    head_steps: int = Field(150, ge=0, description="steps in which a new head learns alone, before the others")
    head_learning_rate: float = Field(1e-3, gt=0, description="of a new head in these steps")
    precision: Literal["auto", "float32", "bf16"] = Field(
        "auto", description="bf16: mixed precision; auto: bf16 on a GPU that has it, float32 elsewhere"
    )
    evaluate_every: int = Field(250, ge=1, description="steps between two looks at the held-out text")
    held_out_pieces: int = Field(
        32_768, ge=0, description="hold out documents of about so many pieces, at most a twentieth of the text; 0: none"
    )
    checkpoint_seconds: float = Field(120.0, ge=0, description="time between checkpoints; 0 = after every step")
    seed: int = Field(1, ge=0, le=HIGHEST_SEED, description="seed of every random choice")

    @model_validator(mode="after")
    def _consistent(self) -> "PretrainingSettings":
        if self.rows_at_once is not None and self.rows_at_once > self.batch_rows:
            raise ValueError(f"rows_at_once = {self.rows_at_once} is more than batch_rows = {self.batch_rows}")
        return self

    @property
    def batch_pieces(self) -> int:
        """Pieces that a step learns from at most, padding included."""
        return self.batch_rows * self.length
