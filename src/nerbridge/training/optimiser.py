"""Optimisers: which parameters learn how fast, and which decay."""

from collections.abc import Iterable
from typing import Any, assert_never

import torch
from torch import Tensor, nn

from nerbridge.config.training import TrainingSettings
from nerbridge.errors import TrainingError

ENCODER = "encoder."  # how the names of a tagger's encoder parameters start
_FUSED = ("cpu", "cuda")  # devices on which torch updates all parameters in one kernel


def parameter_groups(named: Iterable[tuple[str, nn.Parameter]], settings: TrainingSettings) -> list[dict[str, Any]]:
    """Groups of trainable parameters: encoder and everything else, each with and without weight decay.

    Vectors and scalars (biases, weights of normalisation layers) do not decay. Empty groups are left out.
    Raises TrainingError when no parameter is trainable.
    """
    members: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in named:
        if parameter.requires_grad:
            members.setdefault((name.startswith(ENCODER), parameter.ndim > 1), []).append(parameter)
    if not members:
        raise TrainingError(
            "the model has no trainable parameter",
            where="encoder.freeze",
            expected="weights that can learn",
            hint="unfreeze the encoder or add a context",
        )
    return [
        {
            "params": parameters,
            "initial_lr": settings.learning_rate if in_encoder else settings.head_learning_rate,
            "lr": settings.learning_rate if in_encoder else settings.head_learning_rate,
            "weight_decay": settings.weight_decay if decays else 0.0,
        }
        for (in_encoder, decays), parameters in members.items()
    ]


def build_optimizer(model: nn.Module, settings: TrainingSettings) -> torch.optim.Optimizer:
    """The optimiser that `settings` name, over the groups of `model`, which must be on its device already."""
    groups = parameter_groups(model.named_parameters(), settings)
    fused = all(parameter.device.type in _FUSED for group in groups for parameter in group["params"]) or None
    match settings.optimizer:
        case "adamw":
            return torch.optim.AdamW(groups, fused=fused)
        case "sgd":
            return torch.optim.SGD(groups, momentum=settings.momentum, fused=fused)
        case "rmsprop":
            return torch.optim.RMSprop(groups, momentum=settings.momentum)
        case _:
            assert_never(settings.optimizer)


def set_rates(optimizer: torch.optim.Optimizer, factor: float) -> None:
    """Let every group learn with `factor` times its own learning rate."""
    for group in optimizer.param_groups:
        group["lr"] = group["initial_lr"] * factor


def state_tensors(model: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    """The optimiser's state as tensors named 'key/parameter'."""
    return {
        f"{key}/{name}": value
        for name, parameter in model.named_parameters()
        for key, value in optimizer.state.get(parameter, {}).items()
        if isinstance(value, Tensor)
    }


def load_state_tensors(model: nn.Module, optimizer: torch.optim.Optimizer, tensors: dict[str, Tensor]) -> None:
    """Give the optimiser the state that `state_tensors` returned for an equal model."""
    names = {parameter: name for name, parameter in model.named_parameters()}
    order = [names[parameter] for group in optimizer.param_groups for parameter in group["params"]]
    state: dict[int, dict[str, Tensor]] = {}
    for full_name, value in tensors.items():
        key, _, name = full_name.partition("/")
        state.setdefault(order.index(name), {})[key] = value
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
