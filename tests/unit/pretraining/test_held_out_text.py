"""A small seeded part of the text is held out, and nothing that says the same is learnt from."""

import numpy as np
import pytest
from numpy.typing import NDArray

import nerbridge.pretraining.held_out_text as module
from nerbridge.pretraining.held_out_text import RUN, SHORTEST, copies, hold_out, split_documents


def starts_of(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def test_held_out_documents_are_a_seeded_small_part() -> None:
    starts = starts_of([50] * 200)
    held = hold_out(starts, 10_000, seed=1)
    assert int(held.sum()) == 10  # a twentieth of the text is less than what was asked for
    assert int(hold_out(starts, 170, seed=1).sum()) == 3
    assert (held == hold_out(starts, 10_000, seed=1)).all()
    assert (held != hold_out(starts, 10_000, seed=2)).any()
    assert not hold_out(starts, 0, seed=1).any()


def test_a_document_that_is_most_of_the_text_is_not_held_out() -> None:
    assert not hold_out(starts_of([10_000, 600]), 10_000, seed=1).any()
    assert hold_out(starts_of([10_000, 400]), 10_000, seed=1).tolist() == [False, True]


def test_documents_of_a_few_pieces_are_not_held_out() -> None:
    held = hold_out(starts_of([SHORTEST - 1, SHORTEST] * 200), 10_000, seed=1)
    assert int(held.sum()) > 10
    assert not held[::2].any()
    split = split_documents(np.arange(700, dtype=np.uint16), starts_of([7] * 100), 10_000, seed=1)
    assert split.learnt.all()
    assert split.notes == ("no document has 8 pieces or more to be held out: there will be no perplexity",)


def slow_copies(documents: list[list[int]], held: list[bool]) -> list[bool]:
    def runs(document: list[int], size: int) -> set[tuple[int, ...]]:
        return {tuple(document[k : k + size]) for k in range(len(document) - size + 1)}

    def repeats(one: list[int], other: list[int]) -> bool:
        size = min(len(one), len(other), RUN)
        return size >= SHORTEST and bool(runs(one, size) & runs(other, size))

    known = [document for document, kept in zip(documents, held, strict=True) if kept]
    return [
        not kept and any(repeats(document, one) for one in known)
        for document, kept in zip(documents, held, strict=True)
    ]


@pytest.mark.parametrize("block", [20, 2**22])
@pytest.mark.parametrize("seed", range(5))
def test_copies_are_those_of_a_slow_search(monkeypatch: pytest.MonkeyPatch, block: int, seed: int) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    random = np.random.default_rng(seed)
    documents = [random.integers(5, 7 + 3 * (k % 2), random.integers(0, 60)).tolist() for k in range(40)]
    documents += [documents[k][3:20] + documents[k + 1][:30] for k in range(0, 20, 3)]
    documents += [documents[k][: random.integers(5, 15)] for k in range(40)]
    documents += [documents[k] + documents[k - 40] for k in range(50, 80, 3)]
    held = [bool(random.random() < 0.1) for _ in documents]
    pieces = np.array([piece for document in documents for piece in document], np.uint16)
    found = copies(pieces, starts_of([len(document) for document in documents]), np.array(held))
    assert found.tolist() == slow_copies(documents, held)


def test_copies_are_not_learnt_from_and_said() -> None:
    random = np.random.default_rng(1)
    documents = [random.integers(5, 30_000, 40).tolist() for _ in range(100)]
    documents += [document[:20] for document in documents]
    pieces = np.array([piece for document in documents for piece in document], np.uint16)
    split = split_documents(pieces, starts_of([len(document) for document in documents]), 10_000, seed=1)
    copied = int((~split.learnt & ~split.held).sum())
    note = f"not learnt from: {copied} documents that repeat held-out text, 13 pieces in a row or all of a shorter one"
    assert split.notes == (note,)
    assert copied == int(split.held.sum()) > 3
    assert not (split.learnt[:100] & split.held[100:]).any()
    assert not (split.learnt[100:] & split.held[:100]).any()


def test_copies_of_short_sentences_are_not_learnt_from() -> None:
    """A level holds a sentence up to three times: alone, and between others of its paragraph."""
    random = np.random.default_rng(1)
    sentences = [random.integers(5, 30_000, 9).tolist() for _ in range(600)]
    documents = [*sentences, *sentences[:200], *(a + b for a, b in zip(sentences[::2], sentences[1::2], strict=True))]
    pieces = np.array([piece for document in documents for piece in document], np.uint16)
    split = split_documents(pieces, starts_of([len(document) for document in documents]), 10_000, seed=1)
    learnt = {tuple(document) for document, kept in zip(documents, split.learnt, strict=True) if kept}
    held = [tuple(document) for document, kept in zip(documents, split.held, strict=True) if kept]
    assert len(held) > 10
    assert not any(one == other[k : k + len(one)] for one in held for other in learnt for k in range(10))
    assert not any(one == other[k : k + len(one)] for one in learnt for other in held for k in range(10))


def test_a_text_that_repeats_itself_is_learnt_from_whole() -> None:
    pieces = np.tile(np.arange(5, 45), 100).astype(np.uint16)
    split = split_documents(pieces, starts_of([40] * 100), 10_000, seed=1)
    assert split.learnt.all()
    assert split.notes == ("the text repeats itself too much to hold any out: there will be no perplexity",)
