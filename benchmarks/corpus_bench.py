"""Reading raw text into built corpora: speed, memory, repetitions, a large dump, the corpora of every domain.

    python benchmarks/corpus_bench.py --corpora FOLDER --data-root FOLDER [--part speed domains repetitions dump line]

FOLDER of corpora: a folder of .txt.gz files for each domain, and SOURCES.md with their counts. Every build is a
process of its own (`nerbridge corpus build --jobs 1`), whose core seconds and peak memory the system counts. The dump
is made here from a seed (`corpus_dump.py`): `--dump-bytes`, by default 1.05 GB, and a tenth of it to compare the
memory. Results go to stdout and to benchmarks/results/corpus.{md,json}; parts that are not run keep their earlier
results. Exit code 1 when a bound is missed.
"""

import argparse
import gzip
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from corpus_dump import READ_DEPTH, ROOT, DumpMaker
from corpus_report import report

from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.reading import read_documents
from nerbridge.corpus.segmentation import sentences_of

RESULTS = Path(__file__).parent / "results"
PARTS = ("speed", "domains", "repetitions", "dump", "line")
GUARDS = {
    "newswire": "conll2003",
    "tech": "cbs_scitech",
}  # the evaluation sets of a domain; the others are crossner/DOMAIN
WORDS_PER_SECOND = 100_000  # what reading must reach on one core
RECALL = 0.95
# A process of its own stands between: the peak of a new process begins with that of the one that it is forked from.
MEASURED = """
import json, os, subprocess, sys
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
print(json.dumps([usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024]))
sys.exit(status != 0)
"""


@dataclass(frozen=True)
class Places:
    """Where things lie: the corpora, the public data sets, and room for files of this run."""

    corpora: Path
    data_root: Path
    scratch: Path


