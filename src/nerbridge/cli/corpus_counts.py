"""What a corpus was made from, in tables, and how far a build is."""

import time
from typing import TYPE_CHECKING

from nerbridge.cli.console import console
from nerbridge.wording import counted

if TYPE_CHECKING:
    from nerbridge.corpus.building import Moment
    from nerbridge.corpus.folder import CorpusFolder

COLUMNS = ("documents", "paragraphs", "sentences", "words")
SECONDS = 10.0  # between two lines about progress
FORGOTTEN = 0.02  # share of the duplicate filter's keys from which on it is said


class ProgressLines:
    """Says every few seconds on stderr how far a build is."""

    def __init__(self) -> None:
        self._next = time.monotonic() + SECONDS

    def show(self, moment: "Moment") -> None:
        """Takes a moment of a build; most are passed over."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + SECONDS
        speed = moment.words_now / max(moment.seconds, 1e-9)
        console.note(
            f"{moment.words_read:,} words read, {moment.words_kept:,} kept, {speed:,.0f} words per second, "
            f"{moment.seconds:.0f} s"
        )


def print_counts(corpus: "CorpusFolder") -> None:
    """What was read, kept and dropped, by reason; what evaluation sets shared; what the duplicate filter forgot."""
    from nerbridge.corpus.tally import REASONS

    counts = corpus.manifest["counts"]
    rows: list[list[object]] = [["read", *(counts["read"][name] for name in COLUMNS), ""]]
    for reason, size in counts["dropped"].items():
        rows.append([reason, *(size[name] for name in COLUMNS), REASONS[reason]])
    rows.append(["kept", *(counts["kept"][name] for name in COLUMNS), ""])
    console.table(["", *COLUMNS, "left out were"], rows)
    for name in corpus.manifest["guarded"]:
        console.result(f"paragraphs that overlap with {name}: {counts['overlaps'].get(name, 0):,}")
    if counts["cut_documents"]:
        console.note(f"long documents were cut at {counted(counts['cut_documents'], 'place')}")
    _warn_of_forgetting(corpus)
    console.note(f"corpus: {corpus.path}")


def _warn_of_forgetting(corpus: "CorpusFolder") -> None:
    """A few keys are lost to full buckets long before the table is full; that costs nothing."""
    from nerbridge.corpus.similarity import BANDS

    share = corpus.manifest["forgotten_keys"] / (corpus.manifest["counts"]["kept"]["paragraphs"] * (BANDS + 1))
    megabytes = corpus.manifest["settings"]["filters"]["duplicate_megabytes"]
    if share > FORGOTTEN:
        console.warning(
            f"the duplicate filter was full and forgot {share:.0%} of its keys; "
            f"`--set filters.duplicate_megabytes={2 * megabytes}` gives it more memory"
        )
