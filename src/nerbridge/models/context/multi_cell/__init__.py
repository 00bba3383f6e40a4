"""The multi-cell compositional LSTM (Jia and Zhang 2020)."""

from nerbridge.models.context.multi_cell.network import MultiCellNetwork
from nerbridge.models.context.multi_cell.reading import Reading

__all__ = ["MultiCellNetwork", "Reading"]
