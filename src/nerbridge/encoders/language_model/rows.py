"""Rows of different lengths as padded arrays, and the same rows mirrored."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def mask_of(lengths: Ids) -> NDArray[np.bool_]:
    """True where a row has a unit."""
    found: NDArray[np.bool_] = np.arange(int(lengths.max(initial=0))) < lengths[:, None]
    return found


def padded(flat: NDArray[Any], mask: NDArray[np.bool_], padding: int = 0) -> Ids:
    """The units of all rows, given one behind the other, as one array."""
    rows = np.full(mask.shape, padding, np.int64)
    rows[mask] = flat
    return rows


def mirrored(lengths: Ids) -> Ids:
    """Positions that read every row from its own last unit and leave padding where it is; its own inverse."""
    places = np.arange(int(lengths.max(initial=0)))
    turned = lengths[:, None] - 1 - places
    return np.where(turned >= 0, turned, places)
