"""Settings of tag heads."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from nerbridge.config.base import Settings

TagHeadScheme = Literal["BIO", "BIOES"]


class TagHeadSettings(Settings):
    """What every tag head has."""

    scheme: TagHeadScheme = Field("BIO", description="tag scheme inside the model")
    dropout: float = Field(0.1, ge=0, lt=1, description="dropout on the states the head reads")
    constrained: bool = Field(True, description="decode legal tag sequences only")

    @model_validator(mode="after")
    def _trains_as_it_decodes(self) -> "TagHeadSettings":
        if getattr(self, "constrained_training", False) and not self.constrained:
            raise ValueError(
                "constrained_training = true has no effect with constrained = false: all sequences are legal"
            )
        return self


class LinearSettings(TagHeadSettings):
    """One linear layer; words are labelled independently."""

    kind: Literal["linear"] = Field("linear", description="words are labelled independently")


class CrfSettings(TagHeadSettings):
    """A linear layer and a linear-chain conditional random field."""

    kind: Literal["crf"] = Field("crf", description="tag sequences are scored as a whole")
    constrained_training: bool = Field(
        False, description="training compares the gold sequence with legal ones only; needs `constrained`"
    )
    transition_rate: float = Field(
        1.0, gt=0, le=1_000, description="learning rate of transition scores, as a multiple of `head_learning_rate`"
    )


class LabelAwareSettings(TagHeadSettings):
    """The label-aware autoregressive tagger (LANER); without background and context it is the linear one."""

    kind: Literal["label_aware"] = Field("label_aware", description="each word is labelled given the tags before it")
    label_width: int = Field(
        100, ge=1, le=10_000, description="width of a tag's embedding and of each LSTM direction over tags"
    )
    background: bool = Field(True, description="label background: the tags so far look at the sentence's words")
    context: bool = Field(True, description="label context: each word looks at the tags so far")
    initialise: Literal["random", "names"] = Field(
        "random",
        description="tag embeddings start random, or from the encoder's vector of the label's name and meaning",
    )
    label_noise: float = Field(0.0, ge=0, le=1, description="training: share of gold history tags replaced by another")
    scheduled_sampling: float = Field(
        0.0, ge=0, le=1, description="training: share of gold history tags replaced by the model's own prediction"
    )
    constrained_training: bool = Field(
        False, description="training chooses among tags that may follow the history only; needs `constrained`"
    )
    output_rate: float = Field(
        1.0, gt=0, le=1_000, description="learning rate of the output layer, as a multiple of `head_learning_rate`"
    )
    beam: int = Field(1, ge=1, le=1_000, description="decoding: tag sequences kept in parallel; 1 is greedy")


class CoachSettings(TagHeadSettings):
    """Coach: first where entities are, by a CRF that knows no labels, then what each one is, by its label's name."""

    kind: Literal["coach"] = Field("coach", description="finds entities first, then compares them with label names")
    label_width: int = Field(
        100, ge=2, le=10_000, multiple_of=2, description="width of a label's embedding, and of what is read from a span"
    )
    initialise: Literal["names", "random"] = Field(
        "names",
        description="label embeddings come from the encoder's vector of the label's name and meaning, or random",
    )
    learn_labels: bool = Field(False, description="label embeddings learn; random ones always do")
    transition_rate: float = Field(
        1.0, gt=0, le=1_000, description="learning rate of transition scores, as a multiple of `head_learning_rate`"
    )


TaggerSettings = Annotated[
    LinearSettings | CrfSettings | LabelAwareSettings | CoachSettings, Field(discriminator="kind")
]
