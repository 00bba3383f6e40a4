"""Words -> numbers, so that sets of words in a row can be compared by the million.

A text is normalised: lower case, letters and digits only, parted everywhere else; every character of a script that has
no spaces is a word of its own. Hashes do not depend on the process, so what several processes find can be compared.
"""

import re
import zlib

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint64]

# Thai to Burmese, Khmer, kana, Chinese characters, Hangul: scripts in which words are not parted by spaces, or not all.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_HAS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_WORDS = re.compile(r"[^\W_]+")
_WORDS_AND_CHARACTERS = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}])[^\W_])+")
_CACHED = 200_000  # words whose code is remembered; bounds the memory


def normalised_words(text: str) -> list[str]:
    """The words of `text` as they are compared.

    >>> normalised_words("The U.S.-led team did n't")
    ['the', 'u', 's', 'led', 'team', 'did', 'n', 't']
    """
    pattern = _WORDS if text.isascii() or not _HAS_UNSPACED.search(text) else _WORDS_AND_CHARACTERS
    return pattern.findall(text.lower())


class _CodeCache(dict[str, int]):
    """Word -> CRC-32, remembered for the words that came last."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _CACHED:
            self.clear()
        code = zlib.crc32(word.encode("utf-8", "surrogatepass"))
        self[word] = code
        return code


_cache = _CodeCache()


def word_codes(words: list[str]) -> Codes:
    """One well-mixed number per word, the same for equal words."""
    return mix(np.fromiter(map(_cache.__getitem__, words), dtype=np.uint64, count=len(words)))


def mix(values: Codes) -> Codes:
    """Spreads every bit over all others: the last step of SplitMix64 (Steele et al. 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def multipliers(count: int, seed: int) -> Codes:
    """`count` odd numbers for multiplicative hashing, drawn with `seed`."""
    drawn = np.random.default_rng(seed).integers(0, 2**64, size=count, dtype=np.uint64)
    return drawn | np.uint64(1)
