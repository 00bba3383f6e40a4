"""One triple a line, as DBpedia writes N-Triples and Turtle."""

import re
from dataclasses import dataclass, field

_TERM = r"<([^<>\s]*)>|([\w.-]*:[^\s<>\"]*|a)"
_TRIPLE = re.compile(
    rf"\s*(?:{_TERM})\s+(?:{_TERM})\s+(?:{_TERM}|\"((?:[^\"\\]|\\.)*)\"(?:@([\w-]+)|\^\^\S+)?)\s*\.\s*$"
)
_PREFIX = re.compile(r"\s*@?prefix\s+([\w.-]*):\s*<([^<>\s]*)>\s*\.?\s*$", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_LETTERS = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}

TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


@dataclass(frozen=True, slots=True)
class Triple:
    """Addresses of subject and predicate; `value` is an address, or a text with its `language` ('' for none)."""

    subject: str
    predicate: str
    value: str
    language: str | None = None


@dataclass(slots=True)
class TripleParser:
    """Parses lines; remembers the prefixes that earlier lines have declared."""

    prefixes: dict[str, str] = field(default_factory=dict)

    def parse(self, line: str) -> Triple | None:
        """The triple of a line; None for anything else."""
        found = _TRIPLE.match(line)
        if not found:
            return None
        s, s_short, p, p_short, o, o_short, text, language = found.groups()
        subject, predicate = (self._address(full, short) for full, short in ((s, s_short), (p, p_short)))
        if text is not None:
            return Triple(subject, predicate, unescaped(text), language or "")
        return Triple(subject, predicate, self._address(o, o_short))

    def is_quiet(self, line: str) -> bool:
        """Is the line blank, a comment or a directive? Prefixes that it declares are remembered."""
        if found := _PREFIX.match(line):
            self.prefixes[found[1]] = found[2]
            return True
        text = line.strip()
        return not text or text[0] == "#" or text[:5].lower() in ("@base", "base ")

    def _address(self, full: str | None, short: str | None) -> str:
        if full is not None:
            return unescaped(full)
        assert short is not None
        if short == "a":
            return TYPE
        prefix, _, local = short.partition(":")
        return self.prefixes.get(prefix, f"{prefix}:") + local


def unescaped(text: str) -> str:
    r"""`text` with \", \n, \u00e9 and the like as the characters that they stand for."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    short, long, letter = escape.groups()
    if letter is not None:
        return _LETTERS.get(letter, str(letter))
    point = int(short or long, 16)
    return chr(point) if point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF else "\ufffd"
