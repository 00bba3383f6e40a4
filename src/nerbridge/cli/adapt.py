"""`nerbridge adapt`: the whole way for a user's own files."""

from pathlib import Path
from typing import Annotated

import typer

from nerbridge.cli.data_inputs import Reading
from nerbridge.cli.data_options import EncodingOption, FormatOption, SchemeOption
from nerbridge.cli.options import DataRootOption, JsonOption
from nerbridge.cli.raw_options import (
    AblateOption,
    ContextOption,
    LevelOption,
    ListsOption,
    PretrainingOption,
    RawOption,
    RawSourceOption,
)
from nerbridge.cli.train_options import CacheOption, OutputOption, SeedsOption, SetOption

ReadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--read",
        metavar="OPTION=VALUE",
        help="How the target's files are read, such as end_shift=1, borders=snap, tag_column=1; may be repeated.",
        show_default=False,
    ),
]
SourceReadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--source-read",
        metavar="OPTION=VALUE",
        help="How source files are read: the same options, and format, scheme, encoding; may be repeated.",
        show_default=False,
    ),
]


def command(
    target_train: Annotated[
        str | None,
        typer.Option("--target-train", help="Labelled sentences of the new domain: a file, or a registered name."),
    ] = None,
    target_dev: Annotated[
        str | None,
        typer.Option(
            "--target-dev",
            help="Labelled file to select on; without one, 10 % of train is held out. Without --target-train "
            "(zero-shot) it is only scored.",
        ),
    ] = None,
    target_test: Annotated[str | None, typer.Option("--target-test", help="Labelled file to score at the end.")] = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            help="Source stages in order, separated by commas: registered names or files; '' = none.",
            show_default="conll2003; none with --transfer direct",
        ),
    ] = None,
    encoder: Annotated[
        str | None,
        typer.Option(
            "--encoder",
            help="minilm, a local folder, a hub name, or word_char (word vectors and a BiLSTM). A folder of "
            "`pretrain --model elmo` or `flair` stands beside the word vectors, under the BiLSTM.",
            show_default="minilm; word_char with --context",
        ),
    ] = None,
    vectors: Annotated[
        str | None,
        typer.Option(
            "--vectors", help="Word vectors of word_char: glove, a file, or none.", show_default="glove; word_char only"
        ),
    ] = None,
    tagger: Annotated[
        str | None,
        typer.Option("--tagger", help="linear, crf, coach or label_aware.", show_default="linear; crf with --context"),
    ] = None,
    transfer: Annotated[
        str | None,
        typer.Option(
            "--transfer", help="direct, sequential or joint.", show_default="sequential; direct without sources"
        ),
    ] = None,
    raw: RawOption = None,
    gazetteer: ListsOption = None,
    level: LevelOption = None,
    pretraining: PretrainingOption = None,
    ablate: AblateOption = False,
    context: ContextOption = None,
    raw_source: RawSourceOption = None,
    format: FormatOption = None,
    scheme: SchemeOption = None,
    encoding: EncodingOption = "utf-8",
    read: ReadOption = None,
    source_read: SourceReadOption = None,
    overrides: SetOption = None,
    seeds: SeedsOption = None,
    output: OutputOption = None,
    data_root: DataRootOption = None,
    cache: CacheOption = None,
    as_json: JsonOption = False,
) -> None:
    """Adapt a tagger to your own domain.

    Writes the recipe, trains on the source data and then on yours, scores, and writes a report.

    With --raw the encoder first learns from your raw text, --pretraining says how much: short is for a laptop's
    minutes; full, for a GPU, helped more than standard where both were measured. An encoder without a head for it, such
    as minilm, gets a new one, which learns alone before (pretraining.head_steps). What it will do and how long it
    should take is said first.

    With --context parameter_generation, language models of --raw and --raw-source are learnt beside the tags; without
    --target-train that is zero-shot: the source's labels, in the new domain. Weights are then chosen on dev sentences
    of the source; of a --source file without, 10 % of its sentences is held out.

    --context multi_cell learns a cell for each label from the tags of source and target, beside a language model of
    --raw where that is given, in which names of --gazetteer teach the cells; without --target-train, zero-shot as well.
    Without --raw it works over a transformer too (--encoder minilm).

    Stopped or killed, the same command continues where it was.
    """
    from nerbridge.cli.running import make_surroundings, run_and_print
    from nerbridge.pipeline.adapting import adapt_experiment
    from nerbridge.pipeline.first_checks import check_places

    experiment = adapt_experiment(
        target_train=target_train,
        target_dev=target_dev,
        target_test=target_test,
        source=None if source is None else tuple(part.strip() for part in source.split(",") if part.strip()),
        encoder=encoder,
        vectors=vectors,
        tagger=tagger,
        transfer=transfer,
        read=Reading(format, scheme, encoding, read or ()).settings(),
        source_read=Reading(further=source_read or ()).settings(),
        overrides=tuple(overrides or ()),
        raw=tuple(raw or ()),
        gazetteer=tuple(gazetteer or ()),
        level=level,
        pretraining=pretraining,
        context=context,
        raw_source=tuple(raw_source or ()),
    )
    check_places(experiment, data_root)
    folder = output or Path("runs") / experiment.name
    run_and_print(
        experiment,
        make_surroundings(data_root, cache),
        folder=folder,
        seeds=seeds,
        as_json=as_json,
        ablate=ablate,
    )
