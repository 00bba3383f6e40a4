"""Settings of encoders: what turns words into vectors."""

from typing import Annotated, Literal

from pydantic import Field

from nerbridge.config.base import NamesPlace, OptionalInteger, OptionalText, Settings


class TransformerSettings(Settings):
    """Any Hugging Face encoder."""

    kind: Literal["transformer"] = Field("transformer", description="a Hugging Face encoder")
    checkpoint: Annotated[str, NamesPlace(only_folders=True, names=("minilm",))] = Field(
        "minilm", min_length=1, description="'minilm' (packaged), a local folder, or a hub name"
    )
    revision: OptionalText = Field(None, description="hub revision (branch, tag or commit)")
    pooling: Literal["first", "mean"] = Field("first", description="how the pieces of a word become one vector")
    max_pieces: OptionalInteger = Field(
        None, ge=16, description="window length in pieces, special pieces included; default: the encoder's own limit"
    )
    window_overlap: int = Field(32, ge=0, description="pieces of context that neighbouring windows share on each side")
    freeze: bool = Field(False, description="keep the encoder's weights as they are")
    record: bool | None = Field(
        None,
        description="training on a GPU: record the kernels of a shape of batch once and play them again; "
        "unset: for BERT, RoBERTa, DistilBERT and MPNet, which were tried",
    )


class WordCharSettings(Settings):
    """Word vectors beside a network over each word's characters; light enough to train and run on any computer.

    The vocabulary holds all words that the stage trains on and the most frequent words of the vector file.
    """

    kind: Literal["word_char"] = Field("word_char", description="word vectors and characters")
    vectors: Annotated[OptionalText, NamesPlace(names=("glove",))] = Field(
        "glove",
        min_length=1,
        description="'glove' (packaged, 50 wide), GloVe or word2vec text (.gz too), or a folder with one .npy "
        "and one .parquet; 'none': every vector starts random",
    )
    word_width: int = Field(100, ge=1, le=10_000, description="width of word vectors where there is no vector file")
    frequent: int = Field(
        100_000, ge=0, description="so many words from the head of the vector file are known beside those of the stage"
    )
    min_count: int = Field(1, ge=1, description="words of the stage that are rarer get no vector of their own")
    fine_tune: bool = Field(True, description="vectors of the stage's words learn; those of other words always stay")
    characters: Literal["none", "cnn", "lstm"] = Field("cnn", description="what reads the characters of a word")
    character_width: int = Field(30, ge=1, le=1_000, description="width of a character's embedding")
    character_hidden: int = Field(
        50, ge=2, le=10_000, multiple_of=2, description="width of what is read from a word's characters"
    )
    kernel: int = Field(3, ge=1, le=20, description="characters that a filter of the cnn sees at once")
    dropout: float = Field(0.5, ge=0, lt=1, description="dropout on a word's vector, characters included")
    word_dropout: float = Field(
        0.05, ge=0, lt=1, description="training: share of words read as the unknown word; their characters stay"
    )


class LanguageModelSettings(Settings):
    """States of a forward and a backward language model, trained by `nerbridge pretrain --model elmo` or `flair`."""

    kind: Literal["language_model"] = Field("language_model", description="a language model read from both sides")
    checkpoint: Annotated[str, NamesPlace(only_folders=True, names=("minilm",))] = Field(
        min_length=1, description="folder that `nerbridge pretrain --model elmo` (or `flair`) wrote"
    )
    fine_tune: bool = Field(False, description="let the language model's own weights learn too")
    mix: Literal["learnt", "mean", "top"] = Field(
        "learnt", description="its layers by learnt weights and one learnt factor (ELMo), their mean, or the top one"
    )
    dropout: float = Field(0.5, ge=0, lt=1, description="dropout on a word's vector")


PartSettings = Annotated[TransformerSettings | WordCharSettings | LanguageModelSettings, Field(discriminator="kind")]


class ConcatenatedSettings(Settings):
    """Several encoders side by side: a word's vector is what each of them says of it, one behind the other."""

    kind: Literal["concatenated"] = Field("concatenated", description="several encoders side by side")
    parts: tuple[PartSettings, ...] = Field(min_length=2, description="the encoders, each with its own `kind` and keys")


EncoderSettings = Annotated[
    TransformerSettings | WordCharSettings | LanguageModelSettings | ConcatenatedSettings, Field(discriminator="kind")
]
