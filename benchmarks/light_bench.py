"""Words per second of light taggers on a CPU: BiLSTM-CRF, Coach, generated and multi-cell LSTMs, beside minilm.

    python benchmarks/light_bench.py --data-root ROOT [--threads 1] [--repetitions 5]

Every contestant learns for a minute from the training sentences of CrossNER's politics, so that it finds a realistic
number of entities, then all take turns in tagging the same test sentences through nerbridge's pipeline. The multi-cell
LSTM has a cell for each of the nine labels and one for O, the generated one two domains and two tasks. A table goes to
stdout and to benchmarks/results/light-NAME.{md,json}. The medians count; core seconds leave waiting for other programs
out.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from measuring import RESULTS, Lap, machine, table, take_turns

from nerbridge.assembly.build import build_tagger
from nerbridge.assembly.parameters import parameter_count
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.context import (
    BiLstmSettings,
    ContextSettings,
    MultiCellSettings,
    NoContext,
    ParameterGenerationSettings,
)
from nerbridge.config.encoder import EncoderSettings, TransformerSettings, WordCharSettings
from nerbridge.config.tagger import CoachSettings, CrfSettings, LinearSettings, TaggerSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.data.registry import DataSet, load_dataset
from nerbridge.data.tags import TagVocabulary
from nerbridge.inference.model_tagger import ModelTagger
from nerbridge.inference.pipeline import Pipeline
from nerbridge.training.fit import fit
from nerbridge.training.journal import Journal

DOMAIN = "crossner/politics"
LARGE = BiLstmSettings(hidden=512, layers=2, dropout=0.3)
GENERATED = ParameterGenerationSettings(domains=("conll2003", "all"), tasks=("tags", "words"))
CONTESTANTS: dict[str, tuple[EncoderSettings, ContextSettings, TaggerSettings]] = {
    "BiLSTM-CRF, words alone, 200 wide": (WordCharSettings(characters="none"), BiLstmSettings(), CrfSettings()),
    "BiLSTM-CRF, 200 wide": (WordCharSettings(), BiLstmSettings(), CrfSettings()),
    "BiLSTM-CRF, character LSTM, 200 wide": (WordCharSettings(characters="lstm"), BiLstmSettings(), CrfSettings()),
    "BiLSTM-CRF, 2 layers, 512 wide": (WordCharSettings(), LARGE, CrfSettings()),
    "parameter generation, CRF, 200 wide": (WordCharSettings(), GENERATED, CrfSettings()),
    "multi-cell, CRF, 200 wide": (WordCharSettings(), MultiCellSettings(), CrfSettings()),
    "Coach, 2 layers, 512 wide": (WordCharSettings(), LARGE, CoachSettings(label_width=400)),
    "minilm, linear": (TransformerSettings(), NoContext(), LinearSettings()),
}


def trained(parts: tuple[EncoderSettings, ContextSettings, TaggerSettings], data: DataSet, steps: int) -> Tagger:
    """A tagger after `steps` updates."""
    train = data.splits["train"]
    vocabulary = TagVocabulary(data.labels)
    words = Counter(word for sentence in train for word in sentence.words)
    model = build_tagger(*parts, {"all": vocabulary}, seed=1, words=words)
    stream = Stream("train", "all", train, model.encoder.vectorizer, vocabulary)
    pretrained = isinstance(parts[0], TransformerSettings)  # which needs fewer updates, each of them slow
    rate, steps = (1e-4, max(steps // 8, 1)) if pretrained else (3e-3, steps)
    settings = TrainingSettings(
        learning_rate=rate, head_learning_rate=3e-3, max_steps=steps, selection="last", checkpoint_seconds=1e9
    )
    with tempfile.TemporaryDirectory() as name:
        journal = Journal(Path(name) / "journal.jsonl")
        fit(model, [stream], settings, seed=1, evaluate=None, workdir=Path(name), journal=journal)
    return model.eval()


def figures(laps: Sequence[Lap], words: int) -> dict[str, float]:
    """Medians of words per second, on the wall and of the cores."""
    return {
        "words_per_second": round(statistics.median(words / lap.wall for lap in laps)),
        "words_per_core_second": round(statistics.median(words / lap.cores for lap in laps)),
    }


def measure(data: DataSet, asked: argparse.Namespace) -> dict[str, Any]:
    """The figures of every contestant."""
    test = [sentence.words for sentence in data.splits["test"][: asked.sentences]]
    number = sum(map(len, test))
    models = {name: trained(parts, data, asked.steps) for name, parts in CONTESTANTS.items()}
    pipelines = {name: Pipeline(ModelTagger(model, "all")) for name, model in models.items()}
    works = {
        name: (lambda tagging=tagging: lambda: list(tagging.tag_words(test))) for name, tagging in pipelines.items()
    }
    laps = take_turns(works, asked.repetitions, torch.device("cpu"))
    return {
        name: {
            "parameters": parameter_count(model, trainable_only=True),
            "entities": sum(len(tagged.spans) for tagged in pipelines[name].tag_words(test)),
            **figures(laps[name], number),
        }
        for name, model in models.items()
    }


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-root", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--steps", type=int, default=40, help="updates before a contestant tags")
    parser.add_argument("--sentences", type=int, default=300, help="so many test sentences are tagged")
    parser.add_argument("--name", default="cpu", help="of the files in benchmarks/results")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    started = time.perf_counter()
    found = measure(load_dataset(DOMAIN, asked.data_root), asked)
    about = {**machine(torch.device("cpu")), "seconds": round(time.perf_counter() - started)}
    columns = ["tagger", "learning parameters", "words per second", "words per core second", "entities found"]
    rows = [
        [name, *(f"{one[key]:,}" for key in ("parameters", "words_per_second", "words_per_core_second", "entities"))]
        for name, one in found.items()
    ]
    text = f"# Light taggers: words per second\n\n{table(columns, rows)}\n"
    text += f"{asked.sentences} test sentences of {DOMAIN}, threads: {asked.threads}, medians of {asked.repetitions} "
    text += "turns.\n\n"
    text += f"{table(['machine', ''], list(about.items()))}"
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"light-{asked.name}.md").write_text(text, encoding="utf-8")
    content = {"contestants": found, "machine": about}
    (RESULTS / f"light-{asked.name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
