"""Language models beside slow loops written from the equations, step by step, sentence by sentence."""

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from builders import sentence, tiny_language_model
from nerbridge.batching.batch import UNKNOWN
from nerbridge.batching.word_vocabulary import BOUNDARY, OTHER_WORD, WordVocabulary
from nerbridge.config.language_models import ElmoSettings, FlairSettings
from nerbridge.encoders.language_model import LanguageModelEncoder
from nerbridge.encoders.language_model.character_model import CharacterModel
from nerbridge.encoders.language_model.direction import Direction
from nerbridge.encoders.language_model.mix import ScalarMix
from nerbridge.encoders.language_model.word_model import WordModel
from nerbridge.pretraining.language_model.character_objective import CharacterObjective
from nerbridge.pretraining.language_model.character_rows import CharacterCollator, CharacterRows
from nerbridge.pretraining.language_model.cutting import cut_characters, cut_words
from nerbridge.pretraining.language_model.held_out import DirectedHeldOut
from nerbridge.pretraining.language_model.text import WordText, read_text
from nerbridge.pretraining.language_model.word_objective import WordObjective
from nerbridge.pretraining.language_model.word_rows import WordCollator, WordRows, predicted_numbers
from nerbridge.pretraining.step_batch import Share

SENTENCES = (
    sentence("Ada wrote to the royal society ."),
    sentence("bob"),
    sentence("an extraordinarily long word , ü and x"),
)
ALONE = Share(0, 1, 10**9)


def vectors(encoder: LanguageModelEncoder, *sentences: object) -> Tensor:
    encoder.eval()
    items = encoder.vectorizer.vectorize(list(sentences))  # type: ignore[arg-type]
    return encoder(encoder.vectorizer.collate(items)).detach()


def slow_lstm(layer: nn.LSTM, rows: Sequence[Tensor]) -> list[Tensor]:
    """One step after the other: i, f, g, o = W x + b + U h + b'; c = f c + i g; h = o tanh(c)."""
    hidden = layer.hidden_size
    h, c, states = torch.zeros(hidden), torch.zeros(hidden), []
    for x in rows:
        gates = layer.weight_ih_l0 @ x + layer.bias_ih_l0 + layer.weight_hh_l0 @ h + layer.bias_hh_l0
        i, f, g, o = gates.chunk(4)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        states.append(h)
    return states


def slow_direction(direction: Direction, rows: Sequence[Tensor]) -> list[list[Tensor]]:
    """The states of every layer; from the second on a layer's input is added to its output."""
    layers: list[list[Tensor]] = []
    for number, layer in enumerate(direction.layers):
        read = layers[-1] if number else list(rows)
        states = slow_lstm(layer, read)  # type: ignore[arg-type]
        layers.append([s + r for s, r in zip(states, read, strict=True)] if number else states)
    return layers


def slow_spelling(model: WordModel, encoder: LanguageModelEncoder, word: str) -> Tensor:
    """Filter by filter, place by place."""
    index, speller = encoder.vectorizer.alphabet.index, model.speller
    rows = [speller.embeddings.weight[index.get(c, 1)] for c in f"\x02{word}\x03"]
    found = []
    for width, convolution in enumerate(speller.filters, start=1):
        padded = [*rows, *[torch.zeros_like(rows[0])] * (width - 1)]
        windows = [torch.stack(padded[start : start + width], dim=1) for start in range(len(rows))]
        weight, bias = convolution.weight, convolution.bias  # (filter, width, char), (filter)
        values = torch.stack([(weight * window).sum(dim=(1, 2)) + bias for window in windows])
        found.append(values.clamp(min=0).max(dim=0).values)
    vector = torch.cat(found)
    for highway in speller.highways:
        changed, gate = (highway.both.weight @ vector + highway.both.bias).chunk(2)
        share = torch.sigmoid(gate)
        vector = share * changed.clamp(min=0) + (1 - share) * vector
    return speller.projection.weight @ vector + speller.projection.bias


