"""Files of raw text of any kind -> documents, one at a time."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import assert_never

from nerbridge.config.corpus import RawTextSettings
from nerbridge.corpus.built_documents import read_built
from nerbridge.corpus.compression import DamagedFileError, compression_of, damage_fault, zstandard
from nerbridge.corpus.document import Document
from nerbridge.corpus.dump_documents import page_documents, read_dump, wanted_categories
from nerbridge.corpus.dump_pages import RawPage
from nerbridge.corpus.inputs import InputFile, find_inputs
from nerbridge.corpus.json_documents import read_json_lines
from nerbridge.corpus.parquet_documents import pyarrow_parquet, read_parquet
from nerbridge.corpus.tally import Tally
from nerbridge.corpus.text_documents import read_text
from nerbridge.corpus.wikitext import mwparserfromhell
from nerbridge.data.lines import codec_of
from nerbridge.errors import ConfigError, DataError

Item = Document | RawPage


def read_documents(
    paths: Sequence[str | Path], settings: RawTextSettings | None = None, *, tally: Tally | None = None
) -> Iterator[Document]:
    """The documents of files, folders and patterns, in order; files are opened as they are reached.

    tally: takes the counts of what was left out, and the faults of files that could be read in part only; without one,
    such a fault is raised when everything else has been read. Raises DataError for paths that lead nowhere,
    MissingExtraError when a format needs a library that is not installed.
    """
    settings = settings or RawTextSettings()
    own = tally or Tally()
    files = find_inputs(paths, settings.format)
    check_inputs(files, settings)
    for item in read_items(files, settings, own, wanted=wanted_in(files, settings)):
        if isinstance(item, Document):
            yield item
        else:
            yield from page_documents(item, settings, own)
    if tally is None and own.faults:
        raise own.faults[0]


def check_inputs(files: Sequence[InputFile], settings: RawTextSettings) -> None:
    """Raises what reading would raise later: OSError for a file that cannot be opened, MissingExtraError, DataError."""
    codec_of(settings.encoding, "the encoding of raw text")
    for file in files:
        with file.path.open("rb") as stream:
            if compression_of(stream.read(16)) == ".zst":
                zstandard()
        if file.format == "parquet":
            pyarrow_parquet()
        elif file.format == "mediawiki":
            mwparserfromhell()


def wanted_in(files: Sequence[InputFile], settings: RawTextSettings) -> frozenset[int] | None:
    """The categories whose articles are wanted from the dumps among `files`; None when all are.

    Raises ConfigError for a category without a dump, DataError for one that no dump has.
    """
    dumps = [file.path for file in files if file.format == "mediawiki"]
    if settings.category is not None and not dumps:
        raise ConfigError(
            f"there is no dump to look for the category '{settings.category}' in",
            where=", ".join(str(file.path) for file in files[:3]),
            expected="a MediaWiki dump among the inputs",
            hint="leave the category out, or say `--format mediawiki` if the file has another suffix than .xml",
        )
    return wanted_categories(dumps, settings)


def read_items(
    files: Sequence[InputFile], settings: RawTextSettings, tally: Tally, *, wanted: frozenset[int] | None
) -> Iterator[Item]:
    """Documents, and the pages of dumps as they are: taking their mark-up away is work that can be shared out."""
    for file in files:
        try:
            yield from _read_file(file, settings, tally, wanted)
        except DamagedFileError as error:
            tally.faults.append(damage_fault(file.path, error))
        except OSError as error:
            tally.faults.append(
                DataError(
                    f"'{file.path.name}' cannot be read: {error.strerror or error}",
                    where=str(file.path),
                    expected="a readable file",
                    hint="check its permissions and the disk that it lies on",
                )
            )


def _read_file(
    file: InputFile, settings: RawTextSettings, tally: Tally, wanted: frozenset[int] | None
) -> Iterator[Item]:
    match file.format:
        case "text":
            return read_text(file.path, settings, tally)
        case "jsonl":
            return read_json_lines(file.path, settings, tally)
        case "parquet":
            return read_parquet(file.path, settings, tally)
        case "mediawiki":
            return read_dump(file.path, settings, tally, wanted)
        case "corpus":
            return read_built(file.path, settings.max_characters, tally)
        case _:
            assert_never(file.format)
