"""DBpedia's files of types and of labels -> names. Types are read first; labels of other resources are passed by.

What is held grows with the resources of the wanted classes, not with the files.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from nerbridge.corpus.gazetteer_cleaning import NameCollector
from nerbridge.corpus.gazetteer_lines import text_lines
from nerbridge.corpus.triples import LABEL, TYPE, Triple, TripleParser
from nerbridge.errors import ConfigError, DataError

RESOURCE = "http://dbpedia.org/resource/"
LANGUAGES = ("en", "")  # of labels; '' is a text without language
PEEKED = 1_000  # lines that tell what a file holds
OTHER_CLASS = "DBpedia resource of no wanted class"
NO_TRIPLE = "not a triple on one line"


def read_dbpedia(paths: Sequence[Path], collector: NameCollector, classes: Mapping[str, str] | None) -> None:
    """Take the names of typed resources: their English labels, or their addresses where there is none.

    classes: class, the last part of its address, -> label. Raises ConfigError without classes, DataError when no file
    tells types.
    """
    if not classes:
        raise ConfigError(
            "it is not said which DBpedia class means which label",
            where=", ".join(map(str, paths)),
            expected="a table of classes and labels",
            hint="--classes crossner/music, or a TOML file with lines such as: Guitarist = 'person'",
        )
    held = {path: _held(path) for path in paths}
    typed = _read_types([path for path in paths if TYPE in held[path]], collector, classes)
    if not typed:
        raise DataError(
            "no resource has one of the wanted classes",
            where=", ".join(map(str, paths)),
            expected=f"triples that give resources the types {', '.join(list(classes)[:8])}, ...",
            hint="give DBpedia's instance-types file beside its labels file",
        )
    named = _read_labels([path for path in paths if LABEL in held[path]], collector, typed)
    for resource, bits in typed.items():
        if resource not in named:
            collector.add(name_of_address(resource), bits)
    collector.counts.changed["of DBpedia are named by their address, for want of a label"] += len(typed) - len(named)


def name_of_address(resource: str) -> str:
    """'Ada_Lovelace' -> 'Ada Lovelace': the name that the last part of a resource's address spells."""
    return unquote(resource.rsplit("/", 1)[-1] if "://" in resource else resource).replace("_", " ")


def _read_types(paths: Sequence[Path], collector: NameCollector, classes: Mapping[str, str]) -> dict[str, int]:
    """Resource -> bits of its labels."""
    bits = {name: collector.bit(label, f"class {name}") for name, label in classes.items()}
    typed: dict[str, int] = {}
    others: Counter[str] = Counter()
    for path in paths:
        for triple in _triples(path, TYPE, collector):
            name = triple.value.rsplit("/", 1)[-1].rsplit("#", 1)[-1]
            if name in bits:
                resource = triple.subject.removeprefix(RESOURCE)
                typed[resource] = typed.get(resource, 0) | bits[name]
            else:
                others[name] += 1
    if not others:
        return typed
    collector.counts.read += others.total()
    collector.counts.left_out[OTHER_CLASS] += others.total()
    collector.counts.examples[OTHER_CLASS] = [f"{name} {count:,} times" for name, count in others.most_common(5)]
    return typed


def _read_labels(paths: Sequence[Path], collector: NameCollector, typed: Mapping[str, int]) -> set[str]:
    """Takes the labels of typed resources; returns the resources that have one."""
    named = set()
    for path in paths:
        for triple in _triples(path, LABEL, collector):
            resource = triple.subject.removeprefix(RESOURCE)
            if resource in typed and triple.language in LANGUAGES:
                collector.add(triple.value, typed[resource])
                named.add(resource)
    return named


def _triples(path: Path, predicate: str, collector: NameCollector) -> Iterator[Triple]:
    parser = TripleParser()
    for number, line in text_lines(path, collector.skip):
        triple = parser.parse(line)
        if triple is None:
            if not parser.is_quiet(line):
                collector.skip(NO_TRIPLE, line, f"{path.name}:{number}")
        elif triple.predicate == predicate:
            yield triple


def _held(path: Path) -> set[str]:
    """Which predicates the beginning of a file has. Raises DataError when it has no triple at all."""
    parser = TripleParser()
    found = set()
    for _, line in islice(text_lines(path, lambda *_: None), PEEKED):
        triple = parser.parse(line)
        if triple is not None:
            found.add(triple.predicate)
        else:
            parser.is_quiet(line)
    if not found:
        raise DataError(
            f"none of the first {PEEKED:,} lines is a triple",
            where=str(path),
            expected="lines such as: <address of a resource> <address of a predicate> <address of a class> .",
            hint="convert other Turtle to N-Triples, for example with `rapper -i turtle -o ntriples`",
        )
    return found
