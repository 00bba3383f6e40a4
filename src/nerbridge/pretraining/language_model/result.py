"""What the training of a language model tells in the end."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nerbridge.config.language_models import LanguageModelName
from nerbridge.pretraining.state import DirectedEvaluation


@dataclass(frozen=True)
class LanguageModelResult:
    """A language model in `folder`, and how it came about.

    model: elmo or flair. width: of a word's vector. predicted: words or characters that are predicted as themselves.
    other_share: share (0 to 1) of the text's words, or characters, that are not among them. steps; epochs: passes over
    the text. words: learnt from in all steps; padding_share: of what went through the model (0 to 1). documents,
    held_out_documents: learnt from, and kept for `evaluations`. seconds: all of them; estimated_seconds: what was said
    before the start of the last attempt. waiting_share: share (0 to 1) of the steps' time in which they waited.
    """

    folder: Path
    key: str
    model: LanguageModelName
    width: int
    parameters: int
    predicted: int
    other_share: float
    steps: int
    epochs: float
    words: int
    padding_share: float
    documents: int
    held_out_documents: int
    evaluations: tuple[DirectedEvaluation, ...]
    seconds: float
    estimated_seconds: float
    words_per_second: float
    waiting_share: float

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {**asdict(self), "folder": str(self.folder)}

    @classmethod
    def from_json(cls, values: dict[str, Any], folder: Path) -> "LanguageModelResult":
        """The result that `to_json` wrote, of the folder where it is now."""
        evaluations = tuple(DirectedEvaluation(**one) for one in values["evaluations"])
        return cls(**{**values, "folder": folder, "evaluations": evaluations})
