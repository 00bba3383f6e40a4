"""`nerbridge quickstart`: the embedded demo."""

from pathlib import Path
from typing import Annotated, Any

import typer

from nerbridge.cli.console import console
from nerbridge.cli.options import JsonOption
from nerbridge.cli.program import command_line
from nerbridge.cli.train_options import CacheOption


def command(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the demo.")] = Path("nerbridge-quickstart"),
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """The demo: adapt from news to a new domain.

    Trains a tagger from 40 sentences of a new domain, with and without a news source, on the CPU, in minutes.
    """
    from nerbridge.cli.running import continuable, make_surroundings
    from nerbridge.pipeline.quickstart import run_quickstart

    console.note("40 labelled sentences of a new domain, 267 of news. First without the news, then with them.")
    with continuable():
        result = run_quickstart(output, make_surroundings(None, cache))
    runs = {"direct (target only)": result.direct, "sequential (news, then target)": result.sequential}
    if as_json:
        from nerbridge.cli.run_summary import run_json

        console.json({name.split()[0]: run_json(run) for name, run in runs.items()})
    else:
        _print_side_by_side(runs)
    _print_sample_tags(output / "sequential", as_json)
    _print_next(output)


def _print_side_by_side(runs: dict[str, Any]) -> None:
    from nerbridge.cli.run_summary import percent

    rows = []
    for name, run in runs.items():
        scores, interval = run.summaries["test"].conlleval, run.summaries["test"].interval
        span = f"{percent(interval.low)} to {percent(interval.high)}"
        rows.append([name, percent(scores.f1), span, percent(scores.precision), percent(scores.recall)])
    console.table(["transfer", "test F1", "95 % interval", "precision", "recall"], rows)


def _print_sample_tags(run: Path, as_json: bool) -> None:
    from nerbridge.inference import load
    from nerbridge.pipeline.quickstart import SENTENCE

    document = load(run)(SENTENCE)
    say = console.note if as_json else console.result
    say(f"\n{SENTENCE}")
    for entity in document.entities:
        say(f"  {entity.start:3d}-{entity.end:<3d} {entity.label:16s} {entity.text}  ({entity.score:.2f})")


def _print_next(output: Path) -> None:
    console.note(f"\nreport        {output / 'sequential' / 'report.html'}")
    console.note(f"compare       {command_line('compare', output / 'direct', output / 'sequential')}")
    console.note(f"tag your text {command_line('predict', output / 'sequential', '-')} <<< 'Your text.'")
    news = output / "data" / "source_train.txt"
    console.note(f"your domain   {command_line('adapt', '--target-train', 'YOUR_FILE.txt', '--source', news)}")
    console.note(f"more news     {command_line('data', 'fetch', 'conll2003', '--data-root', 'data')}")
    console.note("              then adapt with --source conll2003 --data-root data")
