"""Linear weights in the type that autocast multiplies in, all of them copied at once.

Autocast turns every weight of every linear layer into its narrow type by itself, and every gradient back: kernels so
small that asking for them is most of their cost. One copy of all weights before the way there, and one of all gradients
behind the way back, do the same. The numbers are those of autocast, which multiplies by narrow weights, gets narrow
gradients, and turns a weight that is used again into its narrow type only once.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from nerbridge.encoders.transformer.linear import OneDnnLinear


class NarrowLeaves:
    """Leaves that stand for the parameters of a model: those of linear layers narrow, the others as they are.

    leaves: wide ones, by the names of the model's parameters. linear: those of `linear_names`. kind: the narrow type;
    None leaves all as they are.
    """

    def __init__(self, leaves: dict[str, Tensor], linear: Sequence[str], kind: torch.dtype | None) -> None:
        wide = {} if kind is None else {name: leaves[name] for name in linear}
        narrow = {name: leaf.detach().to(kind).requires_grad_(leaf.requires_grad) for name, leaf in wide.items()}
        self.leaves = {**leaves, **narrow}
        self._wide, self._narrow = list(wide.values()), list(narrow.values())

    def fill(self) -> None:
        """Give the narrow leaves the numbers that the wide ones have now."""
        if self._narrow:
            with torch.no_grad():
                torch._foreach_copy_(self._narrow, self._wide)


def gather(gradients: Sequence[Tensor], place: Tensor) -> None:
    """Put gradients of any type into `place`, one behind the other."""
    parts = torch.split_with_sizes(place, [gradient.numel() for gradient in gradients])
    pairs = [(part.view_as(gradient), gradient) for part, gradient in zip(parts, gradients, strict=True)]
    for kind in dict.fromkeys(gradient.dtype for gradient in gradients):
        of_kind = [pair for pair in pairs if pair[1].dtype == kind]
        torch._foreach_copy_([part for part, _ in of_kind], [gradient for _, gradient in of_kind])


def linear_names(model: nn.Module) -> Iterator[str]:
    """Names of weights and biases of linear layers that nothing else holds."""
    holders = Counter(
        id(parameter)
        for module in model.modules()
        for parameter in module._parameters.values()
        if parameter is not None
    )
    for name, module in model.named_modules():
        if type(module) in (nn.Linear, OneDnnLinear):
            for own, parameter in module.named_parameters():
                if holders[id(parameter)] == 1:
                    yield f"{name}.{own}"
