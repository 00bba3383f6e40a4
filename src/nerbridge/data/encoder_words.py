"""Which words an encoder cannot see, and how many pieces a sentence has: asked of its tokenizer alone, no torch."""

import json
from collections.abc import Iterable
from pathlib import Path

from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError

NO_PIECE = "gives no piece"
UNKNOWN = "is only the unknown piece"


class EncoderWords:
    """The tokenizer of an encoder folder (or of `minilm`), asked word by word; every distinct word is asked once.

    limit: the longest input in pieces, special pieces included; None when the encoder does not say.
    Raises DataError when `checkpoint` is no folder with a tokenizer.json, MissingExtraError when minilm is not there.
    """

    def __init__(self, checkpoint: str) -> None:
        from tokenizers import Tokenizer  # a compiled library: wanted here only

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
        self._tokenizer = Tokenizer.from_file(str(file))
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


def _limit(folder: Path) -> int | None:
    """What config.json says; encoders of the RoBERTa family count their positions from behind the padding id."""
    file = folder / "config.json"
    if not file.is_file():
        return None
    config = json.loads(file.read_text(encoding="utf-8"))
    positions = config.get("max_position_embeddings")
    if not isinstance(positions, int) or positions <= 0:
        return None
    shifted = config.get("model_type") in {"roberta", "xlm-roberta", "camembert", "mpnet", "longformer"}
    return positions - (config.get("pad_token_id", 1) + 1 if shifted else 0)
