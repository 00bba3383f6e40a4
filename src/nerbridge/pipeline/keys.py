"""What a finished stage is cached by: everything that could change its weights, and nothing else."""

import hashlib
import json
from typing import Any

import torch
from accelerate import PartialState

from nerbridge.config.encoder import EncoderSettings
from nerbridge.config.experiment import Experiment
from nerbridge.config.tagger import CoachSettings, LabelAwareSettings
from nerbridge.data.encoder_files import PLACES, encoder_fingerprint
from nerbridge.data.fingerprint import fingerprint
from nerbridge.transfer.stage import Mixture, OwnLabels, Stage

STAGE_FORMAT = 3  # raised whenever the same settings would train to other weights
ADVERSARY_FORMAT = 2  # the same, of stages with a discriminator of domains
DICTIONARY_FORMAT = 2  # and of those with a dictionary
CORRECTION_FORMAT = 2  # and of those whose samples of words are corrected
ENDED_FORMAT, ENDED_ROUND = 2, 3  # and of rounds of self-training from this one on, which one before may have ended


def stage_key(stage: Stage, experiment: Experiment, *, parent: str | None, seed: int, hardware: str) -> str:
    """SHA-256 of the stage's inputs and settings. parent: key of the stage before, none for the first.

    The time between checkpoints is left out (it changes nothing), as are names and descriptions; the latter count where
    the tagger starts from them. Dev sentences count even where they select nothing: their F1 is part of the result.
    """
    settings = stage.settings.model_dump(exclude={"checkpoint_seconds", "seed"})
    content: dict[str, Any] = {
        "format": STAGE_FORMAT,
        "torch": torch.__version__.split("+")[0],
        "hardware": hardware,
        "seed": seed,
        "parent": parent,
        "train": fingerprint(stage.train),
        "dev": fingerprint(stage.dev),
        "labels": stage.labels.names,
        "decodable": stage.decodable.names if stage.decodable else None,
        "bridge": dict(sorted(stage.bridge.items())),
        "training": settings,
        "tagger": experiment.tagger.model_dump(),
        "context": experiment.context.model_dump(),
        "encoder": _encoder_content(experiment.encoder),
        "weights": encoder_fingerprint(experiment.encoder) if parent is None else None,
    }
    if stage.mixture is not None:
        content["mixture"] = _mixture_content(stage.mixture)
    if stage.own_labels is not None:  # the sentences themselves follow from these and from the stage before
        content["own_labels"] = _own_labels_content(stage.own_labels)
    if isinstance(experiment.tagger, LabelAwareSettings | CoachSettings) and experiment.tagger.initialise == "names":
        content["descriptions"] = dict(stage.labels.descriptions)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _encoder_content(settings: EncoderSettings) -> dict[str, Any]:
    content: dict[str, Any] = settings.model_dump(exclude=PLACES)
    for one in (content, *content.get("parts", ())):
        if one.get("record") is False:  # what is recorded is padded, and draws other dropout; else all is as it was
            del one["record"]
    return content


def _mixture_content(mixture: Mixture) -> dict[str, Any]:
    streams = [
        {
            "place": [stream.domain, stream.objective],
            "sentences": fingerprint(stream.sentences),
            "watched": fingerprint(stream.watched),
            "weight": stream.weight,
            "pace": [stream.batch_scale, stream.sets_pace],
        }
        for stream in mixture.streams
    ]
    spaces = {domain: labels.names for domain, labels in mixture.spaces.items()}
    roles = [mixture.tagged_by, mixture.selected_on]
    content: dict[str, Any] = {
        "streams": streams,
        "spaces": spaces,
        "roles": roles,
        "words": mixture.words.model_dump(),
    }
    if mixture.words.log_q:
        content["correction"] = CORRECTION_FORMAT
    if mixture.adversary.kind != "none":
        content["adversary"] = {"format": ADVERSARY_FORMAT, **mixture.adversary.model_dump()}
        content["of_source"] = [stream.of_source for stream in mixture.streams]
    if mixture.target is not None and mixture.target not in mixture.domains:
        content["target"] = mixture.target
    if mixture.types_weight is not None:  # what the dictionary has found is part of the sentences
        content["types"] = {"format": DICTIONARY_FORMAT, "weight": mixture.types_weight}
    return content


def _own_labels_content(own: OwnLabels) -> dict[str, Any]:
    keeping = own.keeping.model_dump()
    content = {"raw": fingerprint(own.raw), "keeping": keeping, "domain": own.domain, "weight": own.weight}
    return {**content, "format": ENDED_FORMAT} if own.number >= ENDED_ROUND else content


def describe_hardware() -> str:
    """Device and number of processes: each process draws its own dropout, so their number changes the weights."""
    return f"{device_kind()} x {PartialState(cpu=not torch.accelerator.is_available()).num_processes}"


def device_kind() -> str:
    """ "cuda" when there is a GPU, else "cpu"; the two give slightly different weights."""
    return "cuda" if torch.cuda.is_available() else "cpu"
