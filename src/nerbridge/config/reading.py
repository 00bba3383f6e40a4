"""Settings of reading: how labelled files of the user's own are to be understood where detection is not enough."""

from typing import Any, Literal

from pydantic import Field

from nerbridge.config.base import Settings

FormatName = Literal["columns", "jsonl"]
SchemeName = Literal["BIO", "IOB1", "BIOES", "BMES", "BILOU", "IO", "bare"]


class ReadSettings(Settings):
    """How the files are read, where that is not what the reader finds by itself.

    The same options as `--format`, `--scheme`, `--encoding` and `--read` of the data commands.
    """

    format: FormatName | None = Field(None, description="default: detected from suffix and content")
    scheme: SchemeName | None = Field(None, description="tag scheme; default: detected from all tags of the file")
    encoding: str = Field("utf-8", description="encoding of the files")
    separator: Literal["tab", "space", "comma", "semicolon"] | None = Field(
        None, description="columns: what parts them; default: detected"
    )
    word_column: int = Field(0, description="columns: index of the word, from 0, or negative from the last")
    tag_column: int = Field(-1, description="columns: index of the tag")
    sentence_column: int | None = Field(
        None, description="columns: index of the number or name of the sentence, where one has no blank line behind"
    )
    comment: str = Field("#", description="columns: how a comment line begins; empty: there are none")
    delimiter: str = Field("-", min_length=1, description="the character between letter and label of a tag")
    repair: Literal["conlleval", "strict", "reject"] = Field("conlleval", description="what becomes of malformed tags")
    offsets: Literal["codepoints", "utf16", "bytes"] = Field("codepoints", description="JSON lines: what offsets count")
    borders: Literal["fault", "snap"] = Field(
        "fault", description="JSON lines: a span that misses word borders is a fault, or widened to whole words"
    )
    overlaps: Literal["fault", "longest"] = Field(
        "fault", description="JSON lines: spans that overlap are a fault, or the longest stays"
    )
    start_shift: int = Field(0, description="JSON lines: added to every start")
    end_shift: int = Field(0, description="JSON lines: added to every end; 1 where ends are inclusive")

    def options(self) -> dict[str, Any]:
        """What differs from the reader's own choice, as keyword arguments for it; `format` is one of them."""
        return self.model_dump(exclude_defaults=True)
