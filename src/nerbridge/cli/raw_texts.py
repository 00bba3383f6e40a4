"""Domains of raw text: built corpora and files of text, given as NAME=PATH."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nerbridge.cli.console import console
from nerbridge.errors import ConfigError
from nerbridge.wording import counted


@dataclass(frozen=True)
class RawText:
    """A built corpus, or raw text: a file, a folder or a pattern."""

    path: str

    def words(self, encoding: str, field: str = "text") -> Iterator[str]:
        """All words: as the corpus has them, or cut as texts are cut for tagging; a long line is never held as a whole.

        field: where JSON lines and Parquet have the text.
        Raises DataError for paths without text.
        """
        if not (Path(self.path) / "manifest.json").is_file():
            return _words_of(self.path, encoding, field)
        from nerbridge.corpus.folder import CorpusFolder

        documents = CorpusFolder(self.path).documents()
        return (word for document in documents for sentence in document for word in sentence)


def raw_texts(pairs: Sequence[str], taken: Sequence[str]) -> dict[str, RawText]:
    """Name -> text of every `--raw`. Raises ConfigError when a name is given twice, or is `taken` by another domain."""
    texts: dict[str, RawText] = {}
    for pair in pairs:
        name, text = _raw_text(pair)
        if name in texts or name in taken:
            raise ConfigError(
                f"two domains are called '{name}'",
                where="--raw",
                expected="a name of its own for every domain",
                hint="change the part before the first '='",
            )
        texts[name] = text
    return texts


def _raw_text(pair: str) -> tuple[str, RawText]:
    name, _, path = pair.partition("=")
    if not name or not path:
        raise ConfigError(
            f"'{pair}' names no raw text",
            where="--raw",
            expected="NAME=PATH, the path of a built corpus, of a text file or of a folder that holds some",
            hint="--raw ai=corpora/ai",
        )
    return name, RawText(path)


def _words_of(path: str, encoding: str, field: str) -> Iterator[str]:
    """The words of raw text; what is left out is counted on stderr. Raises DataError where a fault leaves none."""
    from nerbridge.config.corpus import RawTextSettings
    from nerbridge.corpus.reading import read_documents
    from nerbridge.corpus.tally import REASONS, Tally
    from nerbridge.corpus.text_lines import UNREADABLE
    from nerbridge.data.tokenization import tokenize

    tally, read, unreadable = Tally(), 0, 0
    for document in read_documents([path], RawTextSettings(encoding=encoding, field=field), tally=tally):
        for text in document.text.split("\n"):
            read += 1
            if UNREADABLE in text:
                unreadable += 1
            else:
                yield from (text[start:end] for start, end in tokenize(text))
    if tally.faults and not read:
        raise tally.faults[0]
    for fault in tally.faults:
        console.warning(str(fault))
    for reason, size in tally.dropped.items():
        console.note(f"{path}: left out: {REASONS[reason]} ({size.documents:,})")
    if unreadable:
        console.warning(f"{path}: {counted(unreadable, 'paragraph')} left out, not {encoding}; see --encoding")
