"""Language models of source text, target text and both: perplexities, words per second, and taggers over them.

    python benchmarks/language_model_bench.py --text news=corpora/newswire/built --text tech=corpora/tech/built \
        [--models elmo flair] [--device cuda] [--size large] [--seconds 90] [--output runs/language-models] \
        [--recipe recipes/pgn/scitech-elmo.toml --seeds 1,2,3 --train ARGUMENT ...]

Every model is trained on each text and, where there are several, on all of them together. Its budget is the seconds
that are given, turned into steps by the estimate that `nerbridge pretrain` makes before it starts; the learning rate
falls to 0 over them. Held-out perplexities are those of each model's own held-out documents: of words for elmo, of
characters for flair; they compare within one text only. A run that was stopped goes on, finished models are not trained
again.

--recipe: train it on each language model (`encoder.parts.1.checkpoint`), one run for each of --seeds; --train: further
arguments of `nerbridge train`, such as --train=--data-root --train=data. Only recipes of the model's kind make sense.

A table goes to stdout and, with a JSON file beside it, to --output. Nothing but an installed nerbridge and the text is
needed.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

SIZES: dict[str, dict[str, dict[str, Any]]] = {
    "small": {"elmo": {}, "flair": {}},  # the defaults of `nerbridge pretrain`
    "large": {
        "elmo": {"hidden": 512, "batch_rows": 128, "max_words": 50_000, "negatives": 8192, "filters": 50},
        "flair": {"hidden": 1024, "batch_rows": 128, "length": 256},
    },
}


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
    choices = [(name,) for name in texts] + ([tuple(texts)] if len(texts) > 1 else [])
    rows = []
    for model in arguments.models:
        for names in choices:
            rows.append(_row(model, {name: texts[name] for name in names}, arguments))
            _write(rows, arguments, torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU")
    print((arguments.output / "language-models.md").read_text(encoding="utf-8"))


def _row(model: str, texts: dict[str, str], arguments: argparse.Namespace) -> dict[str, Any]:
    folder = arguments.output / f"{model}-{'-'.join(texts)}"
    result = _train(model, texts, folder, arguments)
    row = {"model": model, "text": " + ".join(texts), **result}
    if arguments.recipe is not None:
        row["f1"] = _tag(folder, arguments)
    return row


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
    most = [f"max_steps={kept['steps']}", f"evaluate_every={max(kept['steps'] // 4, 1)}", "epochs=100000"]
    settings = language_model_settings(model, [*kept["overrides"], *most])  # type: ignore[arg-type]
    return pretrain_language_model(settings, corpora, folder, say=logging.info).to_json()


def _tag(folder: Path, arguments: argparse.Namespace) -> list[float]:
    """Test F1 of a tagger over the language model in `folder`, one per seed."""
    output = folder.with_name(f"{folder.name}-tagger")
    command = [sys.executable, "-m", "nerbridge", "train", str(arguments.recipe), "--output", str(output)]
    command += ["--set", f"encoder.parts.1.checkpoint={folder}", "--seeds", arguments.seeds, *arguments.train]
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode:
        return []
    found = sorted(output.glob("seed-*/scores.json")) or [output / "scores.json"]
    return [float(json.loads(path.read_text(encoding="utf-8"))["test"]["f1"]) for path in found]


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
    (arguments.output / "language-models.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    content = {"device": device, "size": arguments.size, "seconds": arguments.seconds, "rows": rows}
    (arguments.output / "language-models.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--text", action="append", required=True, metavar="NAME=CORPUS")
    parser.add_argument("--models", nargs="+", choices=("elmo", "flair"), default=["elmo", "flair"])
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--size", choices=tuple(SIZES), default="small")
    parser.add_argument("--seconds", type=float, default=90.0, help="budget of a model")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--output", type=Path, default=Path("runs/language-models"))
    parser.add_argument("--recipe", type=Path)
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--train", action="append", default=[], metavar="ARGUMENT")
    return parser.parse_args()


if __name__ == "__main__":
    main()
