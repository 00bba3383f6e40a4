"""RAW TEXT -> CHOSEN SENTENCES: readers, sentence splitting, gazetteer, selection, manifest; no torch."""