def build(places: Places, paths: list[Path], output: Path, *options: str) -> dict[str, Any]:
    """Builds a corpus in a process of its own: its counts, core seconds, seconds and peak memory in MB."""
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "nerbridge", "corpus", "build", *map(str, paths), "--output", str(output)]
    command += ["--jobs", "1", "--json", "--data-root", str(places.data_root), *options]
    done = subprocess.run([sys.executable, "-c", MEASURED, *command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    seconds, megabytes = json.loads(done.stdout)
    manifest = CorpusFolder(output).manifest
    words = manifest["counts"]["read"]["words"]
    return {
        "counts": {name: manifest["counts"][name] for name in ("read", "kept", "dropped", "overlaps")},
        "forgotten_keys": manifest["forgotten_keys"],
        "core_seconds": round(seconds, 1),
        "words_per_core_second": round(words / seconds),
        "peak_megabytes": megabytes,
    }


def speed(places: Places) -> dict[str, Any]:
    """One text in four formats and with all filters: words per core second from the start of Python to the manifest."""
    source = places.corpora / "music" / "wikipedia-enwiki-2014-part.txt.gz"
    texts = [document.text for document in read_documents([source])]
    plain, lines = places.scratch / "a.txt", places.scratch / "a.jsonl"
    plain.write_text("\n".join(texts) + "\n", encoding="utf-8")
    lines.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table({"text": texts}), places.scratch / "a.parquet", compression="zstd")
    guard = ("--guard", "crossner/music")
    output = places.scratch / "speed"
    return {
        "text": build(places, [plain], output, *guard),
        "text, gzip": build(places, [source], output, *guard),
        "text, with the language filter": build(places, [plain], output, *guard, "--language", "en"),
        "JSON lines": build(places, [lines], output, *guard),
        "MediaWiki, bzip2, every article": build(places, [_small_dump(places)], output, *guard),
        "Parquet": build(places, [places.scratch / "a.parquet"], output, *guard),
    }


def _small_dump(places: Places) -> Path:
    path = places.scratch / "small.xml.bz2"
    DumpMaker(sentence_pool(places.corpora), share=0.9).write(path, 40_000_000)
    return path


def domains(places: Places) -> dict[str, Any]:
    """Every domain of the corpora, guarded by its own evaluation sets, beside the counts of SOURCES.md."""
    stated = dict(stated_counts(places.corpora / "SOURCES.md"))
    results = {}
    for folder in sorted(path for path in places.corpora.iterdir() if path.is_dir()):
        guard = GUARDS.get(folder.name, f"crossner/{folder.name}")
        result = build(places, [folder], places.scratch / folder.name, "--guard", guard)
        results[folder.name] = {**result, "guard": guard, "stated": stated[folder.name]}
    return results


def stated_counts(path: Path) -> Iterator[tuple[str, dict[str, int]]]:
    """Domain -> paragraphs and white-space tokens, from the table of totals."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"\| (\w+) \| \d+ \| ([\d,]+) \| ([\d,]+) \| [\d.]+ \|", line):
            paragraphs, tokens = (int(text.replace(",", "")) for text in match.groups()[1:])
            yield match[1], {"paragraphs": paragraphs, "tokens": tokens}


def repetitions(places: Places) -> dict[str, Any]:
    """Real paragraphs with a share of their words changed: how many are found, by the similarity that is left."""
    from corpus_repetitions import found_by_similarity

    source = places.corpora / "politics" / "wikipedia-enwiki-2014-part.txt.gz"
    return found_by_similarity([document.text for document in islice(read_documents([source]), 5_000)])


def dump(places: Places, size: int) -> dict[str, Any]:
    """A large dump and one of a tenth of it: what was read against what is in it, repetitions, memory."""
    return {name: _dump(places, size // part) for name, part in (("a tenth of it", 10), ("the dump", 1))}


def _dump(places: Places, size: int) -> dict[str, Any]:
    path = places.scratch / "dump.xml.bz2"
    truth = DumpMaker(sentence_pool(places.corpora)).write(path, size)
    output = places.scratch / "dump"
    result = build(places, [path], output, "--category", ROOT, "--depth", str(READ_DEPTH))
    marks, capitals = set[str](), 0
    for document in CorpusFolder(output).documents():
        words = [word for sentence in document for word in sentence]
        marks.update(word for word in words if word.startswith("zqnear"))
        capitals += sum(1 for sentence in document if len(sentence) > 20 and " ".join(sentence).isupper())
    return {
        **result,
        "truth": truth.as_json(),
        "depth": READ_DEPTH,
        "compressed_bytes": path.stat().st_size,
        "near_missed": len(marks),
        "capital_sentences_kept": capitals,
    }


def sentence_pool(corpora: Path, size: int = 600_000) -> list[str]:
    """Sentences of the corpora that hold nothing which mark-up could be mistaken for."""
    files = sorted(path for path in corpora.rglob("wikipedia-enwiki-2015-first.txt.gz"))
    texts = (document.text for document in read_documents(files))
    found = (" ".join(words) for text in texts for words in sentences_of(text))
    return list(islice((one for one in found if re.fullmatch(r"[A-Z][^\[\]{}|<>=*#&'\n]{40,400}", one)), size))


def line(places: Places) -> dict[str, Any]:
    """One line of a gigabyte: 30 MB of sentences, then words of 100,000 characters. It is cut into documents."""
    sentences = "".join(f"Sentence {number} of this very long line says {number * 7} things. " for number in range(500))
    words = ("x" * 99_999 + " ") * 10
    path = places.scratch / "line.txt.gz"
    with gzip.open(path, "wb", compresslevel=1) as stream:
        for _ in range(30_000_000 // len(sentences)):
            stream.write(sentences.encode())
        for _ in range(2**30 // len(words)):
            stream.write(words.encode())
    return build(places, [path], places.scratch / "line")


def missed(results: dict[str, Any]) -> Iterator[str]:
    """The bounds that a result misses."""
    rows = {**results.get("speed", {}), **results.get("domains", {})}
    for name, row in rows.items():
        if row["words_per_core_second"] < WORDS_PER_SECOND:
            yield f"{name}: {row['words_per_core_second']:,} words per core second"
    for row in results.get("repetitions", {}).get("rows", []):
        if row["similarity"] >= 0.8 and row["recall"] < RECALL:
            yield f"repetitions of similarity {row['similarity']}: {row['recall']}"
    for name, row in results.get("dump", {}).items():
        if 1 - row["near_missed"] / row["truth"]["planted_near"] < RECALL:
            yield f"dump {name}: {row['near_missed']} of {row['truth']['planted_near']} near-duplicates missed"


def machine() -> dict[str, Any]:
    """Processor, cores, load and versions."""
    names = [one for one in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if "model name" in one]
    packages = ("nerbridge", "numpy", "mwparserfromhell", "py3langid", "pyarrow")
    return {
        "processor": names[0].partition(":")[2].strip() if names else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "load_average": [round(value, 2) for value in os.getloadavg()],
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data-root", type=Path, required=True)
    parser.add_argument("--part", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--dump-bytes", type=int, default=1_050_000_000)
    arguments = parser.parse_args()
    file = RESULTS / "corpus.json"
    results = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    with tempfile.TemporaryDirectory() as scratch:
        places = Places(arguments.corpora, arguments.data_root, Path(scratch))
        runs = {"speed": speed, "domains": domains, "repetitions": repetitions, "line": line}
        for part in arguments.part:
            load = [round(value, 2) for value in os.getloadavg()]
            results[part] = dump(places, arguments.dump_bytes) if part == "dump" else runs[part](places)
            results.setdefault("load_average", {})[part] = load
            results["machine"] = machine()
            RESULTS.mkdir(exist_ok=True)
            file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    text = report(results)
    print(text)
    (RESULTS / "corpus.md").write_text(text, encoding="utf-8")
    problems = list(missed(results))
    for problem in problems:
        print(f"missed: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
