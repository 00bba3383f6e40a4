"""Settings of transfer: in which order data sets are learnt and what is carried from one to the next."""

from typing import Annotated, Literal

from pydantic import Field

from nerbridge.config.base import OptionalInteger, Settings


class DirectSettings(Settings):
    """Train on the target alone."""

    kind: Literal["direct"] = Field("direct", description="target only")


class SourceTransferSettings(Settings):
    """What every strategy with sources has."""

    drop_leaks: bool = Field(True, description="leave out source sentences equal to a target dev or test sentence")


class SequentialSettings(SourceTransferSettings):
    """Train on each source stage in order, then on the target."""

    kind: Literal["sequential"] = Field("sequential", description="sources first, then the target")
    bridge: dict[str, str] = Field(
        default_factory=dict,
        description="target label -> label of the stage before whose parameters it starts from, such as "
        "politician = 'person'",
    )
    carry_labels: bool = Field(True, description="carry parameters of labels that two neighbouring stages have")


class JointSettings(SourceTransferSettings):
    """Train on all sources and the target at once: one head over all labels, decoding restricted to the target's."""

    kind: Literal["joint"] = Field("joint", description="sources and target at once")
    upsample: OptionalInteger = Field(
        None,
        ge=1,
        le=1_000_000,
        description="how often a target sentence is seen per epoch; default: balances the sources",
    )


StrategySettings = Annotated[DirectSettings | SequentialSettings | JointSettings, Field(discriminator="kind")]
