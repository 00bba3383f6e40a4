"""A word's characters -> one vector. Padding never matters: a word has the same vector in every batch."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence

from nerbridge.encoders.word_char.vocabulary import PADDING_CHARACTER


class CharacterReader(nn.Module):
    """The embeddings that both readers share. num_characters: ids, padding included. hidden: width of the result."""

    def __init__(self, num_characters: int, width: int, hidden: int) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(num_characters, width, padding_idx=PADDING_CHARACTER)
        self.hidden = hidden
        limit = (3 / width) ** 0.5
        with torch.no_grad():
            self.embeddings.weight[1:].uniform_(-limit, limit)

    @torch.no_grad()
    def extend(self, num_characters: int, random: torch.Generator) -> None:
        """Embeddings for so many ids: the present ones, and random ones for those behind."""
        old = self.embeddings.weight
        limit = (3 / old.shape[1]) ** 0.5
        new = torch.empty(num_characters - len(old), old.shape[1]).uniform_(-limit, limit, generator=random)
        rows = torch.cat([old, new.to(old)])
        self.embeddings = nn.Embedding(len(rows), rows.shape[1], padding_idx=PADDING_CHARACTER, _weight=rows)


class CharacterCnn(CharacterReader):
    """A convolution over the characters, and for each filter its highest value (eq. 2). kernel: characters at once."""

    def __init__(self, num_characters: int, width: int, hidden: int, kernel: int) -> None:
        super().__init__(num_characters, width, hidden)
        self.convolution = nn.Conv1d(width, hidden, kernel)
        self.margins = ((kernel - 1) // 2, kernel // 2)

    def forward(
        self,
        characters: Int[Tensor, "word char"],
        lengths: Int[Tensor, " word"],  # noqa: ARG002  (the other reader takes them)
    ) -> Float[Tensor, "word hidden"]:
        rows = F.pad(self.embeddings(characters).transpose(1, 2), self.margins)  # (word, width, char)
        values = self.convolution(rows)
        absent = (characters == PADDING_CHARACTER).unsqueeze(1)
        highest: Float[Tensor, "word hidden"] = values.masked_fill(absent, -torch.inf).amax(dim=2)
        return highest


class CharacterLstm(CharacterReader):
    """Two directions over the characters; the last state of each (eq. 3)."""

    def __init__(self, num_characters: int, width: int, hidden: int) -> None:
        super().__init__(num_characters, width, hidden)
        self.recurrence = nn.LSTM(width, hidden // 2, batch_first=True, bidirectional=True)

    def forward(
        self, characters: Int[Tensor, "word char"], lengths: Int[Tensor, " word"]
    ) -> Float[Tensor, "word hidden"]:
        rows = pack_padded_sequence(self.embeddings(characters), lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.recurrence(rows)
        both: Float[Tensor, "word hidden"] = last.transpose(0, 1).flatten(1)
        return both
