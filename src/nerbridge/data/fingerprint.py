"""Checksums that say which data a score belongs to: several files circulate under one name."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from nerbridge.data.sentence import Annotation, Sentence


def fingerprint(sentences: Iterable[Sentence]) -> str:
    """SHA-256 (64 hexadecimal digits) over words, spans and what is known, in order.

    The same for every file format and tag scheme that says the same; domain, text and origin do not count.
    """
    digest = hashlib.sha256()
    for sentence in sentences:
        words = [str(len(sentence.words)), *sentence.words, ""]
        digest.update("\0".join(words).encode("utf-8", "surrogatepass"))
        for span in sentence.spans:
            digest.update(f"{span.start}:{span.end}:{span.label}".encode("utf-8", "surrogatepass") + b"\0")
        if sentence.annotation is not Annotation.COMPLETE:
            known = "".join("01"[flag] for flag in sentence.known or ())
            digest.update(f"{sentence.annotation}{known}\0".encode())
        digest.update(b"\n\0")
    return digest.hexdigest()


def file_sha256(path: str | Path) -> str:
    """SHA-256 of a file's bytes (64 hexadecimal digits). Raises OSError when it cannot be read."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
