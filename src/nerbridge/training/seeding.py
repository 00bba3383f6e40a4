"""Seeds: every random state of a stage is a pure function of the stage's seed and of where in the stage it is.

So a resumed run needs no stored random state, and what happens between two steps (an evaluation, a checkpoint) cannot
change what is learnt afterwards.
"""

import hashlib

import torch


def derive_seed(*parts: int | str) -> int:
    """A seed (0 to 2**63 - 1) out of `parts`, such as a stage's seed, "order" and an epoch; other parts, other seed."""
    text = "\x1f".join(f"{type(part).__name__}:{part}" for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def seed_step(seed: int, step: int, process: int = 0) -> None:
    """Put torch's random state (CPU and GPU) where step `step` of a stage with `seed` starts; microseconds.

    process: number of this process, so that several draw different dropout masks.
    """
    derived = derive_seed(seed, "step", step, process)
    torch.default_generator.manual_seed(derived)  # torch.manual_seed asks every kind of device: 50 times slower
    if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
        torch.cuda.manual_seed(derived)
