"""The backward direction of eq. 3 over many prefixes at once: two ways to the same states.

A prefix of k + 1 positions takes k + 1 steps, from its last position down to BOS. Rows are sorted, so that every step
works on those that still run (half of a rectangle), and never on padding.

`by_position`: all rows read position k in the same step, and end together at BOS; rows enter as k comes down to their
last. Inputs are rows of a table, so the input product of an LSTM is done once per *tag*, and a step is one recurrent
product. Fewest operations: best on a CPU. `packed`: all rows start together in one call of `nn.LSTM`, which is one call
of cuDNN: best on a GPU, where the kernels of a step cost more to launch than to run.
"""

from typing import cast

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from nerbridge.models.heads.label_aware.label_encoder import backward_gates
from nerbridge.models.heads.label_aware.prefixes import Prefixes

PACKED_ON = ("cuda",)  # kinds of device that read packed prefixes


def prefix_states(
    lstm: nn.LSTM,
    table: Float[Tensor, "label hidden"],
    history: Int[Tensor, "batch unit"],
    prefixes: Prefixes,
) -> Float[Tensor, "row step hidden"]:
    """For each prefix the backward state at each position, 0 behind its last."""
    device = history.device
    rows = history.index_select(0, prefixes.sentence)[:, : len(prefixes.alive)]
    last = prefixes.last
    position = torch.arange(len(prefixes.alive), device=device)
    if device.type in PACKED_ON:
        flat = packed(lstm, table, rows, prefixes)
        step = last.unsqueeze(1) - position
    else:
        flat = by_position(lstm, table, rows, prefixes)
        step = position.expand_as(rows)
    index = prefixes.starts[step.clamp(min=0)] + torch.arange(len(rows), device=device).unsqueeze(1)
    index = index.masked_fill(position > last.unsqueeze(1), len(flat))
    return F.embedding(index, F.pad(flat, (0, 0, 0, 1)))


def by_position(
    lstm: nn.LSTM,
    table: Float[Tensor, "label hidden"],
    rows: Int[Tensor, "row step"],
    prefixes: Prefixes,
) -> Float[Tensor, "flat hidden"]:
    """States in the order of positions, for each the rows that reach it."""
    gates, recurrent = backward_gates(lstm, table), cast(Tensor, lstm.all_weights[0][1]).T
    hidden = cell = table.new_zeros(0, table.shape[1])
    states = []
    for position, alive in reversed(list(enumerate(prefixes.counts))):
        entering = (0, 0, 0, alive - len(hidden))
        hidden, cell = F.pad(hidden, entering), F.pad(cell, entering)
        looked_up = F.embedding(rows[:alive, position], gates)
        enter, forget, new, leave = torch.addmm(looked_up, hidden, recurrent).chunk(4, dim=1)
        cell = torch.addcmul(forget.sigmoid() * cell, enter.sigmoid(), new.tanh())
        hidden = leave.sigmoid() * cell.tanh()
        states.append(hidden)
    return torch.cat(states[::-1])


def packed(
    lstm: nn.LSTM,
    table: Float[Tensor, "label hidden"],
    rows: Int[Tensor, "row step"],
    prefixes: Prefixes,
) -> Float[Tensor, "flat hidden"]:
    """States in the order of steps, for each the rows that still run."""
    device, num_steps, size = rows.device, rows.shape[1], int(prefixes.alive.sum())
    step = torch.repeat_interleave(
        torch.arange(num_steps, device=device), prefixes.alive.to(device, non_blocking=True), output_size=size
    )
    row = torch.arange(size, device=device) - prefixes.starts[step]
    tags = rows[row, prefixes.last[row] - step]
    output = lstm(PackedSequence(F.embedding(tags, table), prefixes.alive))[0]
    return cast(Tensor, output.data)
