"""How large a model is, in all and by part."""

from torch import nn

from nerbridge.assembly.tagger import Tagger


def parameter_count(model: nn.Module, *, trainable_only: bool = False) -> int:
    """The number of parameters."""
    return sum(p.numel() for p in model.parameters() if p.requires_grad or not trainable_only)


def parameter_counts(model: Tagger) -> dict[str, int]:
    """The number of all parameters, of those that learn, and of each part: encoder, context, heads."""
    parts = {"encoder": model.encoder, "context": model.context, "heads": model.heads}
    return {
        "all": parameter_count(model),
        "trainable": parameter_count(model, trainable_only=True),
        **{name: parameter_count(part) for name, part in parts.items()},
    }
