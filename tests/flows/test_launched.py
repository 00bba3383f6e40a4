"""A command that a launcher starts in several processes."""

import subprocess
import sys
from pathlib import Path

import pytest
from programs import ENVIRONMENT, message_parts

from tiny_project import write_project, write_recipe_file


@pytest.mark.slow
def test_a_mistake_is_said_once(tmp_path: Path) -> None:
    write_recipe_file(write_project(tmp_path / "project"))
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=3", "-m", "nerbridge"]
    command += ["train", "recipe.toml", "--set", "training.epochz=3"]
    done = subprocess.run(
        command, cwd=tmp_path / "project", env=ENVIRONMENT, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 1
    ours = done.stderr[: done.stderr.index("Traceback")]  # the rest is the launcher's
    assert message_parts(ours)["what"] == "1 setting cannot be used:"
    assert done.stderr.count("training.epochz: there is no such key") == 1
