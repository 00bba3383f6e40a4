"""Pre-trained transformers as encoders of words."""

from nerbridge.encoders.transformer.build import build_transformer
from nerbridge.encoders.transformer.encoder import TransformerEncoder

__all__ = ["TransformerEncoder", "build_transformer"]
