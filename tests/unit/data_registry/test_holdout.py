"""The seeded hold-out: nothing lost, nothing in both parts, the same twice."""

import pytest

from nerbridge.data.holdout import holdout
from nerbridge.data.sentence import Sentence
from nerbridge.errors import DataError

HUNDRED = [Sentence((f"word{number}",)) for number in range(100)]


def test_a_tenth_is_held_out_in_order() -> None:
    kept, held = holdout(HUNDRED)
    assert (len(kept), len(held)) == (90, 10)
    assert sorted([*kept, *held], key=HUNDRED.index) == HUNDRED
    assert kept == sorted(kept, key=HUNDRED.index)
    assert held == sorted(held, key=HUNDRED.index)


def test_the_seed_decides() -> None:
    assert holdout(HUNDRED, seed=1) == holdout(HUNDRED, seed=1)
    assert holdout(HUNDRED, seed=1) != holdout(HUNDRED, seed=2)


def test_equal_sentences_stay_together() -> None:
    sentences = [Sentence((f"word{number // 5}",)) for number in range(100)]
    for seed in range(10):
        kept, held = holdout(sentences, fraction=0.2, seed=seed)
        assert len(held) == 20
        assert not {s.words for s in kept} & {s.words for s in held}


def test_two_sentences_are_enough_and_one_is_not() -> None:
    kept, held = holdout(HUNDRED[:2], fraction=0.9)
    assert (len(kept), len(held)) == (1, 1)
    with pytest.raises(DataError) as caught:
        holdout([HUNDRED[0], HUNDRED[0]])
    assert str(caught.value) == (
        "1 distinct sentence cannot be split into train and dev\n"
        "  expected: at least two distinct sentences\n"
        "  hint: give a dev file, or keep the last weights: `--set training.target.selection=last`"
    )
