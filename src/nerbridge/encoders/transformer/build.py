"""Settings -> transformer encoder."""

from pathlib import Path
from typing import Any

from torch import nn

from nerbridge.config.encoder import TransformerSettings
from nerbridge.encoders.transformer.encoder import TransformerEncoder
from nerbridge.encoders.transformer.linear import use_one_dnn
from nerbridge.encoders.transformer.loading import load_architecture, load_pretrained
from nerbridge.encoders.transformer.loading_checks import check_highest_piece
from nerbridge.encoders.transformer.pieces import word_tokenizer
from nerbridge.encoders.transformer.recording import is_recorded
from nerbridge.encoders.transformer.vectorizer import SpecialPieces, TransformerVectorizer
from nerbridge.errors import ConfigError

DEFAULT_PIECES = 512  # window length of encoders that name no limit of their own


def build_transformer(settings: TransformerSettings, *, folder: Path | None = None) -> TransformerEncoder:
    """The encoder that `settings` ask for, with pre-trained weights.

    folder: one that `save_architecture` wrote: the encoder is then made from it, with random weights to be overwritten.
    Raises ConfigError when the checkpoint cannot be used (see `load_pretrained`) or `max_pieces` is beyond its limit.
    """
    model, tokenizer = load_pretrained(settings) if folder is None else load_architecture(folder)
    return assemble(model, tokenizer, settings)


def assemble(model: nn.Module, tokenizer: Any, settings: TransformerSettings) -> TransformerEncoder:
    """An encoder of a model and its fast tokenizer.

    Raises ConfigError when `max_pieces` is beyond their limit, or a special piece is unknown to the model.
    """
    limit = piece_limit(model, tokenizer)
    if settings.max_pieces is not None and limit is not None and settings.max_pieces > limit:
        raise ConfigError(
            f"max_pieces = {settings.max_pieces} is more than encoder '{settings.checkpoint}' can read",
            where="encoder.max_pieces",
            expected=f"at most {limit}",
            hint="leave it out: longer sentences are read in overlapping windows",
        )
    words = word_tokenizer(tokenizer.backend_tokenizer.to_str())
    special = special_pieces(tokenizer)
    highest = max(*special.before, *special.after, special.padding, special.unknown)
    check_highest_piece(highest, model, settings.checkpoint)
    vectorizer = TransformerVectorizer(
        words,
        special,
        max_pieces=settings.max_pieces or limit or DEFAULT_PIECES,
        overlap=settings.window_overlap,
    )
    use_one_dnn(model)
    record = is_recorded(model, settings.record)
    return TransformerEncoder(
        model, tokenizer, vectorizer, pooling=settings.pooling, freeze=settings.freeze, record=record
    )


def piece_limit(model: nn.Module, tokenizer: Any) -> int | None:
    """The longest row that the model has positions for and the tokenizer declares; None when neither says."""
    limits = [limit for limit in (tokenizer.model_max_length, _positions(model)) if limit is not None and limit < 10**9]
    return min(limits, default=None)


def _positions(model: nn.Module) -> int | None:
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and isinstance(module, nn.Embedding):
            # RoBERTa and its kin count positions from behind the padding id.
            reserved = 0 if module.padding_idx is None else module.padding_idx + 1
            return module.num_embeddings - reserved
    config: Any = model.config
    declared = getattr(config, "max_position_embeddings", None)
    return int(declared) if declared and declared > 0 else None


def special_pieces(tokenizer: Any) -> SpecialPieces:
    """The special pieces of a fast tokenizer, found by looking at what it adds around a word."""
    encoding = tokenizer.backend_tokenizer.encode(["a"], is_pretokenized=True, add_special_tokens=True)
    padded = zip(encoding.ids, encoding.attention_mask, encoding.special_tokens_mask, strict=True)
    row = [(piece, bool(special)) for piece, attended, special in padded if attended]
    content = [position for position, (_, special) in enumerate(row) if not special]
    first, last = (content[0], content[-1]) if content else (1, 0)
    unknown = next(i for i in (tokenizer.unk_token_id, tokenizer.mask_token_id, row[0][0]) if i is not None)
    return SpecialPieces(
        before=tuple(piece for piece, _ in row[:first]),
        after=tuple(piece for piece, _ in row[last + 1 :]),
        padding=tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0,
        unknown=unknown,
    )
