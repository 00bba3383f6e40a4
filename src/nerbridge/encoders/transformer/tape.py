"""A transformer's way there and back for one shape of batch, recorded, as one step of autograd."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from nerbridge.encoders.transformer.capture import Record
from nerbridge.encoders.transformer.narrow import NarrowLeaves, gather, linear_names
from nerbridge.encoders.transformer.steady import SteadyForward

CHECKPOINTING = "gradient_checkpointing"  # what Hugging Face calls it, in every module that may do it


class Rows(NamedTuple):
    """Rows of pieces of a batch, padded or not. mask: True where a piece is read."""

    pieces: Int[Tensor, "row piece"]
    mask: Bool[Tensor, "row piece"]


class Weights:
    """The live parameters of a model, and leaves of their own that look at the same numbers.

    What the optimiser writes into the parameters is seen through the leaves. Recordings differentiate by the leaves:
    the places where autograd adds up the gradients of the parameters stay out of them.
    gradients: where every recording puts the gradients of the trainable parameters, one behind the other; None where
    the model cannot be recorded: no parameter is trainable, they are of several types, or its way back computes forward
    again (gradient checkpointing).
    """

    def __init__(self, model: nn.Module) -> None:
        self.live = list(model.parameters())
        self.trainable = [parameter for parameter in self.live if parameter.requires_grad]
        self.leaves = {
            name: parameter.detach().requires_grad_(parameter.requires_grad)
            for name, parameter in model.named_parameters()
        }
        self._linear, self._narrow = list(linear_names(model)), dict[torch.dtype | None, NarrowLeaves]()
        self._marks = _marks(model)
        kinds = {parameter.dtype for parameter in self.trainable}
        computes_again = any(vars(module).get(CHECKPOINTING) for module in model.modules())
        size = sum(parameter.numel() for parameter in self.trainable)
        possible = len(kinds) == 1 and not computes_again
        self.gradients = self.trainable[0].new_empty(size) if possible else None

    def narrow(self, kind: torch.dtype | None) -> NarrowLeaves:
        """What stands for these under autocast to `kind`; None: without autocast. All recordings share it."""
        if kind not in self._narrow:
            self._narrow[kind] = NarrowLeaves(self.leaves, self._linear, kind)
        return self._narrow[kind]

    def are_those_of(self, model: nn.Module) -> bool:
        """False when a parameter was replaced, moved, added, taken away, frozen or made trainable."""
        return _marks(model) == self._marks


def _marks(model: nn.Module) -> list[Any]:
    """What tells the parameters of `model`, and how they are used, from others. Asked at every step, so it is quick."""
    found: list[Any] = []
    waiting: list[nn.Module | None] = [model]
    while waiting:
        module = waiting.pop()
        if module is not None:
            own = vars(module)
            found.append(own.get(CHECKPOINTING))
            found += [
                (id(one), one.data_ptr(), one.requires_grad) for one in own["_parameters"].values() if one is not None
            ]
            waiting += own["_modules"].values()
    return found


class Turn:
    """A batch between its way there and its way back. over: it is back."""

    over = False


class Tape:
    """Both passes of one shape, recorded. It holds one batch at a time.

    rows: of that shape; what is recorded is computed with them first. Raises RuntimeError when it cannot be recorded.
    """

    def __init__(self, model: nn.Module, weights: Weights, rows: Rows, record: Record) -> None:
        assert weights.gradients is not None, "parameters of several kinds have no place in common"
        self._weights, self._gradients = weights, weights.gradients
        self._used: list[bool] = []
        self._rows = Rows(rows.pieces.clone(), rows.mask.clone())
        self._rows.mask[-1, 1:] = False  # transformers has other kernels for batches without padding
        self._steady = SteadyForward(model)
        device = rows.pieces.device.type
        enabled, dtype = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)

        narrow = weights.narrow(dtype if enabled else None)
        self._wanted_leaves = [leaf for leaf in narrow.leaves.values() if leaf.requires_grad]

        def forward() -> Tensor:
            narrow.fill()
            with torch.autocast(device, dtype, enabled=enabled, cache_enabled=False):
                return self._steady(narrow.leaves, *self._rows)

        with torch.autocast(device, enabled=False):  # as the way back runs, outside of all autocast
            with torch.no_grad():
                self._wanted = torch.zeros_like(forward())
            self._recorded = record(forward, self._back)

    def _back(self, states: Tensor) -> Tensor:
        """The gradients of all used parameters, in their common place."""
        found = torch.autograd.grad(states, self._wanted_leaves, self._wanted, allow_unused=True)
        self._used = [gradient is not None for gradient in found]
        used = [gradient for gradient in found if gradient is not None]
        place = self._gradients[: sum(gradient.numel() for gradient in used)]
        gather(used, place)
        return place

    def play(self, rows: Rows, size: torch.Size, turn: Turn) -> Float[Tensor, "row piece width"]:
        """The states of a batch. rows: padded to the shape of the tape; size: rows and pieces before padding."""
        torch._foreach_copy_(list(self._rows), list(rows))
        self._recorded.forward()
        states: Tensor = _Played.apply(self, turn, size, *self._weights.trainable)  # type: ignore[no-untyped-call]
        return states

    def states(self, size: torch.Size) -> Tensor:
        """A copy of the states of the batch that it holds, without padding."""
        return self._recorded.states[: size[0], : size[1]].clone()

    def backward(self, gradient: Tensor) -> list[Tensor | None]:
        """The gradients of the trainable parameters, in order; None for those that the states do not depend on.

        A copy: autograd may take what it is given for a parameter's gradient, and the next batch is played into the
        same place. gradient: of the states of the batch that it holds, without padding.
        """
        self._wanted.zero_()
        self._wanted[: gradient.shape[0], : gradient.shape[1]].copy_(gradient)
        self._recorded.backward()
        pairs = zip(self._weights.trainable, self._used, strict=True)
        sizes = [parameter.numel() for parameter, used in pairs if used]
        parts = iter(torch.split_with_sizes(self._recorded.gradients.clone(), sizes))
        pairs = zip(self._weights.trainable, self._used, strict=True)
        return [next(parts).view_as(parameter) if used else None for parameter, used in pairs]


class _Played(torch.autograd.Function):
    """States that a tape holds; on the way back, the tape says the gradients of the parameters."""

    @staticmethod
    def forward(ctx: Any, tape: Tape, turn: Turn, size: torch.Size, *_parameters: Tensor) -> Tensor:
        ctx.tape, ctx.turn = tape, turn
        return tape.states(size)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        assert not ctx.turn.over, "what a recorded batch keeps for its way back is gone after the first time"
        ctx.turn.over = True
        return None, None, None, *ctx.tape.backward(gradient)
