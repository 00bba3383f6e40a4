"""`nerbridge evaluate`: scores of a finished model on labelled data."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.data_inputs import Reading
from nerbridge.cli.data_options import EncodingOption, FormatOption, ReadOption, SchemeOption
from nerbridge.cli.options import DataRootOption, JsonOption

if TYPE_CHECKING:
    from nerbridge.evaluation.seed_summary import SeedSummary
    from nerbridge.pipeline.evaluating import EvaluationResult


def command(
    run: Annotated[Path, typer.Argument(help="Run folder, with or without seed-* folders, or a model folder.")],
    data: Annotated[str, typer.Argument(help="Registered data set, or a labelled file.")],
    split: Annotated[str, typer.Option("--split", help="train, dev or test; a file has only 'test'.")] = "test",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for predictions, scores and report.", show_default=False),
    ] = None,
    format: FormatOption = None,
    scheme: SchemeOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    data_root: DataRootOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score a model on labelled data.

    Exact span F1 in both readings of malformed tags, per label, boundaries only, types only, with an interval.

    Several seeds: each one's F1, then mean, deviation over seeds and interval.
    """
    from nerbridge.cli.evaluation_tables import print_run, print_seeds
    from nerbridge.config.reading import ReadSettings
    from nerbridge.pipeline.evaluating import (
        evaluate_run,
        holds_split,
        read_labelled,
        refuse_output,
        summarize_all,
        write_evaluation,
    )

    if output is not None:
        refuse_output(output, run)
    reading = ReadSettings(**Reading(format, scheme, encoding, read or ()).settings())
    results = evaluate_run(run, read_labelled(data, data_root, reading), split)
    for note in dict.fromkeys(note for result in results for note in result.notes):
        console.note(visible(f"note     {note}"))
    if output is not None:
        replaces = holds_split(output, split)
        console.note(f"report   {write_evaluation(output, results, split)}")
        if replaces:
            console.note(f"note     {output}: earlier scores and predictions of {split} were replaced")
    together = summarize_all(results)
    if as_json:
        console.json(_json(results, together))
    elif together is None:
        print_run(results[0].summary, _heading(data, split))
    else:
        print_seeds(together, {result.name: result.summary for result in results}, _heading(data, split))


def _heading(data: str, split: str) -> str:
    """What the table is about: the split of a registered data set, the name of a file."""
    from nerbridge.data.registry import card_names

    return split if data in card_names() else visible(Path(data).name)


def _json(results: "list[EvaluationResult]", together: "SeedSummary | None") -> dict[str, Any]:
    """One run: its scores; several seeds: what they say together, and the scores by run name under "runs"."""
    if together is None:
        return results[0].summary.to_json()
    return {**together.to_json(), "runs": {result.name: result.summary.to_json() for result in results}}
