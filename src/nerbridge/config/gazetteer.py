"""Settings of name lists, of matching them in raw text, and of choosing sentences by what was found."""

from typing import Literal

from pydantic import Field, field_validator

from nerbridge.config.base import HIGHEST_SEED, Settings

Level = Literal["domain", "entity", "task", "integrated"]
LEVELS: tuple[Level, ...] = ("domain", "entity", "task", "integrated")


class GazetteerSettings(Settings):
    """Which names of the lists are looked for in raw text, and how they must be written there."""

    case: Literal["smart", "exact", "lower"] = Field(
        "smart",
        description="smart: as the list writes it, but also 'the Who' for 'The Who', and 'random forest' for 'Random "
        "forest' in lists that write nouns so; exact: as the list writes it; lower: capitals do not matter",
    )
    min_length: int = Field(2, ge=1, le=1_000, description="characters of the shortest name that is looked for")
    max_length: int = Field(200, ge=1, le=10_000, description="characters of the longest name that is looked for")
    cut_brackets: bool = Field(True, description="cut what tells titles apart: 'Queen (band)' becomes 'Queen'")
    ambiguous: Literal["sure", "any", "drop"] = Field(
        "sure",
        description="a name of several labels counts as specialised if all of them are (sure) or one is (any); "
        "drop: it is not looked for",
    )
    broader: dict[str, str] = Field(
        default_factory=dict,
        description="label -> the label that holds it too, such as guitarist = 'person': a name of both counts for "
        "the narrower; CrossNER's labels are known",
    )
    ordinary: Literal["drop", "inner", "keep"] = Field(
        "drop",
        description="a name that is an ordinary word: drop: not looked for; inner: not at the start of a sentence; "
        "keep: like any other",
    )
    ordinary_by: Literal["corpus", "list"] = Field(
        "corpus",
        description="what makes a word ordinary: the corpus mostly writes it small, or the short list shipped here "
        "has it; list: the list alone",
    )

    @field_validator("broader")
    @classmethod
    def _leading_somewhere(cls, broader: dict[str, str]) -> dict[str, str]:
        if "" in broader or "" in broader.values():
            raise ValueError("a label is empty")
        for label in broader:
            above, passed = label, set[str]()
            while above in broader and above not in passed:
                passed.add(above)
                above = broader[above]
            if above in passed:
                raise ValueError(f"'{label}' leads in a circle: {', '.join(f'{a} -> {b}' for a, b in broader.items())}")
        return broader


class SentenceSettings(Settings):
    """Which sentences of a built corpus belong to which level (CrossNER, section on the pre-training corpus)."""

    min_entities: int = Field(2, ge=1, le=1_000, description="entity level: names that a sentence must hold")
    min_specialised: int = Field(
        1, ge=1, le=1_000, description="task level: names of specialised labels that a sentence must hold"
    )
    task_copies: int = Field(2, ge=1, le=100, description="integrated level: copies of the task level in it")
    general: tuple[str, ...] = Field(
        ("country", "misc"), description="labels that never count as specialised, though the source lacks them"
    )
    share: float = Field(1.0, gt=0, le=1, description="share of the corpus's documents that is used, drawn with `seed`")
    seed: int = Field(1, ge=0, le=HIGHEST_SEED, description="seed of the draw and of the examples shown")


class SelectionSettings(SentenceSettings):
    """Which levels are written, and what belongs to them."""

    levels: tuple[Level, ...] = Field(("entity", "task", "integrated"), description="the levels that are written")

    @field_validator("levels")
    @classmethod
    def _some(cls, levels: tuple[Level, ...]) -> tuple[Level, ...]:
        if not levels:
            raise ValueError(f"should name at least one of {', '.join(LEVELS)}")
        return levels


class LevelSettings(Settings):
    """How corpus levels are made: which names are looked for, and which sentences are chosen."""

    gazetteer: GazetteerSettings = Field(GazetteerSettings(), description="which names, and how they are written")
    selection: SelectionSettings = Field(SelectionSettings(), description="which sentences make which level")
