"""Which words an encoder cannot see, and how many pieces a sentence has: asked of its tokenizer alone, no torch."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

NO_PIECE = "gives no piece"
UNKNOWN = "is only the unknown piece"


class EncoderWords:
    """The tokenizer of an encoder folder (or of `minilm`), asked word by word; every distinct word is asked once.

    limit: the longest input in pieces, special pieces included; None when the encoder does not say.
    Raises DataError when `checkpoint` is no folder with a sound tokenizer.json, MissingExtraError when minilm is not
    there.
    """

    def __init__(self, checkpoint: str) -> None:
        folder = Path(resolve_checkpoint(checkpoint))
        file = folder / "tokenizer.json"
        if not file.is_file():
            raise DataError(
                f"'{checkpoint}' is no encoder folder with a fast tokenizer",
                where=str(file),
                expected="'minilm', or a folder that holds tokenizer.json and config.json",
                hint="give the folder of a downloaded encoder; this command downloads nothing",
            )
        self.name = checkpoint
        self.limit = _limit(folder)
        self._tokenizer = _load(file)
        self._tokenizer.no_truncation()  # packaged tokenizers cut sentences silently
        self._tokenizer.no_padding()
        self._num_special = self._tokenizer.num_special_tokens_to_add(False)
        self._unknown = getattr(self._tokenizer.model, "unk_token", None)
        self._pieces: dict[str, list[str]] = {}

    def prepare(self, words: Iterable[str]) -> None:
        """Tokenize all `words` at once, which is much faster than one by one."""
        new = sorted({word for word in words if word not in self._pieces})
        encodings = self._tokenizer.encode_batch(
            [[word] for word in new], is_pretokenized=True, add_special_tokens=False
        )
        self._pieces.update((word, encoding.tokens) for word, encoding in zip(new, encodings, strict=True))

    def blindness(self, word: str) -> str | None:
        """Why the encoder cannot see `word`, or None when it can."""
        pieces = self._of(word)
        if not pieces:
            return NO_PIECE
        return UNKNOWN if all(piece == self._unknown for piece in pieces) else None

    def num_pieces(self, sentence: Sentence) -> int:
        """The pieces of a sentence, special pieces included."""
        return sum(len(self._of(word)) for word in sentence.words) + self._num_special

    def _of(self, word: str) -> list[str]:
        if word not in self._pieces:
            self.prepare([word])
        return self._pieces[word]


def _load(file: Path) -> "Tokenizer":
    from tokenizers import Tokenizer  # a compiled library: wanted here only

    try:
        return Tokenizer.from_file(str(file))
    except Exception as error:
        if type(error) is not Exception:  # tokenizers raises just that
            raise
        raise _damaged(file, str(error)) from error


def _damaged(file: Path, reason: str) -> DataError:
    return DataError(
        f"{file.name} of the encoder is damaged: {reason}",
        where=str(file),
        expected="the file as the encoder was published with it",
        hint="fetch the encoder's folder again, or leave the encoder out: --encoder none",
    )


def _limit(folder: Path) -> int | None:
    """What config.json says; encoders of the RoBERTa family count their positions from behind the padding id."""
    file = folder / "config.json"
    if not file.is_file():
        return None
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
        positions, padding = config.get("max_position_embeddings"), config.get("pad_token_id")
    except (ValueError, RecursionError, AttributeError) as error:
        raise _damaged(file, str(error)) from error
    if not isinstance(positions, int) or positions <= 0:
        return None
    shifted = config.get("model_type") in ("roberta", "xlm-roberta", "camembert", "mpnet", "longformer")
    return positions - ((padding if isinstance(padding, int) else 1) + 1 if shifted else 0)
