"""The encoder: word vectors and characters, side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn

from nerbridge.batching.batch import EncoderInputs
from nerbridge.config.encoder import EncoderSettings, WordCharSettings
from nerbridge.encoders.base import Encoder
from nerbridge.encoders.word_char.characters import CharacterCnn, CharacterLstm
from nerbridge.encoders.word_char.files import write_architecture
from nerbridge.encoders.word_char.growth import further_words
from nerbridge.encoders.word_char.inputs import WordCharInputs
from nerbridge.encoders.word_char.rows import Coverage
from nerbridge.encoders.word_char.table import WordTable
from nerbridge.encoders.word_char.vectorizer import WordCharVectorizer
from nerbridge.encoders.word_char.vocabulary import UNKNOWN_ID, WordVocabulary


class WordCharEncoder(Encoder):
    """A word's vector and what is read from its characters (None reads none).

    vocabulary: words by id; `inputs.words` holds ids of it, those of a language model's targets too.
    coverage: what the vector file knew of the words of the last stage.
    """

    vectorizer: WordCharVectorizer
    contextual = False

    def __init__(
        self,
        settings: WordCharSettings,
        vectorizer: WordCharVectorizer,
        words: WordTable,
        characters: CharacterCnn | CharacterLstm | None,
        coverage: Coverage,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.vectorizer = vectorizer
        self.words = words
        self.characters = characters
        self.coverage = coverage
        self.dropout = nn.Dropout(settings.dropout)
        self.word_width = int(words.learnt.shape[1])
        self.width = self.word_width + (characters.hidden if characters else 0)

    @property
    def vocabulary(self) -> WordVocabulary:
        """The words, and how often stages saw them."""
        return self.vectorizer.vocabulary

    def forward(self, inputs: EncoderInputs) -> Float[Tensor, "batch unit width"]:
        assert isinstance(inputs, WordCharInputs), "these inputs were made by another encoder's vectorizer"
        ids = inputs.words
        if self.training and self.settings.word_dropout:
            hidden = torch.rand(ids.shape, device=ids.device) < self.settings.word_dropout
            ids = ids.masked_fill(hidden, UNKNOWN_ID)
        vectors = self.words(ids)  # eq. 1
        if self.characters is not None:
            spelled = self.characters(inputs.characters, inputs.lengths)  # eq. 2, 3
            vectors = torch.cat([vectors, spelled[inputs.spellings].to(vectors.dtype)], dim=2)
        kept: Float[Tensor, "batch unit width"] = self.dropout(vectors)
        return kept.masked_fill(~inputs.word_mask.unsqueeze(2), 0.0)

    def learn_words(self, words: Mapping[str, int], settings: EncoderSettings, seed: int) -> None:
        """Rows and characters for a further stage (see `Encoder.learn_words`); what was learnt stays.

        Raises ConfigError when the vector file is another one or cannot be found, DataError when it cannot be read.
        """
        assert isinstance(settings, WordCharSettings), "a stage does not change the kind of encoder"
        random = torch.Generator().manual_seed(seed)
        device = self.words.learnt.device
        vocabulary, learnt, fixed, self.coverage = further_words(
            self.vocabulary, self.words.learnt, words, settings, random
        )
        alphabet = self.vectorizer.alphabet.with_words(words)
        self.settings = settings
        self.vectorizer = WordCharVectorizer(vocabulary, alphabet)
        self.words = WordTable(learnt, fixed, fine_tune=settings.fine_tune).to(device)
        if self.characters is not None:
            self.characters.extend(len(alphabet), random)

    def describe(self) -> Sequence[str]:
        """One line: how many words of the stage the vector file knows."""
        return (self.coverage.describe(self.settings.vectors),)

    def save_architecture(self, folder: Path) -> None:
        write_architecture(folder, self.vocabulary, self.vectorizer.alphabet, self.word_width, self.coverage)
