"""The raw text and the word vectors that the experiments of `light_grid.py` read, small enough to be carried.

    python benchmarks/light_texts.py OUTPUT --corpora FOLDER --data-root ROOT [--domains tech,newswire,ai]

FOLDER/DOMAIN/built are corpora that `nerbridge corpus build` has written. OUTPUT/DOMAIN gets documents of it, drawn
until they have so many sentences (--sentences), OUTPUT/SET the words of a training set, OUTPUT/DOMAIN-as-news politics
and literature of CrossNER with the labels of CoNLL-2003, OUTPUT/DOMAIN-names the gazetteers of a domain (from below
--gazetteers), OUTPUT/glove.txt the vectors of GloVe for every word of these texts and of all files below ROOT, as it is
or lower-cased, in GloVe's order. The last line says how many of them are among its 100,000 most frequent words: with
that number as `encoder.frequent` a model knows the same words as with all.
"""

import argparse
import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from light_rows import LIKE_TECH

from nerbridge.corpus.folder import CorpusFolder, write_corpus
from nerbridge.data.registry.loading import load_dataset
from nerbridge.data.word_vectors import read_vectors
from nerbridge.data.writing import write_columns

AS_NEWS = {  # labels of a CrossNER domain -> labels of CoNLL-2003, to choose zero-shot settings on its dev set
    "politics": {
        "politician": "person",
        "politicalparty": "organisation",
        "country": "location",
        "election": "misc",
        "event": "misc",
    },
    "literature": {
        "writer": "person",
        "country": "location",
        **dict.fromkeys(("book", "poem", "magazine", "award", "event"), "misc"),
    },
}
NEWS = {"person", "organisation", "location", "misc"}
SETS = "conll2003,bionlp13pc,bionlp13cg"
DOMAINS = "tech,newswire,politics,science,music,literature,ai"
FREQUENT = 100_000


def drawn(folder: CorpusFolder, sentences: int, seed: int) -> Iterator[list[list[str]]]:
    """Documents of `folder`, in its order, with about so many sentences; all where it has fewer."""
    sizes = [len(document) for document in folder.documents()]
    order = list(range(len(sizes)))
    random.Random(seed).shuffle(order)
    chosen, total = set(), 0
    for place in order:
        if total < sentences:
            chosen.add(place)
            total += sizes[place]
    yield from (list(map(list, one)) for place, one in enumerate(folder.documents()) if place in chosen)


def words_of(corpora: list[Path], data_root: Path) -> set[str]:
    """Every word of the corpora and everything between spaces in the data sets."""
    words = {
        word for path in corpora for one in CorpusFolder(path).documents() for sentence in one for word in sentence
    }
    for path in data_root.rglob("*"):
        if path.is_file():
            words.update(path.read_text(encoding="utf-8", errors="replace").split())
    return words | {word.lower() for word in words}


def write_as_news(output: Path, domain: str, data_root: Path) -> None:
    """Writes OUTPUT/DOMAIN-as-news/train.txt and dev.txt: the domain with the labels of news, its others left out."""
    found = load_dataset(f"crossner/{domain}", data_root).splits
    for split in ("train", "dev"):
        renamed = [sentence.with_labels(AS_NEWS[domain]) for sentence in found[split]]
        kept = [replace(one, spans=tuple(span for span in one.spans if span.label in NEWS)) for one in renamed]
        write_columns(kept, output / f"{domain}-as-news" / f"{split}.txt")


def write_vectors(path: Path, wanted: set[str]) -> int:
    """Writes the vectors of `wanted`; how many of them are among the most frequent ones."""
    found = read_vectors("glove", frequent=FREQUENT, wanted=wanted)
    kept = [(place, word) for place, word in enumerate(found.words) if word in wanted]
    with path.open("w", encoding="utf-8") as file:
        for place, word in kept:
            row = [f"{number:.6g}" for number in found.rows[place]]
            assert np.array_equal(np.array(row, np.float32), found.rows[place])
            file.write(f"{word} {' '.join(row)}\n")
    return sum(place < found.num_frequent for place, _ in kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--corpora", type=Path, required=True)
    parser.add_argument("--data-root", type=Path, required=True)
    parser.add_argument("--gazetteers", type=Path, help="a folder of lists for each domain; default: none are copied")
    parser.add_argument("--domains", default=DOMAINS)
    parser.add_argument("--sets", default=SETS, help="data sets whose training words become a corpus")
    parser.add_argument("--sentences", type=int, default=58_500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folders = []
    for domain in arguments.domains.split(","):
        folders.append(arguments.output / domain)
        if not (folders[-1] / "manifest.json").exists():
            built = CorpusFolder(arguments.corpora / domain / "built")
            write_corpus(folders[-1], drawn(built, arguments.sentences, arguments.seed))
        print(domain, CorpusFolder(folders[-1]).num_sentences, "sentences")
    for name in filter(None, arguments.sets.split(",")):
        if not (arguments.output / name / "manifest.json").exists():
            train = load_dataset(name, arguments.data_root).splits["train"]
            write_corpus(arguments.output / name, ([list(sentence.words)] for sentence in train))
        print(name, CorpusFolder(arguments.output / name).num_sentences, "sentences")
    for domain in AS_NEWS:
        write_as_news(arguments.output, domain, arguments.data_root)
    for domain in (*AS_NEWS, LIKE_TECH) if arguments.gazetteers else ():
        shutil.copytree(arguments.gazetteers / domain, arguments.output / f"{domain}-names", dirs_exist_ok=True)
    number = write_vectors(arguments.output / "glove.txt", words_of(folders, arguments.data_root))
    print(f"encoder.frequent={number}")


if __name__ == "__main__":
    main()
