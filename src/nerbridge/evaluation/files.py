"""Writing result files so that a killed process never leaves half of one."""

from pathlib import Path

from nerbridge.data.writing import atomic_writer


def write_text(path: Path, text: str) -> None:
    """Replaces `path` by `text` (UTF-8) in one step; folders are made as needed."""
    with atomic_writer(path) as stream:
        stream.write(text)


def write_bytes(path: Path, content: bytes) -> None:
    """Replaces `path` by `content` in one step; folders are made as needed."""
    with atomic_writer(path) as stream:
        stream.buffer.write(content)