def slow_elmo(encoder: LanguageModelEncoder, words: Sequence[str]) -> list[Tensor]:
    """The vector of every word by each layer: (layer)(unit, width)."""
    model = encoder.model
    assert isinstance(model, WordModel)
    spelled = [slow_spelling(model, encoder, word) for word in words]
    ahead = [spelled, *slow_direction(model.ahead, spelled)]
    behind = [spelled, *(layer[::-1] for layer in slow_direction(model.behind, spelled[::-1]))]
    return [torch.stack([torch.cat(p) for p in zip(a, b, strict=True)]) for a, b in zip(ahead, behind, strict=True)]


def slow_flair(encoder: LanguageModelEncoder, words: Sequence[str]) -> Tensor:
    """The forward state at the space behind each word, beside the backward state at the space before it."""
    model = encoder.model
    assert isinstance(model, CharacterModel)
    index = encoder.vectorizer.alphabet.index
    text = f" {' '.join(words)} "
    ids = [index.get(character, 1) for character in text]
    ahead = slow_direction(model.ahead, [model.ahead_characters.weight[number] for number in ids])[-1]
    behind = slow_direction(model.behind, [model.behind_characters.weight[n] for n in ids[::-1]])[-1][::-1]
    rows, begin = [], 1
    for word in words:
        end = begin + len(word)
        assert (text[begin - 1], text[end]) == (" ", " ")
        rows.append(torch.cat([ahead[end], behind[begin - 1]]))
        begin = end + 1
    return torch.stack(rows)


@pytest.mark.parametrize("mix", ["top", "mean", "learnt"])
def test_elmo_in_batches_equals_word_by_word(mix: str) -> None:
    encoder = tiny_language_model("elmo", mix=mix)
    if encoder.mix is not None and encoder.mix.scores is not None:
        with torch.no_grad():
            encoder.mix.scores.copy_(torch.tensor([0.3, -1.0, 2.0]))
            encoder.mix.factor.fill_(1.7)
    found = vectors(encoder, *SENTENCES)
    for row, one in zip(found, SENTENCES, strict=True):
        layers = slow_elmo(encoder, one.words)
        shares = {
            "top": [0.0, 0.0, 1.0],
            "mean": [1 / 3] * 3,
            "learnt": [1.7 * math.exp(s) / (math.exp(0.3) + math.exp(-1) + math.exp(2)) for s in (0.3, -1.0, 2.0)],
        }[mix]
        expected = sum(share * layer for share, layer in zip(shares, layers, strict=True))
        torch.testing.assert_close(row[: len(one)], expected, atol=1e-5, rtol=1e-5)
        assert not row[len(one) :].any()


def test_flair_in_batches_equals_character_by_character() -> None:
    encoder = tiny_language_model("flair", mix="top")
    found = vectors(encoder, *SENTENCES)
    for row, one in zip(found, SENTENCES, strict=True):
        torch.testing.assert_close(row[: len(one)], slow_flair(encoder, one.words), atol=1e-5, rtol=1e-5)
        assert not row[len(one) :].any()


@pytest.mark.parametrize("model", ["elmo", "flair"])
def test_a_batch_changes_no_sentence(model: str) -> None:
    encoder = tiny_language_model(model)
    together = vectors(encoder, *SENTENCES)
    for row, one in zip(together, SENTENCES, strict=True):
        torch.testing.assert_close(row[: len(one)], vectors(encoder, one)[0], atol=1e-5, rtol=0)
    turned = vectors(encoder, *SENTENCES[::-1])
    torch.testing.assert_close(turned.flip(0), together, atol=1e-5, rtol=0)


def test_the_scalar_mix_is_its_formula() -> None:
    mix, layers = ScalarMix(3), [torch.randn(2, 4, 5) for _ in range(3)]
    with torch.no_grad():
        assert mix.scores is not None
        mix.scores.copy_(torch.tensor([0.0, math.log(2), math.log(5)]))
        mix.factor.fill_(3.0)
    torch.testing.assert_close(mix(layers), 3 * (layers[0] + 2 * layers[1] + 5 * layers[2]) / 8)
    torch.testing.assert_close(ScalarMix(1)(layers[:1]), layers[0])


def text_of(*lines: str) -> WordText:
    class Lines:
        domain = "own"
        path = Path()  # a folder, as of a built corpus: sentences are cut already

        def parts(self) -> list[tuple[list[str], bool]]:
            return [(line.split(), True) for line in lines]

    return read_text([Lines()])  # type: ignore[list-item]


