"""Settings of language-model objectives: which words are predicted, and among which."""

from pydantic import Field

from nerbridge.config.base import OptionalInteger, Settings


class WordsSettings(Settings):
    """How the next word and the one before are predicted, with a softmax over samples of one vocabulary."""

    negatives: int = Field(
        50, ge=1, description="negative samples; as many as the vocabulary has words, or more: the full softmax"
    )
    shared_negatives: bool = Field(
        True, description="one draw of samples serves a whole batch; off: each predicted word has its own"
    )
    log_q: bool = Field(
        False, description="take the logarithm of expected counts off all scores; the paper's equations do not"
    )
    min_count: int = Field(1, ge=1, description="rarer words of the raw text are predicted as one unknown word")
    max_words: OptionalInteger = Field(
        100_000, ge=1, description="so many of the most frequent words are predicted as themselves"
    )
    dropout: float = Field(0.5, ge=0, lt=1, description="dropout on the states that predict")
