"""Label embeddings that start from what the encoder makes of each label's name and description."""

import torch
from jaxtyping import Float
from torch import Tensor

from nerbridge.data.labels import LabelSet
from nerbridge.data.sentence import Sentence
from nerbridge.data.tokenization import tokenize
from nerbridge.encoders.base import Encoder
from nerbridge.models.heads.base import TagHead
from nerbridge.models.heads.coach import CoachHead
from nerbridge.models.heads.label_aware import LabelAwareHead

PROJECTION_SEED = 20220  # the same in every stage and domain, so that equal names start equal


def start_from_names(head: TagHead, encoder: Encoder) -> None:
    """Give a new label-aware or Coach head the encoder's view of its labels, where its settings ask for it."""
    if (
        isinstance(head, LabelAwareHead | CoachHead)
        and head.options.initialise == "names"
        and len(head.vocabulary.labels)
    ):
        head.start_from_names(label_vectors(head.vocabulary.labels, encoder, head.options.label_width))


@torch.no_grad()
def label_vectors(labels: LabelSet, encoder: Encoder, width: int) -> Float[Tensor, "label hidden"]:
    """One row of `width` numbers for each label, mean 0 and variance 1: a random projection of the encoder's vector.

    That is the mean over the words of "name description". The projection is fixed, so a label has the same row beside
    whatever other labels, and labels whose vectors are close have rows that are close.
    """
    training = encoder.training
    encoder.eval()
    texts = [label_words(labels, name) for name in labels.names]
    items = encoder.vectorizer.vectorize([Sentence(words) for words in texts])
    inputs = encoder.vectorizer.collate(items).to(next(encoder.parameters()).device)
    vectors = encoder(inputs)  # rows of padding are 0
    encoder.train(training)
    means = vectors.sum(dim=1).float().cpu() / torch.tensor([len(words) for words in texts]).unsqueeze(1)
    random = torch.Generator().manual_seed(PROJECTION_SEED)
    projected = means @ torch.randn(means.shape[1], width, generator=random)
    variance, mean = torch.var_mean(projected, dim=1, keepdim=True, correction=0)
    return torch.div(projected - mean, torch.sqrt(variance + 1e-12))


def label_words(labels: LabelSet, name: str) -> tuple[str, ...]:
    """The words of a label's name and description."""
    text = f"{name.replace('_', ' ').replace('-', ' ')} {labels.descriptions.get(name, '')}"
    return tuple(text[start:end] for start, end in tokenize(text)) or (name,)
