"""Settings of raw text in a recipe: what is read, which names are looked for, what the encoder learns from."""

from typing import Annotated

from pydantic import Field

from nerbridge.config.base import NamesPlace, OptionalText
from nerbridge.config.corpus import CorpusSettings
from nerbridge.config.gazetteer import GazetteerSettings, Level, SelectionSettings, SentenceSettings

Files = Annotated[tuple[str, ...], NamesPlace()]


class RawCorpusSettings(CorpusSettings):
    """Raw text of the target's domain, and how it becomes a built corpus; what the target's dev and test hold is left
    out. With this table the encoder learns from the text before the first stage."""

    files: Files = Field(
        min_length=1, description="files of raw text, their folders, built corpora, or patterns such as 'a/*.gz'"
    )

    @property
    def building(self) -> CorpusSettings:
        """What decides the corpus beside its files."""
        return CorpusSettings.model_validate(self.model_dump(exclude={"files"}))


class NameListSettings(GazetteerSettings):
    """Lists of names, and how names are looked for in raw text.

    Without lists, the names of the target's training sentences serve, and those that a first tagger, trained without
    raw text, predicts in it again and again with confidence.
    """

    files: Files = Field((), description="lists of names, or folders of them")
    classes: OptionalText = Field(
        None, description="DBpedia's classes as labels: a table such as crossner/music, or a TOML file"
    )
    confidence: float = Field(0.9, ge=0, le=1, description="least confidence of a predicted name that counts")
    mentions: int = Field(2, ge=1, description="how often a name must be predicted so")
    tagged_words: int = Field(
        100_000, ge=0, description="words of raw text that the first tagger reads; 0: labelled names alone, no tagger"
    )

    @property
    def cleaning(self) -> GazetteerSettings:
        """What decides which names are looked for, beside where they come from."""
        return GazetteerSettings.model_validate(self.model_dump(include=set(GazetteerSettings.model_fields)))


class ChoiceSettings(SentenceSettings):
    """Which sentences of the raw text the encoder learns from: a corpus level."""

    level: Level = Field(
        "integrated",
        description="domain: all; entity: with enough names; task: with names of specialised labels; integrated: "
        "entity and copies of task",
    )
    specialised: tuple[str, ...] = Field(
        (), description="labels of the task level; default: those that the target has and the first source lacks"
    )
    min_words: int = Field(
        1_000,
        ge=1,
        description="with fewer words in the level, each sentence counted once, the encoder stays as it is, "
        "and the run says so",
    )

    @property
    def selection(self) -> SelectionSettings:
        """The same for `nerbridge.corpus.selection`, with the one level."""
        thresholds = self.model_dump(include=set(SentenceSettings.model_fields))
        return SelectionSettings.model_validate({**thresholds, "levels": (self.level,)})

    @property
    def takes_all(self) -> bool:
        """Is every sentence of the corpus wanted?"""
        return not self.needs_names and self.share == 1

    @property
    def needs_names(self) -> bool:
        """Are sentences chosen by the names in them?"""
        return self.level != "domain"