TEXT = ("ada wrote to london .", "bob", "ada sang in the royal society to bob and to ada again")


def word_rows(length: int) -> tuple[WordObjective, WordRows, LanguageModelEncoder]:
    """Rows of at most `length` words, and an objective over a vocabulary that lacks 'society' and 'again'."""
    text, encoder = text_of(*TEXT), tiny_language_model("elmo")
    words = ("ada", "to", "bob", "wrote", "london", ".", "sang", "in", "the", "royal", "and")
    vocabulary = WordVocabulary(words, (3, 2, *[1] * len(words)))
    rows = cut_words(text, np.ones(3, np.bool_), length)
    collator = WordCollator(
        text, rows, encoder.vectorizer.alphabet, predicted_numbers(text.words, vocabulary.index, OTHER_WORD)
    )
    (part,) = collator(np.arange(len(rows)), None, 0, ALONE).parts
    assert isinstance(encoder.model, WordModel)
    settings = ElmoSettings(hidden=12, negatives=None, dropout=0)
    objective = WordObjective(encoder.model, settings, vocabulary).eval()
    return objective, part, encoder


def test_every_word_predicts_its_neighbours_and_cuts_are_no_boundaries() -> None:
    _, rows, _ = word_rows(6)  # the last line has 12 words: two rows of 6
    index = {"#": BOUNDARY, "?": OTHER_WORD, "-": UNKNOWN}
    names = {number: word for word, number in index.items()}
    names |= dict(enumerate(("ada", "to", "bob", "wrote", "london", ".", "sang", "in", "the", "royal", "and"), start=2))
    ahead = [" ".join(names[number] for number in row) for row in rows.ahead.tolist()]
    behind = [" ".join(names[number] for number in row) for row in rows.behind.tolist()]
    assert ahead == ["sang in the royal ? -", "bob and to ada ? #", "wrote to london . # -", "# - - - - -"]
    assert behind == ["royal the in sang ada #", "ada to and bob to -", "london to wrote ada # -", "# - - - - -"]
    assert (rows.num_ahead, rows.num_behind, rows.num_pieces) == (17, 17, 18)


@torch.no_grad()
def test_the_full_softmax_is_cross_entropy_over_the_vocabulary() -> None:
    objective, rows, encoder = word_rows(100)
    expected = [0.0, 0.0]
    model = encoder.model
    assert isinstance(model, WordModel)
    for line in TEXT:
        words = line.split()
        spelled = [slow_spelling(model, encoder, word) for word in words]
        for number, direction in enumerate((model.ahead, model.behind)):
            order = 1 if number == 0 else -1
            states = slow_direction(direction, spelled[::order])[-1]
            following = [*words[::order][1:], None]
            for state, word in zip(states, following, strict=True):
                logits = objective.vectors @ state + objective.biases
                expected[number] -= float(F.log_softmax(logits, dim=0)[number_of(word)])
    found = objective.directed_loss(rows)
    assert [float(one) for one in found] == pytest.approx(expected, rel=1e-5)
    assert float(objective.loss(rows)) == pytest.approx(sum(expected), rel=1e-5)


def number_of(word: str | None) -> int:
    known = ("ada", "to", "bob", "wrote", "london", ".", "sang", "in", "the", "royal", "and")
    if word is None:
        return BOUNDARY
    return known.index(word) + 2 if word in known else OTHER_WORD


@torch.no_grad()
def test_samples_as_many_as_words_are_the_full_softmax_and_fewer_are_corrected() -> None:
    objective, rows, _ = word_rows(100)
    full = float(objective.loss(rows))
    objective.negatives = len(objective.vectors)
    assert float(objective.loss(rows)) == pytest.approx(full, rel=1e-6)
    objective.negatives = 4
    torch.manual_seed(1)
    sampled = float(objective.loss(rows))
    torch.manual_seed(1)
    ids = {int(one) for one in torch.multinomial(objective.frequencies, 4, replacement=True)}
    ahead, behind = objective.model.directions(rows.inputs)
    total = 0.0
    for states, words in ((ahead[-1], rows.ahead), (behind[-1], rows.behind)):
        for state, word in zip(states.flatten(0, 1), words.flatten().tolist(), strict=True):
            if word != UNKNOWN:
                total -= corrected(objective, state, word, {*ids, word})
    assert sampled == pytest.approx(total, rel=1e-4)


