"""Words per second of the label-aware tagger beside the linear and the CRF tagger, and what long sentences cost.

    python benchmarks/label_aware_bench.py [--encoder minilm|FOLDER] [--threads 2] [--repetitions 3] [--json]

Three heads on one encoder, in one process, taking turns over the same sentences in the same batches: training is one
epoch of `nerbridge.training.fit` (on a GPU bfloat16, and batches bounded by pieces alone), decoding is
`nerbridge.assembly.prediction.predict`, float32. Each head has learnt for a few steps before it decodes. Then made-up
sentences of 10 to 80 words, as many words each time: training and decoding by length, as a table and a picture.

The figures are medians; "times linear" is the median over turns of the linear head's seconds by the other's. On a
crowded machine trust the seconds of this process's cores with one thread: waiting for other programs is not in them.
Text is CrossNER's from the data root, or made up where there is none.

Results go to stdout and to benchmarks/results/label-aware-NAME.{md,json,csv,png}. Exit code 1 when the label-aware
tagger is slower than it has to be beside the linear one: 0.65 times in training and decoding, on a GPU 0.5 in decoding.
"""

import argparse
import csv
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from measuring import RESULTS, ROOT, Lap, machine, table, take_turns
from transformers.utils import logging as transformers_logging

from nerbridge.assembly.build import build_tagger
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.context import NoContext
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.tagger import CrfSettings, LabelAwareSettings, LinearSettings, TaggerSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.data.registry.loading import load_dataset
from nerbridge.data.sentence import Sentence, Span
from nerbridge.data.tags import TagVocabulary
from nerbridge.training.fit import fit
from nerbridge.training.journal import Journal

HEADS: dict[str, TaggerSettings] = {
    "linear": LinearSettings(),
    "crf": CrfSettings(),
    "label_aware": LabelAwareSettings(),
}
GOALS = {"cpu": {"training": 0.65, "decoding": 0.65}, "cuda": {"training": 0.65, "decoding": 0.5}}
LENGTHS = tuple(range(10, 81, 10))
WORDS = ("the", "river", "Anna", "Lund", "of", "and", "wrote", "about", "model", "in", "new", "Oslo", "results", ",")
Work = Callable[[], object]


@dataclass(frozen=True)
class Setting:
    """What all contestants share. pieces, sentences: bounds of a batch."""

    encoder: TransformerSettings
    vocabulary: TagVocabulary
    device: torch.device
    pieces: int
    sentences: int

    def tagger(self, head: str) -> Tagger:
        model = build_tagger(self.encoder, NoContext(), HEADS[head], {"all": self.vocabulary}, seed=1)
        return model.to(self.device)

    def training(self, model: Tagger, stream: Stream, folder: Path, **settings: Any) -> Work:
        """One run of `fit`, ready to go."""
        assert stream.num_pieces, "the sentences are turned into pieces here, outside the measured time"
        assert stream.tag_ids
        plan = TrainingSettings(
            batch_sentences=self.sentences,
            batch_pieces=self.pieces,
            selection="last",
            checkpoint_seconds=1e9,
            precision="bf16" if self.device.type == "cuda" else "float32",
            **settings,
        )
        workdir = Path(tempfile.mkdtemp(dir=folder))
        journal = Journal(workdir / "journal.jsonl")
        return lambda: fit(model, [stream], plan, seed=1, evaluate=None, workdir=workdir, journal=journal)

    def stream(self, model: Tagger, sentences: Sequence[Sentence]) -> Stream:
        return Stream("bench", "all", sentences, model.encoder.vectorizer, self.vocabulary)


def measure(
    setting: Setting, train: Sequence[Sentence], tag: Sequence[Sentence], repetitions: int, *, heads: Sequence[str]
) -> dict[str, dict[str, dict[str, float]]]:
    """ "training" and "decoding" -> head -> its figures. Each trained tagger of a warm-up then decodes."""
    taggers = {head: setting.tagger(head) for head in heads}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for model in taggers.values():
            setting.training(model, setting.stream(model, train), folder, max_steps=10, learning_rate=1e-4)()
            model.to(setting.device).eval()

        def epoch(head: str) -> Callable[[], Work]:
            def prepare() -> Work:
                model = setting.tagger(head)
                return setting.training(model, setting.stream(model, train), folder, epochs=1)

            return prepare

        def decoding(head: str) -> Callable[[], Work]:
            return lambda: lambda: predict(taggers[head], tag, "all", max_pieces=setting.pieces)

        laps = take_turns({head: decoding(head) for head in heads}, repetitions, setting.device)
        found = {"decoding": figures(laps, sum(map(len, tag)))}
        laps = take_turns({head: epoch(head) for head in heads}, repetitions, setting.device)
        return found | {"training": figures(laps, sum(map(len, train)))}


