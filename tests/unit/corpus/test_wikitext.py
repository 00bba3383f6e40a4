"""Mark-up of MediaWiki -> what a reader sees of the running text."""

import time

import pytest

from nerbridge.corpus.wikitext import plain_text

ARTICLE = """{{Short description|Mathematician}}
{{Infobox person
| name = Ada
| born = {{birth date|1815|12|10}}
| known = {{hlist|[[Program]]s|{{nowrap|Notes}}}}
}}
[[File:Ada.jpg|thumb|left|A portrait by [[Margaret Carpenter|Carpenter]] of '''Ada''']]
'''Ada Lovelace''' ({{IPA|en|x}}; 1815&nbsp;– 1852) was an [[England|English]] [[mathematician]].<ref name="a">{{cite
book|title=A [[book]]}}</ref><ref name="a" /> She wrote ''notes''{{citation needed}} on the [[Analytical Engine]]<!-- a
comment
over lines -->.

== Life ==
She knew [http://a.org Babbage] and [[Michael Faraday]]s circle.<br />His <math>a^2 < {{b}}</math> is hers.
* a list
# of things
: indented
{| class="wikitable"
|-
! Head !! Other
|-
| one || {{yes}}
{|
| nested
|}
|}
Her work is <nowiki>[[not a link]]</nowiki> &amp; <b>bold</b>.

=== Notes ===
{{reflist}}
----
__NOTOC__
[[Category:Mathematicians|Lovelace]]
[[de:Ada Lovelace]]
[[Datei:B.png|mini|Ein Bild]]
"""


def test_an_article() -> None:
    assert plain_text(ARTICLE, ("Datei", "Kategorie")).split("\n") == [
        "Ada Lovelace (1815\u00a0– 1852) was an English mathematician. She wrote notes on the Analytical Engine.",
        "She knew Babbage and Michael Faradays circle. His is hers.",
        "Her work is [[not a link]] & bold.",
    ]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("", ""),
        ("Plain.", "Plain."),
        ("a {{b", "a {{b"),
        ("a }} b ]] c |} d", "a }} b ]] c |} d"),
        ("a {{b|{{c}} d", "a {{b| d"),
        ("a {{b|[[c}} d", "a d"),
        ("a {{b|\n{|\n|c}} d", "a d"),
        ("a <!-- b", "a"),
        ("a <ref>b", "a <ref>b"),
        ("a<REF name=x>b</Ref >c", "ac"),
        ("a [[b|c]] [[d#e|]] [[:Category:F|g]]", "a c g"),
        ("a [[File:b.jpg|[[c]]|{{d}}]] e", "a e"),
        ("a [[file:b.jpg]] e", "a e"),
        ("a <gallery>\nb.jpg|c\n</gallery> d", "a d"),
        ("a <pre>{{b}}</pre> c", "a {{b}} c"),
        ("a <syntaxhighlight lang=x>}}</syntaxhighlight> b", "a b"),
        ("#REDIRECT [[a]]", ""),
        ("= not a heading", "= not a heading"),
        ("== a == b", "a b"),
        ("שלום [[עולם|העולם]] {{x}}.", "שלום העולם ."),
        ("'''東京'''は[[日本]]の[[首都]]。", "東京は日本の首都。"),
    ],
)
def test_small_things(markup: str, expected: str) -> None:
    assert plain_text(markup) == expected


HOSTILE = [
    "[[",
    "{{",
    "{{{",
    "<ref>",
    "<ref",
    "'''''a''",
    "{|\n|-\n|",
    "[http://a ",
    "<!--",
    "== a =\n",
    "<!--->",
    "{{a|[[b|{|\n<ref>''",
]
CLOSING = [("{{a|", "}}"), ("[[a|", "]]"), ("{|\n|", "\n|}"), ("[[File:a|", "]]")]


@pytest.mark.parametrize("markup", [piece * 2_000 for piece in HOSTILE] + [a * 2_000 + b * 2_000 for a, b in CLOSING])
def test_hostile_markup_takes_no_time(markup: str) -> None:
    started = time.process_time()
    plain_text(markup)
    assert time.process_time() - started < 20  # parsers alone take minutes


def test_a_long_line_without_end_is_parsed_in_pieces() -> None:
    line = "[[a|b]] word " * 5_000
    assert plain_text(line) == " ".join(["b word"] * 5_000)
