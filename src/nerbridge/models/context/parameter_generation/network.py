"""A BiLSTM whose parameters are generated for each domain and task (Jia, Liang, Zhang, ACL 2019, section 3.2).

    paper              here
    theta_{d,t}        the parameters of the BiLSTM for domain d and task t ("tags" is NER, "words" is LM): a row
    W                  `meta`, numbers x tasks x domains, stored as (task width V, domain width U, parameter)
    I^D_d, I^T_t       rows of `domain_vectors` and `task_vectors`
    h                  states; the first half has read forward, the second back

    theta_{d,t} = W (x) I^D_d (x) I^T_t       contraction over both axes                             (2)
    h_i forward = LSTM(h_{i-1}, v_i; theta forward),   h_i back = LSTM(h_{i+1}, v_i; theta back)     (3)

The products of all pairs of an update are one matrix product: `together` computes the rows once, collects the gradient
of each, and carries them back through the same product once. A model in use computes the row of a place once and keeps
it as long as no parameter changes.

What the paper leaves open, and how it is here: an axis with a single name has no embedding, so that theta = W (x) I^T
with one domain (CO-LM), W (x) I^D with one task (CO-NER), and theta = W, a plain BiLSTM, with one of each. Embeddings
start with length 1, in random directions or alike to the degree of `likeness`, and W as the weights of an LSTM start:
so does theta, then. With `start = "shared"` W is zero but in the direction that the embeddings have in common: what no
stream has learnt yet, such as the parameters of a domain without labels, is then no noise.

An optimiser that is adaptive (AdamW, RMSprop) moves every number of W by about the learning rate, and a number of theta
is the sum of as many as W has for it, times the embeddings: it would move several times as fast as that of a BiLSTM of
its own. So W learns at 1 / (|I^T| |I^D|) times the rate there (sums of absolute values, as they start). Under plain
gradient descent the speed is right as it is, because embeddings start with length 1.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from nerbridge.config.context import ParameterGenerationSettings
from nerbridge.models.context.bilstm import reversed_order, taken
from nerbridge.models.context.parameter_generation.derived import DerivedDirections, Directions
from nerbridge.models.context.parameter_generation.embeddings import (
    FirstVectors,
    first_tensor,
    first_vectors,
    reach,
)
from nerbridge.models.context.placed import Place, PlacedContext
from nerbridge.models.layers.length_groups import read_in_groups
from nerbridge.models.layers.recurrence import LstmLayout, lstm


class ParameterGenerationNetwork(PlacedContext):
    """Generates a BiLSTM for each place (domain and task) and runs it. width: of the states, both directions together.

    input_width: of the vectors. domains, tasks: the names that have an embedding.
    """

    directional = True
    task_vectors: Tensor
    domain_vectors: Tensor

    def __init__(
        self, settings: ParameterGenerationSettings, input_width: int, domains: Sequence[str], tasks: Sequence[str]
    ) -> None:
        super().__init__()
        self.width = settings.hidden
        self.domains = {name: number for number, name in enumerate(domains)}
        self.tasks = {name: number for number, name in enumerate(tasks)}
        self.embedding_rate = settings.embedding_rate
        self.layout = LstmLayout(input_width, settings.hidden // 2)
        first_tasks = first_vectors(len(tasks), settings.task_width, settings.likeness_of_tasks)
        first_domains = first_vectors(len(domains), settings.domain_width, settings.likeness)
        bound, shared = self.layout.hidden**-0.5, settings.start == "shared"
        self.meta = nn.Parameter(first_tensor(first_tasks, first_domains, 2 * self.layout.size, bound, shared=shared))
        self._embed("task_vectors", first_tasks)
        self._embed("domain_vectors", first_domains)
        self._derived = DerivedDirections()
        self._leaves: dict[Place, Directions] | None = None

    def _embed(self, axis: str, first: FirstVectors) -> None:
        """The embeddings of an axis; a single name has none, only the constant 1."""
        if len(first.rows) > 1:
            self.register_parameter(axis, nn.Parameter(first.rows))
        else:
            self.register_buffer(axis, first.rows, persistent=False)

    @property
    def domains_apart(self) -> Collection[str]:
        return self.domains

    def at(
        self, vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"], place: Place
    ) -> Float[Tensor, "batch unit hidden"]:
        ahead, back = self.directions(place)

        def read(vectors: Tensor, mask: Tensor) -> Tensor:
            order = reversed_order(mask)
            forward = lstm(vectors, ahead, self.layout)  # eq. 3
            backward = taken(lstm(taken(vectors, order), back, self.layout), order)
            return torch.cat([forward, backward], dim=2).masked_fill(~mask.unsqueeze(2), 0.0)

        return read_in_groups(read, vectors, mask)

    def directions(self, place: Place) -> Directions:
        """theta of a place, forward and back. KeyError for a domain or task without embedding."""
        if torch.is_grad_enabled():
            self._derived.forget()
            return self._leaves[place] if self._leaves is not None else _apart(self.rows([place])[0])
        parameters = [self.meta, self.task_vectors, self.domain_vectors]
        return self._derived.directions(place, parameters, lambda: _apart(self.rows([place])[0]))

    def rate_multiples(self, *, adaptive: bool) -> dict[str, float]:
        task_width, domain_width, _ = self.meta.shape
        moved = reach(len(self.tasks), task_width) * reach(len(self.domains), domain_width)
        multiples = dict.fromkeys(("task_vectors", "domain_vectors"), self.embedding_rate)
        return {**multiples, "meta": 1.0 / moved if adaptive else 1.0}

    def rows(self, places: Sequence[Place]) -> Float[Tensor, "place parameter"]:
        """theta of several places, both directions in one row, from one product (eq. 2)."""
        domains = torch.stack([self.domain_vectors[self.domains[domain]] for domain, _ in places])
        tasks = torch.stack([self.task_vectors[self.tasks[task]] for _, task in places])
        with torch.autocast(self.meta.device.type, enabled=False):
            pairs = tasks.unsqueeze(2) * domains.unsqueeze(1)  # (place, task width, domain width)
            return pairs.flatten(1) @ self.meta.flatten(0, 1)  # eq. 2

    @contextmanager
    def together(self, places: Iterable[Place]) -> Iterator[None]:
        wanted = list(dict.fromkeys(places))
        rows = self.rows(wanted)
        leaves = [_apart(row.detach()) for row in rows]
        for half in (half for pair in leaves for half in pair):
            half.requires_grad_()
        self._leaves = dict(zip(wanted, leaves, strict=True))
        try:
            yield
        finally:
            self._leaves = None
        torch.autograd.backward(rows, torch.stack([torch.cat([_gradient(half) for half in pair]) for pair in leaves]))


def _apart(row: Float[Tensor, " parameter"]) -> Directions:
    """The two directions of a row, each a tensor of its own."""
    ahead, back = row.chunk(2)
    return ahead.clone(), back.clone()


def _gradient(leaf: Tensor) -> Tensor:
    return torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
