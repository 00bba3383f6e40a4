"""Where spans are in a batch of boundary tags, without a loop over sentences."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.data.tags import PREFIXES


@dataclass(frozen=True)
class Spans:
    """The spans of a batch, sentence by sentence.

    owner: for each word of the batch the number of its span; meaningless outside. inside: is it in one?
    starts: of each span, the place of its first word in the flattened batch. lengths: words of each span.
    """

    owner: Int[Tensor, "batch unit"]
    inside: Bool[Tensor, "batch unit"]
    starts: Int[Tensor, " span"]
    lengths: Int[Tensor, " span"]

    def __len__(self) -> int:
        return len(self.starts)

    def gather(
        self, states: Float[Tensor, "batch unit width"]
    ) -> tuple[Float[Tensor, "span unit2 width"], Bool[Tensor, "span unit2"]]:
        """The states of each span's words, padded to the longest, and where a word is."""
        steps = torch.arange(int(self.lengths.max()), device=states.device)
        mask = steps < self.lengths.unsqueeze(1)
        flat = states.flatten(0, 1)
        places = (self.starts.unsqueeze(1) + steps).clamp(max=len(flat) - 1)
        return flat[places], mask


def find_spans(boundaries: Int[Tensor, "batch unit"], mask: Bool[Tensor, "batch unit"], scheme: str) -> Spans:
    """The spans of boundary tags: 0 is O, then the prefixes of the scheme in the order of `PREFIXES`.

    A malformed piece opens a span, as conlleval reads it; what is not known (negative) is outside.
    """
    prefixes = PREFIXES[scheme]
    opens = torch.tensor([False, *(prefix in "BS" for prefix in prefixes)], device=boundaries.device)
    closes = torch.tensor([True, *(prefix in "ES" for prefix in prefixes)], device=boundaries.device)
    tags = boundaries.clamp(min=0) * mask
    inside = tags > 0
    before_closed = F.pad(closes[tags][:, :-1], (1, 0), value=True)
    first = inside & (opens[tags] | before_closed)
    owner = first.flatten().cumsum(0).view_as(tags) - 1
    starts = first.flatten().nonzero()[:, 0]
    lengths = torch.bincount(owner[inside], minlength=len(starts))
    return Spans(owner, inside, starts, lengths)
