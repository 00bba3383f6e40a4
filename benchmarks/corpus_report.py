"""The results of corpus_bench.py as Markdown."""

from collections.abc import Mapping, Sequence
from typing import Any


def report(results: Mapping[str, Any]) -> str:
    """One section for each part that was run."""
    sections: dict[str, Any] = {
        "speed": _speed,
        "domains": _domains,
        "repetitions": _repetitions,
        "dump": _dump,
        "line": _line,
    }
    parts = [
        "# Reading raw text into built corpora",
        "Written by `benchmarks/corpus_bench.py`. Every build is a process of its own with `--jobs 1`; core seconds "
        "are those of the whole process, from the start of Python to the manifest. Words are those of tagging: "
        "punctuation counts. Memory is the peak of the process; 256 MB of it are the duplicate filter, always.",
    ]
    parts += [section(results[name]) for name, section in sections.items() if name in results]
    about = [f"- {key}: {value}" for key, value in results.get("machine", {}).items()]
    loads = [f"- load when {part} began: {load}" for part, load in results.get("load_average", {}).items()]
    return "\n\n".join([*parts, "\n".join([*about, *loads])]) + "\n"


def _speed(rows: Mapping[str, Any]) -> str:
    return _section(
        "Speed",
        "One text (music, English Wikipedia 2014) with all filters and `--guard crossner/music`.",
        ["input", "words read", "core seconds", "words per core second", "peak MB"],
        [[name, row["counts"]["read"]["words"], *_cost(row)] for name, row in rows.items()],
    )


def _domains(rows: Mapping[str, Any]) -> str:
    table = []
    for name, row in rows.items():
        counts = row["counts"]
        dropped = ", ".join(f"{reason} {size['paragraphs']:,}" for reason, size in counts["dropped"].items())
        kept = [counts["kept"][unit] for unit in ("paragraphs", "sentences", "words")]
        table.append([name, row["guard"], *row["stated"].values(), counts["read"]["paragraphs"], *kept, dropped])
    first = _section(
        "Corpora by domain",
        "Stated: SOURCES.md, tokens parted by white space. Read and kept: this program, words as tagging sees them. "
        "The corpora were freed from exact repetitions and from what dev and test hold before.",
        [
            "domain",
            "guard",
            "stated paragraphs",
            "stated tokens",
            "read",
            "kept paragraphs",
            "sentences",
            "words",
            "dropped",
        ],
        table,
    )
    second = _table(
        ["domain", "core seconds", "words per core second", "peak MB"], [[n, *_cost(r)] for n, r in rows.items()]
    )
    return f"{first}\n\n{second}"


def _repetitions(result: Mapping[str, Any]) -> str:
    return _section(
        "Near-duplicates by similarity",
        f"{result['originals']:,} real paragraphs (politics), copies with 1 to 20 % of their words changed; similarity "
        "is the share of word pairs in common (Jaccard), from the number given up to the next; the filter is set to "
        f"{result['threshold']}. Of the paragraphs themselves, {result['repeated_originals']} repeat an earlier one.",
        ["similarity from", "copies", "found"],
        [[row["similarity"], row["paragraphs"], row["recall"]] for row in result["rows"]],
    )


def _dump(rows: Mapping[str, Any]) -> str:
    table = []
    for row in rows.values():
        truth, counts = row["truth"], row["counts"]
        depths = [str(depth) for depth in range(row["depth"] + 1)]
        dropped = {reason: size["documents"] for reason, size in counts["dropped"].items()}
        near = counts["dropped"]["near_duplicate"]["paragraphs"]
        exact = counts["dropped"]["exact_duplicate"]["paragraphs"]
        name_of_paragraphs = f"paragraphs of articles down to depth {row['depth']}"
        inside = sum(truth["articles"][depth] for depth in depths)
        table += [
            ["bytes of XML", truth["bytes"], ""],
            ["pages", truth["pages"], counts["read"]["documents"]],
            ["redirects", truth["redirects"], dropped["redirect"]],
            ["pages in other namespaces", truth["other_namespaces"], dropped["not_article"]],
            ["articles outside the category", sum(truth["articles"].values()) - inside, dropped["other_category"]],
            [name_of_paragraphs, sum(truth["paragraphs"][d] for d in depths), counts["read"]["paragraphs"]],
            ["exact repetitions planted in them", truth["planted_exact"], exact],
            ["near-duplicates planted in them", truth["planted_near"], near],
            ["near-duplicates that were kept", "", row["near_missed"]],
            ["words read", "", counts["read"]["words"]],
            ["core seconds, both passes", "", row["core_seconds"]],
            ["MB of XML per core second, both passes", "", round(2 * truth["bytes"] / row["core_seconds"] / 1e6, 1)],
            ["words of the category per core second", "", row["words_per_core_second"]],
            ["peak MB", "", row["peak_megabytes"]],
            ["", "", ""],
        ]
    return _section(
        "A generated dump, and one of a tenth of it",
        "MediaWiki XML, bzip2 in many streams, read twice: for the category links, then for the articles.",
        ["what", "in the dump", "by this program"],
        table[:-1],
    )


def _line(row: Mapping[str, Any]) -> str:
    return _section(
        "One line of a gigabyte",
        "30 MB of sentences, then words of 100,000 characters. The line is cut into documents of at most a "
        "million characters; those with such words are left out.",
        ["documents", "words read", "core seconds", "words per core second", "peak MB"],
        [[row["counts"]["read"]["documents"], row["counts"]["read"]["words"], *_cost(row)]],
    )


def _cost(row: Mapping[str, Any]) -> list[object]:
    return [row["core_seconds"], row["words_per_core_second"], row["peak_megabytes"]]


def _section(title: str, text: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return f"## {title}\n\n{text}\n\n{_table(columns, rows)}"


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines: list[Sequence[object]] = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
