"""A selection that was killed with SIGKILL goes on with the same call and ends as if nothing had happened."""

import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from nerbridge.corpus.folder import write_corpus

DOCUMENTS = [[["Ada", "Lovelace", "heard", "Abba", str(number)], ["It", "rained"]] for number in range(12)]
PROGRAM = """
import os, signal, sys
from pathlib import Path
from nerbridge.corpus import selection_writing
from nerbridge.corpus.folder import CorpusFolder, CorpusWriter
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.selection import select_levels
from nerbridge.corpus.selection_request import SelectionRequest

owner, name, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
owner = {"writer": CorpusWriter, "levels": selection_writing.LevelWriters, "copy": selection_writing.shutil}[owner]
original, calls = getattr(owner, name), 0

def deadly(*arguments, **options):
    global calls
    calls += 1
    result = original(*arguments, **options)
    if calls == last:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

setattr(owner, name, deadly)
names = Gazetteer(("person", "band"), {"Ada Lovelace": 1, "Abba": 2})
select_levels(SelectionRequest(CorpusFolder("built"), names, ("band",)), Path("levels"))
"""

POOL = """
import sys
from pathlib import Path
from nerbridge.config.gazetteer import SelectionSettings
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.matching_names import NameForms
from nerbridge.corpus.selection_scan import ScanPlan, scan

plan = ScanPlan(NameForms(("band",), {"Abba": 1}), ("band",), SelectionSettings(), sure=True)
found = scan(CorpusFolder("built"), plan, jobs=2)
next(found)
print("begun", flush=True)
sys.stdin.read()
"""


def select(folder: Path, owner: str = "writer", name: str = "add", last: int = -1) -> int:
    """Runs a selection that dies after call number `last` of a function; the exit code."""
    program = [sys.executable, "-c", PROGRAM, owner, name, str(last)]
    return subprocess.run(program, cwd=folder, check=False, timeout=600).returncode


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.slow
def test_killed_selections_end_like_undisturbed_ones(tmp_path: Path) -> None:
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
        write_corpus(tmp_path / name / "built", DOCUMENTS, shard_words=15)
    assert select(tmp_path / "whole") == 0
    moments = [("writer", "add", 3), ("writer", "checkpoint", 3), ("levels", "write", 3)]
    moments += [("writer", "finish", 1), ("copy", "copyfile", 2), ("writer", "finish", 1)]
    for moment in moments:
        assert select(tmp_path / "killed", *moment) == -signal.SIGKILL, moment
    assert select(tmp_path / "killed") == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_the_processes_of_a_killed_selection_end_with_it(tmp_path: Path) -> None:
    write_corpus(tmp_path / "built", DOCUMENTS, shard_words=15)
    program = [sys.executable, "-c", POOL]
    killed = subprocess.Popen(program, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert killed.stdin is not None
    assert killed.stdout is not None
    with killed.stdin, killed.stdout:
        assert killed.stdout.readline() == b"begun\n"
        workers = psutil.Process(killed.pid).children(recursive=True)
        killed.kill()
        killed.wait()
        _, alive = psutil.wait_procs(workers, timeout=600)
    for worker in alive:
        worker.kill()
    assert workers
    assert alive == []
