"""Linear layers on the CPU through oneDNN, which torch itself uses for half precision only.

torch multiplies float32 matrices with MKL, which on processors that are not Intel's runs at half of what they can do.
oneDNN, which comes with torch, has no such preference. The results are float32, equal but for the order of summation.
"""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class OneDnnLinear(nn.Linear):
    """A linear layer with the parameters of another; only the multiplication differs, and only on the CPU."""

    @classmethod
    def sharing(cls, layer: nn.Linear) -> "OneDnnLinear":
        """A layer that computes with the very parameters of `layer`."""
        made = cls(layer.in_features, layer.out_features, bias=layer.bias is not None, device="meta")
        made.weight, made.bias = layer.weight, layer.bias
        return made.train(layer.training)

    def forward(self, input: Float[Tensor, "*rows width"]) -> Float[Tensor, "*rows hidden"]:
        if input.device.type != "cpu" or input.dtype != torch.float32 or torch.is_autocast_enabled("cpu"):
            return F.linear(input, self.weight, self.bias)
        product: Float[Tensor, "*rows hidden"] = _Product.apply(input, self.weight, self.bias)  # type: ignore[no-untyped-call]
        return product


def use_one_dnn(model: nn.Module) -> None:
    """Replace the linear layers inside `model`, where this torch has oneDNN; parameters keep their names."""
    available = torch.backends.mkldnn.is_available()  # type: ignore[no-untyped-call]
    if not available or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return
    for parent in list(model.modules()):
        for name, child in parent.named_children():
            if type(child) is nn.Linear:
                setattr(parent, name, OneDnnLinear.sharing(child))


def _multiply(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return product


class _Product(torch.autograd.Function):
    """y = x W' + b."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        ctx.save_for_backward(x, weight)
        return _multiply(x, weight, bias)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, weight = ctx.saved_tensors
        rows = gradient.reshape(-1, gradient.shape[-1])
        wants_x, wants_weight, wants_bias = ctx.needs_input_grad
        return (
            _multiply(gradient, weight.t()) if wants_x else None,
            _multiply(rows.t(), x.reshape(-1, x.shape[-1]).t()) if wants_weight else None,
            rows.sum(0) if wants_bias else None,
        )
