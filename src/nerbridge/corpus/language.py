"""In which language is a text? Answered by py3langid: a naive Bayes over byte n-grams, 97 languages, 5 MB."""

from functools import lru_cache
from typing import Any

from nerbridge.errors import ConfigError, MissingExtraError

CHARACTERS = 400  # of a document that are looked at, from its start
SURE = 0.6  # probability from which on another language is believed
SHORTEST = 20  # characters: less is too little to tell by


class LanguageFilter:
    """language: the ISO 639-1 code of the language that is wanted.

    Raises MissingExtraError when py3langid is not installed, ConfigError for a language that it does not know.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self._identifier = _identifier()
        if language not in self._identifier.labels:
            raise ConfigError(
                f"the language '{language}' cannot be told from others",
                where="filters.language",
                expected=f"one of {', '.join(sorted(self._identifier.labels))}",
                hint="leave it out to keep every language",
            )

    def accepts(self, text: str) -> bool:
        """Is `text` in the wanted language, as far as can be told? Very short texts are accepted."""
        start = text[:CHARACTERS].strip()
        if len(start) < SHORTEST:
            return True
        found, probability = self._identifier.classify(start)
        return bool(found == self._language or probability < SURE)


@lru_cache(maxsize=1)
def _identifier() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ModuleNotFoundError:
        raise MissingExtraError("py3langid (for the language filter)", "corpus") from None
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
