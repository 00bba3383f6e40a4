"""Settings of the user's own labelled files."""

from pathlib import Path
from unicodedata import combining, normalize

from pydantic import Field

from nerbridge.config.base import OptionalFile, OptionalText, Settings
from nerbridge.config.reading import ReadSettings

SPLITS = frozenset({"train", "dev", "test"})
LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"})


class FilesSettings(Settings):
    """Labelled files of the user's own; `domain` names them in reports and heads."""

    train: OptionalFile = Field(None, description="file of the sentences to learn from")
    dev: OptionalFile = Field(None, description="file of the sentences that models are selected on")
    test: OptionalFile = Field(None, description="file of the sentences that are scored at the end")
    domain: OptionalText = Field(
        None,
        min_length=1,
        description="name of the domain in heads and reports; default: the file's, or the folder's of a train.txt",
    )
    read: ReadSettings = Field(ReadSettings(), description="how the files are read")

    @property
    def name(self) -> str:
        """The domain as given, else after the first file that there is."""
        return self.domain or domain_of(self.train or self.dev or self.test or "")


def domain_of(path: str) -> str:
    """A short name for reports and heads: 'data/chess.jsonl' and 'chess/train.txt' -> 'chess'; 'target' for ''.

    Only letters and digits of ASCII, '-' and '_' stay, so that the name can be that of a folder too; letters with marks
    lose them ('Läufe' -> 'Laufe').
    """
    stem = Path(path).name.split(".")[0]
    name = Path(path).resolve().parent.name if stem in SPLITS else stem
    name = "".join(c for c in normalize("NFKD", name.translate(LETTERS)) if not combining(c))
    return "".join(c if (c.isascii() and c.isalnum()) or c in "-_" else "-" for c in name).strip("-") or "target"
