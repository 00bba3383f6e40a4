"""CACHED STAGES from data to report; train, adapt, quickstart are thin callers of it."""
