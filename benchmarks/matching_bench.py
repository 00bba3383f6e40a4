"""How fast names are found and sentences chosen: words per second of one core with a million names, and peak memory.

    python benchmarks/matching_bench.py [--names 1000000] [--libraries] [--repetitions 3]

Names: the real lists beside the checkout, filled up with made ones of the same shape. Sentences: the music corpus
beside the checkout, split before the clock starts; made ones where it is absent. Every measurement runs in a process of
its own, so that peak memory is its own. A table goes to stdout and to benchmarks/results/matching.{md,json}. Exit code
1 when choosing is slower than 1,000,000 words per core second with 1,000,000 names, or when memory grows with the
corpus.

--libraries also measures the other Aho-Corasick libraries, where they are installed.
"""

import argparse
import json
import multiprocessing
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nerbridge.config.gazetteer import GazetteerSettings, SelectionSettings
from nerbridge.corpus.folder import CorpusFolder, write_corpus
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.gazetteer_files import read_gazetteer
from nerbridge.corpus.matching import Matcher, padded
from nerbridge.corpus.matching_names import FormBuilder, NameForms
from nerbridge.corpus.segmentation import sentences_of
from nerbridge.corpus.selection import survey_levels
from nerbridge.corpus.selection_choice import Chooser
from nerbridge.corpus.selection_request import SelectionRequest

DATA = Path(__file__).parents[1] / ".." / "shared" / "data"
RESULTS = Path(__file__).parent / "results"
LEAST = 1_000_000  # words per core second
DOMAIN = "music"
SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er")]


def made_name(numbers: random.Random) -> str:
    """One to four words of one to four syllables with capitals: some 17 characters, as the real lists have."""
    words = numbers.choices((1, 2, 3, 4), weights=(1, 6, 2, 1))[0]
    return " ".join("".join(numbers.choices(SYLLABLES, k=numbers.randint(1, 4))).title() for _ in range(words))


def names(count: int) -> Gazetteer:
    """The real names, and made ones up to `count`."""
    real: dict[str, int] = {}
    labels: list[str] = []
    for folder in sorted((DATA / "gazetteers").glob("*/")):
        lists = read_gazetteer([folder])
        labels += [label for label in lists.labels if label not in labels]
        bits = {1 << place: 1 << labels.index(label) for place, label in enumerate(lists.labels)}
        for name, own in lists.names.items():
            real[name] = real.get(name, 0) | sum(new for old, new in bits.items() if own & old)
    labels = labels or ["person", "band"]
    numbers = random.Random(1)
    found = dict(list(real.items())[:count])
    while len(found) < count:
        found.setdefault(made_name(numbers), 1 << numbers.randrange(len(labels)))
    return Gazetteer(tuple(labels), found)


def sentences(words: int) -> list[list[str]]:
    """Split sentences, `words` words in all."""
    found: list[list[str]] = []
    for sentence in _texts():
        found.append(sentence)
        words -= len(sentence)
        if words <= 0:
            break
    return found


def _texts() -> Iterator[list[str]]:
    import gzip

    files = sorted((DATA / "corpora" / DOMAIN).glob("*.txt.gz"))
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as stream:
            for line in stream:
                yield from sentences_of(line)
    numbers = random.Random(2)
    while not files:
        yield [made_name(numbers).split()[0] for _ in range(25)]


def forms_of(count: int) -> NameForms:
    return FormBuilder(names(count), GazetteerSettings()).build()


