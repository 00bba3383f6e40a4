"""`corpus build` after `kill -9`: the same command goes on, and ends with the same files."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from nerbridge.corpus.folder import CorpusFolder


def command(path: Path, output: Path) -> list[str]:
    program = [sys.executable, "-m", "nerbridge", "corpus", "build", str(path), "--output", str(output)]
    return [*program, "--jobs", "2", "--set", "shard_words=30000", "--set", "filters.duplicate_megabytes=16"]


@pytest.mark.slow
def test_a_killed_build_goes_on(tmp_path: Path) -> None:
    numbers = random.Random(1)
    words = [f"w{number}" for number in range(3_000)]
    lines = [" ".join(numbers.choices(words, k=60)) for _ in range(20_000)]
    path = tmp_path / "a.txt"
    path.write_text("\n".join([*lines, *lines[:500]]) + "\n", encoding="utf-8")
    subprocess.run(command(path, tmp_path / "whole"), check=True, capture_output=True)
    whole = CorpusFolder(tmp_path / "whole")

    killed = subprocess.Popen(command(path, tmp_path / "c"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    record = tmp_path / "c" / ".building" / "progress.json"
    while not record.exists() or len(json.loads(record.read_text(encoding="utf-8"))["shards"]) < 3:
        assert killed.poll() is None, "it ended before it could be killed"
        time.sleep(0.05)
    workers = psutil.Process(killed.pid).children(recursive=True)
    killed.kill()
    killed.wait()
    _, alive = psutil.wait_procs(workers, timeout=600)
    assert alive == []

    finished = (tmp_path / "c" / whole.shards[0].name).stat().st_mtime_ns
    subprocess.run(command(path, tmp_path / "c"), check=True, capture_output=True)
    again = CorpusFolder(tmp_path / "c")
    assert again.manifest["counts"] == whole.manifest["counts"]
    assert again.manifest["counts"]["dropped"]["exact_duplicate"]["paragraphs"] == 500
    assert again.shards == whole.shards
    assert (tmp_path / "c" / whole.shards[0].name).stat().st_mtime_ns == finished  # not written again
