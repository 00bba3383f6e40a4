"""Language models of source text, target text and both: perplexities, words per second, and taggers over them.

    python benchmarks/language_model_bench.py --text news=corpora/newswire/built --text tech=corpora/tech/built \
        [--models elmo flair] [--device cuda] [--size large] [--seconds 90] [--output runs/language-models] \
        [--recipe recipes/pgn/scitech-elmo.toml --seeds 1,2,3 --jobs 3 --train=ARGUMENT ...]

Every model is trained on each text and, where there are several, on all of them together. Its budget is the seconds
that are given, turned into steps by the estimate that `nerbridge pretrain` makes before it starts; the learning rate
falls to 0 over them, and no text is read more than --epochs times. Held-out perplexities are those of each model's own
held-out documents: of words for elmo, of characters for flair; they compare within one text only. A run that was
stopped goes on, finished models are not trained again.

--plan says instead which folder gets which model of which texts: --plan lm-both=elmo:news+tech.
--recipe: train it on each language model (`encoder.parts.1.checkpoint`), one run for each of --seeds, --jobs of them at
once; --train: further arguments of `nerbridge train`, such as --train=--data-root --train=data.

A table goes to stdout and, with a JSON file beside it, to --output. Nothing but an installed nerbridge and the text is
needed.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

SIZES: dict[str, dict[str, dict[str, Any]]] = {
    "small": {"elmo": {}, "flair": {}},  # the defaults of `nerbridge pretrain`
    "large": {
        "elmo": {
            "hidden": 512,
            "batch_rows": 128,
            "max_words": 50_000,
            "negatives": 8192,
            "filters": 50,
            "learning_rate": 1e-3,
        },
        "flair": {"hidden": 1024, "batch_rows": 128, "length": 256, "learning_rate": 1e-3},
    },
}


Plan = tuple[str, str, list[str]]  # folder, model, names of texts


def main() -> None:
    """Train, tag, print."""
    arguments = _arguments()
    if arguments.device == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""  # before torch looks
    import torch

    if arguments.device == "cuda" and not torch.cuda.is_available():
        sys.exit("no GPU is there")
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    arguments.output.mkdir(parents=True, exist_ok=True)
    texts = dict(text.split("=", 1) for text in arguments.text)
    plan = [_planned(one) for one in arguments.plan] or _every(arguments.models, list(texts))
    if unknown := {name for _, _, names in plan for name in names} - set(texts):
        sys.exit(f"no --text is called {', '.join(sorted(unknown))}")
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU"
    rows = []
    for called, model, names in plan:
        folder = arguments.output / called
        result = _train(model, {name: texts[name] for name in names}, folder, arguments)
        rows.append({**result, "model": model, "text": " + ".join(names), "folder": str(folder), "f1": []})
        _write(rows, arguments, device)
    if arguments.recipe is not None:
        _tag_all(rows, arguments)
        _write(rows, arguments, device)
    print((arguments.output / f"{arguments.name}.md").read_text(encoding="utf-8"))


def _every(models: list[str], texts: list[str]) -> list[Plan]:
    """Each model on each text, and on all."""
    choices = [[name] for name in texts] + ([texts] if len(texts) > 1 else [])
    return [(f"{model}-{'-'.join(names)}", model, names) for model, names in product(models, choices)]


def _planned(text: str) -> Plan:
    """'lm-both=elmo:news+tech' -> folder, model, names of texts."""
    called, _, rest = text.partition("=")
    model, _, names = rest.partition(":")
    if model not in SIZES["small"] or not names:
        sys.exit(f"--plan {text} is not of the form NAME=elmo:TEXT+TEXT or NAME=flair:TEXT")
    return called, model, names.split("+")


def _train(model: str, texts: dict[str, str], folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """The language model in `folder`; its steps are kept in a file beside it, so that a stopped run goes on."""
    from nerbridge.config.pretraining_loading import language_model_settings
    from nerbridge.pretraining import Corpus
    from nerbridge.pretraining.language_model import estimate_language_model, pretrain_language_model

    corpora = [Corpus(Path(path), name) for name, path in texts.items()]
    overrides = [f"{key}={value}" for key, value in SIZES[arguments.size][model].items()] + arguments.set
    plan = folder.with_name(f"{folder.name}.json")
    if not plan.exists():
        trial = language_model_settings(model, [*overrides, "max_steps=1000", "epochs=100000", "evaluate_every=250"])  # type: ignore[arg-type]
        steps = 1000 * arguments.seconds / estimate_language_model(trial, corpora, say=logging.info).seconds
        plan.write_text(json.dumps({"steps": max(round(steps), 10), "overrides": overrides}))
    kept = json.loads(plan.read_text())
    most = [f"max_steps={kept['steps']}", f"evaluate_every={max(kept['steps'] // 4, 1)}", f"epochs={arguments.epochs}"]
    settings = language_model_settings(model, [*kept["overrides"], *most])  # type: ignore[arg-type]
    return pretrain_language_model(settings, corpora, folder, say=logging.info).to_json()


def _tag_all(rows: list[dict[str, Any]], arguments: argparse.Namespace) -> None:
    """Put the test F1 of taggers over every language model into its row, one per seed; --jobs of them at once."""
    cells = list(product(rows, arguments.seeds.split(",")))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        found = pool.map(lambda cell: _tag(Path(cell[0]["folder"]), cell[1], arguments), cells)
        for (row, _), f1 in zip(cells, found, strict=True):
            row["f1"] += [] if f1 is None else [f1]


def _tag(folder: Path, seed: str, arguments: argparse.Namespace) -> float | None:
    """Test F1 of a tagger over the language model in `folder`; None when it fails, whose log says why."""
    output = folder.parent / "taggers" / f"{folder.name}-{seed}"
    output.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "nerbridge", "train", str(arguments.recipe), "--output", str(output)]
    command += ["--set", f"encoder.parts.1.checkpoint={folder}", "--seeds", seed, *arguments.train]
    with output.with_suffix(".log").open("w") as log:
        if subprocess.run(command, check=False, stdout=log, stderr=log).returncode:
            return None
    return float(json.loads((output / f"seed-{seed}" / "scores.json").read_text(encoding="utf-8"))["test"]["f1"])


def _write(rows: list[dict[str, Any]], arguments: argparse.Namespace, device: str) -> None:
    lines = [
        f"{device}; size {arguments.size}; about {arguments.seconds:.0f} seconds a model",
        "",
        "| model | text | words read | epochs | perplexity forward / backward | words per second | seconds | test F1 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        last = row["evaluations"][-1] if row["evaluations"] else {"forward": float("nan"), "backward": float("nan")}
        scores = ", ".join(f"{100 * one:.2f}" for one in row.get("f1", [])) or "not measured"
        lines.append(
            f"| {row['model']} | {row['text']} | {row['words']:,} | {row['epochs']:.1f} | {last['forward']:.2f} / "
            f"{last['backward']:.2f} | {row['words_per_second']:,.0f} | {row['seconds']:.0f} | {scores} |"
        )
    (arguments.output / f"{arguments.name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    content = {"device": device, "size": arguments.size, "seconds": arguments.seconds, "rows": rows}
    (arguments.output / f"{arguments.name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--text", action="append", required=True, metavar="NAME=CORPUS")
    parser.add_argument("--plan", action="append", default=[], metavar="NAME=MODEL:TEXT+TEXT")
    parser.add_argument("--models", nargs="+", choices=("elmo", "flair"), default=["elmo", "flair"])
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--size", choices=tuple(SIZES), default="small")
    parser.add_argument("--seconds", type=float, default=90.0, help="budget of a model")
    parser.add_argument("--epochs", type=int, default=20, help="at most so many passes over a text")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--output", type=Path, default=Path("runs/language-models"))
    parser.add_argument("--name", default="language-models", help="of the table and the JSON file in --output")
    parser.add_argument("--recipe", type=Path)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--jobs", type=int, default=1, help="taggers that are trained at once")
    parser.add_argument("--train", action="append", default=[], metavar="ARGUMENT")
    return parser.parse_args()


if __name__ == "__main__":
    main()
