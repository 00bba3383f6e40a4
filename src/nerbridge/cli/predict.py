"""`nerbridge predict`: tag files or standard input with a trained model."""

from pathlib import Path
from typing import Annotated, Literal

import typer


def command(
    model: Annotated[Path, typer.Argument(help="Folder of a run or of a bundle.", show_default=False)],
    files: Annotated[
        list[str] | None, typer.Argument(help="Files to tag; - is standard input, the default.", show_default=False)
    ] = None,
    input_format: Annotated[
        Literal["text", "jsonl", "conll"] | None,
        typer.Option(
            help="text: one text per line. jsonl: objects with `text` or `words`. conll: one word per line. "
            "By default the suffix decides (.jsonl, .conll, .bio, .tsv; before .gz), else text.",
            show_default=False,
        ),
    ] = None,
    whole_file: Annotated[bool, typer.Option("--whole-file", help="Each file is one text.")] = False,
    encoding: Annotated[str, typer.Option(help="Encoding of the files.")] = "utf-8",
    read: Annotated[
        list[str] | None,
        typer.Option(
            "--read",
            metavar="OPTION=VALUE",
            help="How column files are read: separator=space, word_column=1 (from 0), comment=%; may be repeated.",
            show_default=False,
        ),
    ] = None,
    output_format: Annotated[
        Literal["jsonl", "conll", "html"] | None,
        typer.Option(
            "--format",
            help="What is written; by default the suffix of --output decides (.jsonl, .conll, .tsv, .txt, .html), "
            "else jsonl.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write, complete or not at all.", show_default=False)
    ] = None,
    offsets: Annotated[
        Literal["codepoints", "utf16", "bytes"] | None,
        typer.Option(
            help="What offsets in jsonl count: code points (Python; the default), UTF-16 units (JavaScript), bytes.",
            show_default=False,
        ),
    ] = None,
    scheme: Annotated[
        Literal["BIO", "IOB1", "BIOES", "BMES", "BILOU", "IO", "bare"] | None,
        typer.Option(help="Tag scheme of conll; BIO by default.", case_sensitive=False, show_default=False),
    ] = None,
    min_score: Annotated[float, typer.Option(min=0, max=1, help="Leave out entities with a lower score.")] = 0.0,
    batch_pieces: Annotated[
        int | None,
        typer.Option(
            min=1, help="Subwords per batch, padding included; by default what suits the device.", show_default=False
        ),
    ] = None,
    device: Annotated[
        str, typer.Option(help="auto (a GPU where there is one), cpu, cuda, cuda:1, ...", show_default=True)
    ] = "auto",
    threads: Annotated[
        int | None, typer.Option(min=1, max=4096, help="CPU threads; by default torch decides.", show_default=False)
    ] = None,
) -> None:
    """Tag texts with a trained model.

    Files or standard input: text, JSON lines or columns in; JSON lines, columns or HTML out.

    Offsets point into the text as it was given, which is never altered. A line that cannot be read is left out, said at
    the end, and makes the exit code 2; all others are tagged.
    """
    from nerbridge.cli.predict_columns import column_options
    from nerbridge.cli.predict_output import choose_format, refuse_idle_options
    from nerbridge.cli.predict_run import Request, predict_files

    chosen = choose_format(output_format, output)
    refuse_idle_options(chosen, scheme=scheme, offsets=offsets)
    request = Request(
        files=tuple(files or ["-"]),
        input_format="whole" if whole_file else input_format,
        encoding=encoding,
        output_format=chosen,
        output=output,
        offsets=offsets or "codepoints",
        scheme=scheme or "BIO",
        min_score=min_score,
        columns=column_options(read or ()),
    )
    predict_files(request, model, device=device, batch_pieces=batch_pieces, threads=threads)
