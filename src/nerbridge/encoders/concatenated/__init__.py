"""Several encoders side by side, behind one vectorizer."""

from nerbridge.encoders.concatenated.encoder import ConcatenatedEncoder
from nerbridge.encoders.concatenated.files import part_folder

__all__ = ["ConcatenatedEncoder", "part_folder"]
