"""The BiLSTM context: torch's own on packed sentences, and indifferent to padding."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nerbridge.config.context import BiLstmSettings
from nerbridge.models.context.bilstm import BiLstm, reversed_order
from nerbridge.models.layers.length_groups import ROWS_AT_ONCE, groups_of

LENGTHS = torch.tensor([5, 1, 3])
MASK = torch.arange(5) < LENGTHS.unsqueeze(1)


def test_it_equals_torch_on_packed_sentences() -> None:
    torch.manual_seed(0)
    context = BiLstm(BiLstmSettings(hidden=6, layers=2), 4).eval()
    theirs = nn.LSTM(4, 3, num_layers=2, bidirectional=True, batch_first=True)
    for layer, (ahead, back) in enumerate(zip(context.ahead, context.back, strict=True)):
        for name, value in ahead.named_parameters():
            getattr(theirs, name.replace("l0", f"l{layer}")).data = value.data
        for name, value in back.named_parameters():
            getattr(theirs, name.replace("l0", f"l{layer}") + "_reverse").data = value.data
    vectors = torch.randn(3, 5, 4)
    packed = pack_padded_sequence(vectors, LENGTHS, batch_first=True, enforce_sorted=False)
    expected, _ = pad_packed_sequence(theirs(packed)[0], batch_first=True)
    assert torch.allclose(context(vectors, MASK), expected, atol=1e-6)


def test_what_stands_on_padding_never_matters() -> None:
    context = BiLstm(BiLstmSettings(hidden=6), 4).eval()
    vectors = torch.randn(3, 5, 4)
    noise = torch.where(MASK.unsqueeze(2), vectors, torch.randn(3, 5, 4))
    assert torch.equal(context(vectors, MASK), context(noise, MASK))
    assert not context(noise, MASK)[~MASK].any()


def test_many_sentences_are_read_in_groups_as_each_alone() -> None:
    torch.manual_seed(0)
    context = BiLstm(BiLstmSettings(hidden=6, layers=2), 4).eval()
    lengths = torch.randint(0, 9, (2 * ROWS_AT_ONCE + 3,))
    lengths[4] = 9
    mask = torch.arange(9) < lengths.unsqueeze(1)
    vectors = torch.randn(len(lengths), 9, 4, requires_grad=True)
    assert groups_of(mask) is not None
    states = context(vectors, mask)
    assert states.shape == (len(lengths), 9, 6)
    for row, length in enumerate(lengths.tolist()):
        if length:
            alone = context(vectors[row : row + 1, :length], mask[row : row + 1, :length])
            assert torch.allclose(states[row, :length], alone[0], atol=1e-6)
        assert not states[row, length:].any()
    states.sum().backward()
    assert vectors.grad is not None
    assert not vectors.grad[~mask].any()
    assert vectors.grad[mask].any(1).all()


def test_the_order_backwards_leaves_padding_where_it_is() -> None:
    assert reversed_order(MASK).tolist() == [[4, 3, 2, 1, 0], [0, 1, 2, 3, 4], [2, 1, 0, 3, 4]]


def test_layers_apart_never_read_what_the_other_direction_has_read() -> None:
    """A forward state is the same whatever comes behind its word, a backward one whatever came before."""
    context = BiLstm(BiLstmSettings(hidden=6, layers=3, apart=True), 4).eval()
    vectors = torch.randn(1, 5, 4)
    changed = vectors.clone()
    changed[0, 2] += 1
    whole = torch.ones(1, 5, dtype=torch.bool)
    before, after = context(vectors, whole), context(changed, whole)
    same = (before == after).all(0)
    assert same[:, :3].all(1).tolist() == [True, True, False, False, False]
    assert same[:, 3:].all(1).tolist() == [False, False, False, True, True]
