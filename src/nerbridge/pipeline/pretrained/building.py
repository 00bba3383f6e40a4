"""The built corpus of an experiment: its raw text without what the target's dev and test hold."""

import shutil
from collections.abc import Mapping
from typing import Any

from nerbridge.corpus.building import build_corpus, undecoded
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.tally import REASONS
from nerbridge.errors import DataError
from nerbridge.pipeline.pretrained.work import RawWork, drop_damaged
from nerbridge.pipeline.processes import held, is_main, wait_for_all
from nerbridge.wording import counted

SHOWN = 4  # reasons for leaving out that a line names


def finished_corpus(work: RawWork) -> CorpusFolder | None:
    """The corpus as an earlier run has left it; None where there is none, or a damaged one."""
    try:
        return CorpusFolder(work.folder("corpora", work.corpus_key))
    except DataError:
        return None


def make_corpus(work: RawWork) -> CorpusFolder:
    """The built corpus, from the cache or from the files. Raises what `build_corpus` raises."""
    folder = work.folder("corpora", work.corpus_key)
    with held(folder, work.say, work="building this corpus"):
        if is_main():
            drop_damaged(folder, work.say)
            there = finished_corpus(work) is not None
            corpus = build_corpus(work.settings.files, folder, work.settings.building, guard=work.guard)
            _refuse_changed(work, corpus)
            work.say(f"corpus   {'already built, ' if there else ''}{describe_corpus(corpus)}")
            for fault in () if there else corpus.manifest["counts"]["faults"]:
                work.say(f"note     {fault}")
            for line in () if there else undecoded(corpus.manifest["counts"], work.settings.text.encoding):
                work.say(f"note     {line}")
        wait_for_all()
    return CorpusFolder(folder)


def _refuse_changed(work: RawWork, corpus: CorpusFolder) -> None:
    """Raises DataError when files came, went or changed between the plan and the building."""
    if corpus.manifest["key"] == work.corpus_key:
        return
    shutil.rmtree(corpus.path)
    raise DataError(
        "the raw text changed after the plan was made",
        where=", ".join(work.settings.files),
        expected="files and folders that stay as they are until the corpus is built",
        hint="run the same command again when nothing writes there any more, or on a copy",
    )


def describe_corpus(corpus: CorpusFolder) -> str:
    """'310 documents, 12,345 words; left out: ...': what was kept, and the words left out by reason."""
    counts: Mapping[str, Any] = corpus.manifest["counts"]
    kept = f"{counted(corpus.num_documents, 'document')}, {counted(corpus.num_words, 'word')}"
    dropped = sorted(counts["dropped"].items(), key=lambda item: -item[1]["words"])
    numbers = [size["paragraphs"] or size["documents"] or size["sentences"] for _, size in dropped]
    reasons = [f"{REASONS[name]} ({number:,})" for (name, _), number in zip(dropped[:SHOWN], numbers, strict=False)]
    more = [f"{len(dropped) - SHOWN} more reasons"] if len(dropped) > SHOWN else []
    overlaps = [f"{name} {counts['overlaps'].get(name, 0):,}" for name in corpus.manifest["guarded"]]
    guarded = f"; paragraphs shared with {', '.join(overlaps)}" if overlaps else ""
    return kept + (f"; left out: {', '.join([*reasons, *more])}" if reasons else "") + guarded
