"""nerbridge: move a named-entity tagger into a new domain."""

__version__ = "0.1.0"
