"""One step of algorithm 1 of Jia et al. 2019 against its equations 1 to 9, word by word and tag sequence by tag
sequence: the loss, and the step of plain gradient descent for every parameter."""

import copy
from itertools import pairwise, product

import pytest
import torch
from torch import Tensor

from builders import sentence, tiny_word_char, vocabulary
from nerbridge.assembly.build import compose
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.batching.word_vocabulary import BOUNDARY, WordVocabulary
from nerbridge.config.context import ParameterGenerationSettings
from nerbridge.config.tagger import CrfSettings
from nerbridge.config.training import TrainingSettings
from nerbridge.config.words import WordsSettings
from nerbridge.data.sentence import Sentence
from nerbridge.encoders.word_char import WordCharEncoder
from nerbridge.encoders.word_char.characters import CharacterCnn
from nerbridge.models.context.parameter_generation import ParameterGenerationNetwork
from nerbridge.models.heads.crf import CrfHead
from nerbridge.training.learner import Learner
from nerbridge.training.processes import Processes

DOMAINS, TASKS = ("news", "music"), ("tags", "words")
HALF = 3  # width of a direction
NEWS = (
    sentence("ada sang", (0, 1, "person")),
    sentence("bob wrote to london", (0, 1, "person"), (3, 4, "location")),
)
MUSIC = (sentence("the royal society", (0, 3, "organisation")), sentence("sang"))
RAW = (sentence("the band wrote"), sentence("in london"))
WEIGHTS = {"news": 0.7, "music": 1.4}  # lambda_d
WORDS_WEIGHT = 0.3  # lambda_t
DESCENT = TrainingSettings(optimizer="sgd", learning_rate=1.0, head_learning_rate=1.0, weight_decay=0.0, clip_norm=None)


@pytest.fixture
def model() -> Tagger:
    context = ParameterGenerationSettings(hidden=2 * HALF, domain_width=3, task_width=2, domains=DOMAINS, tasks=TASKS)
    predicted = WordsSettings(negatives=10**6, dropout=0), WordVocabulary.of([*NEWS, *MUSIC, *RAW])
    encoder = tiny_word_char(dropout=0.0, word_dropout=0.0)
    spaces = dict.fromkeys(DOMAINS, vocabulary())
    return compose(encoder, context, CrfSettings(dropout=0), spaces, 1, predicted=predicted).train()


def streams(model: Tagger) -> list[Stream]:
    reader, words = model.encoder.vectorizer, model.words.vocabulary if model.words else None
    return [
        *(Stream(d, d, text, reader, model.head(d).vocabulary, WEIGHTS[d]) for d, text in _texts(NEWS, MUSIC)),
        *(Stream(d, d, text, reader, None, WORDS_WEIGHT * WEIGHTS[d], words) for d, text in _texts(NEWS, RAW)),
    ]


def _texts(*texts: tuple[Sentence, ...]) -> list[tuple[str, tuple[Sentence, ...]]]:
    return list(zip(DOMAINS, texts, strict=True))


def vector(encoder: WordCharEncoder, word: str) -> Tensor:
    """Eq. 1: the word's row beside the highest value of every filter over its characters."""
    reader = encoder.characters
    assert isinstance(reader, CharacterCnn)
    rows = [reader.embeddings.weight[encoder.vectorizer.alphabet.index[character]] for character in word]
    edge, filters = torch.zeros_like(rows[0]), reader.convolution
    padded = [edge, *rows, edge]
    places = [
        sum((filters.weight[:, :, k] @ padded[place + k] for k in range(3)), filters.bias) for place in range(len(rows))
    ]
    return torch.cat([encoder.words.learnt[encoder.vocabulary.look_up(word)], torch.stack(places).max(dim=0).values])


def one_way(vectors: list[Tensor], row: Tensor) -> list[Tensor]:
    """Eq. 3, with gates i, f, g, o."""
    width = len(vectors[0])
    inward, recurrent, *biases = row.split([4 * HALF * width, 4 * HALF * HALF, 4 * HALF, 4 * HALF])
    h = c = torch.zeros(HALF)
    states = []
    for v in vectors:
        gates = inward.view(-1, width) @ v + recurrent.view(-1, HALF) @ h + biases[0] + biases[1]
        i, f, g, o = gates.chunk(4)
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
        states.append(h)
    return states


def states(model: Tagger, words: tuple[str, ...], domain: str, task: str) -> tuple[list[Tensor], list[Tensor]]:
    """Eq. 2 and 3: forward and backward states."""
    network, encoder = model.context, model.encoder
    assert isinstance(network, ParameterGenerationNetwork)
    assert isinstance(encoder, WordCharEncoder)
    u, v = network.domain_vectors[DOMAINS.index(domain)], network.task_vectors[TASKS.index(task)]
    ahead, back = torch.einsum("vup,u,v->p", network.meta, u, v).chunk(2)
    vectors = [vector(encoder, word) for word in words]
    return one_way(vectors, ahead), one_way(vectors[::-1], back)[::-1]


def tag_loss(model: Tagger, one: Sentence, domain: str) -> Tensor:
    """Eq. 4 and 7, all tag sequences summed one by one."""
    head = model.head(domain)
    assert isinstance(head, CrfHead)
    both = zip(*states(model, one.words, domain, "tags"), strict=True)
    emissions = [head.output.weight @ torch.cat(pair) + head.output.bias for pair in both]

    def score(tags: tuple[int, ...]) -> Tensor:
        edges = head.starts[tags[0]] + head.ends[tags[-1]]
        moves = sum((head.pairs[a, b] for a, b in pairwise(tags)), edges)
        return sum((emission[tag] for emission, tag in zip(emissions, tags, strict=True)), moves)

    every = [score(tags) for tags in product(range(len(head.vocabulary)), repeat=len(one))]
    return torch.stack(every).logsumexp(dim=0) - score(tuple(head.vocabulary.encode(one.spans, len(one))))


def word_loss(model: Tagger, one: Sentence, domain: str) -> Tensor:
    """Eq. 5, 6 and 8 with the whole vocabulary as samples; a boundary at both ends."""
    head = model.words
    assert head is not None
    line = [BOUNDARY, *head.vocabulary.ids(one.words), BOUNDARY]
    total = torch.zeros(())
    for place, (ahead, back) in enumerate(zip(*states(model, one.words, domain, "words"), strict=True), start=1):
        for state, word in ((ahead, line[place + 1]), (back, line[place - 1])):
            scores = head.vectors @ state + head.biases
            total = total - (scores[word] - scores.logsumexp(dim=0)) / 2
    return total


def test_a_step_is_that_of_the_equations(model: Tagger) -> None:
    slow = copy.deepcopy(model)
    total = torch.zeros(())
    for stream in streams(slow):  # eq. 9, over words instead of sentences
        loss = tag_loss if stream.objective == "tags" else word_loss
        found = sum((loss(slow, one, stream.domain) for one in stream.sentences), torch.zeros(()))
        total = total + stream.weight * found / sum(map(len, stream.sentences))
    total.backward()
    learner = Learner(model, streams(model), DESCENT, seed=1, processes=Processes())
    learner.learn([list(range(2))] * 4, step=0, done=0.5)
    assert learner.loss_sum.item() == pytest.approx(total.item(), rel=1e-6)
    for (name, before), after in zip(slow.named_parameters(), model.parameters(), strict=True):
        assert before.grad is not None, name
        assert before.grad.any(), name
        torch.testing.assert_close(before.detach() - after.detach(), before.grad, atol=1e-6, rtol=1e-4, msg=name)
