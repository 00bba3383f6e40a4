"""Raw text -> a built corpus: the way of every document, from its file to the manifest.

    files -> items -> batches -> prepared by any number of processes -> repetitions dropped, in order -> shards

Only the last step knows what came before, and it is cheap: so the result is the same for any number of processes. A run
that goes on reads the inputs again up to the last item taken, but prepares nothing of it: a small part of the time.
"""

import hashlib
import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from nerbridge.config.corpus import CorpusSettings
from nerbridge.corpus.builder import Builder
from nerbridge.corpus.folder import CorpusFolder, changed_shard
from nerbridge.corpus.folder_writing import MANIFEST, CorpusWriter
from nerbridge.corpus.inputs import InputFile, find_inputs
from nerbridge.corpus.labelled_text import refuse_other_than_raw
from nerbridge.corpus.language import LanguageFilter
from nerbridge.corpus.overlap_guard import OverlapGuard
from nerbridge.corpus.preparation import PreparedBatch
from nerbridge.corpus.reading import check_inputs, read_items, wanted_in
from nerbridge.corpus.tally import HINTS, REASONS, Tally
from nerbridge.corpus.workers import BATCH_CHARACTERS, batches_of, prepare_batches
from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.stamps import Stamps
from nerbridge.errors import DataError, NerbridgeError
from nerbridge.wording import counted

SHOWN = 5  # files in another encoding that are named


@dataclass(frozen=True, slots=True)
class Moment:
    """How far a build is: words read and kept in all, and what this run alone has read in how many seconds."""

    words_read: int
    words_kept: int
    words_now: int
    seconds: float


def build_corpus(
    paths: Sequence[str | Path],
    output: str | Path,
    settings: CorpusSettings | None = None,
    *,
    guard: OverlapGuard | None = None,
    jobs: int = 1,
    on_progress: Callable[[Moment], None] | None = None,
) -> CorpusFolder:
    """The corpus of all documents of `paths` that pass the filters, written to the folder `output`.

    guard: drops text of evaluation sets. jobs: processes that prepare text; with more than one, a script must call this
    under `if __name__ == "__main__":`. on_progress: called now and then. What was built before from the same inputs and
    settings is returned as it is; what was begun goes on. Files that are damaged are used as far as they can be read,
    and their faults stand in the manifest.
    Raises DataError when paths lead nowhere or to labelled sentences, when files change meanwhile or no text is left,
    ConfigError when `output` holds something else, MissingExtraError when a format or the language filter needs a
    library that is not installed, OSError when the disk refuses.
    """
    settings = settings or CorpusSettings()
    files = _inputs(paths, Path(output), settings)
    check_inputs(files, settings.text)
    refuse_other_than_raw(files, labelled_hint="leave it out; `--guard {}` leaves out text that it holds")
    if settings.filters.language:
        LanguageFilter(settings.filters.language)
    stamps = Stamps(file.path for file in files)
    about = _about(files, settings, guard)
    if (Path(output) / MANIFEST).exists():
        corpus = CorpusFolder(output)
        if corpus.manifest.get("key") == about["key"]:
            return corpus
    with CorpusWriter(output, key=about["key"], shard_words=settings.shard_words) as writer:
        builder = Builder(writer, settings)
        try:
            _read_all(files, builder, settings, guard, jobs, on_progress)
        except NerbridgeError:
            if not builder.num_items:  # nothing to go on from: corrected settings are to find a free folder
                writer.discard()
            raise
        try:
            stamps.check()
            if not builder.tally.kept.documents:
                raise nothing_left(builder.tally, paths)
        except DataError:
            writer.discard()
            raise
        writer.finish({**about, "counts": builder.tally.as_json(), "forgotten_keys": builder.duplicates.forgotten})
    return CorpusFolder(output)


def corpus_key(paths: Sequence[str | Path], settings: CorpusSettings, *, guard: OverlapGuard | None = None) -> str:
    """64 hexadecimal digits: calls of `build_corpus` with one key have the same result. Reads all files of `paths`.

    Raises DataError when paths lead nowhere, OSError for a file that cannot be read.
    """
    return str(_about(find_inputs(paths, settings.text.format), settings, guard)["key"])


