"""Settings of contexts: what stands between the encoder's vectors and the heads."""

from typing import Literal

from pydantic import Field

from nerbridge.config.base import Settings


class NoContext(Settings):
    """The heads read the encoder's vectors as they are."""

    kind: Literal["none"] = Field("none", description="no context")


ContextSettings = NoContext
