"""SPANS -> SCORES: matching, breakdowns, uncertainty, reports; no torch."""
