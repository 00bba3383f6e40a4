"""What all tests share: no network, and the public data where it is there."""

import os
from pathlib import Path

import pytest

DEFAULT_DATA_ROOT = Path(__file__).parents[1] / ".." / "shared" / "data" / "ner"


def pytest_runtest_setup() -> None:
    from pytest_socket import disable_socket

    disable_socket(allow_unix_socket=True)


@pytest.fixture(scope="session")
def data_root() -> Path:
    """The folder of the public data sets; skips where it is absent."""
    root = Path(os.environ.get("NERBRIDGE_DATA", DEFAULT_DATA_ROOT)).resolve()
    if not (root / "SHA256SUMS").exists():
        pytest.skip(f"the public data sets are not at {root}; set NERBRIDGE_DATA to their folder")
    return root
