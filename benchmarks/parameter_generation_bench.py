"""Seconds of one step of algorithm 1 (four mini-batches, one update) with generated parameters and with shared ones.

    python benchmarks/parameter_generation_bench.py [--threads 2] [--steps 10] [--repetitions 7] [--name cpu]

Both contestants learn the same four streams (tags and words of a source and a target domain) with the same encoder
(word vectors that learn, character CNN), CRFs and language-model head; they differ in the context alone: a BiLSTM whose
parameters are generated for each stream, all from one product, or one BiLSTM for all, MULTITASK(NER+LM). Sentences are
made up: words drawn by rank, lengths as in news. A step is that of the training loop, optimiser included.

Promise: at most 2.0 times as long on a CPU, 1.3 times on a GPU. Exit code 1 when it is broken.
"""

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch
from measuring import RESULTS, machine, table, take_turns

from nerbridge.assembly.build import build_tagger
from nerbridge.assembly.parameters import parameter_count
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.config.context import BiLstmSettings, ContextSettings, ParameterGenerationSettings
from nerbridge.config.encoder import WordCharSettings
from nerbridge.config.tagger import CrfSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.config.words import WordsSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence, Span
from nerbridge.data.tags import TagVocabulary
from nerbridge.training.learner import Learner
from nerbridge.training.processes import Processes

LABELS = {"source": 4, "target": 16}  # as CoNLL-2003 and BioNLP13CG have
GOALS = {"cpu": 2.0, "cuda": 1.3}
OURS, THEIRS = "parameter generation", "MULTITASK(NER+LM)"
ABOUT = (
    "Both take turns. How many times as long is the median of the ratios of each pair of turns, so that what slows "
    "down both counts\nfor little; milliseconds are medians of each by itself, whose ratio may be another."
)
CONTEXTS: dict[str, ContextSettings] = {
    OURS: ParameterGenerationSettings(domains=("source", "target"), tasks=("tags", "words")),
    THEIRS: BiLstmSettings(),
}


def make_sentences(number: int, words: int, domain: str, seed: int) -> list[Sentence]:
    """Sentences of about 24 words; the word of rank r occurs in proportion to 1 / r, spelled with up to 12 letters."""
    chance = random.Random(seed)
    ranks = range(words)
    weights = [1 / (rank + 1) for rank in ranks]
    sentences = []
    for _ in range(number):
        length = max(3, round(chance.gauss(24, 8)))
        text = tuple(f"{rank:x}{'etaoinshrdlu'[: rank % 9]}" for rank in chance.choices(ranks, weights, k=length))
        label = f"{domain}-{chance.randrange(LABELS[domain])}"
        sentences.append(Sentence(text, (Span(0, 2, label),)))
    return sentences


def contestant(
    context: ContextSettings, texts: dict[str, list[Sentence]], asked: argparse.Namespace, processes: Processes
) -> Callable[[], None]:
    """What runs `asked.steps` steps of a new model."""
    spaces = {d: TagVocabulary(LabelSet.of(f"{d}-{n}" for n in range(number))) for d, number in LABELS.items()}
    everything = [sentence for text in texts.values() for sentence in text]
    vocabulary = WordVocabulary.of(everything)
    model = build_tagger(
        WordCharSettings(vectors=None, word_width=asked.word_width),
        context,
        CrfSettings(),
        spaces,
        seed=1,
        words=Counter(word for sentence in everything for word in sentence.words),
        predicted=(WordsSettings(), vocabulary),
    ).to(processes.device)
    streams = make_streams(model, texts, vocabulary)
    settings = TrainingSettings(optimizer="sgd", learning_rate=0.015, head_learning_rate=0.015, weight_decay=0.0)
    learner = Learner(model.train(), streams, settings, seed=1, processes=processes)
    size = asked.batch
    counter = iter(range(10**9))

    def work() -> None:
        for _ in range(asked.steps):
            step = next(counter)
            start = step * size % (asked.sentences - size)
            learner.learn([list(range(start, start + size))] * len(streams), step=step, done=0.5)

    work.parameters = parameter_count(model)  # type: ignore[attr-defined]
    return work


def make_streams(model: Tagger, texts: dict[str, list[Sentence]], vocabulary: WordVocabulary) -> list[Stream]:
    """Tags and words of each domain."""
    streams = []
    for domain, text in texts.items():
        tags = model.head(domain).vocabulary
        streams.append(Stream(f"{domain}/tags", domain, text, model.encoder.vectorizer, tags))
        streams.append(Stream(f"{domain}/words", domain, text, model.encoder.vectorizer, None, words=vocabulary))
    return streams


def _always(work: Callable[[], None]) -> Callable[[], Callable[[], None]]:
    """A preparation that has nothing to prepare."""
    return lambda: work


def measure(asked: argparse.Namespace, processes: Processes) -> dict[str, Any]:
    """Medians of both, and of their ratios turn by turn."""
    texts = {domain: make_sentences(asked.sentences, asked.words, domain, seed) for seed, domain in enumerate(LABELS)}
    works = {name: contestant(context, texts, asked, processes) for name, context in CONTEXTS.items()}
    laps = take_turns({name: _always(work) for name, work in works.items()}, asked.repetitions, processes.device)
    found: dict[str, Any] = {"steps": asked.steps, "repetitions": asked.repetitions}
    for name, taken in laps.items():
        found[name] = {
            "milliseconds": round(1e3 * statistics.median(one.wall for one in taken) / asked.steps, 2),
            "core_milliseconds": round(1e3 * statistics.median(one.cores for one in taken) / asked.steps, 2),
            "parameters": works[name].parameters,  # type: ignore[attr-defined]
        }
    pairs = list(zip(laps[OURS], laps[THEIRS], strict=True))
    found["times"] = round(statistics.median(ours.wall / theirs.wall for ours, theirs in pairs), 2)
    found["times_cores"] = round(statistics.median(ours.cores / theirs.cores for ours, theirs in pairs), 2)
    return found


def make_page(found: dict[str, Any]) -> str:
    """The page of what `measure` and `machine` have found."""
    rows = [[name, *found[name].values()] for name in CONTEXTS]
    text = table(["context", "milliseconds a step", "of its cores", "parameters"], rows)
    times = f"{found['times']} times as long ({found['times_cores']} by core seconds)"
    line = f"{OURS} takes {times}; promise: {goal_of(found)}"
    return f"# One step of algorithm 1\n\n{text}\n\n{line}\n\n{ABOUT}\n"


def goal_of(found: dict[str, Any]) -> float:
    """How many times as long a step may take on that machine."""
    return GOALS["cpu" if found["device"] == "cpu" else "cuda"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=10, help="steps of one turn")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--batch", type=int, default=30, help="sentences of each mini-batch")
    parser.add_argument("--sentences", type=int, default=1500, help="of each domain")
    parser.add_argument("--words", type=int, default=30_000, help="distinct words that sentences are drawn from")
    parser.add_argument("--word-width", type=int, default=50)
    parser.add_argument("--name", default="cpu")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    processes = Processes()
    found = {**measure(asked, processes), **machine(processes.device)}
    page = make_page(found)
    path = RESULTS / f"parameter-generation-{asked.name}"
    path.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    path.with_suffix(".md").write_text(page, encoding="utf-8")
    print(page)
    return int(found["times"] > goal_of(found))


if __name__ == "__main__":
    sys.exit(main())
