"""CACHED STAGES from data to report; train, adapt, quickstart are thin callers of it.

`adapt` is fetched when it is first used: what is wrong with options and paths is found without torch.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nerbridge.pipeline.adaptation import adapt

__all__ = ["adapt"]


def __getattr__(name: str) -> object:
    """`adapt`, imported now. Raises AttributeError for any other name."""
    if name != "adapt":
        raise AttributeError(f"module 'nerbridge.pipeline' has no attribute '{name}'")
    from nerbridge.pipeline.adaptation import adapt

    return adapt
