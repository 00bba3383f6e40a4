"""Settings of domain discriminators: what tries to tell source and target apart, and how much it is opposed."""

from typing import Annotated, Literal

from pydantic import Field

from nerbridge.config.base import Settings

Pooling = Annotated[
    Literal["mean", "attention", "words"],
    Field(description="it judges a sentence by the mean of its words or by a learnt one, or judges every word"),
]
Hidden = Annotated[int, Field(ge=0, le=10_000, description="width of its hidden layer; 0: none")]
Reversal = Annotated[float, Field(ge=0, description="lambda: what its gradient counts, reversed, in what it reads")]
Schedule = Annotated[
    Literal["rising", "constant"],
    Field(description="lambda rises from 0 to `reversal` over the stage, or is there from the first step"),
]


class NoAdversary(Settings):
    """No discriminator."""

    kind: Literal["none"] = Field("none", description="no discriminator")


class DiscriminatorSettings(Settings):
    """What every discriminator has. It learns to tell the domains apart; what it reads learns the opposite."""

    reads: Literal["states", "vectors"] = Field(
        "states", description="what is made alike: the context's states or the encoder's vectors"
    )
    weight: float = Field(1.0, gt=0, description="of its loss beside those of the heads")
    steepness: float = Field(10.0, gt=0, le=1_000, description="how fast lambda rises")


class DannSettings(DiscriminatorSettings):
    """The discriminator of domain-adversarial networks: plain cross-entropy."""

    kind: Literal["dann"] = Field("dann", description="cross-entropy (Ganin et al. 2016)")
    pooling: Pooling = "mean"
    hidden: Hidden = 100
    reversal: Reversal = 1.0
    schedule: Schedule = "rising"


class GradSettings(DiscriminatorSettings):
    """The generalised resource-adversarial discriminator: cross-entropy weighted by side and by difficulty."""

    kind: Literal["grad"] = Field("grad", description="weighted cross-entropy (Zhou et al. 2019)")
    pooling: Pooling = "attention"
    hidden: Hidden = 0
    reversal: Reversal = 0.7
    schedule: Schedule = "constant"
    alpha: float = Field(0.25, gt=0, lt=1, description="weight of the source; the target has 1 - alpha")
    gamma: float = Field(2.0, ge=0, le=100, description="how much less sentences count that are told apart with ease")


AdversarySettings = Annotated[NoAdversary | DannSettings | GradSettings, Field(discriminator="kind")]
