"""The experiments on the label-aware tagger: which rows each of them is made of.

    python benchmarks/label_aware_grid.py options ablations [--tuned key=value] [--suffix NAME]

prints the rows as `crossner_bench.py --recipes` takes them; `label_aware_tables.py` makes tables and figures of the
runs. A row that several experiments need is named once. --tuned is set for the label-aware rows (and, as far as it has
the key, for the CRF of the ablations, which is to differ in the head alone), never for the options; --suffix is put
behind their names, so that runs with and without it lie side by side.
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crossner_cells import DOMAINS

from nerbridge.config.tagger import CrfSettings, LabelAwareSettings

MIT = ("mit_movie", "mit_restaurant")
BASE = "sequential-label-aware"  # rows of a recipe as it is bear its name
WIDTHS = (10, 50, 100, 150, 300, 1000)
SIZES = (10, 25, 40, 55, 70, 85, 100)
WIDTH, SIZE = 100, 100  # those of the base row: the recipe's width, all sentences of ai
HEADS = ("linear", "crf", "label-aware")
OURS = "label-aware"


@dataclass(frozen=True)
class Row:
    """One row of the grid. name: of its folder; said: in tables; tuned: does it take --tuned?"""

    name: str
    recipe: str
    settings: tuple[str, ...] = ()
    domains: tuple[str, ...] = DOMAINS
    said: str = ""
    tuned: bool = False
    suffix: str = ""

    @property
    def plain(self) -> str:
        """The name without the suffix of tuned rows."""
        return self.name.removesuffix(self.suffix)

    def text(self) -> str:
        """As `crossner_bench.py --recipes` takes it."""
        targets = "" if self.domains == DOMAINS else f"@{','.join(self.domains)}"
        return " ".join([f"{self.name}={self.recipe}{targets}", *self.settings])


def _base(name: str, *settings: str, said: str = "", domains: Sequence[str] = DOMAINS, recipe: str = BASE) -> Row:
    return Row(name, recipe, settings, tuple(domains), said or name, tuned=True)


def _width(width: int) -> Row:
    settings = () if width == WIDTH else (f"tagger.label_width={width}",)
    return _base(BASE if width == WIDTH else f"width-{width}", *settings, domains=("ai",))


def _size(head: str, number: int) -> Row:
    """A row of the learning curve: every size learns for as many steps, and asks dev after as many, as the recipe."""
    if number == SIZE:
        return Row(f"sequential-{head}", f"sequential-{head}", (), ("ai",), head, tuned=head == OURS)
    settings = size_settings(number)
    return Row(f"{head}-{number}", f"sequential-{head}", settings, ("ai",), head, tuned=head == OURS)


def size_settings(number: int) -> tuple[str, ...]:
    """Overrides for `number` target sentences: as many steps, and dev asked as often, as with all of them."""
    steps = math.ceil(number / 16)  # of one epoch
    all_steps, every = 60 * math.ceil(SIZE / 16), 2 * math.ceil(SIZE / 16)
    return (
        f"target.num_train={number}",
        f"training.target.epochs={math.ceil(all_steps / steps)}",
        f"training.target.evaluate_every={math.floor(1000 * every / steps) / 1000:g}",
    )


OPTIONS = (
    _base("rate-5e-5", "training.head_learning_rate=5e-5", said="head learning rate 5e-5, the paper's (base: 2e-3)"),
    _base("rate-3e-4", "training.head_learning_rate=3e-4", said="head learning rate 3e-4"),
    _base("rate-1e-3", "training.head_learning_rate=1e-3", said="head learning rate 1e-3"),
    _base(
        "rate-output",
        "training.head_learning_rate=1e-4",
        "tagger.output_rate=20",
        said="head learning rate 1e-4, output layer 2e-3",
    ),
    _base("noise-0", "tagger.label_noise=0.0", said="no label noise (base: 0.2)"),
    _base("noise-0.1", "tagger.label_noise=0.1", said="label noise 0.1"),
    _base("sampling-0.3", "tagger.scheduled_sampling=0.3", said="scheduled sampling 0.3"),
    _base("names", "tagger.initialise=names", said="tag embeddings from names"),
    _base("constrained-training", "tagger.constrained_training=true", said="legal sequences in training too"),
    _base("unconstrained", "tagger.constrained=false", said="no legal sequences in decoding (base: legal ones only)"),
    _base("beam-4", "tagger.beam=4", said="beam 4"),
    _base("dropout-0.3", "tagger.dropout=0.3", said="dropout 0.3 (base: 0.1)"),
)
PLAIN = ("tagger.background=false", "tagger.context=false")
ABLATIONS = (
    _base(BASE, said="both (LB+LC)"),
    _base("without-context", "tagger.context=false", said="without context (w/o LC)"),
    _base("without-background", "tagger.background=false", said="without background (w/o LB)"),
    Row("without-both-crf", "sequential-crf", ("training.head_learning_rate=2e-3",), said="neither, CRF", tuned=True),
    _base("without-both", *PLAIN, said="neither"),
)
MAIN = tuple(Row(f"sequential-{head}", f"sequential-{head}", said=head, tuned=head == OURS) for head in HEADS)
EXPERIMENTS: dict[str, tuple[Row, ...]] = {
    "main": MAIN,
    "options": (_base(BASE, said="base: the recipe as it is"), *OPTIONS),
    "ablations": ABLATIONS,
    "widths": tuple(_width(width) for width in WIDTHS),
    "sizes": tuple(_size(head, number) for head in HEADS for number in SIZES),
    "in-domain": tuple(Row(f"direct-{head}", f"direct-{head}", said=head, tuned=head == OURS) for head in HEADS),
    "mit": tuple(
        Row(f"mit-{kind}-{head}", f"mit/{kind}-{head}", domains=MIT, said=f"{head}, {kind}", tuned=head == OURS)
        for kind in ("sequential", "direct")
        for head in HEADS
    ),
}


def rows_of(experiment: str, *, tuned: Sequence[str] = (), suffix: str = "") -> list[Row]:
    """The rows of an experiment, in the order of its table. tuned, suffix: see the module; never for the options."""
    if experiment == "options":
        return list(EXPERIMENTS[experiment])
    return [_tune(row, tuned, suffix) if row.tuned else row for row in EXPERIMENTS[experiment]]


def _tune(row: Row, tuned: Sequence[str], suffix: str) -> Row:
    only = set(LabelAwareSettings.model_fields) - set(CrfSettings.model_fields)
    own = {setting.partition("=")[0] for setting in row.settings if not row.recipe.endswith("-crf")}
    taken = [one for one in tuned if one.partition("=")[0] not in own]
    if row.recipe.endswith("-crf"):
        taken = [one for one in tuned if one.partition("=")[0].removeprefix("tagger.") not in only]
    return replace(row, name=row.name + suffix, suffix=suffix, settings=(*row.settings, *taken))


def merged(rows: Sequence[Row]) -> list[Row]:
    """Every name once, with the targets of all its rows."""
    found: dict[str, Row] = {}
    for row in rows:
        before = found.get(row.name, row)
        wanted = (*before.domains, *(domain for domain in row.domains if domain not in before.domains))
        found[row.name] = replace(before, domains=DOMAINS if set(wanted) == set(DOMAINS) else wanted)
    return list(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="+", choices=EXPERIMENTS)
    parser.add_argument("--tuned", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--suffix", default="")
    arguments = parser.parse_args()
    if arguments.tuned and not arguments.suffix:
        parser.error("--tuned needs a --suffix: other settings are other rows")
    rows = [
        row for name in arguments.experiments for row in rows_of(name, tuned=arguments.tuned, suffix=arguments.suffix)
    ]
    print(";".join(row.text() for row in merged(rows)))


if __name__ == "__main__":
    main()
