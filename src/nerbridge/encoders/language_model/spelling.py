"""A word's characters -> one vector: filters of several widths, highway layers, a projection (eq. 1)."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from nerbridge.encoders.language_model.sizes import ElmoSizes
from nerbridge.encoders.word_char.vocabulary import PADDING_CHARACTER

MOST_FILTERS = 200  # of one width


class Speller(nn.Module):
    """Reads the characters of distinct words. num_characters: ids, padding included."""

    def __init__(self, sizes: ElmoSizes, num_characters: int) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(num_characters, sizes.character_width, padding_idx=PADDING_CHARACTER)
        numbers = [min(sizes.filters * width, MOST_FILTERS) for width in range(1, sizes.kernels + 1)]
        self.filters = nn.ModuleList(
            nn.Conv1d(sizes.character_width, number, width) for width, number in enumerate(numbers, start=1)
        )
        self.highways = nn.ModuleList(Highway(sum(numbers)) for _ in range(sizes.highways))
        self.projection = nn.Linear(sum(numbers), sizes.hidden)

    def forward(self, characters: Int[Tensor, "word char"]) -> Float[Tensor, "word hidden"]:
        rows = self.embeddings(characters).transpose(1, 2)  # (word, width, char)
        absent = (characters == PADDING_CHARACTER).unsqueeze(1)
        found = []
        for width, convolution in enumerate(self.filters, start=1):
            # a filter that begins inside a word may see padding behind it, which is all zeros
            values = F.relu(convolution(F.pad(rows, (0, width - 1))))
            found.append(values.masked_fill(absent, 0.0).amax(dim=2))
        vectors = torch.cat(found, dim=1)
        for highway in self.highways:
            vectors = highway(vectors)
        spelled: Float[Tensor, "word hidden"] = self.projection(vectors)
        return spelled


class Highway(nn.Module):
    """t * relu(A x) + (1 - t) * x with t = sigmoid(B x) (Srivastava et al. 2015)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.both = nn.Linear(width, 2 * width)
        with torch.no_grad():
            self.both.bias[width:].fill_(-2.0)  # at first most of x is carried through

    def forward(self, vectors: Float[Tensor, "word width"]) -> Float[Tensor, "word width"]:
        changed, gate = self.both(vectors).chunk(2, dim=1)
        t = torch.sigmoid(gate)
        return t * F.relu(changed) + (1 - t) * vectors
