"""CACHED STAGES from data to report; train, adapt, quickstart are thin callers of it."""

from nerbridge.pipeline.adaptation import adapt

__all__ = ["adapt"]
