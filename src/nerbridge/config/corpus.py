"""Settings of raw text: how it is read, what is left out, how it becomes a built corpus."""

import re
from typing import Literal

from pydantic import Field, field_validator

from nerbridge.config.base import HIGHEST_SEED, OptionalInteger, OptionalNumber, OptionalText, Settings

TextFormat = Literal["auto", "text", "jsonl", "parquet", "mediawiki"]


class RawTextSettings(Settings):
    """How files of raw text are read into documents. Lines of a document are its paragraphs."""

    format: TextFormat = Field("auto", description="auto: by the suffix; any file may be .gz, .bz2, .xz or .zst too")
    unit: Literal["line", "block", "file"] = Field(
        "line",
        description="text: what is a document: a line; a block of wrapped lines up to an empty line; a file",
    )
    field: str = Field("text", min_length=1, description="JSON lines and Parquet: where the text is; 'a.b' goes deeper")
    encoding: str = Field("utf-8", description="text and JSON lines: encoding of the files")
    max_characters: int = Field(
        1_000_000, ge=1_000, le=100_000_000, description="longer documents are cut into several; bounds the memory"
    )
    category: OptionalText = Field(None, description="mediawiki: only articles of this category and those below it")
    category_depth: int = Field(3, ge=0, description="mediawiki: levels of sub-categories; 0: the category alone")


class FilterSettings(Settings):
    """Which paragraphs of raw text are left out; each is counted under the reason that comes first."""

    min_words: int = Field(5, ge=1, description="words with a letter or digit that a paragraph needs")
    max_words: OptionalInteger = Field(None, ge=1, description="words with a letter or digit of the longest paragraph")
    max_sentence_words: int = Field(1_000, ge=1, description="words of the longest sentence in a paragraph")
    max_word_characters: int = Field(500, ge=1, description="characters of the longest word in a paragraph")
    language: OptionalText = Field(
        None, description="ISO 639-1 code, such as en; documents in another language are left out"
    )
    overlap_words: int = Field(
        13, ge=4, le=64, description="so many words in a row shared with an evaluation set, and a paragraph is left out"
    )
    overlap_sentence: int = Field(
        8,
        ge=1,
        description="an evaluation sentence shorter than that, but not than this, counts when it is there whole",
    )
    exact_duplicates: bool = Field(True, description="leave out paragraphs that were there before, letter case aside")
    similarity: OptionalNumber = Field(
        0.8,
        ge=0.5,
        le=0.95,
        description='leave out paragraphs whose word pairs are shared to this degree with an earlier one; "none": keep',
    )
    duplicate_megabytes: int = Field(
        256, ge=1, le=1_000_000, description="memory of the duplicate filter; a full one forgets the oldest"
    )

    @field_validator("language")
    @classmethod
    def _two_letters(cls, language: str | None) -> str | None:
        if language is not None and re.fullmatch("[a-z]{2}", language) is None:
            raise ValueError(f"should be a code of two letters such as en, not '{language}'")
        return language


class CorpusSettings(Settings):
    """How raw text becomes a built corpus."""

    text: RawTextSettings = Field(RawTextSettings(), description="how files are read")
    filters: FilterSettings = Field(FilterSettings(), description="what is left out")
    shard_words: int = Field(4_000_000, ge=1, description="words of one file; a killed run loses less than one")
    seed: int = Field(1, ge=0, le=HIGHEST_SEED, description="of the hashes that near-duplicates are found by")
