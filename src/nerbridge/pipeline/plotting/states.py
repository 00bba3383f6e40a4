"""The states of chosen words: what the heads of a tagger read, or what each cell of a multi-cell LSTM holds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from nerbridge.assembly.cells import read_cells
from nerbridge.assembly.prediction import PIECES_PER_BATCH
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.batch import Batch
from nerbridge.batching.buckets import inference_batches
from nerbridge.batching.streams import make_batch
from nerbridge.data.sentence import Sentence
from nerbridge.errors import ConfigError
from nerbridge.models.context.multi_cell import MultiCellNetwork
from nerbridge.pipeline.plotting.words import ChosenWord

Vectors = NDArray[np.float32]  # (row, width)


@dataclass(frozen=True)
class States:
    """One row of `vectors` for each of `words`; a word has one row, or one for each of its cells.

    groups: what a row is coloured by: the label of its word, or that of its cell.
    """

    words: Sequence[ChosenWord]
    groups: Sequence[str]
    vectors: Vectors

    def plus(self, other: "States") -> "States":
        """The rows of both."""
        vectors = np.concatenate([self.vectors, other.vectors])
        return States([*self.words, *other.words], [*self.groups, *other.groups], vectors)


def hidden_states(model: Tagger, sentences: Sequence[Sentence], words: Sequence[ChosenWord], domain: str) -> States:
    """What a head of `domain` reads at each of `words`, whose numbers count in `sentences`; it need not be there."""
    found: dict[int, Vectors] = {}
    for batch, numbers in _batches(model, sentences, words, domain):
        found |= zip(numbers, _on_cpu(model.states(batch)), strict=True)
    vectors = np.stack([found[word.sentence][word.place] for word in words])
    return States(words, [word.label for word in words], vectors)


def cell_states(model: Tagger, sentences: Sequence[Sentence], words: Sequence[ChosenWord], domain: str) -> States:
    """What every cell of the domain holds at each of `words`: the c_k of equation 3 of Jia and Zhang (2020).

    Raises ConfigError where the model has no cells by label.
    """
    if not has_cells(model):
        raise ConfigError(
            f"the tagger of domain '{domain}' has no cell for each label",
            where="--what cells",
            expected="a tagger with context.kind = 'multi_cell' and more than one cell",
            hint="--what states shows what the head of any tagger reads",
        )
    needed = sorted({word.sentence for word in words})
    found: dict[int, Vectors] = {}
    labels: tuple[str, ...] = ()
    for one in read_cells(model, [sentences[number] for number in needed], domain):
        labels = one.reading.labels
        found |= zip([needed[index] for index in one.indices], _on_cpu(one.reading.cells), strict=True)
    vectors = np.concatenate([found[word.sentence][word.place] for word in words])
    return States([word for word in words for _ in labels], [*labels] * len(words), vectors)


def has_cells(model: Tagger) -> bool:
    """Has the tagger several cells that are told apart by their label?"""
    context = model.context
    return isinstance(context, MultiCellNetwork) and not context.settings.one_cell


def has_one_cell(model: Tagger) -> bool:
    """Has the tagger the single cell that a multi-cell one is compared with?"""
    return isinstance(model.context, MultiCellNetwork) and model.context.settings.one_cell


def _batches(
    model: Tagger, sentences: Sequence[Sentence], words: Sequence[ChosenWord], domain: str
) -> Iterator[tuple[Batch, list[int]]]:
    """Batches of the sentences that have one of `words`, with the sentences' numbers; without gradients."""
    needed = sorted({word.sentence for word in words})
    vectorizer = model.encoder.vectorizer
    items = vectorizer.vectorize([sentences[number] for number in needed])
    device = next(model.parameters()).device
    budget = PIECES_PER_BATCH["cpu" if device.type == "cpu" else "other"]
    with torch.inference_mode():
        for places in inference_batches([item.num_pieces for item in items], budget):
            numbers = [needed[place] for place in places]
            chosen = tuple(sentences[number] for number in numbers)
            batch = make_batch(chosen, [items[place] for place in places], vectorizer, domain, {})
            yield batch.to(device), numbers


def _on_cpu(values: Tensor) -> NDArray[np.float32]:
    return values.float().cpu().numpy()
