"""CACHED STAGES from data to report; train, adapt, quickstart are thin callers of it."""

from nerbridge.pipeline.adapting import adapt

__all__ = ["adapt"]