def figures(laps: Mapping[str, Sequence[Lap]], words: int) -> dict[str, dict[str, float]]:
    """Words per second of each head and how many times as fast as the linear one it is."""
    found = {}
    for head, mine in laps.items():
        pairs = list(zip(laps["linear"], mine, strict=True))
        found[head] = {
            "words_per_second": round(statistics.median(words / one.wall for one in mine), 1),
            "words_per_core_second": round(statistics.median(words / one.cores for one in mine), 1),
            "times_linear": round(statistics.median(linear.wall / one.wall for linear, one in pairs), 3),
            "times_linear_least": round(min(linear.wall / one.wall for linear, one in pairs), 3),
            "times_linear_cores": round(statistics.median(linear.cores / one.cores for linear, one in pairs), 3),
        }
    return found


def made_up(num_words: int, length: int, labels: LabelSet, seed: int = 1) -> list[Sentence]:
    """Sentences of `length` words each, `num_words` together; about every fifth word is in a span."""
    draw = random.Random(seed)
    sentences = []
    for _ in range(max(1, num_words // length)):
        spans, place = [], draw.randrange(8)
        while place + 2 <= length:
            spans.append(Span(place, place + draw.choice((1, 2)), draw.choice(labels.names)))
            place += 2 + draw.randrange(10)
        sentences.append(Sentence(tuple(draw.choices(WORDS, k=length)), tuple(spans)))
    return sentences


def by_length(setting: Setting, num_words: int, repetitions: int) -> list[dict[str, Any]]:
    """One row for each length, task and head."""
    rows = []
    for length in LENGTHS:
        sentences = made_up(num_words, length, setting.vocabulary.labels)
        found = measure(setting, sentences, sentences, repetitions, heads=("linear", "label_aware"))
        rows += [
            {"length": length, "task": task, "head": head, **row}
            for task, heads in found.items()
            for head, row in heads.items()
        ]
        print(f"length {length}: {found}", file=sys.stderr)
    return rows


def draw(rows: Sequence[Mapping[str, Any]], path: Path, unit: str) -> None:
    """Times linear, and words per second, by length. unit: "" for the wall, "_cores" for seconds of cores."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, (above, below) = pyplot.subplots(2, 1, figsize=(6, 7), sharex=True, layout="constrained")
    rate = "words_per_core_second" if unit else "words_per_second"
    for task, style in (("training", "--"), ("decoding", "-")):
        for head, colour in (("linear", "tab:gray"), ("label_aware", "tab:blue")):
            mine = [row for row in rows if (row["task"], row["head"]) == (task, head)]
            lengths = [row["length"] for row in mine]
            above.plot(lengths, [row[rate] for row in mine], style, color=colour, label=f"{task}, {head}", marker=".")
            if head != "linear":
                ratios = [row[f"times_linear{unit}"] for row in mine]
                below.plot(lengths, ratios, style, color=colour, label=task, marker=".")
    above.set(ylabel=rate.replace("_", " "), yscale="log")
    below.set(xlabel="words in a sentence", ylabel="label-aware, times linear", ylim=(0, 1.1))
    for axes in (above, below):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def texts(root: Path, num_train: int, num_tag: int) -> tuple[list[Sentence], list[Sentence], TagVocabulary, str]:
    """Sentences to learn from and to tag, their tags, and where they are from."""
    if not (root / "SHA256SUMS").exists():
        labels = LabelSet.of(f"label{number}" for number in range(40))
        lengths = range(8, 56, 4)
        each = max(num_train, num_tag) // len(lengths) + 1
        made = [one for length in lengths for one in made_up(each * length, length, labels, length)]
        random.Random(1).shuffle(made)
        return made[:num_train], made[:num_tag], TagVocabulary(labels), "made up"
    sets = [load_dataset(f"crossner/{domain}", root) for domain in ("politics", "science", "music", "literature", "ai")]
    labels = LabelSet.of(name for one in sets for name in one.labels.names)
    splits = [[s for one in sets for s in one.splits[split]] for split in ("train", "test")]
    for split in splits:
        random.Random(1).shuffle(split)
    return splits[0][:num_train], splits[1][:num_tag], TagVocabulary(labels), "CrossNER, five domains"


def report(found: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], about: Mapping[str, Any]) -> str:
    """The results as Markdown."""
    lines = [[task, head, *(row[key] for key in row)] for task, heads in found.items() for head, row in heads.items()]
    columns = ["", "head", "words/s", "words/core second", "times linear", "least", "times linear, core seconds"]
    text = f"# Speed of the label-aware tagger\n\n{table(columns, lines)}\n"
    if rows:
        kept = [row for row in rows if row["head"] == "label_aware"]
        lines = [[row["task"], row["length"], *list(row.values())[3:]] for row in kept]
        text += f"By length of sentence (made-up text), label-aware:\n\n{table(['', 'words', *columns[2:]], lines)}\n"
    return text + "".join(f"- {key}: {value}\n" for key, value in about.items() if value is not None)


def main() -> int:
    arguments = parse()
    torch.set_num_threads(arguments.threads)
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    device = torch.device(arguments.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    train, tag, vocabulary, source = texts(arguments.data_root, arguments.train_sentences, arguments.tag_sentences)
    encoder = TransformerSettings(checkpoint=str(arguments.encoder))
    bound = arguments.batch_sentences or (16 if device.type == "cpu" else arguments.pieces)
    setting = Setting(encoder, vocabulary, device, arguments.pieces, bound)
    about = {"encoder": arguments.encoder_name, "text": source, "pieces a batch": arguments.pieces}
    about |= {"sentences a training batch, at most": bound, "sentences trained on": len(train), "tagged": len(tag)}
    about |= {"repetitions": arguments.repetitions} | machine(device)
    found = measure(setting, train, tag, arguments.repetitions, heads=tuple(HEADS))
    rows = [] if arguments.no_lengths else by_length(setting, arguments.length_words, arguments.repetitions)
    about["load_average_after"] = machine(device)["load_average"]
    write(found, rows, about, arguments, device)
    unit = "times_linear_cores" if arguments.threads == 1 else "times_linear"
    slow = [task for task, goal in GOALS[device.type].items() if found[task]["label_aware"][unit] < goal]
    print("".join(f"too slow: {task}\n" for task in slow), end="", file=sys.stderr)
    return 1 if slow else 0


def write(
    found: Mapping[str, Any],
    rows: list[dict[str, Any]],
    about: Mapping[str, Any],
    arguments: argparse.Namespace,
    device: torch.device,
) -> None:
    """Everything to the results folder, and what was asked for to stdout."""
    text = report(found, rows, about)
    content = json.dumps({"machine": about, "results": found, "by_length": rows}, indent=2)
    print(content if arguments.json else text)
    folder = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"label-aware-{arguments.name or f'{arguments.encoder_name}-{device.type}'}"
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    path.with_suffix(".json").write_text(content + "\n", encoding="utf-8")
    if rows:
        with path.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        draw(rows, path.with_suffix(".png"), "_cores" if arguments.threads == 1 else "")


def parse() -> argparse.Namespace:
    """The command line; `encoder` becomes a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", default="minilm", help="minilm, or a folder")
    parser.add_argument("--data-root", type=Path, default=os.environ.get("NERBRIDGE_DATA", ROOT / "../shared/data/ner"))
    parser.add_argument("--device", help="default: the GPU where there is one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--pieces", type=int, default=8192, help="padded pieces a batch")
    parser.add_argument("--batch-sentences", type=int, help="sentences a training batch; default 16, on a GPU no bound")
    parser.add_argument("--train-sentences", type=int, default=320)
    parser.add_argument("--tag-sentences", type=int, default=640)
    parser.add_argument("--length-words", type=int, default=2400, help="words of each point of the curve")
    parser.add_argument("--no-lengths", action="store_true", help="without the curve")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--name", help="of the files under benchmarks/results")
    arguments = parser.parse_args()
    arguments.data_root = Path(arguments.data_root)
    arguments.encoder_name = Path(arguments.encoder).name
    arguments.encoder = Path(resolve_checkpoint(arguments.encoder)).resolve()
    return arguments


if __name__ == "__main__":
    sys.exit(main())
