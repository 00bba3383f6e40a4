"""DOOR 1: HTTP. Still empty."""
