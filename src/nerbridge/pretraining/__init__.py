"""DOMAIN ADAPTATION: masking, objective, run: corpus -> encoder folder. Still empty."""