def measure_choosing(count: int, words: int, repetitions: int) -> dict[str, Any]:
    """Matching and choosing on split sentences, with all names in one automaton."""
    started = time.process_time()
    forms = forms_of(count)
    prepared = time.process_time()
    chooser = Chooser(Matcher(forms), ("song", "album", "band", "musicalartist"))
    built = time.process_time()
    memory = peak_megabytes()
    text = sentences(words)
    total = sum(map(len, text))
    rates, walls = [], []
    for _ in range(repetitions):
        wall, cores = time.perf_counter(), time.process_time()
        for sentence in text:
            chooser.choose(sentence)
        rates.append(total / (time.process_time() - cores))
        walls.append(total / (time.perf_counter() - wall))
    survey = chooser.take_survey()
    return {
        "names": count,
        "written forms": len(forms.forms),
        "read and prepare names, s": round(prepared - started, 1),
        "build automaton, s": round(built - prepared, 1),
        "words": total,
        "matches per 1,000 words": round(sum(survey.hits.values()) / total / repetitions * 1000, 1),
        "words per core second": round(statistics.median(rates)),
        "words per second on the wall": round(statistics.median(walls)),
        "slowest to fastest": [round(min(rates)), round(max(rates))],
        "peak memory with names and automaton, MB": memory,
    }


def measure_memory(count: int, copies: int) -> dict[str, Any]:
    """Peak memory of a whole survey over a corpus that is `copies` times as large."""
    gazetteer = names(count)
    with tempfile.TemporaryDirectory() as folder:
        text = sentences(400_000)
        documents = (text[start : start + 20] for _ in range(copies) for start in range(0, len(text), 20))
        corpus = write_corpus(Path(folder) / "corpus", documents)
        del text
        request = SelectionRequest(
            CorpusFolder(corpus.path), gazetteer, ("song", "album"), selection=SelectionSettings()
        )
        started = time.process_time()
        record = survey_levels(request)
        seconds = time.process_time() - started
    words = record["levels"]["domain"]["words"]
    return {"words": words, "core seconds, all of it": round(seconds, 1), "peak memory, MB": peak_megabytes()}


def measure_long_list() -> dict[str, Any]:
    """A list of 100 MB in one file: read, prepared, built, searched."""
    numbers = random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "person.txt"
        with path.open("w", encoding="utf-8") as stream:
            written = 0
            while written < 100_000_000:
                written += stream.write(f"{made_name(numbers)}\n")
        started = time.process_time()
        gazetteer = read_gazetteer([path])
    read = time.process_time()
    matcher = Matcher(FormBuilder(gazetteer, GazetteerSettings()).build())
    built = time.process_time()
    text = sentences(1_000_000)
    searched = time.process_time()
    for sentence in text:
        matcher.find(sentence)
    rate = sum(map(len, text)) / (time.process_time() - searched)
    return {
        "names": len(gazetteer),
        "read, s": round(read - started, 1),
        "prepare and build, s": round(built - read, 1),
        "words per core second, finding alone": round(rate),
        "peak memory, MB": peak_megabytes(),
    }


def measure_library(library: str, count: int, words: int) -> dict[str, Any]:
    """Build time, memory and speed of one library on the same bytes: leftmost, longest, none over another."""
    patterns = [padded(form.split(" ")) for form in forms_of(count).forms]
    text = [padded(sentence) for sentence in sentences(words)]
    total = sum(line.count(b"  ") + 1 for line in text)
    before, started = resident_megabytes(), time.process_time()
    search = LIBRARIES[library](patterns)
    built, after = time.process_time(), resident_megabytes()
    matches = sum(len(search(line)) for line in text)
    return {
        "library": library,
        "build, s": round(built - started, 1),
        "automaton, MB": round(after - before),
        "peak while building, MB": peak_megabytes(),
        "words per core second, finding alone": round(total / (time.process_time() - built)),
        "matches": matches,
    }


def _rust(patterns: list[bytes], kind: str) -> Callable[[bytes], list[Any]]:
    from ahocorasick_rs import BytesAhoCorasick, Implementation, MatchKind

    implementation = getattr(Implementation, kind)
    automaton = BytesAhoCorasick(patterns, MatchKind.LeftmostLongest, implementation)
    return lambda line: automaton.find_matches_as_indexes(line)


def _daachorse(patterns: list[bytes]) -> Callable[[bytes], list[Any]]:
    import daachorse

    automaton = daachorse.DoubleArrayAhoCorasick(patterns, daachorse.MATCH_KIND_LEFTMOST_LONGEST)
    return lambda line: list(automaton.find(line))


