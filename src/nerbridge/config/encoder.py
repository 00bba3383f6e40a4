"""Settings of encoders: what turns words into vectors."""

from typing import Annotated, Literal

from pydantic import Field

from nerbridge.config.base import NamesPlace, OptionalInteger, OptionalText, Settings


class TransformerSettings(Settings):
    """Any Hugging Face encoder."""

    kind: Literal["transformer"] = Field("transformer", description="a Hugging Face encoder")
    checkpoint: Annotated[str, NamesPlace(only_folders=True)] = Field(
        "minilm", min_length=1, description="'minilm' (packaged), a local folder, or a hub name"
    )
    revision: OptionalText = Field(None, description="hub revision (branch, tag or commit)")
    pooling: Literal["first", "mean"] = Field("first", description="how the pieces of a word become one vector")
    max_pieces: OptionalInteger = Field(
        None, ge=16, description="window length in pieces, special pieces included; default: the encoder's own limit"
    )
    window_overlap: int = Field(32, ge=0, description="pieces of context that neighbouring windows share on each side")
    freeze: bool = Field(False, description="keep the encoder's weights as they are")


EncoderSettings = TransformerSettings
