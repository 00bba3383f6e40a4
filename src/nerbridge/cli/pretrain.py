"""`nerbridge pretrain`: raw text and an encoder in, an encoder of the domain out; or a language model from nothing."""

import shlex
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nerbridge.cli.console import console, visible
from nerbridge.cli.options import JsonOption
from nerbridge.cli.pretrain_language_model import refuse_encoder, train_language_model
from nerbridge.errors import ConfigError

if TYPE_CHECKING:
    from nerbridge.config.language_models import LanguageModelName
    from nerbridge.pretraining import Corpus, PretrainingResult


class ModelName(StrEnum):
    """What is trained: an encoder by masked pieces, or a language model by words or by characters."""

    MASKED = "masked"
    ELMO = "elmo"
    FLAIR = "flair"


CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        envvar="NERBRIDGE_CACHE",
        help="Where tokenised text is kept.  [default: ~/.cache/nerbridge]",
        show_default=False,
    ),
]


def command(
    corpora: Annotated[
        list[str],
        typer.Argument(
            metavar="[DOMAIN=]CORPUS...",
            help="Built corpora (folders) or text files (.txt, .txt.gz; one paragraph per line).",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the pre-trained encoder.")],
    model: Annotated[
        ModelName,
        typer.Option(
            help="masked: --encoder goes on learning. elmo, flair: a language model from nothing, by words "
            "or by characters."
        ),
    ] = ModelName.MASKED,
    encoder: Annotated[
        str | None,
        typer.Option(
            help="'minilm', a folder, or a hub name: what goes on learning.  [default: minilm]", show_default=False
        ),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Override a setting: masking=token (repeatable).", show_default=False
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done and how long it takes.")] = False,
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """Pre-train an encoder on raw text of a domain.

    The folder holds an ordinary encoder: use it with --encoder, encoder.checkpoint=FOLDER, or any Hugging Face tool.
    With --model elmo or flair it holds a language model, for an encoder of kind language_model.

    Stopped or killed, the same command continues. Several GPUs: accelerate launch -m nerbridge pretrain ...
    """
    from nerbridge.config.encoder import TransformerSettings
    from nerbridge.config.pretraining_loading import pretraining_settings
    from nerbridge.pipeline.places import default_cache
    from nerbridge.pretraining.corpus_checks import check_corpora

    texts = [parse_corpus(text) for text in corpora]
    if model is not ModelName.MASKED:
        refuse_encoder(model.value, encoder)
        name: LanguageModelName = "elmo" if model is ModelName.ELMO else "flair"
        train_language_model(name, texts, output, overrides or [], dry_run=dry_run, as_json=as_json)
        return
    settings = pretraining_settings(overrides or [])
    base, place = TransformerSettings(checkpoint=encoder or "minilm"), cache or default_cache()
    check_corpora(texts)
    console.once("start    loading what learns, some seconds")

    from nerbridge.cli.pretraining_progress import make_watcher  # from here on it is heavy
    from nerbridge.cli.running import continuable
    from nerbridge.pipeline.interruption import keeping_checkpoint
    from nerbridge.pipeline.processes import is_main
    from nerbridge.pretraining import estimate_pretraining, pretrain
    from nerbridge.pretraining.result import WORK

    if dry_run:
        found = estimate_pretraining(settings, texts, encoder=base, cache=place, say=_say)
        if as_json and is_main():
            console.json(found.to_json())
        return
    with continuable(), keeping_checkpoint("pre-training", output / WORK):
        result = pretrain(settings, texts, output, encoder=base, cache=place, watcher=make_watcher(), say=_say)
    if is_main():
        _print(result, as_json=as_json)


def parse_corpus(text: str) -> "Corpus":
    """'ai=texts.txt' or 'texts.txt', whose domain is then 'texts'. Raises ConfigError for an empty domain or path."""
    from nerbridge.pretraining import Corpus

    domain, sign, path = text.partition("=")
    if not sign or Path(text).exists():
        return Corpus(Path(text), Path(text).name.removesuffix(".gz").removesuffix(".txt") or "text")
    if not domain or not path:
        raise ConfigError(
            f"'{text}' names no {'corpus' if domain else 'domain'}",
            where="the corpora of the command",
            expected="DOMAIN=PATH, or PATH alone",
            hint="nerbridge pretrain ai=texts.txt.gz --output FOLDER",
        )
    return Corpus(Path(path), domain)


def _say(text: str) -> None:
    console.note(visible(text))


def _print(result: "PretrainingResult", *, as_json: bool) -> None:
    """Perplexities to stdout, the way on to stderr."""
    from nerbridge.pretraining.doubt import doubt

    if as_json:
        console.json(result.to_json())
    elif result.evaluations:
        rows = [[one.step, one.token, one.span] for one in result.evaluations]
        console.table(["step", "perplexity, token masks", "perplexity, span masks"], rows)
    if fault := doubt(result):
        console.warning(f"{fault}; taggers may lose by this encoder: more steps (--set max_steps=...)")
    console.note(f"encoder  {visible(str(result.folder))}")
    folder = shlex.quote(str(result.folder))
    console.note(f"use it   nerbridge adapt --encoder {folder} ...")
