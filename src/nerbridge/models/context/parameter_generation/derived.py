"""What was generated once and stays true while no parameter changes."""

from collections.abc import Callable, Sequence

from torch import Tensor

from nerbridge.models.context.placed import Place

Directions = tuple[Tensor, Tensor]  # the parameters of an LSTM, forward and back, each in one row


class DerivedDirections:
    """Keeps the generated parameters of each place.

    Changes are seen by the versions that torch counts of tensors; fused optimisers do not count theirs, so that whoever
    computes gradients must `forget`.
    """

    def __init__(self) -> None:
        self._state: list[tuple[int, int]] = []
        self._kept: dict[Place, Directions] = {}

    def forget(self) -> None:
        """Keep nothing: the parameters are about to change."""
        self._state, self._kept = [], {}

    def directions(self, place: Place, parameters: Sequence[Tensor], generate: Callable[[], Directions]) -> Directions:
        """Those of `place`: kept from before, or made by `generate` when `parameters` have changed since."""
        if any(parameter.is_inference() for parameter in parameters):  # of these torch counts no versions
            return generate()
        state = [(parameter.data_ptr(), parameter._version) for parameter in parameters]
        if state != self._state:
            self._state, self._kept = state, {}
        if place not in self._kept:
            self._kept[place] = generate()
        return self._kept[place]
