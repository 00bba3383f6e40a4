"""The report of a run folder, from nothing but the files in it."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nerbridge.evaluation.journal_lines import read_line, whole_lines
from nerbridge.evaluation.raw_text_facts import raw_text_rows
from nerbridge.evaluation.record_files import damaged, read_record
from nerbridge.evaluation.report import ReportInput, write_report
from nerbridge.evaluation.run_folder import DATA, EXPERIMENT, run_folders, splits_of
from nerbridge.evaluation.run_predictions import read_runs
from nerbridge.evaluation.stage_facts import stage_facts, stage_rows

logger = logging.getLogger(__name__)


def write_run_report(folder: Path, *, split: str | None = None) -> Path:
    """Writes the report of a split into `folder` and returns its path; several seeds become one report.

    split: by default test where there is one, else dev; its report is report.html, that of another split
    report-SPLIT.html. Raises BundleError when predictions are missing, a file of the folder is damaged, or `folder` is
    no run, DataError when predictions are other than those that the run tells of.
    """
    chosen = split or default_split(folder)
    report = read_report_input(folder, split=chosen)
    path = report_path(folder, chosen)
    write_report(path, report)
    return path


def default_split(folder: Path) -> str:
    """The split that a report is about unless another is asked for: test, else dev, else what there is."""
    return next(iter(splits_of(folder)), "test")


def report_path(folder: Path, split: str) -> Path:
    """Where the report of a split lies."""
    return folder / ("report.html" if split == default_split(folder) else f"report-{split}.html")


def read_report_input(folder: Path, *, split: str) -> ReportInput:
    """What the files of a run folder say: predictions, journal, settings, data and environment where present.

    The warnings of training become notes, as does the number of damaged lines of a journal, which are left out. Facts
    about raw text and stages are those of the first run.
    """
    runs = run_folders(folder)
    first = next(iter(runs.values()))
    experiments = [read_record(run / EXPERIMENT) for run in runs.values()]
    title, encoder = _title_and_encoder(first / EXPERIMENT, experiments[0])
    seeds = [experiment.get("seed") for experiment in experiments]
    rows, notes = _data_rows_and_notes(first / DATA)
    read = {name: _read_journal(run / "journal.jsonl") for name, run in runs.items()}
    journals = {name: rows for name, (rows, _) in read.items()}
    damage = [said for _, said in read.values() if said]
    for said in damage:
        logger.warning("%s", said)
    return ReportInput(
        title=title or folder.resolve().name,
        runs=read_runs(folder, split),
        split=split,
        seeds=[seed for seed in seeds if isinstance(seed, int)],
        encoder=encoder,
        data=rows,
        stages=stage_rows(stage_facts(next(iter(journals.values())))),
        raw_text=_raw_text_rows(first / "raw_text.json"),
        environment=read_record(first / "environment.json"),
        settings=_read_text(first / "recipe.toml"),
        journals=journals,
        notes=[*notes, *damage, *_warnings(journals)],
    )


def _title_and_encoder(path: Path, experiment: Mapping[str, Any]) -> tuple[str, str]:
    try:
        return str(experiment.get("name") or ""), str((experiment.get("encoder") or {}).get("checkpoint", ""))
    except AttributeError as error:
        raise damaged(path, f"it has another form ({error})") from error


def _data_rows_and_notes(path: Path) -> tuple[list[dict[str, object]], list[str]]:
    data = read_record(path)
    try:
        rows = [
            {"data": domain["domain"], "split": split, **facts}
            for domain in data.get("domains", [])
            for split, facts in domain["splits"].items()
        ]
        return rows, [str(note) for note in (*data.get("notes", []), *data.get("plan", []))]
    except (AttributeError, KeyError, TypeError) as error:
        raise damaged(path, f"it has another form ({error})") from error


def _raw_text_rows(path: Path) -> list[tuple[str, str]]:
    record = read_record(path)
    try:
        return raw_text_rows(record)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(path, f"it has another form ({error})") from error


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    except UnicodeDecodeError as error:
        raise damaged(path, str(error)) from error


def _read_journal(path: Path) -> tuple[list[dict[str, Any]], str]:
    """The rows of a journal, and what is said of its damaged lines, which are left out."""
    lines, damage = whole_lines(path)
    rows = [row for line in lines if (row := read_line(line)) is not None]
    dev = [{**row, "dev_f1": row.get("f1")} if row.get("event") == "evaluation" else row for row in rows]
    return dev, f"{path}: {damage}" if damage else ""


def _warnings(journals: Mapping[str, list[dict[str, Any]]]) -> list[str]:
    return [
        ": ".join(part for part in (name, str(row.get("stage") or ""), str(row.get("text"))) if part)
        for name, journal in journals.items()
        for row in journal
        if row.get("event") == "warning"
    ]
