"""Domains of raw text: built corpora and files of text, given as NAME=PATH."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nerbridge.errors import ConfigError


@dataclass(frozen=True)
class RawText:
    """A built corpus, or files of text."""

    corpus: Path | None
    files: Sequence[Path]

    def words(self, encoding: str) -> Iterator[str]:
        """All words: as the corpus has them, or cut as texts are cut for tagging."""
        if self.corpus is None:
            return _words_of(self.files, encoding)
        from nerbridge.corpus.folder import CorpusFolder

        documents = CorpusFolder(self.corpus).documents()
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
    folder = Path(path)
    if name and (folder / "manifest.json").is_file():
        return name, RawText(folder, ())
    files = sorted([*folder.rglob("*.txt"), *folder.rglob("*.txt.gz")]) if folder.is_dir() else [folder]
    if not name or not path or not files:
        raise ConfigError(
            f"'{pair}' names no raw text",
            where="--raw",
            expected="NAME=PATH, the path of a built corpus, of a text file or of a folder that holds some",
            hint="--raw ai=corpora/ai",
        )
    return name, RawText(None, files)


def _words_of(files: Sequence[Path], encoding: str) -> Iterator[str]:
    """The words of text files, cut as texts are cut for tagging."""
    from nerbridge.data.lines import TextFile
    from nerbridge.data.tokenization import tokenize
    from nerbridge.errors import DataError, FileFaults

    faults: list[DataError] = []
    for file in files:
        for _, line in TextFile(file, encoding).lines(faults):
            yield from (line[start:end] for start, end in tokenize(line))
    if faults:
        raise FileFaults(faults)
