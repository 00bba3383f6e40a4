"""Sentences that are so long that a tagger will take minutes: said before they are tagged, none is cut."""

import logging
from collections.abc import Sequence

from nerbridge.data.sentence import Sentence
from nerbridge.models.heads.base import TagHead
from nerbridge.wording import counted

LONG = 1000  # words, about 6 seconds of one core for label embeddings of width 100; 2,000 take 20, 4,500 two minutes

logger = logging.getLogger(__name__)


class LengthWarning:
    """Warns of long sentences, once in its life, where the time of a head grows with the square of their length."""

    def __init__(self) -> None:
        self._said = False

    def look(self, head: TagHead, sentences: Sequence[Sentence]) -> None:
        """Log how many of `sentences` are beyond `LONG`, and where the longest of them stands."""
        long = [sentence for sentence in sentences if len(sentence) > LONG] if head.quadratic else []
        if not long or self._said:
            return
        self._said = True
        longest = max(long, key=len)
        logger.warning(
            "warning: %s more than %s words, the longest %s%s; the time of a label-aware tagger grows with the square "
            "of it: split what is no single sentence, or use another tagger",
            counted(len(long), "sentence has", "sentences have"),
            f"{LONG:,}",
            f"{len(longest):,}",
            f" ({longest.origin})" if longest.origin else "",
        )
