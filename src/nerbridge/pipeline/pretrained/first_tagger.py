"""Names without lists: those of the labelled sentences, and those that a first tagger is sure of in the raw text.

The first tagger is the experiment without raw text. Its stages are cached like all others, under the seed of the
pre-training, so that all seeds of an experiment share the names.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from nerbridge.assembly.bundle import load_bundle
from nerbridge.assembly.prediction import predict
from nerbridge.config.experiment import Experiment
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.gazetteer import Gazetteer, labels_of_bits
from nerbridge.corpus.gazetteer_labelled import names_from_labelled, names_from_predictions
from nerbridge.data.fingerprint import fingerprint
from nerbridge.data.sentence import Annotation, Sentence
from nerbridge.evaluation.files import write_text
from nerbridge.pipeline.keys import device_kind
from nerbridge.pipeline.pretrained.work import RawWork, without_raw_text
from nerbridge.pipeline.processes import held, is_main, wait_for_all
from nerbridge.pipeline.sequence import run_stages, stage_keys
from nerbridge.wording import counted

FORMAT = 1  # raised whenever the same inputs would give other names
NAMES = "names.jsonl"
AT_ONCE = 512  # sentences that are tagged together


def first_experiment(experiment: Experiment) -> Experiment:
    """The experiment that trains the first tagger: without raw text, with the seed that all seeds share."""
    return without_raw_text(experiment).model_copy(update={"seed": experiment.pretraining.seed})


def names_key(work: RawWork) -> str:
    """The key of the names: labelled sentences, and where a tagger is asked, tagger, raw text and thresholds."""
    settings = work.experiment.gazetteer
    content = {"format": FORMAT, "train": fingerprint(work.data.target.train), "settings": settings.model_dump()}
    if settings.tagged_words:
        tagger = stage_keys(first_experiment(work.experiment), work.plan)[-1]
        content |= {"corpus": work.corpus_key, "tagger": tagger, "seed": work.experiment.pretraining.seed}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def names_file(work: RawWork, key: str) -> Path:
    """Where the names are kept."""
    return work.folder("names", key) / NAMES


def find_names(work: RawWork, corpus: CorpusFolder, key: str) -> Path:
    """The file of names, from the cache, or found now. Raises TrainingError when the first tagger cannot be trained."""
    path, tagged = names_file(work, key), work.experiment.gazetteer.tagged_words
    with held(path.parent, work.say, work="looking for these names"):
        there = path.exists()
        wait_for_all()
        if not there:
            known = names_from_labelled(work.data.target.train, work.experiment.gazetteer.cleaning)
            found = _predicted_names(work, corpus) if tagged else Gazetteer((), {})
            if is_main():
                _write(path, known, found)
            wait_for_all()
    return path


def _predicted_names(work: RawWork, corpus: CorpusFolder) -> Gazetteer:
    """What the first tagger predicts again and again with confidence; empty on all but the main process."""
    settings = work.experiment.gazetteer
    work.say("names    a first tagger is trained without raw text, to look for names in it")
    trained = run_stages(first_experiment(work.experiment), work.plan, work.surroundings)
    if not is_main():
        return Gazetteer((), {})
    sentences = _drawn(corpus, settings.tagged_words, work.experiment.pretraining.seed)
    words = sum(map(len, sentences))
    work.say(f"names    the first tagger reads {counted(len(sentences), 'sentence')} ({counted(words, 'word')})")
    pairs = _predictions(list(trained.values())[-1].model, work.plan.stages[-1].domain, sentences)
    found = names_from_predictions(pairs, settings.cleaning, confidence=settings.confidence, mentions=settings.mentions)
    for line in found.counts.report():
        work.say(f"names    predicted: {line}")
    return found


def _drawn(corpus: CorpusFolder, words: int, seed: int) -> list[Sentence]:
    """Sentences of evenly drawn documents with about so many words together."""
    chance, share = random.Random(seed), words / max(corpus.num_words, 1)
    drawn = (document for document in corpus.documents() if share >= 1 or chance.random() < share)
    return [Sentence(tuple(one), (), Annotation.NONE) for document in drawn for one in document]


def _predictions(
    model_folder: Path, domain: str, sentences: Sequence[Sentence]
) -> Iterator[tuple[Sentence, Sequence[float]]]:
    model = load_bundle(model_folder, device=device_kind()).model
    for start in range(0, len(sentences), AT_ONCE):
        part = sentences[start : start + AT_ONCE]
        for sentence, answer in zip(part, predict(model, part, domain), strict=True):
            yield Sentence(sentence.words, answer.spans), answer.scores


def _write(path: Path, known: Gazetteer, found: Gazetteer) -> None:
    """Labelled names, and predicted ones that are not among them."""
    lines = [
        json.dumps({"name": name, "label": list(labels_of_bits(part.labels, bits))}, ensure_ascii=False)
        for part in (known, found)
        for name, bits in part.names.items()
        if part is known or name not in known.names
    ]
    write_text(path, "".join(f"{line}\n" for line in lines))
