"""The levels of every domain's corpus, beside tables 1 and 3 of CrossNER.

    python benchmarks/corpus_levels_bench.py WORK [--domains ai,music] [--jobs 1]

Builds the corpora beside the checkout into WORK/DOMAIN/built, without text that CrossNER's dev and test sets of the
domain hold too, and their levels, by the lists beside the checkout, into WORK/DOMAIN/levels. What is there already is
taken as it is. A page goes to benchmarks/results/corpus-levels.md.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from nerbridge.config.corpus import CorpusSettings
from nerbridge.config.gazetteer import GazetteerSettings, SelectionSettings
from nerbridge.corpus.building import build_corpus
from nerbridge.corpus.evaluation_sets import guard_of
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.gazetteer_files import read_gazetteer
from nerbridge.corpus.selection import select_levels, survey_levels
from nerbridge.corpus.selection_labels import SOURCE_LABELS, specialised_labels
from nerbridge.corpus.selection_request import SelectionRequest
from nerbridge.data.registry import find_card

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
PAGE = Path(__file__).parent / "results" / "corpus-levels.md"
DOMAINS = ("politics", "science", "music", "literature", "ai")
NEWS = ("tech", "newswire")  # without labels and lists of their own
HEADINGS = (
    "Levels (table 3)",
    "Levels when names match only as the lists write them (`--case exact`)",
    "Domains without lists: names of the entity dictionary",
)
LEVELS = ("domain", "entity", "task", "integrated")
# Table 1: paragraphs, sentences, tokens. Table 3: tokens of the levels and their ratio to the domain level.
PAPER_SIZES = {
    "politics": "2.76M / 9.07M / 176.56M",
    "science": "1.72M / 5.32M / 98.50M",
    "music": "3.49M / 9.82M / 194.62M",
    "literature": "2.69M / 9.17M / 177.33M",
    "ai": "97.04K / 287.62K / 5.20M",
}
PAPER_LEVELS = {
    "politics": ("177M (1x)", "67M (0.37x)", "16M (0.09x)", "99M (0.56x)"),
    "science": ("99M (1x)", "36M (0.36x)", "3.9M (0.04x)", "44M (0.44x)"),
    "music": ("195M (1x)", "96M (0.49x)", "26M (0.13x)", "148M (0.76x)"),
    "literature": ("177M (1x)", "87M (0.49x)", "14M (0.08x)", "115M (0.65x)"),
    "ai": ("5.2M (1x)", "2.7M (0.52x)", "0.2M (0.04x)", "3.1M (0.60x)"),
}


def build(domain: str, folder: Path, jobs: int) -> CorpusFolder:
    """The built corpus of a domain."""
    settings = CorpusSettings()
    held_out = {"tech": "cbs_scitech", "newswire": "conll2003"}.get(domain, f"crossner/{domain}")
    guard = guard_of([held_out], DATA / "ner", settings.filters)
    return build_corpus([str(DATA / "corpora" / domain)], folder, settings, guard=guard, jobs=jobs)


def request(domain: str, corpus: CorpusFolder, **names: Any) -> SelectionRequest:
    """What is looked for in a domain's corpus; names: settings of the lists."""
    settings = GazetteerSettings(**names)
    labels = find_card(f"crossner/{domain}").labels.names
    selection = SelectionSettings()
    gazetteer = read_gazetteer([DATA / "gazetteers" / domain], settings)
    specialised = specialised_labels(labels, SOURCE_LABELS, selection.general)
    return SelectionRequest(corpus, gazetteer, specialised, settings, selection)


def sizes_table(built: dict[str, CorpusFolder]) -> list[str]:
    """Table 1: our corpora and the paper's."""
    lines = [
        "| domain | paragraphs | sentences | tokens | paper: paragraphs / sentences / tokens |",
        "|---|---|---|---|---|",
    ]
    for domain, corpus in built.items():
        paragraphs = corpus.manifest["counts"]["kept"]["paragraphs"]
        sizes = f"{paragraphs:,} | {corpus.num_sentences:,} | {corpus.num_words:,}"
        lines.append(f"| {domain} | {sizes} | {PAPER_SIZES.get(domain, '-')} |")
    return lines


