"""Words per second of nerbridge beside plain transformers: training a linear tagger, and tagging.

    python benchmarks/speed_bench.py [--encoder FOLDER] [--threads 2] [--repetitions 3] [--parts training,tagging]

Same encoder, same data, same sentences per batch, same threads, float32, in one process; the contestants take turns.
What exactly competes is said in `speed_training.py` and `speed_tagging.py`. The figures are medians; "times" is the
median over turns of one contestant's seconds by the other's. On a crowded machine trust the seconds of this process's
cores with one thread: waiting for other programs is not in them.

A table goes to stdout, and beside a JSON file to benchmarks/results/speed-NAME. Exit code 1 when nerbridge is slower
than it has to be: training 1.0 times, tagging 1.5 times as fast as transformers.
"""

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from measuring import RESULTS, ROOT, compare, lap, machine, table, take_turns
from speed_tagging import NerbridgeTagging, PlainTagging, Work, plain_pipeline, trained_tagger
from speed_training import BATCH, NerbridgeTraining, PlainTraining
from transformers.utils import logging as transformers_logging

from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.data.registry.loading import load_dataset
from nerbridge.data.sentence import Sentence
from nerbridge.data.tags import TagVocabulary

DOMAINS = ("politics", "science", "music", "literature", "ai")
BATCH_SIZES = (1, 8, 16, 32, 64, 128)
GOALS = {"training": 1.0, "tagging": 1.5}
OURS, THEIRS = "nerbridge", "transformers"


def measure_training(arguments: argparse.Namespace, device: torch.device) -> dict[str, Any]:
    """One epoch over a slice of CoNLL-2003 and one over CrossNER's train sets."""
    conll = load_dataset("conll2003", arguments.data_root)
    cross, labels = crossner(arguments.data_root, "train")
    slices = {"conll2003": (conll.splits["train"], TagVocabulary(conll.labels)), "crossner": (cross, labels)}
    found = {}
    for name, (sentences, vocabulary) in slices.items():
        size = min(len(sentences), arguments.train_sentences) // BATCH * BATCH
        chosen = random.Random(1).sample(sentences, size)
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            contestants: dict[str, Callable[[], Callable[[], object]]] = {
                OURS: NerbridgeTraining(arguments.encoder, chosen, vocabulary, place),
                THEIRS: PlainTraining(arguments.encoder, chosen, vocabulary, place, on_cpu=device.type == "cpu"),
            }
            laps = take_turns(contestants, arguments.repetitions, device)
        found[f"training, {name}"] = {"sentences": size} | compare(laps, sum(map(len, chosen)), OURS, THEIRS)
    return found


def measure_tagging(arguments: argparse.Namespace, device: torch.device) -> dict[str, Any]:
    """All CrossNER test sentences, shuffled."""
    train, vocabulary = crossner(arguments.data_root, "train")
    sentences, _ = crossner(arguments.data_root, "test")
    random.Random(1).shuffle(sentences)
    sentences = sentences[: arguments.tag_sentences]
    model = trained_tagger(arguments.encoder, train, vocabulary, arguments.steps)
    plain = plain_pipeline(model, arguments.encoder, device)
    search = search_batch_size(plain, sentences[: arguments.tag_sentences // 5], device)
    best = max(search, key=lambda size: search[size])
    contestants: dict[str, Callable[[], Work]] = {
        OURS: NerbridgeTagging(model, sentences, device),
        THEIRS: PlainTagging(plain, sentences, best),
    }
    entities = {name: sum(contestant()()) for name, contestant in contestants.items()}
    laps = take_turns(contestants, arguments.repetitions, device, warm=True)
    result = {"sentences": len(sentences), "entities": entities, "batch_size": best, "batch_size_search": search}
    return {"tagging, crossner": result | compare(laps, sum(map(len, sentences)), OURS, THEIRS)}


def search_batch_size(plain: Any, sentences: list[Sentence], device: torch.device) -> dict[int, float]:
    """Words per second by batch size: the best of three rounds over all sizes, so that a busy minute hits all alike."""
    words = sum(map(len, sentences))
    found = dict.fromkeys(BATCH_SIZES, 0.0)
    for size in BATCH_SIZES * 3:
        measured = lap(PlainTagging(plain, sentences, size)(), device)
        found[size] = max(found[size], round(words / measured.wall, 1))
    return found


def crossner(root: Path, split: str) -> tuple[list[Sentence], TagVocabulary]:
    """A split of all five domains, and all their labels."""
    sets = [load_dataset(f"crossner/{domain}", root) for domain in DOMAINS]
    labels = sets[0].labels
    for other in sets[1:]:
        labels = labels.union(other.labels)
    return [sentence for one in sets for sentence in one.splits[split]], TagVocabulary(labels)


def report(found: dict[str, Any], about: dict[str, Any]) -> str:
    """The results as Markdown."""
    rows = []
    for name, row in found.items():
        low, high = row["times_wall_range"]
        rates = [f"{row[who]['words_per_second']:,.0f}" for who in (OURS, THEIRS)]
        times = [f"**{row['times_wall']:.2f}** ({low:.2f} to {high:.2f})", f"{row['times_cores']:.2f}"]
        rows.append([name, f"{row['sentences']:,}", f"{row['words']:,}", *rates, *times])
    columns = ["", "sentences", "words", "nerbridge, words/s", "transformers, words/s", "times", "times, core seconds"]
    facts = "".join(f"- {key}: {value}\n" for key, value in about.items() if value is not None)
    searches = "".join(
        f"\nBatch size of transformers' pipeline: words/s {row['batch_size_search']}, best {row['batch_size']}; "
        f"entities found: {row['entities']}.\n"
        for row in found.values()
        if "batch_size" in row
    )
    return f"# Speed beside plain transformers\n\n{table(columns, rows)}{searches}\n{facts}"


def main() -> int:
    arguments = parse()
    torch.set_num_threads(arguments.threads)
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    device = torch.device(arguments.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    about = {"encoder": arguments.encoder_name} | machine(device)
    found: dict[str, Any] = {}
    if "training" in arguments.parts:
        found |= measure_training(arguments, device)
    if "tagging" in arguments.parts:
        found |= measure_tagging(arguments, device)
    about["load_average_after"] = machine(device)["load_average"]
    text = report(found, about)
    print(text)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"speed-{arguments.name or f'{arguments.encoder_name}-{device.type}'}"
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    path.with_suffix(".json").write_text(json.dumps({"machine": about, "results": found}, indent=2) + "\n", "utf-8")
    slow = [name for name, row in found.items() if row["times_wall"] < GOALS[name.partition(",")[0]]]
    print("".join(f"too slow: {name}\n" for name in slow), end="", file=sys.stderr)
    return 1 if slow else 0


def parse() -> argparse.Namespace:
    """The command line; `encoder` becomes a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", default="minilm", help="minilm, or a folder")
    parser.add_argument("--data-root", type=Path, default=os.environ.get("NERBRIDGE_DATA", ROOT / "../shared/data/ner"))
    parser.add_argument("--device", help="default: the GPU where there is one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--parts", default="training,tagging")
    parser.add_argument("--train-sentences", type=int, default=320)
    parser.add_argument("--tag-sentences", type=int, default=2506)
    parser.add_argument("--steps", type=int, default=88, help="updates before tagging")
    parser.add_argument("--name", help="of the files under benchmarks/results")
    arguments = parser.parse_args()
    arguments.encoder_name = Path(arguments.encoder).name
    arguments.encoder = Path(resolve_checkpoint(arguments.encoder)).resolve()
    return arguments


if __name__ == "__main__":
    sys.exit(main())
