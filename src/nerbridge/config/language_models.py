"""Settings of language models that are trained from nothing, by `nerbridge pretrain --model elmo` or `flair`."""

from typing import Literal

from pydantic import Field, model_validator

from nerbridge.config.base import HIGHEST_SEED, OptionalInteger, OptionalNumber, Settings

LanguageModelName = Literal["elmo", "flair"]


class LanguageModelTraining(Settings):
    """What both kinds share: how much is read at once, how long, how fast.

    A step learns from at most `batch_rows` x `length` units, padding included: words for elmo, characters for flair.
    Either `max_steps` or `epochs` bounds the training, whichever comes first.
    """

    max_characters: int = Field(
        300, ge=1, le=30_000, description="so many of the most frequent characters are read as themselves"
    )
    dropout: float = Field(0.1, ge=0, lt=1, description="on what enters a layer and on what predicts")
    batch_rows: int = Field(32, ge=1, le=1_000_000, description="full rows per step, all processes together")
    rows_at_once: OptionalInteger = Field(
        None, ge=1, description="full rows in memory at once, the rest is accumulated; default: all"
    )
    max_steps: OptionalInteger = Field(1000, ge=1, description="at most so many steps")
    epochs: int = Field(15, ge=1, le=100_000, description="at most so many passes over the text")
    learning_rate: float = Field(2e-3, gt=0, description="of AdamW")
    weight_decay: float = Field(0.0, ge=0, description="of every weight matrix")
    schedule: Literal["constant", "linear", "cosine"] = Field("linear", description="after warm-up")
    warmup: float = Field(0.02, ge=0, lt=1, description="share of the steps with rising learning rate")
    clip_norm: OptionalNumber = Field(1.0, gt=0, description='gradient norm is clipped to this; "none": it is not')
    evaluate_every: int = Field(250, ge=1, description="steps between two looks at the held-out text")
    held_out_words: int = Field(
        10_000, ge=0, description="hold out documents of about so many words, at most a twentieth of the text; 0: none"
    )
    checkpoint_seconds: float = Field(120.0, ge=0, description="time between checkpoints; 0 = after every step")
    seed: int = Field(1, ge=0, le=HIGHEST_SEED, description="seed of every random choice")

    @model_validator(mode="after")
    def _consistent(self) -> "LanguageModelTraining":
        if self.rows_at_once is not None and self.rows_at_once > self.batch_rows:
            raise ValueError(f"rows_at_once = {self.rows_at_once} is more than batch_rows = {self.batch_rows}")
        return self


class ElmoSettings(LanguageModelTraining):
    """A word-level language model over words that are read character by character (Peters et al. 2018)."""

    model: Literal["elmo"] = Field("elmo", description="word-level, two directions, several layers")
    character_width: int = Field(16, ge=1, le=1_000, description="width of a character's embedding")
    kernels: int = Field(5, ge=1, le=10, description="filters see 1 to so many characters at once")
    filters: int = Field(25, ge=1, le=1_000, description="filters per character that they see, at most 200 of a width")
    highways: int = Field(1, ge=0, le=10, description="highway layers behind the filters")
    hidden: int = Field(128, ge=1, le=10_000, description="width of each direction; vectors have twice as much")
    layers: int = Field(2, ge=1, le=10, description="LSTM layers of each direction")
    max_words: int = Field(20_000, ge=1, description="so many of the most frequent words are predicted as themselves")
    min_count: int = Field(2, ge=1, description="rarer words are predicted as one unknown word")
    negatives: OptionalInteger = Field(
        1024, ge=1, description='samples of the softmax in training, corrected by log Q; "none": the full softmax'
    )
    length: int = Field(64, ge=4, le=100_000, description="words of a full row; longer sentences are cut")

    @property
    def batch_pieces(self) -> int:
        """Words that a step learns from at most, padding included."""
        return self.batch_rows * self.length


class FlairSettings(LanguageModelTraining):
    """A character-level language model over the text of a sentence (Akbik et al. 2018)."""

    model: Literal["flair"] = Field("flair", description="character-level, two directions")
    character_width: int = Field(64, ge=1, le=1_000, description="width of a character's embedding")
    hidden: int = Field(256, ge=1, le=10_000, description="width of each direction; vectors have twice as much")
    layers: int = Field(1, ge=1, le=10, description="LSTM layers of each direction")
    length: int = Field(256, ge=16, le=100_000, description="characters of a full row; longer sentences are cut")

    @property
    def batch_pieces(self) -> int:
        """Characters that a step learns from at most, padding included."""
        return self.batch_rows * self.length


LanguageModelPretraining = ElmoSettings | FlairSettings
