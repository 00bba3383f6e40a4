"""What `nerbridge compare` prints: two runs in full, or every pair of several."""

from nerbridge.cli.console import console, visible
from nerbridge.evaluation.comparison import Comparison, Difference
from nerbridge.evaluation.several import Comparisons
from nerbridge.evaluation.uncertainty import Interval, Spread
from nerbridge.wording import counted

_WORDS_SHOWN = 60
_WORDS_BEFORE = 10  # a difference that is not among the first ones
_RUN_HEADER = ("run", "F1", "deviation", "95 % interval")


def print_two(comparison: Comparison, sample: int) -> None:
    """F1 of both, the test, the labels, and the `sample` sentences that are farthest apart."""
    sides = zip(comparison.names, (comparison.first, comparison.second), comparison.intervals, strict=True)
    console.table(_RUN_HEADER, [_run(name, side, interval) for name, side, interval in sides])
    test = comparison.test
    pairs = (
        f" in {counted(len(comparison.pairs), 'pair')} ({', '.join(comparison.pairs)})" if comparison.pairs[0] else ""
    )
    console.result(
        f"difference (second - first) {100 * test.difference:+.2f}, "
        f"95 % interval {_signed(comparison.difference_interval)}\n"
        f"p = {test.p_value:.4f}, two-sided, {_method(comparison, pairs)}"
    )
    _print_labels(comparison)
    differing = sorted(comparison.differing, key=lambda one: -abs(one.gain))
    console.result(
        counted(len(differing), "answer differs", "answers differ")
        + (f"; the {min(sample, len(differing))} farthest apart:" if differing and sample else "")
    )
    for one in differing[:sample]:
        console.result(_describe(one))


def print_all(comparisons: Comparisons) -> None:
    """F1 of every run, then a row per pair."""
    found: dict[str, tuple[Spread, Interval]] = {}
    for pair in comparisons.pairs:
        for name, side, interval in zip(pair.names, (pair.first, pair.second), pair.intervals, strict=True):
            found.setdefault(name, (side, interval))
    console.table(_RUN_HEADER, [_run(name, *found[name]) for name in comparisons.names])
    console.result("")
    seeds = any(len(pair.pairs) > 1 for pair in comparisons.pairs)
    rows = [
        (
            *pair.names,
            *([len(pair.pairs)] if seeds else []),
            f"{100 * pair.test.difference:+.2f}",
            _signed(pair.difference_interval),
            f"{pair.test.p_value:.4f}",
            f"{adjusted:.4f}",
        )
        for pair, adjusted in zip(comparisons.pairs, comparisons.adjusted, strict=True)
    ]
    header = ["first", "second", *(["pairs"] if seeds else []), "second - first", "95 % interval", "p", "p (Holm)"]
    console.table(header, rows)
    console.result(f"p: two-sided, {_method(comparisons.pairs[0])}; p (Holm) is corrected for {len(rows)} comparisons")


def _run(name: str, side: Spread, interval: Interval) -> tuple[object, ...]:
    deviation = None if side.deviation is None else 100 * side.deviation
    return name, 100 * side.mean, deviation, f"{100 * interval.low:.2f} to {100 * interval.high:.2f}"


def _signed(interval: Interval) -> str:
    return f"{100 * interval.low:+.2f} to {100 * interval.high:+.2f}"


def _method(comparison: Comparison, pairs: str = "") -> str:
    return (
        f"{comparison.test.rounds:,} rounds of paired approximate randomisation over "
        f"{counted(comparison.num_sentences, 'sentence')}{pairs}, {comparison.reading} reading"
    )


def _print_labels(comparison: Comparison) -> None:
    if not comparison.per_label:
        return
    rows = [
        (
            one.label,
            100 * one.first,
            100 * one.second,
            f"{100 * one.difference:+.2f}",
            "too few to say" if one.interval is None else _signed(one.interval),
            one.support.gold,
        )
        for one in comparison.per_label
    ]
    console.result("")
    console.table(("label", "first", "second", "difference", "95 % interval", "gold"), rows)
    console.result("")


def _describe(difference: Difference) -> str:
    """Place, text, and the spans that only one of the two has; `right` and `wrong` are against gold."""
    first, second = difference.first, difference.second
    place = " ".join(part for part in (first.origin, difference.run) if part)
    lines = [f"\n{place}" if place else "", _excerpt(difference)]
    for name, own, other in (("first", first, second), ("second", second, first)):
        only = [span for span in own.predicted if span not in other.predicted]
        spans = "; ".join(f"{own.mention(s)} [{s.label}] {'right' if s in own.gold else 'wrong'}" for s in only)
        lines.append(f"  only {name + ':':<8}{spans or '-'}")
    return visible("\n".join(lines))


def _excerpt(difference: Difference) -> str:
    """The sentence's first words; where the two differ only behind them, those around their first difference."""
    words = difference.first.words
    either = set(difference.first.predicted) ^ set(difference.second.predicted)
    begin = min((span.start for span in either), default=0)
    begin = 0 if begin < _WORDS_SHOWN - _WORDS_BEFORE else min(begin - _WORDS_BEFORE, len(words) - _WORDS_SHOWN)
    end = begin + _WORDS_SHOWN
    return "... " * (begin > 0) + " ".join(words[begin:end]) + " ..." * (end < len(words))
