"""Label embeddings that start from what the encoder makes of each label's name and description."""

import zlib

import torch
from jaxtyping import Float
from torch import Tensor

from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence
from nerbridge.data.stop_words import STOP_WORDS
from nerbridge.data.tokenization import tokenize
from nerbridge.encoders.base import Encoder
from nerbridge.models.heads.base import TagHead
from nerbridge.models.heads.coach import CoachHead
from nerbridge.models.heads.label_aware import LabelAwareHead

NEUTRAL = ("person", "place", "organisation", "event", "thing", "work", "idea", "time")  # of the kinds that labels are
PROJECTION_SEED = 20220  # the same in every stage and domain, so that equal names start equal


def start_from_names(head: TagHead, encoder: Encoder) -> None:
    """Give a new label-aware or Coach head the encoder's view of its labels, where its settings ask for it.

    Coach compares spans with these rows for good, so they are made from words that say something, and without what all
    words have in common: it would make all rows alike.
    """
    if (
        isinstance(head, LabelAwareHead | CoachHead)
        and head.options.initialise == "names"
        and len(head.vocabulary.labels)
    ):
        apart = isinstance(head, CoachHead)
        width = head.options.label_width
        head.start_from_names(label_vectors(head.vocabulary.labels, encoder, width, apart=apart))


@torch.no_grad()
def label_vectors(
    labels: LabelSet, encoder: Encoder, width: int, *, apart: bool = False
) -> Float[Tensor, "label hidden"]:
    """One row of `width` numbers for each label, mean 0 and variance 1: a random projection of the encoder's vector.

    That is the mean over the words of "name description". The projection is fixed, so a label has the same row beside
    whatever other labels, and labels whose vectors are close have rows that are close. Labels that the encoder cannot
    tell apart, because it knows none of their words, have random rows, each drawn by its own name.
    apart: leave out punctuation, articles, prepositions and their like, and take away the mean vector of `NEUTRAL`,
    much of which some encoders give to every word.
    """
    training = encoder.training
    encoder.eval()
    texts = [label_words(labels, name, content_only=apart) for name in labels.names]
    texts += [(word,) for word in NEUTRAL] if apart else []
    items = encoder.vectorizer.vectorize([Sentence(words) for words in texts])
    inputs = encoder.vectorizer.collate(items).to(next(encoder.parameters()).device)
    vectors = encoder(inputs)  # rows of padding are 0
    encoder.train(training)
    means = vectors.sum(dim=1).float().cpu() / torch.tensor([len(words) for words in texts]).unsqueeze(1)
    if apart:
        means = means[: len(labels)] - means[len(labels) :].mean(dim=0)
    random = torch.Generator().manual_seed(PROJECTION_SEED)
    projected = means @ torch.randn(means.shape[1], width, generator=random)
    for number in _alike(means):
        drawn = torch.Generator().manual_seed(zlib.crc32(labels.names[number].encode("utf-8", "surrogatepass")))
        projected[number] = torch.randn(width, generator=drawn)
    variance, mean = torch.var_mean(projected, dim=1, keepdim=True, correction=0)
    return torch.div(projected - mean, torch.sqrt(variance + 1e-12))


def _alike(means: Float[Tensor, "label width"]) -> list[int]:
    """The labels whose vectors are those of another label, or nothing."""
    same = torch.cdist(means, means, compute_mode="donot_use_mm_for_euclid_dist") <= 1e-5 * means.norm(
        dim=1, keepdim=True
    )
    return [number for number, row in enumerate(same.tolist()) if sum(row) > 1 or not means[number].any()]


def label_words(labels: LabelSet, name: str, *, content_only: bool = False) -> tuple[str, ...]:
    """The words of a label's name and description. content_only: without punctuation, articles and their like."""
    text = f"{name.replace('_', ' ').replace('-', ' ')} {labels.descriptions.get(name, '')}"
    words = tuple(text[start:end] for start, end in tokenize(text)) or (name,)
    kept = tuple(word for word in words if word[:1].isalnum() and word.lower() not in STOP_WORDS)
    return (kept or words) if content_only else words
