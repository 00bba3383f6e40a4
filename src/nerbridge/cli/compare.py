"""`nerbridge compare`: two or more runs on the same sentences."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console
from nerbridge.cli.options import JsonOption, SeedOption
from nerbridge.errors import ConfigError

if TYPE_CHECKING:
    from nerbridge.evaluation.readings import Reading


def command(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN_A RUN_B...", help="Run folders on the same data."),
    ],
    split: Annotated[str, typer.Option(help="Split whose predictions are compared.")] = "test",
    strict: Annotated[bool, typer.Option("--strict", help="Drop malformed tag sequences (strict reading).")] = False,
    rounds: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Rounds of the paired randomisation test.")
    ] = 10_000,
    sample: Annotated[int, typer.Option(min=0, help="Differing sentences to print.")] = 5,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
    html: Annotated[
        Path | None, typer.Option(help="Also write a page with all of it (two runs).", show_default=False)
    ] = None,
) -> None:
    """Compare two or more runs by a paired test.

    F1 with intervals, a paired test over sentences, differences label by label, and the sentences where the two differ;
    of more than two runs every pair is tested.

    Runs in seed-* folders are paired by seed.
    """
    _check(runs, html)
    reading: Reading = "strict" if strict else "conlleval"
    if len(runs) == 2:
        _compare_two(runs, split, reading, rounds=rounds, seed=seed, sample=sample, as_json=as_json, html=html)
    else:
        _compare_all(runs, split, reading, rounds=rounds, seed=seed, as_json=as_json)


def _check(runs: list[Path], html: Path | None) -> None:
    if len(runs) < 2:
        raise ConfigError(
            f"'{runs[0]}' is compared with nothing",
            where="the command line of `nerbridge compare`",
            expected="two run folders or more",
            hint=f"nerbridge compare '{runs[0]}' OTHER_RUN",
        )
    if len(runs) > 2 and html is not None:
        raise ConfigError(
            f"a page shows two runs, not {len(runs)}",
            where="--html",
            expected="two run folders",
            hint="name the two that matter, or drop --html",
        )
    if twice := [str(run) for place, run in enumerate(runs) if run in runs[:place]]:
        raise ConfigError(
            f"'{twice[0]}' is named twice",
            where="the command line of `nerbridge compare`",
            expected="different run folders",
            hint="name every run once",
        )


def _compare_two(
    runs: list[Path],
    split: str,
    reading: "Reading",
    *,
    rounds: int,
    seed: int,
    sample: int,
    as_json: bool,
    html: Path | None,
) -> None:
    from nerbridge.cli.comparison_tables import print_two
    from nerbridge.evaluation.comparison import compare_runs
    from nerbridge.evaluation.report import write_comparison
    from nerbridge.evaluation.run_predictions import read_runs

    first, second = (read_runs(run, split) for run in runs)
    names = (str(runs[0]), str(runs[1]))
    comparison = compare_runs(first, second, names=names, reading=reading, rounds=rounds, seed=seed)
    if html is not None:
        write_comparison(html, comparison)
        console.note(f"wrote {html}")
    if comparison.unpaired:
        console.warning(f"runs without a partner are left out: {', '.join(comparison.unpaired)}")
    if as_json:
        console.json(comparison.to_json())
    else:
        print_two(comparison, sample)


def _compare_all(runs: list[Path], split: str, reading: "Reading", *, rounds: int, seed: int, as_json: bool) -> None:
    from nerbridge.cli.comparison_tables import print_all
    from nerbridge.evaluation.run_predictions import read_runs
    from nerbridge.evaluation.several import compare_all

    systems = {str(run): read_runs(run, split) for run in runs}
    comparisons = compare_all(systems, reading=reading, rounds=rounds, seed=seed)
    for pair in comparisons.pairs:
        if pair.unpaired:
            console.warning(f"{' and '.join(pair.names)}: without a partner are left out: {', '.join(pair.unpaired)}")
    if as_json:
        console.json(comparisons.to_json())
    else:
        print_all(comparisons)
