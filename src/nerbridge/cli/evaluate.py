"""`nerbridge evaluate`: scores of a finished model on labelled data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.options import DataRootOption, JsonOption

if TYPE_CHECKING:
    from nerbridge.evaluation.scores import Scores, Tally
    from nerbridge.evaluation.summary import Summary
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
    """Score a model on labelled data.

    Exact span F1 in both readings of malformed tags, per label, boundaries only, types only, with an interval.
    """
    from nerbridge.pipeline.evaluating import evaluate_run, read_labelled, refuse_run, write_evaluation

    if output is not None:
        refuse_run(output)
    results = evaluate_run(run, read_labelled(data, data_root), split)
    for note in dict.fromkeys(note for result in results for note in result.notes):
        console.note(visible(f"note     {note}"))
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
    """Both readings of tags, then the labels in the first of them."""
    name = f"{result.name} {split}".strip()
    header = [name, "F1", "95 % interval", "precision", "recall", "macro F1", "gold", "predicted"]
    console.table(header, _readings(result.summary))
    scores = result.summary.conlleval
    rows = [_row(label, tally) for label, tally in scores.per_label.items()]
    rows += [_row("(boundaries only)", scores.boundary), _row("(label, overlapping)", scores.type_only)]
    console.result("")
    console.table(["label", "F1", "precision", "recall", "gold", "predicted"], rows)


def _readings(summary: "Summary") -> list[list[Any]]:
    from nerbridge.cli.run_summary import percent

    def row(scores: "Scores", interval: str) -> list[Any]:
        f1, *shares, gold, predicted = _row("", scores.exact)[1:]
        return [scores.reading, f1, interval, *shares, percent(scores.macro_f1), gold, predicted]

    interval = f"{percent(summary.interval.low)} to {percent(summary.interval.high)}"
    return [row(summary.conlleval, interval), row(summary.strict, "")]


def _row(name: str, tally: "Tally") -> list[Any]:
    from nerbridge.cli.run_summary import percent

    return [name, percent(tally.f1), percent(tally.precision), percent(tally.recall), tally.gold, tally.predicted]
