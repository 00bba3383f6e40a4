"""`nerbridge pretrain --model elmo` and `flair`: raw text in, a language model out."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nerbridge.cli.console import console, visible
from nerbridge.errors import ConfigError

if TYPE_CHECKING:
    from nerbridge.config.language_models import LanguageModelName
    from nerbridge.pretraining import Corpus
    from nerbridge.pretraining.language_model import LanguageModelResult


def train_language_model(
    model: "LanguageModelName",
    texts: "Sequence[Corpus]",
    output: Path,
    overrides: Sequence[str],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Train one into `output`, or say how long it would take."""
    from nerbridge.cli.pretraining_progress import make_watcher
    from nerbridge.cli.running import continuable
    from nerbridge.config.pretraining_loading import language_model_settings
    from nerbridge.pipeline.interruption import keeping_checkpoint
    from nerbridge.pipeline.processes import is_main
    from nerbridge.pretraining.language_model import estimate_language_model, pretrain_language_model
    from nerbridge.pretraining.result import WORK

    settings = language_model_settings(model, overrides)
    if dry_run:
        found = estimate_language_model(settings, texts, say=_say)
        if as_json and is_main():
            words = {"words": found.pieces, "words_per_second": found.pieces_per_second}
            console.json({"seconds": found.seconds, **words})
        return
    with continuable(), keeping_checkpoint("pre-training", output / WORK):
        result = pretrain_language_model(settings, texts, output, watcher=make_watcher(), say=_say)
    if is_main():
        _print(result, as_json=as_json)


def refuse_encoder(model: str, encoder: str | None) -> None:
    """Raises ConfigError where an encoder is named that would not be used."""
    if encoder is not None:
        raise ConfigError(
            f"--encoder {encoder} has no effect: {model} starts from nothing",
            where="--encoder",
            expected="no encoder, or --model masked",
            hint=f"leave out --encoder, or --model {model}",
        )


def _say(text: str) -> None:
    console.note(visible(text))


def _print(result: "LanguageModelResult", *, as_json: bool) -> None:
    """Perplexities to stdout, the way on to stderr."""
    if as_json:
        console.json(result.to_json())
    elif result.evaluations:
        unit = "words" if result.model == "elmo" else "characters"
        rows = [[one.step, one.forward, one.backward] for one in result.evaluations]
        console.table(["step", f"perplexity of {unit}, forward", "backward"], rows)
    if result.evaluations and _has_learnt_nothing(result):
        console.note(
            "warning  it predicts held-out text worse than guessing would, so that it has learnt nothing: lower "
            "learning_rate, or set clip_norm"
        )
    console.note(f"language model  {visible(str(result.folder))}")
    folder = shlex.quote(str(result.folder))
    console.note(f"use it          nerbridge adapt --encoder {folder} ...")


def _has_learnt_nothing(result: "LanguageModelResult") -> bool:
    """Is its last perplexity far above the number of units that there are to choose from?"""
    last = result.evaluations[-1]
    return max(last.forward, last.backward) > 2 * (result.predicted + 2)  # the unknown unit and the end are two more
