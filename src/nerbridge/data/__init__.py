"""WORDS: sentences, spans, label sets, tag schemes, file formats, the registry of data sets, checks; no torch."""
