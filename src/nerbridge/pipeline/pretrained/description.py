"""What the steps on raw text will do, in words, before they do it."""

from pathlib import Path

from nerbridge.corpus.inputs import find_inputs
from nerbridge.pipeline.pretrained.names import specialised_of
from nerbridge.pipeline.pretrained.work import RawWork
from nerbridge.wording import counted


def describe_steps(work: RawWork) -> list[str]:
    """One line per step on raw text, in order."""
    names = [_names(work)] if work.experiment.selection.needs_names else []
    lines = [_corpus(work), *names, _level(work), _pretraining(work)]
    return [f"plan     first: {line}" for line in lines]


def _corpus(work: RawWork) -> str:
    files = find_inputs(work.settings.files, work.settings.text.format)
    megabytes = sum(one.path.stat().st_size for one in files) / 1e6
    target = work.data.target
    held_out = [split for split, found in (("dev", target.dev), ("test", target.test)) if found]
    hold = "hold" if len(held_out) > 1 else "holds"
    guarded = f", without what {' and '.join(held_out)} of {target.name} {hold}" if held_out else ""
    return f"corpus of {counted(len(files), 'file')} ({megabytes:.1f} MB){guarded}"


def _names(work: RawWork) -> str:
    settings = work.experiment.gazetteer
    if settings.files:
        return "names of " + ", ".join(f"'{Path(path).name}'" for path in settings.files)
    if not settings.tagged_words:
        return "names of the labelled sentences"
    return (
        "names of the labelled sentences, and those that a first tagger (the stages below, without raw text) is sure "
        f"of in about {counted(settings.tagged_words, 'word')}"
    )


def _level(work: RawWork) -> str:
    choice = work.experiment.selection
    match choice.level:
        case "domain":
            part = "" if choice.takes_all else f" of {100 * choice.share:g} % of the documents"
            text = f"all sentences{part} (domain level)"
            text += "; the lists of names have no effect" if work.experiment.gazetteer.files else ""
        case "entity":
            text = f"sentences with {counted(choice.min_entities, 'name')} or more (entity level)"
        case "task":
            text = "sentences with a name of a specialised label (task level)"
        case "integrated":
            text = (
                f"sentences with {counted(choice.min_entities, 'name')} or more, and {choice.task_copies} copies of "
                "those with a name of a specialised label (integrated level)"
            )
    special = specialised_of(work.experiment, work.data) if choice.level in ("task", "integrated") else ()
    return text + (f"; specialised: {', '.join(special)}" if special else "")


def _pretraining(work: RawWork) -> str:
    settings = work.experiment.pretraining
    steps = [f"{settings.max_steps:,} steps"] if settings.max_steps is not None else []
    length = " or ".join([*steps, counted(settings.epochs, "epoch")])
    text = (
        f"pre-training of {work.encoder.checkpoint}: at most {length} of {settings.batch_pieces:,} pieces, "
        f"{settings.masking} masking"
    )
    if not settings.head_steps:
        return text
    alone = f"learns alone for {counted(settings.head_steps, 'step')} (pretraining.head_steps)"
    return f"{text}; a head that is new first {alone}"