def _inputs(paths: Sequence[str | Path], output: Path, settings: CorpusSettings) -> list[InputFile]:
    """The files to read; those of the output itself are none, even where it lies inside a folder that is read."""
    files = find_inputs(paths, settings.text.format)
    others = [file for file in files if output.resolve() not in file.path.resolve().parents]
    return others or files


def _read_all(
    files: Sequence[InputFile],
    builder: Builder,
    settings: CorpusSettings,
    guard: OverlapGuard | None,
    jobs: int,
    on_progress: Callable[[Moment], None] | None,
) -> None:
    """All documents of `files` that `builder` does not have yet, prepared and taken."""
    reading = Tally()
    items = read_items(files, settings.text, reading, wanted=wanted_in(files, settings.text))
    batches = batches_of(islice(items, builder.num_items, None), BATCH_CHARACTERS)
    _take_all(prepare_batches(batches, settings, guard, jobs=jobs), builder, on_progress)
    builder.tally.include(reading)


def _take_all(
    batches: Generator[PreparedBatch, None, None], builder: Builder, on_progress: Callable[[Moment], None] | None
) -> None:
    """What was taken before one of our own errors is recorded; after others the open shard cannot be trusted."""
    started, before = time.monotonic(), builder.tally.read.words
    with closing(batches):
        try:
            for batch in batches:
                builder.take(batch)
                if on_progress is not None:
                    read, kept = builder.tally.read.words, builder.tally.kept.words
                    on_progress(Moment(read, kept, read - before, time.monotonic() - started))
        except NerbridgeError:
            builder.checkpoint()
            raise


def _about(files: Sequence[InputFile], settings: CorpusSettings, guard: OverlapGuard | None) -> dict[str, Any]:
    """What a corpus is made of, and a key that changes with every part of it but the names of the files."""
    inputs = [
        {
            "path": str(file.path),
            "format": file.format,
            "bytes": file.path.stat().st_size,
            "sha256": _checksum(file),
        }
        for file in files
    ]
    about: dict[str, Any] = {
        "kind": "built",
        "settings": settings.model_dump(mode="json"),
        "seed": settings.seed,
        "guarded": list(guard.names) if guard else [],
        "inputs": inputs,
    }
    content = [{name: value for name, value in one.items() if name != "path"} for one in inputs]
    built = any(file.format == "corpus" for file in files)  # sentences may go alone
    identity = {**about, "inputs": content, "guard": guard.fingerprint(with_short=built) if guard else ""}
    key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode("utf-8")).hexdigest()
    return {"key": key, **about}


def _checksum(file: InputFile) -> str:
    """Raises DataError for a file of a built corpus that is not the one that its manifest describes."""
    found = file_sha256(file.path)
    if file.sha256 not in ("", found):
        raise changed_shard(file.path)
    return found


def undecoded(counts: Mapping[str, Any], encoding: str) -> list[str]:
    """Lines about the files with bytes that are not `encoding`. counts: those of a manifest."""
    files: Mapping[str, int] = counts.get("undecoded", {})
    other = "latin-1" if encoding.lower() in ("utf-8", "utf8") else "utf-8"
    lines = [
        f"{file}: {counted(number, 'line')} with bytes that are not {encoding}, or U+FFFD in their place, left out; "
        f"another encoding, such as `--encoding {other}`, may read them (in a recipe corpus.text.encoding)"
        for file, number in islice(files.items(), SHOWN)
    ]
    more = len(files) - SHOWN
    return lines + ([f"the same of {counted(more, 'more file', 'more files')}"] if more > 0 else [])


def nothing_left(tally: Tally, paths: Sequence[str | Path]) -> DataError:
    """The fault of inputs that left nothing."""
    if tally.faults:
        return tally.faults[0]
    counts = {name: size.paragraphs or size.documents or size.sentences for name, size in tally.dropped.items()}
    reasons = [f"{REASONS[name]} ({number:,})" for name, number in counts.items()]
    loosen = "loosen the filter that drops most, or "
    most = max(counts, key=lambda name: counts[name], default="")
    return DataError(
        f"no text is left: {'; '.join(reasons) or 'the files are empty'}",
        where=", ".join(map(str, paths)),
        expected="text that passes the filters",
        hint=HINTS.get(most, f"{loosen if most else ''}look whether the files hold what they should"),
    )
