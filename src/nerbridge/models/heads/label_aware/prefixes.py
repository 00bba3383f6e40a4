"""Which prefixes are read together: planned on the host, so that nothing waits for the device."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

CHUNK = 25_000_000  # numbers in one state per step of each prefix; a chunk's gradients need about 40 bytes for each


@dataclass(frozen=True)
class Prefixes:
    """Rows, one for each prefix, longest first.

    sentence, last: the sentence of each row, and the last position of its prefix. alive: for each position (likewise:
    after so many steps), how many rows reach it; these are the first ones; always on the CPU. starts: sums of `alive`
    before each.
    """

    sentence: Int[Tensor, " row"]
    last: Int[Tensor, " row"]
    alive: Int[Tensor, " step"]
    starts: Int[Tensor, " step"]

    def to(self, device: torch.device) -> "Prefixes":
        """The same rows on `device`, without waiting for it."""
        sentence, last, starts = (t.to(device, non_blocking=True) for t in (self.sentence, self.last, self.starts))
        return Prefixes(sentence, last, self.alive, starts)

    @property
    def counts(self) -> list[int]:
        """`alive` as numbers."""
        return [int(count) for count in self.alive]

    def __len__(self) -> int:
        return len(self.sentence)


def chunks_of_prefixes(lengths: Sequence[int], width: int) -> Iterator[Prefixes]:
    """All prefixes of sentences of `lengths` words, in chunks that bound memory. width: of a state."""
    sizes = torch.tensor(lengths)
    sentence = torch.repeat_interleave(torch.arange(len(sizes)), sizes)
    last = torch.cat([torch.arange(length) for length in lengths])
    numbers = torch.cumsum(last + 1, 0) * width
    borders = torch.nonzero(torch.diff(numbers // CHUNK))[:, 0].tolist()
    for begin, end in zip([0, *(b + 1 for b in borders)], [*(b + 1 for b in borders), len(last)], strict=True):
        yield _sorted(sentence[begin:end], last[begin:end])


def _sorted(sentence: Int[Tensor, " row"], last: Int[Tensor, " row"]) -> Prefixes:
    last, order = torch.sort(last, descending=True, stable=True)
    alive = torch.bincount(last).flip(0).cumsum(0).flip(0)
    return Prefixes(sentence[order], last, alive, torch.cumsum(alive, 0) - alive)
