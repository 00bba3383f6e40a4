"""Multi-task transfer: streams of domain x objective, learnt at once (Jia et al. 2019, algorithm 1 and equation 9).

    L = sum over domains d of lambda_d (L_ner^d + lambda_t L_lm^d) + lambda / 2 |Theta|^2            (9)

`source_weight` and `target_weight` are lambda_d, `words_weight` is lambda_t. A step of the training loop takes one
mini-batch of every stream, adds the gradients and updates once (algorithm 1, lines 2 to 17).

Deviation from the paper: the L2 term is no part of the loss. `training.weight_decay` stands for it: of matrices alone,
not of vectors and scalars, and decoupled from the gradient where the optimiser is AdamW.

The paper's systems are settings of this: MULTITASK(NER) has the two "tags" streams, MULTITASK(NER+LM) and FINAL all
four, CO-LM those of the target, CO-NER the "tags" streams over generated parameters, MIX-DATA mixes the raw text,
STM-SOURCE has "source/tags" alone; zero-shot is everything but "target/tags".
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nerbridge.config.context import MultiCellSettings
from nerbridge.config.experiment import Experiment
from nerbridge.config.transfer import StreamsSettings
from nerbridge.data.labels import LabelSet
from nerbridge.errors import ConfigError, TrainingError
from nerbridge.transfer.raw_text import Sides, Text, raw_sides
from nerbridge.transfer.stage import DomainData, Mixture, Plan, RawTexts, Stage, StreamPlan
from nerbridge.wording import counted


def multi_task(
    experiment: Experiment,
    strategy: StreamsSettings,
    sources: Sequence[DomainData],
    target: DomainData,
    raw: RawTexts,
) -> Plan:
    """One stage over all streams. Raises TrainingError when a stream has no sentence, ConfigError for domains of one
    name."""
    sources = apart(sources, target)
    sides, notes = raw_sides(strategy, sources, target, raw)
    stage, said = mixed_stage(experiment, strategy, sources, target, sides)
    return Plan((stage,), (*notes, *said))


def mixed_stage(
    experiment: Experiment,
    strategy: StreamsSettings,
    sources: Sequence[DomainData],
    target: DomainData,
    sides: Sides,
) -> tuple[Stage, list[str]]:
    """The stage that learns all streams at once, and the notes about it.

    sources: under names of their own (`apart`). sides: the raw text of each domain.
    Raises TrainingError when a stream has no sentence.
    """
    streams = _paced(_streams(strategy, sources, target, sides), strategy)
    tagged = [data for data, side in _sides(sources, target) if f"{side}/tags" in strategy.streams]
    guide = sources[0] if strategy.zero_shot else target
    spaces = {data.name: data.labels for data in tagged}
    types_weight = strategy.dictionary.weight if strategy.dictionary.is_given else None
    mixture = Mixture(
        streams, spaces, guide.name, guide.name, strategy.words, strategy.adversary, types_weight, target.name
    )
    settings = experiment.training.for_stage("joint")
    decodable, said = _zero_shot(strategy, guide, target, selected=settings.selection == "dev")
    stage = Stage("multi-task", "joint", target.name, guide.labels, (), guide.dev, settings, decodable, mixture=mixture)
    return stage, [*said, *_unshared(experiment, sources, target, spaces)]


def _unshared(
    experiment: Experiment, sources: Sequence[DomainData], target: DomainData, spaces: Mapping[str, LabelSet]
) -> list[str]:
    """What must be said of cells where no label of the target is one of a source."""
    context = experiment.context
    if not isinstance(context, MultiCellSettings) or context.one_cell or target.name not in spaces:
        return []
    others = [source for source in sources if source.name in spaces]
    if not others or any(name in source.labels for source in others for name in target.labels.names):
        return []
    return [
        f"cells: {target.name} shares no label with {', '.join(source.name for source in others)}, and no cell but "
        "that of O; labels that mean the same must have the same name"
    ]


def apart(sources: Sequence[DomainData], target: DomainData) -> list[DomainData]:
    """`sources` under names of their own: heads, embeddings and texts are told apart by them.

    One that is called as the target gets another name. Raises ConfigError when two would have the same.
    """
    named: dict[str, DomainData] = {}
    for source in sources:
        own = replace(source, name=apart_name(source.name, target.name))
        if own.name in named:
            raise _one_name(named[own.name], own)
        named[own.name] = own
    return list(named.values())


def apart_name(source: str, target: str) -> str:
    """What a source is called beside the target: 'news-source' where both are 'news'."""
    return f"{source}-source" if source == target else source


def _one_name(first: DomainData, second: DomainData) -> ConfigError:
    name = first.name
    files = [str(data.train[0].origin or name) for data in (first, second)]
    return ConfigError(
        f"two source tables have the domain '{name}'",
        where=f"[[source]]: {' and '.join(files)}",
        expected="a name of its own for each [[source]], by which its head and its text are told apart",
        hint=f'domain = "{name}-2" in [[source.files]] of the second, or both files in one [[source]]',
    )


def _sides(sources: Sequence[DomainData], target: DomainData) -> list[tuple[DomainData, str]]:
    return [*((source, "source") for source in sources), (target, "target")]


def _streams(
    strategy: StreamsSettings, sources: Sequence[DomainData], target: DomainData, sides: Sides
) -> list[StreamPlan]:
    streams = []
    weights = {"source": strategy.source_weight, "target": strategy.target_weight}
    for data, side in _sides(sources, target):
        watched = data.dev if strategy.watch else ()
        place, weight = {"of_source": side == "source"}, weights[side]
        if f"{side}/tags" in strategy.streams:
            streams.append(StreamPlan(data.name, "tags", data.train, weight, watched=watched, **place))
        text = sides.get(data.name, Text(()))
        held_out = (text.held_out or watched) if strategy.watch else ()
        if f"{side}/words" in strategy.streams:
            share = weight * strategy.words_weight  # eq. 9
            streams.append(StreamPlan(data.name, "words", text.sentences, share, watched=held_out, **place))
        if f"{side}/domain" in strategy.streams:
            streams.append(StreamPlan(data.name, "domain", text.sentences, watched=held_out, **place))
    for stream in streams:
        if not stream.sentences:
            raise _empty(stream)
    return streams


def _empty(stream: StreamPlan) -> TrainingError:
    raw = stream.objective != "tags"
    give = "give raw text: transfer.target_raw, or --raw FILE of `nerbridge adapt`"
    return TrainingError(
        f"the stream '{stream.name}' has no sentence",
        where=stream.domain,
        expected="raw text, or a training set whose words are read" if raw else "at least one labelled sentence",
        hint=give if raw else "leave its stream out: transfer.streams",
    )


def _paced(streams: Sequence[StreamPlan], strategy: StreamsSettings) -> tuple[StreamPlan, ...]:
    """The streams with what decides how many batches an epoch has."""
    longest = max(len(stream.sentences) for stream in streams if stream.objective == "tags")
    match strategy.pace:
        case "longest":
            return tuple(streams)
        case "tags":
            return tuple(replace(stream, sets_pace=stream.objective == "tags") for stream in streams)
        case "scaled":
            return tuple(
                replace(
                    stream,
                    batch_scale=len(stream.sentences) / longest,
                    sets_pace=stream.objective == "tags" and len(stream.sentences) == longest,
                )
                for stream in streams
            )


def _zero_shot(
    strategy: StreamsSettings, guide: DomainData, target: DomainData, *, selected: bool
) -> tuple[LabelSet | None, list[str]]:
    """What decoding is restricted to, and what must be said, where the target has no labelled sentence."""
    if not strategy.zero_shot:
        return None, []
    choice = (
        f"the weights are chosen on its {counted(len(guide.dev), 'dev sentence')}"
        if selected
        else "the last weights are kept"
    )
    notes = [
        f"zero-shot: no labelled sentence of {target.name} is learnt; its text is tagged by the head of {guide.name}, "
        + choice,
        *_left_aside(strategy, target),
    ]
    if target.dev:
        size = counted(len(target.dev), "dev sentence")
        notes.append(f"zero-shot: no weights are chosen on the {size} of {target.name}, only scores come from there")
    shared = [name for name in target.labels.names if name in guide.labels]
    missing = [name for name in target.labels.names if name not in guide.labels]
    if missing:
        notes.append(
            f"zero-shot: {guide.name} lacks {counted(len(missing), 'label')} of {target.name}, whose entities "
            f"can only be missed: {', '.join(missing)}"
        )
    if not shared or len(shared) == len(guide.labels):
        return None, notes
    notes.append(f"zero-shot: decoding uses the labels of {target.name} alone: {', '.join(shared)}")
    return LabelSet.of(shared), notes


def _left_aside(strategy: StreamsSettings, target: DomainData) -> list[str]:
    """What must be said where the target's labels are not learnt because nobody has named the streams."""
    if "streams" in strategy.model_fields_set or not any(sentence.spans for sentence in target.train):
        return []
    size = counted(len(target.train), "training sentence")
    own = json.dumps([*strategy.streams, "target/tags"], separators=(",", ":"))
    way = f"--set 'transfer.streams={own}' learns them"
    return [f"zero-shot: the labels of {size} of {target.name} are left aside; {way}"]
