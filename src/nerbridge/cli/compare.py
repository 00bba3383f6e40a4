"""`nerbridge compare`: two runs on the same sentences."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.options import JsonOption, SeedOption

if TYPE_CHECKING:
    from nerbridge.evaluation.comparison import Comparison, Difference

_WORDS_SHOWN = 60


def command(
    run_a: Annotated[Path, typer.Argument(metavar="RUN_A", help="Run folder, with or without seed-* folders.")],
    run_b: Annotated[Path, typer.Argument(metavar="RUN_B", help="Run folder on the same data.")],
    split: Annotated[str, typer.Option(help="Split whose predictions are compared.")] = "test",
    strict: Annotated[bool, typer.Option("--strict", help="Drop malformed tag sequences (strict reading).")] = False,
    rounds: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Rounds of the paired randomisation test.")
    ] = 10_000,
    sample: Annotated[int, typer.Option(min=0, help="Differing sentences to print.")] = 5,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    html: Annotated[Path | None, typer.Option(help="Also write a page with all of it.", show_default=False)] = None,
) -> None:
    """Compare two runs by a paired test.

    F1 with intervals, a paired test over sentences, and the sentences where the two differ.

    Runs in seed-* folders are paired by seed.
    """
    from nerbridge.evaluation.comparison import compare_runs
    from nerbridge.evaluation.report import write_comparison
    from nerbridge.evaluation.run_folder import read_runs

    comparison = compare_runs(
        read_runs(run_a, split),
        read_runs(run_b, split),
        names=(str(run_a), str(run_b)),
        reading="strict" if strict else "conlleval",
        rounds=rounds,
        seed=seed,
    )
    if html is not None:
        write_comparison(html, comparison)
        console.note(f"wrote {html}")
    if comparison.unpaired:
        console.warning(f"runs without a partner are left out: {', '.join(comparison.unpaired)}")
    if as_json:
        console.json(comparison.to_json())
    else:
        _print(comparison, sample)


def _print(comparison: "Comparison", sample: int) -> None:
    sides = zip(comparison.names, (comparison.first, comparison.second), comparison.intervals, strict=True)
    rows = [
        (
            name,
            100 * side.mean,
            None if side.deviation is None else 100 * side.deviation,
            f"{100 * interval.low:.2f} to {100 * interval.high:.2f}",
        )
        for name, side, interval in sides
    ]
    console.table(("run", "F1", "deviation", "95 % interval"), rows)
    test, bounds = comparison.test, comparison.difference_interval
    pairs = f" in {len(comparison.pairs)} pairs ({', '.join(comparison.pairs)})" if comparison.pairs[0] else ""
    console.result(
        f"difference (second - first) {100 * test.difference:+.2f}, "
        f"95 % interval {100 * bounds.low:+.2f} to {100 * bounds.high:+.2f}\n"
        f"p = {test.p_value:.4f}, two-sided, {test.rounds:,} rounds of paired approximate randomisation over "
        f"{comparison.num_sentences:,} sentences{pairs}, {comparison.reading} reading"
    )
    differing = sorted(comparison.differing, key=lambda one: -abs(one.gain))
    console.result(
        f"{len(differing):,} answers differ"
        + (f"; the {min(sample, len(differing))} farthest apart:" if differing and sample else "")
    )
    for one in differing[:sample]:
        console.result(_describe(one))


def _describe(difference: "Difference") -> str:
    """Place, text, and the spans that only one of the two has; `right` and `wrong` are against gold."""
    first, second = difference.first, difference.second
    place = " ".join(part for part in (first.origin, difference.run) if part)
    lines = [
        f"\n{place}" if place else "",
        " ".join(first.words[:_WORDS_SHOWN]) + " ..." * (len(first.words) > _WORDS_SHOWN),
    ]
    for name, own, other in (("first", first, second), ("second", second, first)):
        only = [span for span in own.predicted if span not in other.predicted]
        spans = "; ".join(f"{own.mention(s)} [{s.label}] {'right' if s in own.gold else 'wrong'}" for s in only)
        lines.append(f"  only {name + ':':<8}{spans or '-'}")
    return visible("\n".join(lines))
