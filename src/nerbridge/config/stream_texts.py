"""Settings of raw text that no stream reads, or that say nothing true of it, and why."""

from nerbridge.config.transfer import SelfTrainingSettings, StreamsSettings
from nerbridge.config.words import WordsSettings


def text_fault(strategy: StreamsSettings) -> str | None:
    """What is wrong with the raw text of streams; None when all is well."""
    return _paths_fault(strategy) or _mixing_fault(strategy) or _words_fault(strategy)


def _paths_fault(strategy: StreamsSettings) -> str | None:
    for side, paths, number in (
        ("source", strategy.source_raw, strategy.source_sentences),
        ("target", strategy.target_raw, strategy.target_sentences),
    ):
        reads = {f"{side}/words", f"{side}/domain"} & set(strategy.streams)
        tagged = side == "target" and isinstance(strategy, SelfTrainingSettings)
        if (paths or number) and not reads and not tagged and not strategy.mix_raw:
            key = f"transfer.{side}_raw" if paths else f"transfer.{side}_sentences"
            return f"{key} has no effect without the stream {side}/words; add it to transfer.streams"
        if number and not paths:
            return f"transfer.{side}_sentences draws from transfer.{side}_raw, which is not given"
    return None


def _mixing_fault(strategy: StreamsSettings) -> str | None:
    """Mixed text is of no domain: only language models may read it."""
    if not strategy.mix_raw:
        return None
    if not any(name.endswith("/words") for name in strategy.streams):
        return "transfer.mix_raw has no effect without a stream of words; add source/words and target/words"
    judged = [name for name in strategy.streams if name.endswith("/domain")]
    if judged or strategy.adversary.kind != "none":
        what = f"the stream {judged[0]}" if judged else "a discriminator"
        return (
            f"transfer.mix_raw gives both sides the same text, of which {what} cannot tell the domain; set "
            "transfer.mix_raw to false, or transfer.adversary.kind to none"
        )
    if isinstance(strategy, SelfTrainingSettings):
        return "transfer.mix_raw would have text of the source labelled as the target's; set it to false"
    return None


def _words_fault(strategy: StreamsSettings) -> str | None:
    if any(name.endswith("/words") for name in strategy.streams):
        return None
    for key, changed in (("words_weight", strategy.words_weight != 1), ("words", strategy.words != WordsSettings())):
        if changed:
            return f"transfer.{key} has no effect without a stream of words; add source/words or target/words"
    return None
