"""Arrays -> files of numpy's own form, such that a full disk is told as one."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.format import header_data_from_array_1_0, write_array_header_1_0
from numpy.typing import NDArray

from nerbridge.data.writing import naming_place


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Writes what `numpy.load` reads; on disk when this returns.

    Raises OSError that tells why and where: of a full disk `numpy.save` says how many values it wrote, and no more.
    """
    array = np.ascontiguousarray(array)
    with naming_place(path), path.open("wb") as stream:
        write_array_header_1_0(stream, header_data_from_array_1_0(array))
        stream.write(array.data.cast("B") if array.size else b"")
        stream.flush()
        os.fsync(stream.fileno())
