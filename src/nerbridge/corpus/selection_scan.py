"""Choosing over all files of a built corpus, in this process or in several.

Every process reads files, matches and sends back one byte per sentence: the automaton is built once in each, from names
that travel pickled (processes are spawned, not forked). What a process holds depends on the names, not on the corpus.
"""

import hashlib
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path

from nerbridge.config.gazetteer import SelectionSettings
from nerbridge.corpus.folder import CorpusFolder, Words
from nerbridge.corpus.matching import Matcher
from nerbridge.corpus.matching_names import NameForms
from nerbridge.corpus.pool_processes import begin_pool_process
from nerbridge.corpus.selection_choice import Chooser, Survey
from nerbridge.corpus.shards import read_shard
from nerbridge.errors import DataError

WAITING = 2  # files per process that are under way or done and not yet written


@dataclass(frozen=True, slots=True)
class ScanPlan:
    """What is looked for, and what makes a sentence belong to a level.

    sure: a name of several labels is specialised only if all of them are.
    """

    forms: NameForms
    specialised: tuple[str, ...]
    selection: SelectionSettings
    sure: bool

    def chooser(self) -> Chooser:
        """What chooses by this plan."""
        return Chooser(Matcher(self.forms), self.specialised, self.selection, sure=self.sure)


@dataclass(frozen=True, slots=True)
class ScannedShard:
    """One file: a choice for every sentence of its drawn documents, in order, and what was found in them."""

    choices: bytes
    survey: Survey


def is_drawn(number: int, share: float, seed: int) -> bool:
    """Does document `number` (from 0) belong to the `share` of the corpus? A smaller share is part of a larger one."""
    if share >= 1:
        return True
    digest = hashlib.blake2b(f"{seed}:{number}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) < share * 2**64


def drawn_documents(path: Path, first: int, share: float, seed: int) -> Iterator[list[Words]]:
    """The drawn documents of one file, whose first document has the number `first` in the corpus."""
    for number, document in enumerate(read_shard(path), start=first):
        if is_drawn(number, share, seed):
            yield document


def first_documents(corpus: CorpusFolder) -> list[int]:
    """The number of the first document of each file."""
    return list(accumulate((shard.documents for shard in corpus.shards), initial=0))[:-1]


def scan(corpus: CorpusFolder, plan: ScanPlan, jobs: int = 1) -> Iterator[ScannedShard]:
    """One result for each file of the corpus, in order, the same for any number of processes (`jobs`).

    Raises DataError when a file is damaged or when one of several processes dies.
    """
    paths = [corpus.path / shard.name for shard in corpus.shards]
    files = list(zip(paths, first_documents(corpus), strict=True))
    jobs = min(jobs, len(files))
    if jobs <= 1:
        chooser = plan.chooser()
        for path, first in files:
            yield scan_shard(chooser, plan, path, first)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _prepare, (plan,))
    try:
        yield from _in_order(pool, files, WAITING * jobs)
    except BrokenProcessPool as fault:
        raise DataError(
            "a process that looks for names died",
            where=f"one of {jobs} processes",
            expected="memory for all names in every process",
            hint="use fewer with `--jobs`; the same command goes on where this one stopped",
        ) from fault
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def scan_shard(chooser: Chooser, plan: ScanPlan, path: Path, first: int) -> ScannedShard:
    """Choose for every drawn document of one file."""
    documents = drawn_documents(path, first, plan.selection.share, plan.selection.seed)
    choices = b"".join(map(chooser.choose_document, documents))
    return ScannedShard(choices, chooser.take_survey())


_prepared: list[tuple[Chooser, ScanPlan]] = []  # in a process of the pool: what its first moment made


def _prepare(plan: ScanPlan) -> None:
    begin_pool_process()
    _prepared.append((plan.chooser(), plan))


def _scan_prepared(path: Path, first: int) -> ScannedShard:
    chooser, plan = _prepared[0]
    return scan_shard(chooser, plan, path, first)


def _in_order(pool: ProcessPoolExecutor, files: list[tuple[Path, int]], waiting: int) -> Iterator[ScannedShard]:
    under_way: deque[Future[ScannedShard]] = deque()
    for path, first in files:
        under_way.append(pool.submit(_scan_prepared, path, first))
        if len(under_way) >= waiting:
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()
