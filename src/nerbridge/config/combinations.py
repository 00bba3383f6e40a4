"""Parts of an experiment that do not go together, and why."""

from collections.abc import Sequence

from nerbridge.config.context import BiLstmSettings, ContextSettings, MultiCellSettings, ParameterGenerationSettings
from nerbridge.config.encoder import EncoderSettings
from nerbridge.config.stream_texts import text_fault
from nerbridge.config.transfer import SelfTrainingSettings, StrategySettings, StreamsSettings

NOT_CONTEXTUAL = ("word_char",)  # kinds of encoders that read every word by itself


def multi_task_fault(
    strategy: StrategySettings, context: ContextSettings, encoder: EncoderSettings, num_sources: int
) -> str | None:
    """What is wrong with multi-task streams, or with contexts elsewhere; None when all is well."""
    if isinstance(context, MultiCellSettings) and (context.labels or context.read_as):
        return "context.labels and context.read_as are those of the data; leave them out"
    if not isinstance(strategy, StreamsSettings):
        if isinstance(context, ParameterGenerationSettings) and strategy.kind == "sequential":
            return (
                "a parameter_generation context learns all its domains at once: "
                "set transfer.kind to multi_task, or context.kind to bilstm"
            )
        return None
    return (
        _sources_fault(strategy, num_sources)
        or text_fault(strategy)
        or _adversary_fault(strategy)
        or _self_training_fault(strategy, context)
        or _contextual_fault(strategy, encoder)
        or _layers_fault(strategy.streams, context)
        or _dictionary_fault(strategy, context)
        or _embeddings_fault(strategy, context)
    )


def _sources_fault(strategy: StreamsSettings, num_sources: int) -> str | None:
    uses = [name for name in strategy.streams if name.startswith("source/")]
    if uses and not num_sources:
        return (
            f"the stream {uses[0]} needs at least one [[source]]; add one or leave the stream out of transfer.streams"
        )
    if num_sources and not uses:
        return "no stream learns from [[source]]; remove it (--set source=[]) or add source/tags to transfer.streams"
    if num_sources > 1 and strategy.source_raw:
        return "transfer.source_raw is the text of one source, but there are several [[source]]; unite their data sets"
    if strategy.zero_shot and num_sources > 1:
        return "zero-shot transfer tags with the head of one source, but there are several [[source]]; unite them"
    return None


def _adversary_fault(strategy: StreamsSettings) -> str | None:
    sides = {name.split("/")[0] for name in strategy.streams}
    if strategy.adversary.kind == "none":
        idle = [name for name in strategy.streams if name.endswith("/domain")]
        return f"nothing reads the stream {idle[0]}: set transfer.adversary.kind to dann or grad" if idle else None
    if len(sides) < 2:
        missing = "target" if sides == {"source"} else "source"
        return (
            f"a discriminator tells source from target, but no stream is of the {missing}; "
            f"add {missing}/domain to transfer.streams, or set transfer.adversary.kind to none"
        )
    usual = type(strategy.adversary)()
    if strategy.adversary.schedule == "constant" and strategy.adversary.steepness != usual.steepness:
        return (
            "transfer.adversary.steepness has no effect while lambda is constant; set transfer.adversary.schedule to "
            "rising"
        )
    return None


def _self_training_fault(strategy: StreamsSettings, context: ContextSettings) -> str | None:
    if isinstance(strategy, SelfTrainingSettings) and strategy.zero_shot and context.kind not in ("none", "bilstm"):
        return (
            f"a {context.kind} context reads the target otherwise than the source, so that kept sentences cannot be "
            "learnt beside those of the source; set context.kind to bilstm, or add target/tags to transfer.streams"
        )
    return None


def _contextual_fault(strategy: StreamsSettings, encoder: EncoderSettings) -> str | None:
    learns_words = [name for name in strategy.streams if name.endswith("/words")]
    parts = [part.kind for part in getattr(encoder, "parts", (encoder,)) if part.kind not in NOT_CONTEXTUAL]
    if learns_words and parts:
        return (
            f"vectors of a {parts[0]} encoder have read the whole sentence, the word to be predicted too, so that "
            f"nothing is to be learnt from the stream {learns_words[0]}; {_without_words(strategy)}"
        )
    return None


def _without_words(strategy: StreamsSettings) -> str:
    """What to do where language models cannot be learnt."""
    others = ", ".join(f'"{name}"' for name in strategy.streams if not name.endswith("/words"))
    read = {"target_raw": strategy.target_raw, "source_raw": strategy.source_raw}
    given = [f"transfer.{name}" for name, value in read.items() if value]
    given += ["transfer.dictionary"] if strategy.dictionary.is_given else []
    if given:
        return (
            f"raw text and names ({', '.join(given)}) need encoder.kind = word_char; without them another encoder "
            f"learns from transfer.streams = [{others}]"
        )
    return f"set encoder.kind to word_char, or transfer.streams to [{others}]"


def _dictionary_fault(strategy: StreamsSettings, context: ContextSettings) -> str | None:
    if not strategy.dictionary.is_given:
        return None
    if "target/words" not in strategy.streams:
        return (
            "transfer.dictionary marks names in the text of the stream target/words; add it to transfer.streams, or "
            "leave the dictionary out"
        )
    if isinstance(context, MultiCellSettings) and (
        context.one_cell or not (context.entity_weight or context.attention_weight)
    ):
        return (
            "transfer.dictionary teaches cells or their attention, but neither learns: set context.one_cell to false "
            "and context.entity_weight or context.attention_weight above 0, or leave the dictionary out (the row of "
            "SciTech without both losses is recipes/multicell/scitech-multi-cell-lm.toml with both 0)"
        )
    if isinstance(context, MultiCellSettings) and strategy.dictionary.weight != 1:
        return (
            "transfer.dictionary.weight has no effect on cells, which have context.entity_weight and "
            "context.attention_weight; leave it out"
        )
    return None


def _layers_fault(streams: Sequence[str], context: ContextSettings) -> str | None:
    learns_words = any(name.endswith("/words") for name in streams)
    if learns_words and isinstance(context, BiLstmSettings) and context.layers > 1 and not context.apart:
        return (
            "from its second layer on a bilstm has read the words that a language model is to predict; set "
            "context.apart to true, context.layers to 1, or leave the words streams out of transfer.streams"
        )
    return None


def _embeddings_fault(strategy: StreamsSettings, context: ContextSettings) -> str | None:
    if not isinstance(context, ParameterGenerationSettings):
        return None
    if context.domains or context.tasks:
        return "context.domains and context.tasks are those of the streams; leave them out"
    if not any(name.startswith("target/") for name in strategy.streams):
        return (
            "no stream is of the target, so that a parameter_generation context has no embedding of it to tag its text "
            "with; add target/words to transfer.streams, or set context.kind to bilstm"
        )
    return None
