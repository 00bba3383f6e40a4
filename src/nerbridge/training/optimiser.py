"""Optimisers: which parameters learn how fast, and which decay."""

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

import torch
from torch import Tensor, nn

from nerbridge.config.training import TrainingSettings
from nerbridge.errors import TrainingError
from nerbridge.models.context.placed import PlacedContext
from nerbridge.models.heads.base import TagHead

ENCODER = "encoder."  # how the names of a tagger's encoder parameters start
_FUSED = ("cpu", "cuda")  # devices on which torch updates all parameters in one kernel


def parameter_groups(
    named: Iterable[tuple[str, nn.Parameter]], settings: TrainingSettings, multiples: Mapping[str, float] | None = None
) -> list[dict[str, Any]]:
    """Groups of trainable parameters: encoder and everything else, each with and without weight decay.

    Vectors and scalars (biases, weights of normalisation layers) do not decay. Empty groups are left out.
    multiples: by full name, parameters that learn at so many times their group's rate; they get groups of their own.
    Raises TrainingError when no parameter is trainable.
    """
    multiples = multiples or {}
    members: dict[tuple[bool, float, bool], list[nn.Parameter]] = {}
    for name, parameter in named:
        if parameter.requires_grad:
            key = name.startswith(ENCODER), multiples.get(name, 1.0), parameter.ndim > 1
            members.setdefault(key, []).append(parameter)
    if not members:
        raise TrainingError(
            "the model has no trainable parameter",
            where="encoder.freeze",
            expected="weights that can learn",
            hint="unfreeze the encoder or add a context",
        )
    groups = []
    for (in_encoder, multiple, decays), parameters in members.items():
        rate = (settings.learning_rate if in_encoder else settings.head_learning_rate) * multiple
        decay = settings.weight_decay if decays else 0.0
        groups.append({"params": parameters, "initial_lr": rate, "lr": rate, "weight_decay": decay})
    return groups


def head_multiples(model: nn.Module) -> dict[str, float]:
    """What the tag heads of `model` say of their parameters (`TagHead.rate_multiples`), by full name."""
    return {
        f"{prefix}.{name}".removeprefix("."): multiple
        for prefix, module in model.named_modules()
        if isinstance(module, TagHead)
        for name, multiple in module.rate_multiples().items()
    }


def context_multiples(model: nn.Module, *, adaptive: bool) -> dict[str, float]:
    """What the contexts of `model` say of theirs (`PlacedContext.rate_multiples`), by full name."""
    return {
        f"{prefix}.{name}".removeprefix("."): multiple
        for prefix, module in model.named_modules()
        if isinstance(module, PlacedContext)
        for name, multiple in module.rate_multiples(adaptive=adaptive).items()
    }


def build_optimizer(model: nn.Module, settings: TrainingSettings) -> torch.optim.Optimizer:
    """The optimiser that `settings` name, over the groups of `model`, which must be on its device already."""
    multiples = head_multiples(model) | context_multiples(model, adaptive=settings.optimizer != "sgd")
    groups = parameter_groups(model.named_parameters(), settings, multiples)
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
