"""Settings of tag heads."""

from typing import Annotated, Literal

from pydantic import Field

from nerbridge.config.base import Settings


class TagHeadSettings(Settings):
    """What every tag head has."""

    scheme: Literal["BIO", "BIOES"] = Field("BIO", description="tag scheme inside the model")
    dropout: float = Field(0.1, ge=0, lt=1, description="dropout on the states the head reads")
    constrained: bool = Field(True, description="decode legal tag sequences only")


class LinearSettings(TagHeadSettings):
    """One linear layer; words are labelled independently."""

    kind: Literal["linear"] = Field("linear", description="words are labelled independently")


class CrfSettings(TagHeadSettings):
    """A linear layer and a linear-chain conditional random field."""

    kind: Literal["crf"] = Field("crf", description="tag sequences are scored as a whole")


TaggerSettings = Annotated[LinearSettings | CrfSettings, Field(discriminator="kind")]
