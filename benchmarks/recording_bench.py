"""Steps per second of training a transformer in small batches, kernels asked for one by one or recorded.

    python benchmarks/recording_bench.py --encoder FOLDER [--processes 1,4,8,12] [--seconds 6] [--batch 16] [--words 25]

A step is that of the training loop: 16 sentences of 25 words through encoder and linear head and back, clipping, fused
AdamW, a look at the loss every 25 steps; bf16 on a GPU. The two ways differ in `encoder.record` alone. So many
processes train side by side on one device, each its own model, first one way, then the other; before the clock runs
they wait for each other, with the shapes recorded. The encoder's folder is as a model hub has it. Prints a line of JSON
about the machine, then one for each number of processes and way; `times` compares with the way without recordings.
Wants a GPU: on a CPU nothing is recorded (`shapes` is 0, as it is where recording failed, which is then said).
"""

import argparse
import json
import multiprocessing
import queue
import random
import signal
import statistics
import sys
import time
from typing import Any

import torch
from measuring import machine

from nerbridge.assembly.build import build_tagger
from nerbridge.batching.streams import Stream
from nerbridge.config.context import NoContext
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.tagger import LinearSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence, Span
from nerbridge.data.tags import TagVocabulary
from nerbridge.encoders.transformer.encoder import TransformerEncoder
from nerbridge.encoders.transformer.recording import Recorder
from nerbridge.training.learner import Learner
from nerbridge.training.processes import Processes

WAYS = ("one by one", "recorded")
LABELS = [f"label{number}" for number in range(12)]
TEXT = (
    "the city and its first university were also known for music from the world of film and a science school by the "
    "river which had been the house of an old king in that time but this company with new data wrote one more book on "
    "language for people who have two children at the church in his home town as there are not many of them"
)


def make_sentences(number: int, words: int, spread: int) -> list[Sentence]:
    """Sentences of ordinary words, each `words` long, or up to `spread` longer or shorter; two words have a label."""
    chance, words_known = random.Random(1), TEXT.split()
    sentences = []
    for _ in range(number):
        length = max(3, words + chance.randint(-spread, spread))
        start = chance.randrange(length - 2)
        text = tuple(chance.choices(words_known, k=length))
        sentences.append(Sentence(text, (Span(start, start + 2, chance.choice(LABELS)),)))
    return sentences


class Trainer:
    """A new model and its streams, on the device of this process."""

    def __init__(self, asked: argparse.Namespace) -> None:
        torch.set_num_threads(1)
        processes = Processes()
        self.device = processes.device
        vocabulary = TagVocabulary(LabelSet.of(LABELS))
        encoder = TransformerSettings(checkpoint=asked.encoder)
        model = build_tagger(encoder, NoContext(), LinearSettings(), {"all": vocabulary}, seed=1).to(self.device)
        sentences = make_sentences(asked.sentences, asked.words, asked.spread)
        stream = Stream("all", "all", sentences, model.encoder.vectorizer, vocabulary)
        precision = "bf16" if self.device.type == "cuda" else "float32"
        settings = TrainingSettings(batch_sentences=asked.batch, precision=precision)
        self._learner = Learner(model.train(), [stream], settings, seed=1, processes=processes)
        self._asked, self._step = asked, 0
        assert isinstance(model.encoder, TransformerEncoder)
        self.encoder = model.encoder

    def learn(self) -> None:
        """One step."""
        first = self._step * self._asked.batch % (self._asked.sentences - self._asked.batch + 1)
        self._learner.learn([list(range(first, first + self._asked.batch))], step=self._step, done=0.5)
        self._step += 1

    def wait(self) -> float:
        """The sum of losses since the last call, when the device has done all that it was asked for."""
        loss = float(self._learner.loss_sum)
        self._learner.loss_sum.zero_()
        return loss


def work(asked: argparse.Namespace, barrier: Any, results: Any) -> None:
    """One of the processes: both ways, each time ready and at the same time as the others."""
    trainer = Trainer(asked)
    for way in WAYS:
        trainer.encoder._recorder = Recorder() if way == "recorded" else None  # as `encoder.record` does
        began = time.perf_counter()
        for _ in range(asked.warm_up):
            trainer.learn()
        trainer.wait()
        ready = time.perf_counter() - began
        barrier.wait()
        found = run(trainer, asked.seconds)
        recorder = trainer.encoder._recorder
        shapes = len(recorder._tapes) if recorder is not None else 0
        results.put({"way": way, **found, "warm_up_seconds": ready, "shapes": shapes})
        barrier.wait()


def run(trainer: Trainer, seconds: float) -> dict[str, float]:
    """What a process does in so many seconds."""
    steps, start, core_start = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        for _ in range(10):
            trainer.learn()
        steps += 10
    loss = trainer.wait() / steps
    taken, cores = time.perf_counter() - start, time.process_time() - core_start
    gib = torch.cuda.memory_reserved() / 2**30 if trainer.device.type == "cuda" else 0.0
    return {"rate": steps / taken, "core_milliseconds": 1e3 * cores / steps, "gib": gib, "loss": loss}


def measure(asked: argparse.Namespace, count: int) -> list[dict[str, Any]]:
    """What `count` processes do side by side, by way: steps per second of all together, means and worst of the rest."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(count), context.Queue()
    workers = [context.Process(target=work, args=(asked, barrier, results), daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    found: list[dict[str, Any]] = []
    while len(found) < count * len(WAYS):
        if any(worker.exitcode for worker in workers):
            raise SystemExit(f"one of {count} processes failed, its words are above")
        try:
            found.append(results.get(timeout=0.2))
        except queue.Empty:
            continue
    for worker in workers:
        worker.join()
    return [summary(way, [one for one in found if one["way"] == way]) for way in WAYS]


def summary(way: str, found: list[dict[str, Any]]) -> dict[str, Any]:
    """One line about one way."""
    return {
        "way": way,
        "processes": len(found),
        "steps_per_second": round(sum(one["rate"] for one in found), 1),
        "slowest": round(min(one["rate"] for one in found), 1),
        "core_milliseconds": round(statistics.mean(one["core_milliseconds"] for one in found), 2),
        "warm_up_seconds": round(max(one["warm_up_seconds"] for one in found), 1),
        "gib_of_each": round(max(one["gib"] for one in found), 2),
        "shapes": min(one["shapes"] for one in found),
        "loss": round(statistics.mean(one["loss"] for one in found), 4),
    }


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the workers end with it
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--encoder", required=True, help="its folder")
    parser.add_argument("--processes", default="1,4,8,12", help="how many train side by side")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each measurement")
    parser.add_argument("--batch", type=int, default=16, help="sentences")
    parser.add_argument("--words", type=int, default=25, help="of a sentence")
    parser.add_argument("--spread", type=int, default=0, help="words that a sentence may be longer or shorter")
    parser.add_argument("--sentences", type=int, default=800)
    parser.add_argument("--warm-up", type=int, default=15, help="steps before the clock runs")
    asked = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    print(json.dumps({**machine(device), **vars(asked)}), flush=True)
    for count in map(int, asked.processes.split(",")):
        plain, recorded = measure(asked, count)
        times = round(recorded["steps_per_second"] / plain["steps_per_second"], 2)
        print(json.dumps(plain), json.dumps({**recorded, "times": times}), sep="\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
