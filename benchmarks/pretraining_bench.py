"""Pieces per second of domain-adaptive pre-training beside plain transformers: Trainer and its masking collator.

    python benchmarks/pretraining_bench.py [--encoder FOLDER] [--text FILE...] [--length 256] [--rows 8] [--steps 6]

Same encoder with the same kind of new head, same rows (tokenised before), same number of rows per step, same masking
rate, same optimiser (fused AdamW, clipping, linear decay), same precision and threads, in one process; the contestants
take turns. In the part `full` every row is full: the text is one document. In `documents` no row crosses a paragraph; a
step of nerbridge has as many pieces as full rows would have, one of Trainer as many rows, of similar length so that it
pads little; both read the same rows. Nothing is evaluated or saved in the measured time. Masking and collation are
measured too: alone, and as the share of the steps' time in which they were waited for.

A table goes to stdout and, with a JSON file beside it, to benchmarks/results/pretraining-NAME. Exit code 1 when
nerbridge is slower than transformers, or when its steps wait for data more than 1 % of their time.
"""

import argparse
import json
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from accelerate.state import AcceleratorState
from measuring import RESULTS, ROOT, compare, machine, table, take_turns
from transformers import (
    AutoModelForMaskedLM,
    AutoTokenizer,
    DataCollatorForLanguageModeling,
    PrinterCallback,
    Trainer,
    TrainingArguments,
)
from transformers.utils import logging as transformers_logging

from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.pretraining import PretrainingSettings
from nerbridge.data.packaged_encoder import resolve_checkpoint
from nerbridge.pretraining import Corpus
from nerbridge.pretraining.attempt import Attempt
from nerbridge.pretraining.batch import Collator
from nerbridge.pretraining.progress import PlainWatcher
from nerbridge.training.processes import Processes

OURS, THEIRS = "nerbridge", "transformers"
MOST_WAITING = 0.01
Work = Callable[[], object]


class NerbridgePretraining:
    """Prepares the steps of `pretrain`, without the new head's own ones. shares: how long they waited for data."""

    def __init__(self, arguments: argparse.Namespace, text: Path, folder: Path) -> None:
        self._folder = folder
        self._corpora = [Corpus(text, "text")]
        self._encoder = TransformerSettings(checkpoint=str(arguments.encoder))
        self._settings = PretrainingSettings(
            length=arguments.length,
            batch_rows=arguments.rows,
            rows_at_once=arguments.rows,
            max_steps=arguments.steps,
            head_steps=0,
            held_out_pieces=0,
            precision=arguments.precision,
            checkpoint_seconds=1e9,
            warmup=0.0,
        )
        self.shares: list[float] = []

    def attempt(self) -> Attempt:
        output = Path(tempfile.mkdtemp(dir=self._folder))
        (output / "work").mkdir()
        AcceleratorState._reset_state()  # Trainer leaves its precision there, and it may be set once
        return Attempt(
            self._settings,
            self._corpora,
            self._encoder,
            output,
            key="",
            processes=Processes(),
            cache=self._folder / "cache",
            say=logging.getLogger(__name__).debug,
        )

    def __call__(self) -> Work:
        attempt = self.attempt()
        return lambda: self.shares.append(attempt.run(PlainWatcher()).waiting_share)


class PlainPretraining:
    """Prepares one pass of `Trainer` over the same rows."""

    def __init__(self, arguments: argparse.Namespace, rows: list[list[int]], folder: Path) -> None:
        self._arguments, self._folder = arguments, folder
        self._tokenizer = AutoTokenizer.from_pretrained(arguments.encoder)
        special = set(self._tokenizer.all_special_ids)
        self._rows = [{"input_ids": row, "special_tokens_mask": [int(p in special) for p in row]} for row in rows]

    def __call__(self) -> Work:
        arguments = self._arguments
        on_cpu = arguments.device.type == "cpu"
        options = TrainingArguments(
            output_dir=tempfile.mkdtemp(dir=self._folder),
            per_device_train_batch_size=arguments.rows,
            num_train_epochs=1,
            learning_rate=1e-4,
            lr_scheduler_type="linear",
            weight_decay=0.01,
            max_grad_norm=1.0,
            train_sampling_strategy="group_by_length",
            bf16=arguments.precision == "bf16",
            save_strategy="no",
            logging_strategy="no",
            disable_tqdm=True,
            report_to="none",
            use_cpu=on_cpu,
            dataloader_pin_memory=not on_cpu,
            seed=1,
        )
        trainer = Trainer(
            AutoModelForMaskedLM.from_pretrained(arguments.encoder),
            options,
            data_collator=DataCollatorForLanguageModeling(self._tokenizer, mlm_probability=0.15),
            train_dataset=self._rows,
            processing_class=self._tokenizer,
        )
        trainer.remove_callback(PrinterCallback)  # it prints to stdout
        return trainer.train


