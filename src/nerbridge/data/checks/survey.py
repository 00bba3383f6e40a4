"""Reading for a check: every fault of a file is taken down, and what can be read is read all the same."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nerbridge.data.checks.finding import Finding, Kind
from nerbridge.data.columns import ColumnReader
from nerbridge.data.counts import ReadCounts
from nerbridge.data.jsonl import JsonlReader
from nerbridge.data.reading import FileFormat, open_reader
from nerbridge.data.schemes import Repair
from nerbridge.data.sentence import Sentence
from nerbridge.errors import CommonFault, DataError, FileFaults


@dataclass(frozen=True, slots=True)
class Survey:
    """One file: its sound sentences, the counts, what cannot be read, and the places where tags break their scheme."""

    path: str
    sentences: list[Sentence]
    counts: ReadCounts
    faults: list[DataError]
    findings: list[Finding]


def survey_file(path: str | Path, format: FileFormat | None = None, options: Mapping[str, Any] | None = None) -> Survey:
    """What `path` holds, sound or not; `format` and `options` as for `read_sentences`.

    Raises DataError when the file cannot be opened, is empty, or has an ambiguous scheme.
    """
    reader = open_reader(path, format, **(options or {}))
    sentences, faults = _take(reader)
    findings = [Finding(_kind(fault), fault.where, fault.what) for fault in faults]
    if reader.counts.repaired:
        known = {(finding.where, finding.what) for finding in findings}
        broken = [Finding(Kind.TAG_GRAMMAR, fault.where, fault.what) for fault in _rejected(reader, path)]
        findings += [finding for finding in broken if (finding.where, finding.what) not in known]
    findings += [Finding(Kind.UNREAD, str(path), remark) for remark in reader.counts.remarks()]
    if unlabelled := reader.counts.without_annotation():
        findings.append(Finding(Kind.UNLABELLED, str(path), unlabelled))
    return Survey(str(path), sentences, reader.counts, faults, findings)


def _kind(fault: DataError) -> Kind:
    return Kind.COMMON_FAULT if isinstance(fault, CommonFault) else Kind.UNREADABLE


def _rejected(reader: ColumnReader | JsonlReader, path: str | Path) -> list[DataError]:
    """The faults of a second reading, in which malformed tags are faults."""
    if isinstance(reader, ColumnReader):
        return _take(ColumnReader(path, replace(reader.settings, repair=Repair.REJECT)))[1]
    return _take(JsonlReader(path, replace(reader.settings, repair=Repair.REJECT)))[1]


def _take(reader: ColumnReader | JsonlReader) -> tuple[list[Sentence], list[DataError]]:
    sentences: list[Sentence] = []
    try:
        for sentence in reader:
            sentences.append(sentence)  # noqa: PERF402 - what came before the fault must stay
    except FileFaults as error:
        return sentences, error.faults
    return sentences, []
