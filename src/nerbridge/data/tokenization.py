"""Text -> words -> sentences by rules, with offsets, the same for training and use.

Words look like those of CoNLL-2003: punctuation parted, "U.S." whole, "do n't", "Obama 's", hyphenated words whole,
addresses whole. Every code point that is not white space belongs to exactly one word; the text is never altered.
"""

import re
import unicodedata
from functools import lru_cache

# Zero-width characters live inside words: joiners, marks of direction, soft hyphen, byte order mark.
FORMATS = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
TITLES = "Mr|Mrs|Ms|Dr|Prof|St|Gen|Sen|Rep|Gov|Lt|Col|Capt|Cmdr|Sgt|Rev|Hon|Mt|Ft|Messrs|vs|cf|ca|approx"
TRAILING = "Inc|Corp|Ltd|Co|Bros|Jr|Sr|etc|al|est|dept|univ|ed|eds|vol|approx"
NUMBERED = "[Nn]os?|[Ff]igs?|pp?|[Vv]ol|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[Aa]rt|[Ss]ec|[Cc]h"
CLITIC = re.compile(r"(?<=.)(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE | re.DOTALL)

# Order matters: the first alternative that fits takes the text. {unit} is a run of letters, digits, marks.
WORD = r"""
    (?:https?|ftp)://[^\s<>"]*[^\s<>"'’”.,;:!?)\]}}]
  | www\.[^\s<>"]*[^\s<>"'’”.,;:!?)\]}}]
  | [\w.+-]{{0,64}}[\w+]@\w[\w-]*(?:\.\w[\w-]*)+
  | Ph\.D\.
  | (?:[^\W\d_]\.){{2,}}(?:-{unit})*                           # U.S.  e.g.  J.R.R.  U.S.-led
  | (?:{titles})\.(?=\s)
  | (?:{trailing})\.(?=\s+[a-z]|\s*[,;:)])
  | (?:{numbered})\.(?=\s*\d)
  | [A-Z]\.(?=\s+[A-Z])                                        # initials
  | [A-Za-z](?:\+\+|\#)(?!\w)                                  # C++  C#
  | ['’](?i:s|re|ve|ll|d|m|\d\ds?)(?!\w)                        # a clitic on its own, '90s
  | {unit}(?:{joint}{unit})*
  | \.{{2,}} | -{{2,}} | '' | ``
  | [\U0001F1E6-\U0001F1FF]{{2}}                               # flags
  | \S(?:[{marks}\U0001F3FB-\U0001F3FF\U000E0020-\U000E007F]|\u200d[^\w\s])*
"""
JOINT = r"""(?: [-\u2010\u2011]                                # well-known
  | ['’ʼ](?=[^\W\d_])                                          # O'Brien
  | (?<=\d)[.,:/](?=\d)                                        # 3.5  10,000  10:30  1/2
  | \.(?=[a-z0-9]) | (?<=[A-Z])\.(?=[A-Z])                     # node.js  v2.0  U.S.A
  | (?<=[A-Z])&(?=[A-Z])                                       # AT&T
)"""


@lru_cache(maxsize=1)
def _marks() -> str:
    """Every combining mark, as ranges of a character class: a decomposed accent belongs to its letter."""
    ranges: list[list[int]] = []
    for point in (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0)):
        if unicodedata.category(chr(point))[0] != "M":
            continue
        if ranges and ranges[-1][1] == point - 1:
            ranges[-1][1] = point
        else:
            ranges.append([point, point])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


@lru_cache(maxsize=1)
def _word_pattern() -> re.Pattern[str]:
    unit = rf"[\w{FORMATS}{_marks()}]+"
    pattern = WORD.format(unit=unit, joint=JOINT, marks=_marks(), titles=TITLES, trailing=TRAILING, numbered=NUMBERED)
    return re.compile(pattern, re.VERBOSE)


def tokenize(text: str) -> list[tuple[int, int]]:
    """(start, end) of every word of `text`, in code points, end exclusive, in order.

    >>> [text[a:b] for text in ["Obama's award."] for a, b in tokenize(text)]
    ['Obama', "'s", 'award', '.']
    """
    words: list[tuple[int, int]] = []
    for match in _word_pattern().finditer(text):
        start, end = match.span()
        if end - start > 2 and ("'" in match[0] or "’" in match[0]) and "://" not in match[0]:
            clitic = CLITIC.search(match[0])
            if clitic:
                words.append((start, start + clitic.start()))
                start += clitic.start()
        words.append((start, end))
    return words


PARAGRAPH = re.compile(r"\n\s*")
# A sentence ends at . ! ? or an ellipsis, with closing quotes and brackets, before white space and a likely start.
FINAL = re.compile(r"""(?<![.!?…。！？])[.!?…。！？]++["'”’»)\]]*+(?=\s+["'“‘«(\[]*[\w\#@])""")
NEVER_FINAL = re.compile(rf"(?:^|[\s(\[\"“'‘-])(?:{TITLES}|{NUMBERED}|(?:[^\W\d_]\.)*[^\W\d_]|etc|al)\.$")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """(start, end) of every sentence of `text`, in code points, without surrounding white space.

    A line break always ends a sentence; . ! ? end one before white space and what may start a sentence (no lower-case
    letter after a full stop), unless the word is an abbreviation or an initial. In doubt it does not split.

    >>> split_sentences("Dr. Bell wrote. Who knew?")
    [(0, 15), (16, 25)]
    """
    sentences: list[tuple[int, int]] = []
    start = 0
    for stop in [*(match.span() for match in PARAGRAPH.finditer(text)), (len(text), len(text))]:
        _split_paragraph(text, start, stop[0], sentences)
        start = stop[1]
    return sentences


def _split_paragraph(text: str, start: int, end: int, sentences: list[tuple[int, int]]) -> None:
    for match in FINAL.finditer(text, start, end):
        if _is_final(text, start, match):
            _append_trimmed(text, start, match.end(), sentences)
            start = match.end()
    _append_trimmed(text, start, end, sentences)


def _is_final(text: str, start: int, match: re.Match[str]) -> bool:
    following = text[match.end() : match.end() + 40].lstrip().lstrip("\"'“‘«([")
    if "." not in match[0]:
        return not following[:1].islower() or match[0][0] in "。！？"
    if following[:1].islower():
        return False
    before = text[max(start, match.start() - 12) : match.start() + 1]
    return match[0] != "." or not NEVER_FINAL.search(before)


def _append_trimmed(text: str, start: int, end: int, sentences: list[tuple[int, int]]) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        sentences.append((start, end))
