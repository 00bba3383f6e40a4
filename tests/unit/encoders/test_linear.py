"""Linear layers through oneDNN: the numbers of torch's own, forwards and backwards."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nerbridge.encoders.transformer.linear import OneDnnLinear, use_one_dnn


def layers(*, bias: bool = True) -> tuple[nn.Linear, OneDnnLinear]:
    torch.manual_seed(1)
    plain = nn.Linear(24, 40, bias=bias)
    return plain, OneDnnLinear.sharing(plain)


def gradients(layer: nn.Linear, x: Tensor) -> tuple[Tensor, ...]:
    x = x.detach().requires_grad_()
    result = layer(x)
    weights = torch.arange(result.numel(), dtype=torch.float32).view_as(result).sin()
    return torch.autograd.grad((result * weights).sum(), [x, *layer.parameters()])


@pytest.mark.parametrize("shape", [(1, 24), (7, 24), (3, 5, 24), (2, 1, 24), (2, 3, 5, 24)], ids=str)
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no bias"])
def test_values_and_gradients_are_those_of_torch(shape: tuple[int, ...], bias: bool) -> None:
    plain, ours = layers(bias=bias)
    x = torch.randn(shape)
    torch.testing.assert_close(ours(x), plain(x))
    found, expected = gradients(ours, x), gradients(plain, x)
    assert len(found) == 2 + bias
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other)


def test_views_that_are_not_contiguous_are_read_right() -> None:
    plain, ours = layers()
    x = torch.randn(24, 6, 5).permute(2, 1, 0)
    for one, other in zip(gradients(ours, x), gradients(plain, x), strict=True):
        torch.testing.assert_close(one, other)


def test_the_same_work_twice_gives_the_same_bits() -> None:
    _, ours = layers()
    x = torch.randn(16, 30, 24)
    for one, other in zip(gradients(ours, x), gradients(ours, x), strict=True):
        assert torch.equal(one, other)


def test_frozen_parameters_get_no_gradient_but_the_input_does() -> None:
    _, ours = layers()
    ours.requires_grad_(False)
    x = torch.randn(2, 24, requires_grad=True)
    ours(x).sum().backward()
    assert x.grad is not None
    assert ours.weight.grad is None


def test_autocast_and_other_precisions_are_left_to_torch() -> None:
    plain, ours = layers()
    x = torch.randn(3, 24)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert ours(x).dtype == torch.bfloat16
        torch.testing.assert_close(ours(x), F.linear(x, plain.weight, plain.bias))
    torch.testing.assert_close(ours.double()(x.double()), plain(x.double()))


def test_a_model_keeps_its_parameters_and_their_names() -> None:
    inner = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4))
    model = nn.Sequential(inner, nn.Linear(4, 2)).eval()
    before = dict(model.named_parameters())
    use_one_dnn(model)
    after = dict(model.named_parameters())
    assert list(before) == list(after)
    assert all(before[name] is after[name] for name in before)
    assert [type(layer) for layer in (inner[0], model[1])] == [OneDnnLinear, OneDnnLinear]
    assert not any(module.training for module in model.modules())
