"""Settings of contexts: what stands between the encoder's vectors and the heads."""

from typing import Literal

from nerbridge.config.base import Settings


class NoContext(Settings):
    """The heads read the encoder's vectors as they are."""

    kind: Literal["none"] = "none"


ContextSettings = NoContext
