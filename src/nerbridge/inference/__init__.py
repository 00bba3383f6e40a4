"""THE USER'S ROOM: a pipeline over text; never imports training."""

from nerbridge.inference.document import Document, Entity, TaggedSentence
from nerbridge.inference.loading import load
from nerbridge.inference.pipeline import Pipeline

__all__ = ["Document", "Entity", "Pipeline", "TaggedSentence", "load"]
