"""Near-duplicates made of real paragraphs: how many are found at which similarity."""

import random
from itertools import pairwise
from typing import Any

import numpy as np

from nerbridge.config.corpus import FilterSettings
from nerbridge.corpus.duplicates import DuplicateFilter
from nerbridge.corpus.hashing import word_codes
from nerbridge.corpus.overlap_guard import comparable_words
from nerbridge.corpus.similarity import SimilarityKeys

SHARES = (0.01, 0.02, 0.03, 0.05, 0.08, 0.12, 0.2)  # of the words of a paragraph that are changed
BINS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1.0)


def found_by_similarity(texts: list[str], seed: int = 1) -> dict[str, Any]:
    """Recall by bins of the Jaccard similarity of word pairs, and false alarms among the paragraphs themselves."""
    similarity = FilterSettings().similarity
    assert similarity is not None
    numbers = random.Random(seed)
    originals = [comparable_words(text) for text in texts]
    keys = SimilarityKeys(similarity, seed)
    first = _rows(keys, originals)
    seen = DuplicateFilter(64)
    alarms = sum(seen.take(np.insert(row, 0, 0)) is not None for row in first)
    tried: dict[float, list[bool]] = {low: [] for low in BINS}
    for share in SHARES:
        changed = [[_changed(word, numbers, share) for word in words] for words in originals]
        found = (first == _rows(keys, changed)).any(axis=1)
        for original, copy, hit in zip(originals, changed, found.tolist(), strict=True):
            low = max(bound for bound in BINS if bound <= jaccard(original, copy))
            tried[low].append(hit)
    rows = [
        {"similarity": low, "paragraphs": len(hits), "recall": round(sum(hits) / len(hits), 4)}
        for low, hits in tried.items()
        if hits
    ]
    return {"threshold": similarity, "rows": rows, "originals": len(originals), "repeated_originals": alarms}


def jaccard(first: list[str], second: list[str]) -> float:
    """The similarity of two paragraphs as sets of word pairs."""
    one, other = set(pairwise(first)), set(pairwise(second))
    return len(one & other) / max(len(one | other), 1)


def _changed(word: str, numbers: random.Random, share: float) -> str:
    return f"changed{numbers.randrange(10**9)}" if numbers.random() < share else word


def _rows(keys: SimilarityKeys, paragraphs: list[list[str]]) -> "np.ndarray[Any, np.dtype[np.uint64]]":
    codes = word_codes([word for words in paragraphs for word in words])
    return keys.of(codes, np.array([len(words) for words in paragraphs]))
