"""Tags of lines that were cut at the wrong places, such as '10;.;O': they hold fields of other columns."""

import re
from collections import Counter
from collections.abc import Iterable

from nerbridge.data.format_options import with_options
from nerbridge.data.separators import MARKS, QUOTING

UNCUT = re.compile(r"""(?:.*([,;])|.*\|.*(\|))\s*["']?(?:O|[BIESLUM][-_].+)["']?""")


def uncut_tags(tags: Iterable[str]) -> set[str]:
    """Those of `tags` that end in a separator and a tag."""
    return {tag for tag in tags if UNCUT.fullmatch(tag)}


def cutting_hint(tags: Iterable[str]) -> str:
    """What to do about uncut `tags`."""
    (mark, _), *_ = Counter(match[1] or match[2] for tag in tags if (match := UNCUT.fullmatch(tag))).most_common()
    named = next((separator for separator in QUOTING if MARKS[separator] == mark), None)
    if named is None:
        return "put TABs or spaces between columns"
    return f"count the columns anew, and read {with_options(f'separator={named}')}"
