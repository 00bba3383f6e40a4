"""Has a pre-training learnt enough to be of use? Its own held-out text says so, and before it the number of words."""

from nerbridge.config.raw import ChoiceSettings
from nerbridge.pretraining.result import PretrainingResult
from nerbridge.wording import counted

FEW_WORDS: int = ChoiceSettings.model_fields["min_words"].default
HOPELESS = 0.5  # times the size of the vocabulary: pieces drawn blindly have a perplexity of the whole of it


def too_few(words: int) -> str | None:
    """What speaks against learning from so many words; None where nothing does."""
    if words >= FEW_WORDS:
        return None
    return (
        f"{counted(words, 'word')} teach an encoder nothing; `nerbridge adapt` leaves pre-training out "
        f"below {FEW_WORDS:,}"
    )


def doubt(result: PretrainingResult) -> str | None:
    """What speaks against using the encoder; None where nothing does, or nothing was held out.

    The perplexity in the end is compared with that before the first step of the whole model.
    """
    before = [one for one in result.evaluations if one.step <= result.head_steps]
    behind = [one for one in result.evaluations if one.step > result.head_steps]
    if not before or not behind:
        return None
    first, last = before[-1].span, behind[-1].span
    if result.vocabulary and last > HOPELESS * result.vocabulary:
        return (
            f"held-out text is hardly predicted better than by chance: perplexity {last:,.2f} with span masks, and the "
            f"vocabulary has {result.vocabulary:,} pieces"
        )
    if last >= first:
        return f"held-out text is not predicted better than before: perplexity {first:,.2f} -> {last:,.2f} (span masks)"
    return None
