"""`nerbridge evaluate`: scores of a finished model on labelled data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nerbridge.cli.console import console
from nerbridge.cli.options import DataRootOption, JsonOption

if TYPE_CHECKING:
    from nerbridge.pipeline.evaluating import EvaluationResult


def command(
    run: Annotated[Path, typer.Argument(help="Run folder, or the model folder inside.")],
    data: Annotated[str, typer.Argument(help="Registered data set, or a labelled file.")],
    split: Annotated[str, typer.Option("--split", help="train, dev or test; a file has only 'test'.")] = "test",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for predictions, scores and report.", show_default=False),
    ] = None,
    data_root: DataRootOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score a model: exact span F1 in both readings, per label, boundaries, types, interval."""
    from nerbridge.pipeline.evaluating import evaluate_run, read_labelled, write_evaluation

    results = evaluate_run(run, read_labelled(data, data_root), split)
    for result in results:
        for note in result.notes:
            console.note(note)
    if output is not None:
        write_evaluation(output, results, split)
        console.note(f"report   {output / 'report.html'}")
    if as_json:
        console.json(_json(results))
        return
    for result in results:
        _print(result, split)


def _json(results: "list[EvaluationResult]") -> Any:
    """One run: its scores; several seeds: the scores by run name."""
    entries = {result.name: result.summary.to_json() for result in results}
    return entries[""] if list(entries) == [""] else entries


def _print(result: "EvaluationResult", split: str) -> None:
    from nerbridge.cli.run_summary import HEADER, percent, summary_row

    console.table(HEADER, [summary_row(f"{result.name} {split}".strip(), result.summary)])
    scores = result.summary.conlleval
    rows: list[list[Any]] = [
        [label, percent(tally.f1), percent(tally.precision), percent(tally.recall), tally.gold, tally.predicted]
        for label, tally in scores.per_label.items()
    ]
    rows.append(
        [
            "(boundaries only)",
            percent(scores.boundary.f1),
            percent(scores.boundary.precision),
            percent(scores.boundary.recall),
            scores.boundary.gold,
            scores.boundary.predicted,
        ]
    )
    rows.append(
        [
            "(label, overlapping)",
            percent(scores.type_only.f1),
            percent(scores.type_only.precision),
            percent(scores.type_only.recall),
            scores.type_only.gold,
            scores.type_only.predicted,
        ]
    )
    console.table(["label", "F1", "precision", "recall", "gold", "predicted"], rows)
