"""The parameter generation network (Jia et al. 2019)."""

from nerbridge.models.context.parameter_generation.network import ParameterGenerationNetwork

__all__ = ["ParameterGenerationNetwork"]