def measure(arguments: argparse.Namespace, part: str) -> dict[str, Any]:
    """Both contestants over full rows, or over rows that cross no paragraph."""
    with tempfile.TemporaryDirectory() as folder:
        text = write_text(arguments.text, Path(folder) / "text.txt", between=" " if part == "full" else "\n")
        ours = NerbridgePretraining(arguments, text, Path(folder))
        attempt = ours.attempt()
        material = attempt.material
        numbers = [rows for _, rows in material.timetable.batches(0)]
        assert isinstance(material.collator, Collator)
        rows = [material.collator.row(int(number)) for batch in numbers for number in batch]
        started = time.perf_counter()
        for step, batch in enumerate(numbers):
            material.collator(batch, attempt.settings, material.timetable.mask_seed(step), material.share)
        making = (time.perf_counter() - started) / len(numbers)
        del attempt
        theirs = PlainPretraining(arguments, rows, Path(folder))
        laps = take_turns({OURS: ours, THEIRS: theirs}, arguments.repetitions, arguments.device)
    shares = sorted(ours.shares[1:])
    found = compare(laps, sum(map(len, rows)), OURS, THEIRS)
    return found | {"collation_ms": round(1000 * making, 2), "waiting_share": shares[len(shares) // 2]}


def write_text(sources: list[Path], target: Path, *, between: str) -> Path:
    """All paragraphs of `sources` in one file."""
    parts = (words for path in sources for words, _ in Corpus(path, "text").parts())
    target.write_text(between.join(" ".join(words) for words in parts), encoding="utf-8")
    return target


def report(found: dict[str, Any], about: dict[str, Any]) -> str:
    """The results as Markdown."""
    rows = []
    for name, row in found.items():
        low, high = row["times_wall_range"]
        rates = [f"{row[who]['words_per_second']:,.0f}" for who in (OURS, THEIRS)]
        times = [f"**{row['times_wall']:.2f}** ({low:.2f} to {high:.2f})", f"{row['times_cores']:.2f}"]
        data = [f"{row['collation_ms']:.1f}", f"{100 * row['waiting_share']:.2f} %"]
        rows.append([name, f"{row['words']:,}", *rates, *times, *data])
    columns = ["rows", "pieces", "nerbridge, pieces/s", "transformers, pieces/s", "times", "times, core seconds"]
    columns += ["masking and collation of a step, ms", "share of step time that waits for data"]
    facts = "".join(f"- {key}: {value}\n" for key, value in about.items() if value is not None)
    return f"# Pre-training beside plain transformers\n\n{table(columns, rows)}\n{facts}"


def main() -> int:
    arguments = parse()
    torch.set_num_threads(arguments.threads)
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    keys = ("encoder_name", "length", "rows", "steps", "precision", "repetitions")
    about = {key.removesuffix("_name"): getattr(arguments, key) for key in keys} | machine(arguments.device)
    found = {part: measure(arguments, part) for part in arguments.parts.split(",")}
    about["load_average_after"] = machine(arguments.device)["load_average"]
    text = report(found, about)
    print(text)
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"pretraining-{arguments.name or f'{arguments.encoder_name}-{arguments.device.type}'}"
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    path.with_suffix(".json").write_text(json.dumps({"machine": about, "results": found}, indent=2) + "\n", "utf-8")
    slow = [f"too slow: {name}" for name, row in found.items() if row["times_wall"] < 1.0]
    slow += [f"waits for data: {name}" for name, row in found.items() if row["waiting_share"] > MOST_WAITING]
    print("".join(f"{line}\n" for line in slow), end="", file=sys.stderr)
    return 1 if slow else 0


def parse() -> argparse.Namespace:
    """The command line; `encoder` becomes a folder, `rows` and `precision` follow from the device."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encoder", default="minilm", help="minilm, or a folder")
    parser.add_argument("--text", type=Path, nargs="+", default=[ROOT / "../shared/data/corpora/ai/d2l.txt.gz"])
    parser.add_argument("--device", help="default: the GPU where there is one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--parts", default="full,documents")
    parser.add_argument("--length", type=int, default=256)
    parser.add_argument("--rows", type=int, help="full rows per step; default: 8, on a GPU 64")
    parser.add_argument("--steps", type=int, help="default: 6, on a GPU 30")
    parser.add_argument("--precision", choices=("float32", "bf16"), help="default: float32, on a GPU bf16")
    parser.add_argument("--name", help="of the files under benchmarks/results")
    arguments = parser.parse_args()
    arguments.encoder_name = Path(arguments.encoder).name
    arguments.encoder = Path(resolve_checkpoint(arguments.encoder)).resolve()
    arguments.device = torch.device(arguments.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    on_cpu = arguments.device.type == "cpu"
    arguments.rows = arguments.rows or (8 if on_cpu else 64)
    arguments.steps = arguments.steps or (6 if on_cpu else 30)
    arguments.precision = arguments.precision or ("float32" if on_cpu else "bf16")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
