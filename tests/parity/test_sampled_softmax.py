"""Negative-sampling softmax against the full one, and against a loop written from equations 5, 6 and 8."""

import math

import pytest
import torch
import torch.nn.functional as F

from builders import sentence
from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.batching.word_vocabulary import BOUNDARY, WordVocabulary
from nerbridge.config.words import WordsSettings
from nerbridge.models.heads.words import WordsHead, neighbours
from nerbridge.models.layers.sampled_softmax import (
    Negatives,
    chance_of_being_drawn,
    draw_negatives,
    log_probabilities,
    repetitions,
)

VOCAB, WIDTH, ROWS = 12, 5, 7


def parts() -> tuple[torch.Tensor, ...]:
    torch.manual_seed(2)
    frequencies = torch.rand(VOCAB).pow(2)
    targets = torch.randint(VOCAB, (ROWS,))
    return (
        torch.randn(ROWS, WIDTH),
        targets,
        torch.randn(VOCAB, WIDTH),
        torch.randn(VOCAB),
        frequencies / frequencies.sum(),
    )


@pytest.mark.parametrize("rows", [None, ROWS])
@pytest.mark.parametrize("correct", [False, True])
def test_with_the_whole_vocabulary_it_is_the_full_softmax(rows: int | None, correct: bool) -> None:
    states, targets, vectors, biases, frequencies = parts()
    leaves = [tensor.requires_grad_() for tensor in (states, vectors, biases)]
    negatives = draw_negatives(frequencies, VOCAB, rows=rows, correct=correct)
    found = log_probabilities(states, targets, vectors, biases, negatives)
    expected = F.log_softmax(states @ vectors.T + biases, dim=1)[range(ROWS), targets]
    torch.testing.assert_close(found, expected)
    ours, theirs = (torch.autograd.grad(value.sum(), leaves, retain_graph=True) for value in (found, expected))
    torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("rows", [None, ROWS])
def test_the_sample_is_a_set_with_the_word_itself(rows: int | None) -> None:
    states, targets, vectors, biases, frequencies = parts()
    torch.manual_seed(5)
    negatives = draw_negatives(frequencies, 8, rows=rows)
    found = log_probabilities(states, targets, vectors, biases, negatives)
    ids = negatives.ids.expand(ROWS, 8)
    assert any(len(set(row.tolist())) < 8 for row in ids)
    for number in range(ROWS):
        together = {*ids[number].tolist(), int(targets[number])}
        total = sum(math.exp(float(vectors[k] @ states[number] + biases[k])) for k in together)  # eq. 6
        own = math.exp(float(vectors[targets[number]] @ states[number] + biases[targets[number]]))
        assert found[number].item() == pytest.approx(math.log(own / total), abs=1e-5)  # eq. 5


def test_with_the_correction_the_loss_tends_to_the_full_one() -> None:
    states, targets, vectors, biases, frequencies = parts()
    full = F.cross_entropy(states @ vectors.T + biases, targets).item()
    torch.manual_seed(6)
    gaps = []
    for number in (4, 40, 4000):
        draws = [
            -log_probabilities(states, targets, vectors, biases, _sample(frequencies, number)).mean().item()
            for _ in range(200)
        ]
        gaps.append(abs(sum(draws) / len(draws) - full))
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.01


class _NoInputs:
    def to(self, device: torch.device) -> "_NoInputs":
        return self


def _sample(frequencies: torch.Tensor, number: int) -> Negatives:
    """As `draw_negatives` draws, even where the number exceeds the vocabulary."""
    ids = torch.multinomial(frequencies, number, replacement=True)
    return Negatives(ids, repetitions(ids), torch.log(chance_of_being_drawn(frequencies, number)))


@pytest.mark.parametrize("rows", [None, ROWS])
def test_the_correction_takes_the_logarithm_of_expected_counts_off_every_score(rows: int | None) -> None:
    states, targets, vectors, biases, frequencies = parts()
    torch.manual_seed(7)
    negatives = draw_negatives(frequencies, 6, rows=rows, correct=True)
    found = log_probabilities(states, targets, vectors, biases, negatives)
    ids = negatives.ids.expand(ROWS, 6)
    for number in range(ROWS):
        together = {*ids[number].tolist(), int(targets[number])}
        corrected = {
            k: math.exp(float(vectors[k] @ states[number] + biases[k])) / (1 - (1 - float(frequencies[k])) ** 6)
            for k in together
        }
        own = corrected[int(targets[number])] / sum(corrected.values())
        assert found[number].item() == pytest.approx(math.log(own), abs=1e-4)


def test_a_word_that_the_text_never_had_is_corrected_as_if_it_stood_there_once() -> None:
    negatives = draw_negatives(torch.tensor([0.5, 0.0, 0.4, 0.1]), 3, correct=True)
    assert negatives.correction is not None
    torch.testing.assert_close(negatives.correction[1], negatives.correction[3])
    assert negatives.correction.isfinite().all()


def test_words_are_drawn_as_often_as_they_occur() -> None:
    vocabulary = WordVocabulary.of([sentence("a a a b"), sentence("a c")])
    assert vocabulary.words == ("a", "b", "c")
    assert vocabulary.counts == (2, 0, 4, 1, 1)
    head = WordsHead(WordsSettings(), vocabulary, 4, directional=True)
    torch.manual_seed(8)
    ids = torch.multinomial(head.frequencies, 8000, replacement=True)
    shares = torch.bincount(ids, minlength=5) / 8000
    torch.testing.assert_close(shares, torch.tensor([2, 0, 4, 1, 1]) / 8, atol=0.02, rtol=0)


