"""The levels of a corpus (CrossNER): which sentences are worth further pre-training.

domain: all sentences. entity: sentences with at least two names (a setting). task: sentences with a name of one of the
domain's own labels. integrated: the entity level and two copies of the task level; a sentence of both is there three
times, "hence, models will tend to focus more on the task-level sentences".

    request = SelectionRequest(CorpusFolder("corpora/ai"), read_gazetteer(["gazetteers/ai"]), ("algorithm", "task"))
    select_levels(request, Path("levels/ai"))      # levels/ai/entity, levels/ai/task, levels/ai/integrated
"""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.config.gazetteer import LEVELS
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.folder_writing import MANIFEST
from nerbridge.corpus.selection_choice import Survey
from nerbridge.corpus.selection_record import survey_record
from nerbridge.corpus.selection_request import SelectionRequest, prepare
from nerbridge.corpus.selection_scan import scan
from nerbridge.corpus.selection_writing import LevelWriters, join_levels
from nerbridge.errors import DataError
from nerbridge.wording import counted

log = logging.getLogger(__name__)


def survey_levels(request: SelectionRequest, *, jobs: int = 1) -> dict[str, Any]:
    """The record of a selection without writing its levels: sizes, matches, examples, what was left out."""
    prepared = prepare(request)
    survey = Survey()
    for scanned in scan(request.corpus, prepared.plan, jobs):
        survey.include(scanned.survey)
    found = survey_record(survey, prepared.plan.forms, request.selection.task_copies)
    return {**request.inputs(), **prepared.about, **found}


def select_levels(request: SelectionRequest, output: Path, *, jobs: int = 1) -> dict[str, Any]:
    """Writes each wanted level as a built corpus into a folder of `output` named for it; returns the record.

    The integrated level is joined of the entity and task levels, so these are written with it. Every manifest holds the
    record. Levels that are there already, of the same corpus, names and settings, are left as they are; a killed run
    goes on. Raises ConfigError when a folder holds anything else, DataError when a level would be empty.
    """
    inputs = request.inputs()
    key = request.key(inputs)
    wanted = wanted_levels(request.selection.levels)
    done = {level: record for level in wanted if (record := finished(output / level, key)) is not None}
    if len(done) == len(wanted):
        log.info("the levels are there already: %s", output)
        return done[wanted[0]]
    prepared = prepare(request)
    survey = Survey()
    scanned_levels = [level for level in wanted if level not in done and level != "integrated"]
    with LevelWriters(output, scanned_levels, key) as writers:
        for number, scanned in enumerate(scan(request.corpus, prepared.plan, jobs)):
            survey.include(scanned.survey)
            writers.write(request, number, scanned.choices)
            log.info("names were looked for in %s of %d", counted(number + 1, "file"), len(request.corpus.shards))
        found = survey_record(survey, prepared.plan.forms, request.selection.task_copies)
        _refuse_empty(found["levels"], wanted, request)
        record = {"key": key, "corpus": str(request.corpus.path), **inputs, **prepared.about, **found}
        writers.finish(record)
    if "integrated" in wanted and "integrated" not in done:
        copies = [output / "entity", *[output / "task"] * request.selection.task_copies]
        join_levels(output / "integrated", copies, key, record)
    return record


def wanted_levels(levels: tuple[str, ...]) -> tuple[str, ...]:
    """`levels` in the order in which they are made, with those that the integrated level is made of."""
    wanted = {*levels, *(("entity", "task") if "integrated" in levels else ())}
    return tuple(level for level in LEVELS if level in wanted)


def finished(folder: Path, key: str) -> dict[str, Any] | None:
    """The record in the manifest of `folder`, if it is the finished level of the selection `key`.

    Raises DataError when a file of this level is missing or of another size.
    """
    try:
        manifest: Mapping[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        record: dict[str, Any] = manifest["selection"]
        ours = record["key"] == key
    except (OSError, ValueError, KeyError, TypeError):
        return None  # not there, or not ours: whoever writes there says what is wrong
    return record if ours and CorpusFolder(folder) else None


def _refuse_empty(levels: Mapping[str, Mapping[str, Any]], wanted: tuple[str, ...], request: SelectionRequest) -> None:
    for level in wanted:
        if not levels[level]["sentences"]:
            raise DataError(
                f"the {level} level would be empty: none of {levels['domain']['sentences']:,} sentences belongs to it",
                where=str(request.corpus.path),
                expected=_expected(level, request),
                hint="`nerbridge corpus stats` with the same lists shows what was found; --levels chooses the levels",
            )


def _expected(level: str, request: SelectionRequest) -> str:
    match level:
        case "domain":
            return f"documents in a share of {request.selection.share} of the corpus"
        case "task":
            number = counted(request.selection.min_specialised, "name")
            return f"sentences with {number} of the labels {', '.join(request.specialised)}"
        case _:
            return f"sentences with {counted(request.selection.min_entities, 'name')}"
