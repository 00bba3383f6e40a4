"""Options of raw text: in commands that train, and in those that read it."""

from typing import Annotated

import typer

RawOption = Annotated[
    list[str] | None,
    typer.Option(
        "--raw",
        metavar="PATH",
        help="Raw text of the new domain (files, folders, patterns, built corpora): the encoder learns from it first; "
        "with --context, a language model; may be repeated.",
        show_default=False,
    ),
]
ListsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--gazetteer",
        metavar="PATH",
        help="Names that choose sentences of --raw, or with --context multi_cell teach its words: a folder of "
        "<label>.txt, a table; may be repeated.  "
        "[default: names of the labelled sentences, and those that a first tagger is sure of]",
        show_default=False,
    ),
]
LevelOption = Annotated[
    str | None,
    typer.Option(
        "--level",
        help="Which sentences of --raw: domain (all), entity, task or integrated.",
        show_default="integrated",
    ),
]
PretrainingOption = Annotated[
    str | None,
    typer.Option(
        "--pretraining",
        help="How much it learns from --raw, at most: short (200 steps of 4,096 pieces), standard (1,000 of 16,384) or "
        "full (15 passes over the chosen text).",
        show_default="short",
    ),
]
AblateOption = Annotated[
    bool,
    typer.Option(
        "--ablate", help="Also train without pre-training, without selection, without source, and compare each."
    ),
]
ContextOption = Annotated[
    str | None,
    typer.Option(
        "--context",
        help="parameter_generation: learn tags and language models of both domains at once. multi_cell: a cell for "
        "each label, learnt from tags of both, and from --raw with names of --gazetteer. Labels may be missing.",
        show_default=False,
    ),
]
RawSourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--raw-source",
        metavar="PATH",
        help="Raw text of the source, for --context; may be repeated.  [default: the words of its training set; none "
        "with multi_cell]",
        show_default=False,
    ),
]
FieldOption = Annotated[
    str,
    typer.Option(
        "--field",
        help="Where JSON lines and Parquet have the text; 'a.b' goes deeper.",
        metavar="NAME",
    ),
]
