"""Tagged items -> one HTML page that needs no other file: entities highlighted, one colour per label, a legend."""

import html
from collections.abc import Sequence

from nerbridge.inference.document import Entity, TaggedSentence
from nerbridge.inference.items import Item

STYLE = """
body { font: 16px/1.7 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1a1a1a; }
article { white-space: pre-wrap; overflow-wrap: anywhere; border-bottom: 1px solid #ddd; padding: .6rem 0; }
mark { border-radius: .25rem; padding: .1rem .25rem; color: inherit; }
mark small { font-size: .7em; font-weight: 600; margin-left: .35em; opacity: .75; }
header mark { margin-right: .6rem; white-space: nowrap; }
""".strip()


class HtmlPage:
    """A page of all items. labels: what the model can find; each gets a colour and a place in the legend."""

    def __init__(self, labels: Sequence[str], title: str) -> None:
        self._labels = sorted(labels)
        self._classes = {label: f"label-{number}" for number, label in enumerate(self._labels)}
        self._title = title

    def begin(self) -> str:
        colours = "\n".join(
            f".{self._classes[label]} {{ background: {_colour(number, len(self._labels))}; }}"
            for number, label in enumerate(self._labels)
        )
        legend = "\n".join(f'<mark class="{self._classes[label]}">{_escape(label)}</mark>' for label in self._labels)
        title = _escape(self._title)
        return (
            f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f"<style>\n{STYLE}\n{colours}\n</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n{legend}\n</header>\n"
        )

    def item(self, item: Item, sentences: Sequence[TaggedSentence]) -> str:
        text, entities = _text_and_entities(item, sentences)
        parts, before = [], 0
        for entity in entities:
            parts += [_escape(text[before : entity.start]), self._mark(entity)]
            before = entity.end
        return f"<article>{''.join(parts)}{_escape(text[before:])}</article>\n"

    def end(self) -> str:
        return "</body>\n</html>\n"

    def notes(self) -> Sequence[str]:
        return []

    def _mark(self, entity: Entity) -> str:
        style, label = self._classes.get(entity.label, ""), _escape(entity.label)
        hint = f"{label}, score {entity.score:.2f}"
        return f'<mark class="{style}" title="{hint}">{_escape(entity.text)}<small>{label}</small></mark>'


def _text_and_entities(item: Item, sentences: Sequence[TaggedSentence]) -> tuple[str, Sequence[Entity]]:
    """The item's text, or its words joined by spaces, with the entities as ranges of it."""
    if item.text is not None:
        return item.text, [entity for sentence in sentences for entity in sentence.entities(item.text)]
    parts, entities, start = [], [], 0
    for sentence in sentences:
        offsets = []
        for word in sentence.words:
            offsets.append((start, start + len(word)))
            parts.append(word)
            start += len(word) + 1
        placed = TaggedSentence(sentence.words, sentence.spans, sentence.scores, tuple(offsets))
        entities.append(placed)
    text = " ".join(parts)
    return text, [entity for sentence in entities for entity in sentence.entities(text)]


def _colour(number: int, count: int) -> str:
    """Hues evenly round the circle; two strengths, so that neighbours differ where labels are many."""
    return f"hsl({round(360 * number / max(count, 1))} {85 if number % 2 else 65}% {82 if number % 2 else 88}%)"


def _escape(text: str) -> str:
    """`text` for HTML; control characters, which HTML cannot hold, are shown by their pictures (␀)."""
    shown = "".join(chr(0x2400 + ord(c)) if c < " " and c not in "\t\r\n" else c for c in text)
    return html.escape(shown)