def _pyahocorasick(patterns: list[bytes]) -> Callable[[bytes], list[Any]]:
    import ahocorasick

    automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
    for number, pattern in enumerate(patterns):
        automaton.add_word(pattern.decode(), number)
    automaton.make_automaton()
    return lambda line: list(automaton.iter_long(line.decode()))


LIBRARIES: dict[str, Callable[[list[bytes]], Callable[[bytes], list[Any]]]] = {
    "ahocorasick_rs, contiguous": lambda patterns: _rust(patterns, "ContiguousNFA"),
    "ahocorasick_rs, noncontiguous": lambda patterns: _rust(patterns, "NoncontiguousNFA"),
    "daachorse": _daachorse,
    "pyahocorasick": _pyahocorasick,
}


CHOICE = """\
Why ahocorasick_rs: it finds leftmost-longest matches in bytes, its automaton is the smallest, and it wraps the Rust
crate that ripgrep is built on. daachorse is faster and can be pickled, but needs three times the memory while it
builds, and few use it. pyahocorasick (iter_long, 2.3.1) misses names behind the beginning of a longer one that does not
go on: 'North Carolina' in 'University of North Carolina' where the lists have another 'University of North ...'.
Automata of ahocorasick_rs cannot be pickled; each process builds its own from the names.
"""


def peak_megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * resource.getpagesize() / 2**20


def alone(work: Callable[..., dict[str, Any]], *arguments: Any) -> dict[str, Any]:
    """`work` in a new process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def rows(title: str, found: list[dict[str, Any]]) -> str:
    """A heading and a Markdown table."""
    lines = [f"## {title}", "", "| " + " | ".join(found[0]) + " |", "|" + " --- |" * len(found[0])]
    lines += ["| " + " | ".join(map(shown, row.values())) + " |" for row in found]
    return "\n".join(lines) + "\n"


def shown(value: object) -> str:
    if isinstance(value, list):
        return " to ".join(map(shown, value))
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def machine() -> str:
    from importlib.metadata import version

    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    name = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown processor"
    )
    return f"{name}, one core; Python {sys.version.split()[0]}, ahocorasick_rs {version('ahocorasick_rs')}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--words", type=int, default=3_000_000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--libraries", action="store_true", help="measure the other libraries too")
    arguments = parser.parse_args()
    counts = sorted({arguments.names // 10, arguments.names})
    choosing = [alone(measure_choosing, count, arguments.words, arguments.repetitions) for count in counts]
    memory = [alone(measure_memory, arguments.names // 10, copies) for copies in (1, 4, 16)]
    results = {"choosing": choosing, "memory": memory, "list of 100 MB": [alone(measure_long_list)]}
    if arguments.libraries:
        results["libraries"] = [
            alone(measure_library, library, arguments.names, arguments.words // 3) for library in LIBRARIES
        ]
    titles = {
        "choosing": "Finding names and choosing sentences, on split sentences",
        "memory": f"Peak memory of a whole survey with {arguments.names // 10:,} names, by size of the corpus",
        "list of 100 MB": "A list of names of 100 MB",
        "libraries": "Libraries, on the same bytes",
    }
    parts = ["# Finding names in text\n", *(rows(titles[key], found) for key, found in results.items())]
    text = "\n".join([*parts, *([CHOICE] if arguments.libraries else []), f"Machine: {machine()}."]) + "\n"
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "matching.md").write_text(text, encoding="utf-8")
    (RESULTS / "matching.json").write_text(json.dumps({"machine": machine(), **results}, indent=2) + "\n", "utf-8")
    slow = choosing[-1]["words per core second"] < LEAST
    grows = memory[-1]["peak memory, MB"] > 1.1 * memory[0]["peak memory, MB"]
    for fault, what in ((slow, "choosing is too slow"), (grows, "memory grows with the corpus")):
        if fault:
            print(what, file=sys.stderr)
    return 1 if slow or grows else 0


if __name__ == "__main__":
    sys.exit(main())
