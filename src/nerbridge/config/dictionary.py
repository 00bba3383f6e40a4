"""Settings of entity dictionaries: names whose labels are known in raw text."""

from typing import Annotated, Literal

from pydantic import Field

from nerbridge.config.base import NamesPlace
from nerbridge.config.gazetteer import GazetteerSettings


class DictionarySettings(GazetteerSettings):
    """Lists of names, or of words of names, that are looked for in the raw text of the target.

    What is found teaches which label a word has, beside the language model; a word that is not found is unknown, never
    O. The label of a list is its file name; a list of a label that the tagger lacks counts for a broader label that it
    has, and is left out when there is none.
    """

    files: Annotated[tuple[str, ...], NamesPlace()] = Field((), description="lists of names, or folders of them")
    datasets: tuple[str, ...] = Field((), description="registered lists of names, such as entity_dictionary")
    ordinary: Literal["drop", "inner", "keep"] = Field(
        "inner",
        description="a name that is an ordinary word: drop: not looked for; inner: not at the start of a sentence; "
        "keep: like any other",
    )
    broader: dict[str, str] = Field(
        default_factory=dict,
        description="label -> the label that holds it too, such as guitarist = 'person': its list counts for that one "
        "where the tagger lacks the label; CrossNER's labels are known",
    )
    weight: float = Field(
        1.0,
        gt=0,
        description="of the loss of entity types; a context with cells has weights of its own instead",
    )

    @property
    def is_given(self) -> bool:
        """Is there any list?"""
        return bool(self.files or self.datasets)

    @property
    def matching(self) -> GazetteerSettings:
        """What decides which names are looked for, beside where they come from."""
        return GazetteerSettings.model_validate(self.model_dump(include=set(GazetteerSettings.model_fields)))
