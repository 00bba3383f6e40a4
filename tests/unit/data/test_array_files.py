"""Arrays in files: numpy reads them, and a full disk is told as one."""

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nerbridge.data.array_files import save_array
from nerbridge.data.writing import refusal_in_text


@pytest.mark.parametrize(
    "array", [np.arange(6, dtype=np.uint64).reshape(2, 3), np.zeros((0, 20), np.uint64), np.arange(10)[::2]]
)
def test_numpy_reads_what_was_written(array: NDArray[Any], tmp_path: Path) -> None:
    save_array(tmp_path / "a.npy", array)
    read = np.load(tmp_path / "a.npy", allow_pickle=False)
    assert (read.dtype, read.tolist()) == (array.dtype, array.tolist())
    assert read.shape == array.shape


def test_a_full_disk_says_why_and_where(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    path.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as caught:
        save_array(path, np.arange(100_000))
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))


def test_the_number_of_a_refusal_is_found_in_a_text() -> None:
    full = refusal_in_text(ValueError("Error while serializing: I/O error: No space left on device (os error 28)"))
    assert (full.errno, full.strerror) == (errno.ENOSPC, "No space left on device")
    other = refusal_in_text(ValueError("no number"))
    assert (other.errno, other.strerror) == (errno.EIO, "no number")
