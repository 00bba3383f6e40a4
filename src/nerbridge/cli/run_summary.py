"""What a finished run prints: scores with intervals, where things are, what to do next."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nerbridge.cli.console import console
from nerbridge.cli.program import command_line
from nerbridge.evaluation.stage_facts import ACCURACY, F1, PERPLEXITY, watched_domains
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.evaluation.summary import Summary
    from nerbridge.pipeline.run import RunResult
    from nerbridge.pipeline.seeds import SeedsResult
    from nerbridge.pipeline.unscored import FoundEntities

HARDLY_LEARNT = 0.1  # dev F1 of the source below which a tagger's finds in raw text are worth nothing
BLIND = "at 50.00 it tells no domain from another: they look alike to it, or it has learnt nothing yet"
HEADER = ["split", "F1", "95 % interval", "precision", "recall", "macro F1", "strict F1", "sentences", "entities"]


def print_run(result: "RunResult", *, as_json: bool) -> None:
    """The scores of one run to stdout, the way on to stderr."""
    if as_json:
        console.json(run_json(result))
    elif result.summaries:
        console.table(HEADER, [summary_row(split, summary) for split, summary in result.summaries.items()])
    _say_watched(result)
    if not result.summaries:
        _print_unscored([result])
        return
    for split, summary in result.summaries.items():
        if summary.type_accuracy is not None:
            console.note(f"{split}: {two_steps(summary)}")
    _say_silent(result)
    print_way_on(result.folder)


def run_json(result: "RunResult") -> dict[str, Any]:
    """The run as JSON: folder, seed, stages with what is known of each, scores."""
    return {
        "folder": str(result.folder),
        "seed": result.seed,
        "stages": {
            name: {
                "dev_f1": stage.best_f1,
                "steps": stage.steps,
                "seconds": stage.seconds,
                **result.facts.get(name, {}),
            }
            for name, stage in result.stages.items()
        },
        "scores": {split: summary.to_json() for split, summary in result.summaries.items()},
        **({} if result.found is None else {"found": result.found.to_json()}),
    }


def print_seeds(result: "SeedsResult", *, as_json: bool) -> None:
    """Means and deviations over seeds to stdout, the way on to stderr."""
    if as_json:
        console.json({"folder": str(result.folder), **result.together, "runs": [run_json(run) for run in result.runs]})
    elif result.together:
        rows: list[list[Any]] = []
        for split, scores in result.together.items():
            rows += [[f"{split}, seed {run.seed}", percent(run.summaries[split].f1), "", ""] for run in result.runs]
            deviation = scores["f1"]["deviation"]
            interval = scores["interval"]
            rows.append(
                [
                    f"{split}, mean",
                    percent(scores["f1"]["mean"]),
                    "-" if deviation is None else percent(deviation),
                    f"{percent(interval['low'])} to {percent(interval['high'])}",
                ]
            )
        console.table(["split", "F1", "deviation", "95 % interval"], rows)
    for run in result.runs:
        _say_watched(run, f"seed {run.seed}, ")
    if not result.together:
        _print_unscored(result.runs)
        return
    for run in result.runs:
        _say_silent(run, f"seed {run.seed}, ")
    print_way_on(result.folder)


def _say_watched(result: "RunResult", about: str = "") -> None:
    """A line for each stage that was watched: perplexities, dev F1 of other domains, accuracy of a discriminator."""
    for stage, facts in result.facts.items():
        said = [f"perplexity of {domain} {value:,.1f}" for domain, value in watched_domains(facts, PERPLEXITY).items()]
        said += [f"dev F1 of {domain} {percent(score)}" for domain, score in watched_domains(facts, F1).items()]
        if (accuracy := facts.get(ACCURACY)) is not None:
            said.append(f"discriminator accuracy {percent(accuracy)} ({BLIND})")
        if said:
            console.note(f"{about}{stage}: {', '.join(said)}")


def _say_silent(result: "RunResult", about: str = "") -> None:
    """That a tagger finds no entity at all: where there is no dev split, nobody has warned of it in training."""
    for split, summary in result.summaries.items():
        exact = summary.conlleval.exact
        if exact.gold and not exact.predicted:
            console.note(
                f"{about}{split}: the tagger finds no entity, of {exact.gold:,} in the gold labels; try more epochs, "
                "more labelled sentences or another learning rate"
            )


def _print_unscored(runs: Sequence["RunResult"]) -> None:
    """Why there are no scores, what the taggers find all the same, and the way on, on stderr. runs: one for a seed."""
    console.note("no dev or test sentence of the target is labelled: nothing is scored")
    for run in runs:
        about = f"seed {run.seed}: " if len(runs) > 1 else ""
        if run.found is not None:
            _print_found(run.found, about)
        if run.found is None or run.found.entities:  # that it finds nothing is a warning already
            _warn_of_little(run, about)
    console.note(f"use it   {command_line('predict', runs[0].folder, '-')} <<< 'Your text.'")


def _warn_of_little(run: "RunResult", about: str) -> None:
    """That a tagger has hardly learnt the labels of its source, the only one with sentences that tell."""
    learnt = list(run.stages.values())[-1].f1 if run.stages else None
    if learnt is not None and learnt < HARDLY_LEARNT:
        console.warning(
            f"{about}the tagger has hardly learnt its labels (dev F1 of the source {percent(learnt)}): train longer "
            "(more epochs), or on more labelled sentences of the source, before you use what it finds"
        )


def _print_found(found: "FoundEntities", about: str) -> None:
    """What a tagger finds in raw text, by label; that it finds nothing is a warning."""
    size = counted(found.sentences, "raw sentence")
    if not found.entities:
        console.warning(
            f"{about}the tagger finds no entity in {size} of the target; it has learnt too little (more epochs, more "
            "labelled sentences of the source, another learning rate), or this text has nothing of these labels"
        )
        return
    labels = [
        f"{label} {number:,} (such as {_quoted(found.examples[label])})" for label, number in found.entities.items()
    ]
    entities = counted(sum(found.entities.values()), "entity")
    console.note(f"found    {about}{entities} in {size} of the target: {', '.join(labels)}")


def _quoted(texts: Sequence[str]) -> str:
    return ", ".join(f"'{text}'" for text in texts)


def print_way_on(folder: Path) -> None:
    """Where the report is and the next commands, on stderr."""
    console.note(f"report   {folder / 'report.html'}")
    console.note(f"use it   {command_line('predict', folder, '-')} <<< 'Your text.'")
    console.note(f"compare  {command_line('compare', folder, 'OTHER_RUN')}")


def percent(fraction: float) -> str:
    """0.6789 -> '67.89'."""
    return f"{100 * fraction:.2f}"


def two_steps(summary: "Summary") -> str:
    """What a tagger that finds spans first gets right in each of its steps."""
    assert summary.type_accuracy is not None
    boundary = percent(summary.conlleval.boundary.f1)
    return f"boundary F1 {boundary}, type accuracy on gold spans {percent(summary.type_accuracy)}"


def summary_row(split: str, summary: "Summary") -> list[Any]:
    """One row under HEADER."""
    scores, interval = summary.conlleval, summary.interval
    return [
        split,
        percent(scores.f1),
        f"{percent(interval.low)} to {percent(interval.high)}",
        percent(scores.precision),
        percent(scores.recall),
        percent(scores.macro_f1),
        percent(summary.strict.f1),
        scores.num_sentences,
        scores.exact.gold,
    ]