def test_each_direction_predicts_its_neighbours_and_the_boundary() -> None:
    words = torch.tensor([[5, 6, 7], [8, UNKNOWN, UNKNOWN]])
    mask = words != UNKNOWN
    following, preceding = neighbours(words, mask)
    assert following.tolist() == [[6, 7, BOUNDARY], [BOUNDARY, UNKNOWN, UNKNOWN]]
    assert preceding.tolist() == [[BOUNDARY, 5, 6], [BOUNDARY, UNKNOWN, UNKNOWN]]


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("directional", [True, False])
def test_the_loss_is_the_mean_of_both_directions(shared: bool, directional: bool) -> None:
    sentences = (sentence("a b a"), sentence("c"))
    vocabulary = WordVocabulary.of(sentences)
    torch.manual_seed(9)
    settings = WordsSettings(negatives=100, shared_negatives=shared)
    head = WordsHead(settings, vocabulary, 4, directional=directional).eval()
    ids = torch.tensor([vocabulary.ids("aba"), [*vocabulary.ids("c"), UNKNOWN, UNKNOWN]])
    states = torch.randn(2, 3, 4)
    batch = Batch(sentences, _NoInputs(), ids != UNKNOWN, "news", {"words": ids})
    total, number = 0.0, 0
    for row, one in enumerate(sentences):
        line = [BOUNDARY, *vocabulary.ids(one.words), BOUNDARY]
        for place in range(1, len(line) - 1):  # eq. 8
            state = states[row, place - 1]
            forward, back = (state[:2], state[2:]) if directional else (state, state)
            for half, word in ((forward, line[place + 1]), (back, line[place - 1])):
                total -= F.log_softmax(head.vectors @ half + head.biases, dim=0)[word].item()
                number += 1
    assert head.loss(states, batch).total().item() == pytest.approx(total / number, abs=1e-5)
    assert head.full_loss(states, batch) == (pytest.approx(total, abs=1e-4), number)
    assert batch.objective == "words"


def head_of(counts: tuple[int, ...], **settings: object) -> WordsHead:
    words = tuple(f"w{number}" for number in range(len(counts) - 2))
    torch.manual_seed(4)
    return WordsHead(WordsSettings(dropout=0, **settings), WordVocabulary(words, counts), 4, directional=False)


def test_what_uncorrected_samples_teach_is_weighed_by_the_chance_of_being_drawn() -> None:
    counts = (4, 0, 9, 5, 2, 1)
    text = sentence("w0 w2")
    head = head_of(counts, negatives=3)
    ids = torch.tensor([head.vocabulary.ids(text.words)])
    states = torch.randn(1, 2, 4)
    scores = (states[0] @ head.vectors.T + head.biases).detach()
    shares = [max(count, 1) / 22 for count in counts]
    chances = torch.tensor([1 - (1 - share) ** 3 for share in shares])  # c_k, one by one
    p = chances * scores.exp() / (chances * scores.exp()).sum(dim=1, keepdim=True)  # eq. 6'
    expected = -sum(math.log(p[unit, word]) for unit, word in ((0, 4), (1, BOUNDARY), (0, BOUNDARY), (1, 2)))
    batch = Batch((text,), _NoInputs(), ids >= 0, "news", {"words": ids})
    assert head.full_loss(states, batch) == (pytest.approx(expected, rel=1e-5), 4)
    corrected = head_of(counts, negatives=3, log_q=True)
    plain = -sum(F.log_softmax(scores, dim=1)[unit, w].item() for unit, w in ((0, 4), (1, 0), (0, 0), (1, 2)))
    assert corrected.full_loss(states, batch)[0] == pytest.approx(plain, rel=1e-5)


@pytest.mark.parametrize("log_q", [False, True])
def test_what_is_learnt_from_samples_is_what_the_text_is_like(log_q: bool) -> None:
    """A word that is rare in the text and frequent in the one context there is: few samples must not flatter it."""
    counts = (400, 0, 300, 200, 60, 30, 10, *[2] * 60)
    head = head_of(counts, negatives=8, log_q=log_q, shared_negatives=False)
    frequencies = torch.tensor(counts, dtype=torch.float) / sum(counts)
    here = torch.tensor((5, 0, 20, 30, 0, 15, 20, 10, *[0] * 59), dtype=torch.float) / 100
    entropy = -(here * here.clamp(min=1e-9).log()).sum().item()
    optimizer = torch.optim.Adam([head.biases], 0.03)
    states = torch.zeros(500, 4)
    torch.manual_seed(3)
    for _ in range(400):
        optimizer.zero_grad()
        targets = torch.multinomial(here, 500, replacement=True)
        negatives = draw_negatives(frequencies, 8, rows=500, correct=log_q)
        (-log_probabilities(states, targets, head.vectors, head.biases, negatives).mean()).backward()
        optimizer.step()
    found = F.log_softmax(head.biases.detach() + head.learnt_less, dim=0)
    assert -(here * found).sum().item() - entropy < 0.05


def test_rare_words_are_predicted_as_one() -> None:
    sentences = [sentence("a a b b c d"), sentence("a e")]
    vocabulary = WordVocabulary.of(sentences, min_count=2)
    assert (vocabulary.words, vocabulary.counts) == (("a", "b"), (2, 3, 3, 2))
    assert vocabulary.ids(("a", "c", "b")) == [2, 1, 3]
    assert vocabulary.share_of_others == pytest.approx(3 / 8)
    assert WordVocabulary.of(sentences, max_words=1).words == ("a",)
