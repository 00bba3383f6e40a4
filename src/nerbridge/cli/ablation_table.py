"""What `adapt --ablate` prints: F1 without each part, and how sure the difference is."""

from typing import TYPE_CHECKING, Any

from nerbridge.cli.console import console

if TYPE_CHECKING:
    from nerbridge.pipeline.ablation import Ablation

HEADER = ["without", "split", "F1 without", "F1 with", "gain", "95 % interval", "p"]


def print_ablation(ablation: "Ablation") -> None:
    """One row per part and split to stdout, and beneath what a row holds beside its part."""
    rows: list[list[Any]] = []
    for part in ablation.parts:
        if part.not_done:
            rows.append([part.name, *[None] * (len(HEADER) - 2), f"not done: {part.not_done}"])
        for split, found in part.comparisons.items():
            interval = found.difference_interval
            rows.append(
                [
                    part.name,
                    split,
                    f"{100 * found.first.mean:.2f}",
                    f"{100 * found.second.mean:.2f}",
                    f"{100 * found.test.difference:+.2f}",
                    f"{100 * interval.low:+.2f} to {100 * interval.high:+.2f}",
                    f"{found.test.p_value:.3f}",
                ]
            )
    console.table(HEADER, rows)
    for part in ablation.parts:
        if part.remark:
            console.result(f"{part.name}: {part.remark}")
    console.note(f"ablation {ablation.folder / 'ablation.json'}; runs without a part: {ablation.folder / 'ablation'}")
