"""Tiny projects for the pipeline; one thread, since tiny models only wait for others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from tiny_project import write_project


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the files of `write_project`."""
    return write_project(tmp_path / "project")