def corrected(objective: WordObjective, state: Tensor, word: int, among: set[int]) -> float:
    """log p of `word`, with the logarithm of the chance of being drawn taken off every score."""
    q = objective.frequencies
    q = q.clamp(min=float(q[q > 0].min()))
    scores = {
        k: float(objective.vectors[k] @ state + objective.biases[k]) - math.log(1 - (1 - float(q[k])) ** 4)
        for k in among
    }
    return scores[word] - math.log(sum(map(math.exp, scores.values())))


def character_rows(length: int) -> tuple[CharacterObjective, CharacterRows, LanguageModelEncoder]:
    from nerbridge.encoders.language_model.character_inputs import spell_text

    text, encoder = text_of(*TEXT), tiny_language_model("flair")
    alphabet = encoder.vectorizer.alphabet
    rows = cut_characters(text, np.ones(3, np.bool_), length, spell_text(text.words, alphabet)[1])
    (part,) = CharacterCollator(text, rows, alphabet)(np.arange(len(rows)), None, 0, ALONE).parts
    assert isinstance(encoder.model, CharacterModel)
    objective = CharacterObjective(encoder.model, FlairSettings(hidden=12, dropout=0), len(alphabet)).eval()
    return objective, part, encoder


@torch.no_grad()
def test_characters_are_predicted_from_all_before_and_all_behind() -> None:
    objective, rows, encoder = character_rows(1000)
    model, index = encoder.model, encoder.vectorizer.alphabet.index
    assert isinstance(model, CharacterModel)
    expected, count = [0.0, 0.0], 0
    for line in TEXT:
        ids = [index[character] for character in f" {line} "]
        count += len(ids) - 1
        places = ((model.ahead, model.ahead_characters, ids), (model.behind, model.behind_characters, ids[::-1]))
        for number, (direction, embeddings, read) in enumerate(places):
            states = slow_direction(direction, [embeddings.weight[one] for one in read])[-1]
            output = (objective.ahead, objective.behind)[number]
            for state, character in zip(states[:-1], read[1:], strict=True):
                expected[number] -= float(F.log_softmax(output.weight @ state + output.bias, dim=0)[character])
    assert [float(one) for one in objective.directed_loss(rows)] == pytest.approx(expected, rel=1e-5)
    assert float(objective.loss(rows)) == pytest.approx(sum(expected), rel=1e-5)
    assert (rows.num_ahead, rows.num_behind) == (count, count)


def test_long_sentences_are_cut_between_words() -> None:
    _, rows, encoder = character_rows(20)
    characters = "  " + encoder.vectorizer.alphabet.characters
    texts = ["".join(characters[number] for number in row if number) for row in rows.inputs.ahead.tolist()]
    assert sorted(texts) == sorted(
        [
            " ada wrote to ",
            " london . ",
            " bob ",
            " ada sang in the ",
            " royal society to ",
            " bob and to ada ",
            " again ",
        ]
    )


@pytest.mark.parametrize("at_once", [1, 10**9])
@torch.no_grad()
def test_perplexity_is_that_of_the_mean_in_either_direction(at_once: int) -> None:
    text, encoder = text_of(*TEXT), tiny_language_model("elmo")
    objective, rows, _ = word_rows(100)
    vocabulary = {word: number_of(word) for word in text.words}
    cut = cut_words(text, np.ones(3, np.bool_), 100)
    numbers = np.array([vocabulary[word] for word in text.words])
    collator = WordCollator(text, cut, encoder.vectorizer.alphabet, numbers)
    held = DirectedHeldOut(collator, np.arange(3), at_once, 1.0)
    found = held.evaluate(objective, 7, torch.device("cpu"))
    ahead, behind = (float(one) for one in objective.directed_loss(rows))
    assert found.step == 7
    assert (found.forward, found.backward) == pytest.approx((math.exp(ahead / 18), math.exp(behind / 18)), rel=1e-5)
