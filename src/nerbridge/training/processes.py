"""Several processes that learn as one: each takes its share of every batch, gradients are added up."""

from collections.abc import Iterable
from typing import TypeVar

import torch
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list
from jaxtyping import Float
from torch import Tensor, nn
from torch.distributed import ReduceOp, all_reduce, broadcast

from nerbridge.batching.batch import UNKNOWN, Batch

Value = TypeVar("Value")


class Processes:
    """The processes of this run (one, unless started by `accelerate launch` or `torchrun`) and this one's device."""

    def __init__(self) -> None:
        # Autocast is the loop's own affair: accelerate fixes its precision once per process, stages may differ in it.
        self._accelerator = Accelerator(mixed_precision="no", cpu=not torch.accelerator.is_available())
        self.device: torch.device = self._accelerator.device
        self.count: int = self._accelerator.num_processes
        self.index: int = self._accelerator.process_index
        self.is_main: bool = self._accelerator.is_main_process

    def share(self, indices: list[int]) -> list[int]:
        """This process's part of a batch's sentences; one that gets none learns from the first with weight 0."""
        return indices[self.index :: self.count] or indices[:1]

    def weight(self, batch: Batch, num_sentences: int) -> float | Float[Tensor, ""]:
        """What the mean loss of this process's share counts in the mean over a batch of `num_sentences`."""
        if self.count == 1:
            return 1.0
        known = sum(((target != UNKNOWN).sum() for target in batch.targets.values()), start=self._zero())
        if self.index >= num_sentences:
            known = self._zero()
        total = known.clone()
        all_reduce(total)
        return known / total.clamp(min=1.0)

    def add_up(self, parameters: Iterable[nn.Parameter], loss: Float[Tensor, ""]) -> Float[Tensor, ""]:
        """Add the gradients of all processes into each one's, in one message; returns the added losses."""
        if self.count == 1:
            return loss
        gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
        flat = torch.cat([*(gradient.reshape(-1) for gradient in gradients), loss.reshape(1)])
        all_reduce(flat, ReduceOp.SUM)
        parts = torch.split_with_sizes(flat[:-1], [gradient.numel() for gradient in gradients])
        for gradient, part in zip(gradients, parts, strict=True):
            gradient.copy_(part.view_as(gradient))
        return flat[-1]

    def from_main(self, value: Value) -> Value:
        """The main process's `value`, on every process; waits for it."""
        if self.count == 1:
            return value
        values = [value]
        broadcast_object_list(values)
        return values[0]

    def all_agree(self, value: bool) -> bool:
        """Is it true on every process?"""
        if self.count == 1:
            return value
        votes = torch.tensor(float(value), device=self.device)
        all_reduce(votes, ReduceOp.MIN)
        return bool(votes.item())

    def equalise(self, tensors: Iterable[Tensor]) -> None:
        """Give every process the main process's tensors."""
        if self.count > 1:
            for tensor in tensors:
                broadcast(tensor, src=0)

    def _zero(self) -> Float[Tensor, ""]:
        return torch.zeros((), device=self.device)
