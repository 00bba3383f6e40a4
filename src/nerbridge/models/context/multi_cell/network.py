"""The multi-cell compositional LSTM (Jia and Zhang, ACL 2020): a cell for each entity label, merged at every word.

    paper              here
    ET cell C_k        a cell of `Cells`, one for each label of any domain, O included, told apart by the label's name
    C cell             the compositional cell: the parameters `own_...` of `Cells`
    P, Q, v            `attend_temporary`, `attend_cells`, `attend_score`
    E_d                `labels` of a domain: its batches use the cells of O and of these alone
    h                  states; the first half has read forward, the second back

    the recurrence     equations 2 to 8: `steps.py`, and its way back in `backward.py`
    the losses         L_a = lambda_ent L_ent + lambda_atten L_atten, equations 9 to 12: `prediction.py`

Labels that several domains have share a cell, so what is learnt of persons in one domain serves the other; the cell of
a label that one domain has is used by that domain alone. The compositional cell and the attention are shared by all.

What the paper's text leaves open, and how it is here: each direction has weights of its own, all drawn as those of an
LSTM; states start with zeros; the attention is as wide inside as a direction's state. The losses are means over words
of known label, not over sentences, as all losses here. The parameters that tables 2 and 3 count fit an attention for
each domain with labels, as wide inside as both directions' states: `attention_apart` and `attention_width`. So it is in
the public code, too, where that of a labelled source has P in the place of Q, equation 11 takes alpha in the place of
I, and dropout stands before equation 9; here the equations are those printed.
With `one_cell` there is a single cell for all labels, merged with nothing: equations 2 to 8 are then those of an LSTM
whose forget gate is one minus its input gate, and not equation 1.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from nerbridge.config.context import MultiCellSettings
from nerbridge.errors import LabelError
from nerbridge.models.context.bilstm import reversed_order, taken
from nerbridge.models.context.multi_cell.cells import OUTSIDE, Cells
from nerbridge.models.context.multi_cell.prediction import EntityPrediction
from nerbridge.models.context.multi_cell.reading import Reading, aligned, attention_of, states_of
from nerbridge.models.context.multi_cell.recorder import Recorder
from nerbridge.models.context.multi_cell.recurrence import CellStates, multi_cell_lstm, together
from nerbridge.models.context.placed import LearningContext, Place
from nerbridge.models.layers.length_groups import back_in_order, groups_of
from nerbridge.models.losses import LossTerms, types_loss


class MultiCellNetwork(LearningContext):
    """Reads vectors of `input_width` with the cells of a place's domain. width: of the states, both directions.

    labels: domain -> its labels, O left out. `settings.read_as`: domain without labels of its own -> the one whose
    labels they are; both are read by the same cells and the same attention.
    """

    directional = True

    def __init__(self, settings: MultiCellSettings, input_width: int, labels: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.settings = settings
        self.width = settings.hidden
        self._input_width = input_width
        self._make(labels)

    def _make(self, labels: Mapping[str, Sequence[str]]) -> None:
        """Raises LabelError for a label called O."""
        for domain, names in labels.items():
            if OUTSIDE in names:
                raise LabelError(
                    f"a label is called {OUTSIDE}, like the cell of words outside of all entities",
                    where=f"labels of {domain}",
                    expected=f"labels other than {OUTSIDE} for a multi-cell context",
                    hint=f"rename it: `nerbridge data convert FILE NEW --rename {OUTSIDE}=other`",
                )
        settings, half = self.settings, self.width // 2
        self._recorder = Recorder() if settings.record else None  # anew: recordings of other cells are of no use
        self.labels = {domain: (OUTSIDE, *names) for domain, names in labels.items()}
        every = (OUTSIDE, *sorted({name for names in labels.values() for name in names}))
        attention = 0 if settings.one_cell else settings.attention_width or half
        apart = len(self._with_attention()) if settings.attention_apart else 0
        self.cells = Cells(("any",) if settings.one_cell else every, self._input_width, half, attention, apart)
        learns = settings.entity_weight > 0 and not settings.one_cell
        self.entity = EntityPrediction(every, half) if learns else None
        for number, names in enumerate(self.labels.values()):
            places = torch.tensor([every.index(name) for name in names])
            self.register_buffer(f"places_{number}", places, persistent=False)

    @property
    def domains_apart(self) -> Collection[str]:
        return () if self.settings.one_cell else self.labels

    def at(
        self, vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"], place: Place
    ) -> Float[Tensor, "batch unit hidden"]:
        order = reversed_order(mask)
        return states_of(self._read(vectors, order, mask, place[0]), order, mask)

    def learn(
        self,
        vectors: Float[Tensor, "batch unit width"],
        mask: Bool[Tensor, "batch unit"],
        place: Place,
        types: Int[Tensor, "batch unit"] | None,
    ) -> tuple[Float[Tensor, "batch unit hidden"], LossTerms]:
        order = reversed_order(mask)
        found = self._read(vectors, order, mask, place[0], kept=types is not None)
        states = states_of(found, order, mask)
        if types is None or self.settings.one_cell:
            return states, LossTerms({})
        terms = {}
        if self.entity is not None:
            terms["entity"] = types_loss(self._entity(found, order, place[0]), types)  # eq. 10
        if self.settings.attention_weight > 0:
            terms["attention"] = types_loss(attention_of(found, order), types)  # eq. 12
        weights = {"entity": self.settings.entity_weight, "attention": self.settings.attention_weight}
        return states, LossTerms(terms, weights)

    def reading(
        self, vectors: Float[Tensor, "batch unit width"], mask: Bool[Tensor, "batch unit"], place: Place
    ) -> Reading:
        """Everything that the network makes of the vectors of one place, cell by cell. KeyError for a domain without
        labels."""
        order = reversed_order(mask)
        found = self._read(vectors, order, mask, place[0], kept=True)
        several = not self.settings.one_cell
        return Reading(
            self.labels[place[0]] if several else self.cells.labels,
            states_of(found, order, mask),
            aligned(found.cells, order).transpose(2, 3).flatten(3),
            attention_of(found, order) if several else None,
            None if self.entity is None else self._entity(found, order, place[0]),
        )

    def together(self, places: Iterable[Place]) -> AbstractContextManager[None]:  # noqa: ARG002 (shares nothing)
        return nullcontext()

    @torch.no_grad()
    def for_labels(self, domain: str, labels: Sequence[str], sources: Mapping[str, str]) -> None:
        cells, entity = self.cells, self.entity
        attention = self._attention(domain if domain in self.labels else next(iter(self.labels)))
        for number in range(len(self.labels)):
            delattr(self, f"places_{number}")
        self._make({domain: labels})
        self.to(cells.inward.device)
        if self.settings.one_cell:
            self.cells.load_state_dict(cells.state_dict())
            return
        known = {OUTSIDE: OUTSIDE, **{here: there for here, there in sources.items() if there in cells.labels}}
        self.cells.carry(cells, known, attention)
        if self.entity is not None and entity is not None:
            self.entity.carry(entity, known)

    def _places(self, domain: str) -> Int[Tensor, " chosen"] | None:
        """Where the cells of a domain are; None for all cells in their order."""
        number = list(self.labels).index(domain) if domain in self.labels else -1
        if number < 0:
            raise KeyError(domain)
        if self.settings.one_cell or self.labels[domain] == self.cells.labels:
            return None
        places: Tensor = getattr(self, f"places_{number}")
        return places

    def _attention(self, domain: str) -> int | None:
        """The number of a domain's attention; None where all share one."""
        if self.settings.one_cell or not self.settings.attention_apart:
            return None
        having = self._with_attention()
        return having.index(domain if domain in having else self.settings.read_as[domain])

    def _with_attention(self) -> list[str]:
        """The domains that have an attention of their own where `attention_apart` says so: all that are not read as
        another one that is here."""
        return [domain for domain in self.labels if self.settings.read_as.get(domain) not in self.labels]

    def _read(
        self,
        vectors: Float[Tensor, "batch unit width"],
        order: Int[Tensor, "batch unit"],
        mask: Bool[Tensor, "batch unit"],
        domain: str,
        *,
        kept: bool = False,
    ) -> CellStates:
        """Each direction's values in the order in which it reads."""
        both = torch.stack([vectors, taken(vectors, order)]).transpose(1, 2)
        weights = self.cells.weights(self._places(domain), self._attention(domain))
        number = 1 if self.settings.one_cell else len(self.labels[domain])
        groups = groups_of(mask)
        if groups is None:
            return multi_cell_lstm(both, weights, number, kept=kept, recorder=self._recorder)
        parts = [multi_cell_lstm(both[:, :length, rows], weights, number, kept=kept) for rows, length in groups]
        return together(parts, both.shape[1], back_in_order(groups))

    def _entity(
        self, found: CellStates, order: Int[Tensor, "batch unit"], domain: str
    ) -> Float[Tensor, "batch unit cell"]:
        """The scores in equation 9."""
        assert self.entity is not None, "the entity loss is left out"
        return aligned(self.entity.parts(found.cells, self._places(domain)), order).sum(2)
