"""`nerbridge.adapt`: the whole way for a user's own files, from Python."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

from nerbridge.config.base import HIGHEST_SEED
from nerbridge.errors import ConfigError
from nerbridge.pipeline.adapting import adapt_experiment
from nerbridge.pipeline.places import default_cache, default_data_root
from nerbridge.pipeline.run import RunResult, Surroundings, run_experiment
from nerbridge.pipeline.seeds import SeedsResult, run_seeds
from nerbridge.training.progress import PlainProgress

logger = logging.getLogger(__name__)

Place = str | Path


class Options(TypedDict, total=False):
    """The keyword arguments of `adapt` but `seeds`."""

    target_dev: Place | None
    target_test: Place | None
    source: Place | Sequence[Place] | None
    encoder: Place | None
    vectors: Place | None
    tagger: str | None
    transfer: str | None
    read: Mapping[str, Any] | None
    source_read: Mapping[str, Any] | None
    overrides: str | Sequence[str]
    context: str | None
    raw_source: Place | Sequence[Place]
    raw: Place | Sequence[Place]
    gazetteer: Place | Sequence[Place]
    level: str | None
    pretraining: str | None
    output: Place | None
    data_root: Place | None
    cache: Place | None


@overload
def adapt(target_train: Place | None = None, *, seeds: None = None, **options: Unpack[Options]) -> RunResult: ...


@overload
def adapt(target_train: Place | None = None, *, seeds: Sequence[int], **options: Unpack[Options]) -> SeedsResult: ...


def adapt(
    target_train: Place | None = None,
    *,
    target_dev: Place | None = None,
    target_test: Place | None = None,
    source: Place | Sequence[Place] | None = None,
    encoder: Place | None = None,
    vectors: Place | None = None,
    tagger: str | None = None,
    transfer: str | None = None,
    read: Mapping[str, Any] | None = None,
    source_read: Mapping[str, Any] | None = None,
    overrides: str | Sequence[str] = (),
    raw: Place | Sequence[Place] = (),
    gazetteer: Place | Sequence[Place] = (),
    level: str | None = None,
    pretraining: str | None = None,
    context: str | None = None,
    raw_source: Place | Sequence[Place] = (),
    seeds: Sequence[int] | None = None,
    output: Place | None = None,
    data_root: Place | None = None,
    cache: Place | None = None,
) -> RunResult | SeedsResult:
    """From labelled sentences of a new domain to a measured tagger in a run folder; `nerbridge adapt` from Python.

    target_train, target_dev, target_test: labelled files; or target_train alone as the name of a registered data set.
    source: registered names or labelled files, a source stage each, or a single one; by default conll2003, none for
    direct transfer. encoder: "minilm" (the default without context), a folder, a hub name, or "word_char": word vectors
    and a BiLSTM, for any computer; a folder of `pretrain --model elmo` or `flair` stands beside these word vectors.
    vectors: of "word_char": "glove" (the default), a file, or "none".
    tagger: the kind of a head, as in a recipe; "linear" by default, "crf" with a context. transfer: "direct",
    "sequential" (the default with a source) or "joint".
    read, source_read: how the files of the target, and of the sources, are read, such as {"end_shift": 1}; see
    [target.files.read] in docs/recipes.md. overrides: everything else that a recipe says, as `--set` takes it:
    ["training.target.epochs=5", "seed=2"].
    raw: files, folders or patterns of raw text, from which the encoder learns first. gazetteer: lists of names that
    choose its sentences; without, names of the labelled sentences and of a first tagger. level: "domain" (all
    sentences), "entity", "task" or "integrated" (the default). pretraining: how much is learnt from raw, "short" (the
    default), "standard" or "full"; see docs/adapt.md.
    context: "parameter_generation" learns tags and language models of both domains at once, from raw and raw_source
    (raw text of the source); without target_train that is zero-shot, and target_dev is only scored. "multi_cell" learns
    a cell for each label from the tags of both domains, and where raw is given a language model of it; gazetteer are
    then lists of names that teach the words of raw. With a context the encoder is "word_char" by default, the tagger
    "crf"; without raw, cells stand over any other encoder too.
    seeds: one run for each in a folder of its own, and what they say together (`SeedsResult`); None: one run.
    `summaries` of a run hold the scores of each split that is there, as fractions; `together` those of all seeds. Where
    nothing is scored, `found` tells what the tagger finds in some of the target's raw text.
    output: the run folder, by default runs/<name>; the same call continues a run that was stopped there.
    data_root: folder of the registered data sets; by default what NERBRIDGE_DATA names. cache: where finished stages,
    corpora and encoders are kept; by default what NERBRIDGE_CACHE names, else a folder of the user's cache.
    Raises NerbridgeError with the way out for everything that the caller can mend. Progress goes to the log (INFO).

    >>> import logging, nerbridge
    >>> logging.basicConfig(level=logging.INFO, format="%(message)s")                       # doctest: +SKIP
    >>> result = nerbridge.adapt("train.txt", target_test="test.txt", source="news.txt")    # doctest: +SKIP
    >>> result.summaries["test"].f1                                                         # doctest: +SKIP
    """
    experiment = adapt_experiment(
        target_train=None if target_train is None else str(target_train),
        target_dev=None if target_dev is None else str(target_dev),
        target_test=None if target_test is None else str(target_test),
        source=_names(source),
        encoder=None if encoder is None else str(encoder),
        vectors=None if vectors is None else str(vectors),
        tagger=tagger,
        transfer=transfer,
        read=read,
        source_read=source_read,
        overrides=(overrides,) if isinstance(overrides, str) else tuple(overrides),
        raw=_names(raw) or (),
        gazetteer=_names(gazetteer) or (),
        level=level,
        pretraining=pretraining,
        context=context,
        raw_source=_names(raw_source) or (),
    )
    surroundings = Surroundings(
        default_data_root() if data_root is None else Path(data_root),
        default_cache() if cache is None else Path(cache),
        PlainProgress(),
        logger.info,
    )
    folder = Path(output or Path("runs") / experiment.name)
    if seeds is None:
        return run_experiment(experiment, folder, surroundings)
    return run_seeds(experiment, _checked(seeds), folder, surroundings)


def _names(source: Place | Sequence[Place] | None) -> tuple[str, ...] | None:
    """The sources as texts; a single name or path is one source, the empty text is none."""
    if source is None:
        return None
    several = (source,) if isinstance(source, str | Path) else source
    return tuple(str(one) for one in several if str(one))


def _checked(seeds: Sequence[int]) -> list[int]:
    """The seeds as a list. Raises ConfigError."""
    given = list(seeds) if isinstance(seeds, Sequence) and not isinstance(seeds, str) else []
    sound = all(isinstance(seed, int) and 0 <= seed <= HIGHEST_SEED for seed in given)
    if not given or not sound or len(set(given)) < len(given):
        raise ConfigError(
            f"seeds {seeds!r} cannot be used",
            where="adapt(seeds=...)",
            expected=f"a list of different whole numbers from 0 to {HIGHEST_SEED}",
            hint="seeds=[1, 2, 3]",
        )
    return given
