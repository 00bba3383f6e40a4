"""Between two rounds of self-training: the tagger of one labels raw text for the next; found once, then cached.

A folder holds kept.jsonl (a kept sentence per line: words, spans, and which words are known where not all are),
journal.jsonl (what was kept and dropped, as an event for the journal of the run) and counts.json (the same), written
last.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.prediction import Predicted, predict
from nerbridge.data.fingerprint import fingerprint
from nerbridge.data.sentence import Annotation, Sentence, Span
from nerbridge.errors import BundleError
from nerbridge.evaluation.files import write_text
from nerbridge.pipeline.files import read_json, write_json
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.processes import held, is_main, wait_for_all
from nerbridge.pipeline.surroundings import Surroundings
from nerbridge.training.journal import Journal
from nerbridge.transfer.own_labels import describe_counts, describe_nothing, keep_sure, plain_share
from nerbridge.transfer.self_training import FIRST, labelled
from nerbridge.transfer.stage import Stage
from nerbridge.wording import counted

FORMAT = 1  # raised whenever the same inputs would give other labels
KEPT, COUNTS, JOURNAL = "kept.jsonl", "counts.json", "journal.jsonl"
AT_ONCE = 1024  # sentences that are tagged together


@dataclass(frozen=True)
class Teacher:
    """A finished tagger: its bundle, the key of all that it is made of, and the name of its stage."""

    model: Path
    key: str
    name: str


def own_sentences(stage: Stage, teacher: Teacher, seed: int, surroundings: Surroundings) -> tuple[list[Sentence], Path]:
    """The sentences that `stage` learns besides its own, and the folder where they and their counts lie.

    seed: of what is drawn.
    """
    assert stage.own_labels is not None
    folder = surroundings.cache / "labels" / _key(stage, teacher, seed)[:32]
    with held(folder, surroundings.say, work="labelling this text"):
        found = _read(folder)
        wait_for_all()
        if found is None:
            text = counted(len(stage.own_labels.raw), "sentence")
            surroundings.say(f"{stage.name}: the tagger of {teacher.name} labels {text} of raw text")
            if is_main():
                _find(stage, teacher, seed, folder)
            wait_for_all()
            found = _read(folder)
    assert found is not None, "it has just been written"
    sentences, counts = found
    for line in describe_counts(counts):
        surroundings.say(f"{stage.name}: {line}")
    if not sentences:
        effect = "has no effect" if stage.own_labels.number == 1 else "ends"
        why = describe_nothing(counts, stage.own_labels.keeping)
        surroundings.say(f"{stage.name}: self-training {effect}, the tagger is that of {FIRST}: {why}")
    return sentences, folder


def _key(stage: Stage, teacher: Teacher, seed: int) -> str:
    assert stage.own_labels is not None
    content = {
        "format": FORMAT,
        "teacher": teacher.key,
        "raw": fingerprint(stage.own_labels.raw),
        "keeping": stage.own_labels.keeping.model_dump(),
        "share": plain_share(labelled(stage)),
        "seed": seed,
        "stage": stage.name,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _find(stage: Stage, teacher: Teacher, seed: int, folder: Path) -> None:
    own = stage.own_labels
    assert own is not None
    answers = _answers(teacher.model, stage.domain, own.raw)
    kept = keep_sure(answers, own.keeping, share=plain_share(labelled(stage)), seed=seed)
    write_text(folder / KEPT, "".join(json.dumps(_record(one), ensure_ascii=False) + "\n" for one in kept.sentences))
    (folder / JOURNAL).unlink(missing_ok=True)
    Journal(folder / JOURNAL, stage.name).write("own_labels", step=0, **kept.counts())
    write_json(folder / COUNTS, kept.counts())


def _answers(model_folder: Path, domain: str, raw: Sequence[Sentence]) -> Iterator[tuple[Sentence, Predicted]]:
    model = load_bundle(model_folder, device=device_kind()).model
    for start in range(0, len(raw), AT_ONCE):
        part = raw[start : start + AT_ONCE]
        yield from zip(part, predict(model, part, domain), strict=True)


def _record(sentence: Sentence) -> dict[str, Any]:
    spans = [[span.start, span.end, span.label] for span in sentence.spans]
    return {"words": sentence.words, "spans": spans, "known": sentence.known}


def _read(folder: Path) -> tuple[list[Sentence], dict[str, Any]] | None:
    """What an earlier run has kept; None where it has not, or where its files are damaged."""
    if not (folder / COUNTS).exists():
        return None
    try:
        counts = read_json(folder / COUNTS)
        sentences = [_sentence(json.loads(line)) for line in (folder / KEPT).read_bytes().splitlines()]
    except (BundleError, OSError, ValueError, KeyError, TypeError):
        return None
    return (sentences, counts) if len(sentences) == counts.get("kept") else None


def _sentence(record: dict[str, Any]) -> Sentence:
    spans = tuple(Span(start, end, label) for start, end, label in record["spans"])
    known = record["known"]
    if known is None:
        return Sentence(tuple(record["words"]), spans)
    return Sentence(tuple(record["words"]), spans, Annotation.PARTIAL, tuple(known))