def levels_table(records: dict[str, dict[str, Any]], *, paper: bool) -> list[str]:
    """Table 3: tokens of each level, and their ratio to the domain level."""
    lines = ["| domain | domain level | entity level | task level | integrated |", "|---|---|---|---|---|"]
    for domain, record in records.items():
        rows = [record["levels"][level] for level in LEVELS]
        cells = [f"{row['words'] / 1e6:.2f}M ({row['ratio']:.2f}x)" for row in rows]
        lines.append(f"| {domain} | {' | '.join(cells)} |")
        if paper:
            lines.append(f"| *{domain}, paper* | {' | '.join(PAPER_LEVELS[domain])} |")
    return lines


def labels_table(domain: str, record: dict[str, Any]) -> list[str]:
    """Names and matches by label, with the most frequent ones."""
    lines = [f"### {domain}", "", "| label | task level | names | matches | most frequent |", "|---|---|---|---|---|"]
    for label, matches in record["matches_by_label"].items():
        frequent = ", ".join(f"{name} {count:,}" for name, count in list(record["frequent"][label].items())[:6])
        own = "yes" if label in record["specialised"] else ""
        names = record["gazetteer"]["names"].get(label, 0)
        lines.append(f"| {label} | {own} | {names:,} | {matches:,} | {frequent.replace('|', '')} |")
    left = record["gazetteer"]["prepared"]["left_out"]
    nouns = ", ".join(record["gazetteer"]["labels_of_nouns"]) or "none"
    return [*lines, "", f"Left out before the search: {left or 'nothing'}. Labels of nouns: {nouns}.", ""]


INTRODUCTION = """\
# Corpus levels of CrossNER's domains

Written by `benchmarks/corpus_levels_bench.py`: corpora and lists of names beside the checkout, at least two names for
the entity level, the domain's own labels for the task level, two copies of it in the integrated level. The paper's
corpora are whole categories of Wikipedia and its names are DBpedia's; ours are smaller corpora and other lists, so only
the ratios compare. Ours have larger task levels, for lists of instruments, genres, compounds, metrics and tasks
hold nouns that text is full of, and smaller entity levels, for they know far fewer names.
"""


def page(built: dict[str, CorpusFolder], found: dict[str, dict[str, Any]], seconds: float) -> str:
    """Everything as Markdown; found: heading of a table of levels -> domain -> record."""
    lines = [INTRODUCTION, "## Sizes (table 1)", "", *sizes_table(built), ""]
    for number, (heading, records) in enumerate(found.items()):
        lines += [f"## {heading}", "", *levels_table(records, paper=not number), ""]
    lines += ["## Names found", ""]
    for domain, record in next(iter(found.values())).items():
        lines += labels_table(domain, record)
    return "\n".join([*lines, f"Names read, sentences chosen, levels written: {seconds:.0f} core seconds.", ""])


def news_request(corpus: CorpusFolder) -> SelectionRequest:
    """Text of a domain without lists of its own: the entity dictionary of Jia and Zhang, entity level alone."""
    gazetteer = read_gazetteer([DATA / "ner" / "entity_dictionary"])
    return SelectionRequest(corpus, gazetteer, (), selection=SelectionSettings(levels=("entity",)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--domains", default=",".join((*DOMAINS, *NEWS)))
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    built: dict[str, CorpusFolder] = {}
    found: dict[str, dict[str, Any]] = {heading: {} for heading in HEADINGS}
    seconds = 0.0
    for domain in arguments.domains.split(","):
        folder = arguments.work / domain
        built[domain] = corpus = build(domain, folder / "built", arguments.jobs)
        smart, exact, news = (found[heading] for heading in HEADINGS)
        started = time.process_time()
        if domain in NEWS:
            news[domain] = select_levels(news_request(corpus), folder / "levels", jobs=arguments.jobs)
        else:
            smart[domain] = select_levels(request(domain, corpus), folder / "levels", jobs=arguments.jobs)
            exact[domain] = survey_levels(request(domain, corpus, case="exact"), jobs=arguments.jobs)
        seconds += time.process_time() - started
        print(domain, corpus.num_words, flush=True)
    PAGE.write_text(page(built, found, seconds), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
