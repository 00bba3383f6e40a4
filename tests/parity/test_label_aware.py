"""The label-aware head against the paper's equations, worked out one word and one prefix at a time."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from builders import batch, partial, sentence, tiny_tagger, vocabulary
from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.config.tagger import LabelAwareSettings, LinearSettings
from nerbridge.data.sentence import Sentence
from nerbridge.models.heads.base import Decoded
from nerbridge.models.heads.label_aware import LabelAwareHead, prefix_runs, prefixes
from nerbridge.models.heads.label_aware.history import history_before, legal_penalties, with_noise, with_own
from nerbridge.models.heads.linear import LinearHead

WIDTH = 6
PARTS = [(True, True), (True, False), (False, True)]
SENTENCES = (
    sentence("ada lovelace wrote to the royal society", (0, 2, "person"), (5, 7, "organisation")),
    sentence("bob"),
    sentence("london sang", (0, 1, "location")),
    partial("the royal society sang with bob in london", (1, 2, 5, 6), (1, 3, "organisation"), (5, 6, "person")),
    sentence("in london", (1, 2, "location")),
)


class Reference:
    """Equations 2 to 10 with plain loops; every sum that the paper writes is a loop here."""

    def __init__(self, head: LabelAwareHead) -> None:
        assert head.scorer is not None
        self.weights = dict(head.scorer.named_parameters())
        self.background, self.context = head.options.background, head.options.context
        self.num_tags = len(head.vocabulary)
        self.permitted = permitted_after(head) if head.options.constrained_training else None

    def linear(self, name: str, value: Tensor) -> Tensor:
        return self.weights[f"{name}.weight"] @ value + self.weights[f"{name}.bias"]

    def embed(self, tag: int) -> Tensor:
        tags, special = self.weights["labels.tags.weight"], self.weights["labels.special"]
        return tags[tag] if tag < self.num_tags else special[tag - self.num_tags]

    def run(self, name: str, tags: list[int]) -> list[Tensor]:
        """The states of an LSTM that reads `tags` in this order."""
        width = self.weights["labels.special"].shape[1]
        hidden = cell = torch.zeros(width)
        states = []
        for tag in tags:
            gates = self.weights[f"labels.{name}.weight_ih_l0"] @ self.embed(tag)
            gates = gates + self.weights[f"labels.{name}.bias_ih_l0"] + self.weights[f"labels.{name}.bias_hh_l0"]
            gates = gates + self.weights[f"labels.{name}.weight_hh_l0"] @ hidden
            enter, forget, new, leave = gates.split(width)
            cell = forget.sigmoid() * cell + enter.sigmoid() * new.tanh()
            hidden = leave.sigmoid() * cell.tanh()
            states.append(hidden)
        return states

    def prefix(self, tags: list[int]) -> list[Tensor]:
        """e_0 .. e_{i-1} (eq. 3). Without label context only the last one is right, and only it is read."""
        ahead = self.run("ahead", tags)
        if self.context:
            back = self.run("back", tags[::-1])[::-1]
        else:
            enter, new, leave = self.linear("labels.one_step", self.embed(tags[-1])).chunk(3)
            back = [leave.sigmoid() * torch.tanh(enter.sigmoid() * new.tanh())] * len(tags)
        return [torch.cat(pair) for pair in zip(ahead, back, strict=True)]

    def scores(self, words: list[Tensor], unit: int, tags: list[int]) -> Tensor:
        """o of word `unit` whose prefix is `tags`, BOS first."""
        labels = self.prefix(tags)
        known = [words[unit]]
        if self.background:
            query = self.linear("background.project", labels[-1])  # eq. 4
            known.append(answer(query, words))  # eq. 5-6
        if self.context:
            query = self.linear("context.project", torch.cat(known))  # eq. 7
            known.append(answer(query, labels))  # eq. 8
        return self.linear("output", torch.cat(known))  # eq. 9-10

    def decoding_logs(self, words: list[Tensor], unit: int, tags: list[int], allowed: Tensor) -> Tensor:
        """Log-probabilities in decoding: among allowed tags, and among legal ones where training was so."""
        choice = allowed if self.permitted is None else allowed & self.permitted(tags[-1])
        return torch.log_softmax(self.scores(words, unit, tags).masked_fill(~choice, -1e9), 0)

    def loss(self, rows: list[list[Tensor]], targets: list[list[int]]) -> Tensor:
        losses = []
        for words, tags in zip(rows, targets, strict=True):
            history = [self.num_tags, *(self.num_tags + 1 if tag == UNKNOWN else tag for tag in tags)]
            for unit, tag in enumerate(tags):
                if tag != UNKNOWN:
                    scores = self.scores(words, unit, history[: unit + 1])
                    if self.permitted is not None:
                        scores = scores.masked_fill(~self.permitted(history[unit], tag), -torch.inf)
                    losses.append(-torch.log_softmax(scores, 0)[tag])
        return torch.stack(losses).mean()


def answer(query: Tensor, keys: list[Tensor]) -> Tensor:
    weights = torch.stack([query @ key for key in keys]).exp()
    total = torch.zeros_like(keys[0])
    for weight, key in zip(weights, keys, strict=True):
        total = total + weight / weights.sum() * key
    return total


def permitted_after(head: LabelAwareHead) -> Callable[..., Tensor]:
    """Which tags may follow a tag of the history (or BOS, or an unknown one); gold always may."""
    known = head.vocabulary

    def permitted(before: int, gold: int | None = None) -> Tensor:
        special = {len(known): known.may_start(), len(known) + 1: [True] * len(known)}
        flags = torch.tensor(special[before] if before in special else known.may_follow()[before])
        if gold is not None:
            flags[gold] = True
        return flags

    return permitted


def make_head(seed: int = 0, *, labels: tuple[str, ...] = (), **options: Any) -> LabelAwareHead:
    """A head whose weights are large enough for everything to matter."""
    torch.manual_seed(seed)
    settings = LabelAwareSettings(**{"label_width": 4, "dropout": 0.0, **options})
    head = LabelAwareHead(settings, vocabulary(*labels, scheme=settings.scheme), WIDTH)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.normal_(0, 0.8)
    return head


def make_batch(head: LabelAwareHead, sentences: tuple[Sentence, ...], *, padding: int = 0) -> Batch:
    """`sentences` as a batch, with columns of padding that nothing needs."""
    model = tiny_tagger(tagger=LinearSettings(scheme=head.settings.scheme))
    made = batch(model, sentences)
    more = (0, padding)
    targets = torch.nn.functional.pad(made.targets["tags"], more, value=UNKNOWN)
    mask = torch.nn.functional.pad(made.mask, more, value=False)
    return Batch(made.sentences, made.inputs, mask, made.domain, {"tags": targets})


def random_states(batch: Batch, seed: int = 0) -> Tensor:
    return torch.randn(*batch.mask.shape, WIDTH, generator=torch.Generator().manual_seed(seed))


def rows_of(states: Tensor, batch: Batch) -> list[list[Tensor]]:
    return [list(row[: len(one)]) for row, one in zip(states, batch.sentences, strict=True)]


def gradients(head: LabelAwareHead, states: Tensor, loss: Tensor) -> dict[str, Tensor]:
    named = {"states": states, **dict(head.named_parameters())}
    found = torch.autograd.grad(loss, list(named.values()), allow_unused=True)
    return {name: grad for name, grad in zip(named, found, strict=True) if grad is not None}


@pytest.fixture(params=["by position", "packed"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of reading all prefixes, whatever the device."""
    monkeypatch.setattr(prefix_runs, "PACKED_ON", ("cpu",) if request.param == "packed" else ())


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize(("background", "context"), PARTS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("num_chunks", "options"), [(1, {}), (4, {}), (1, {"constrained_training": True})])
def test_loss_and_every_gradient(
    seed: int,
    background: bool,
    context: bool,
    num_chunks: int,
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head = make_head(seed, background=background, context=context, **options)
    chosen = SENTENCES[seed:]
    made = make_batch(head, chosen, padding=seed)
    if num_chunks > 1:
        total = sum(len(one) * (len(one) + 1) // 2 for one in chosen)
        monkeypatch.setattr(prefixes, "CHUNK", 4 * total // num_chunks)
    states = random_states(made, seed).requires_grad_()
    loss = head.loss(states, made).total()
    targets = [row[: len(one)].tolist() for row, one in zip(made.targets["tags"], chosen, strict=True)]
    expected = Reference(head).loss(rows_of(states, made), targets)
    torch.testing.assert_close(loss, expected, atol=1e-5, rtol=1e-5)
    found, wanted = gradients(head, states, loss), gradients(head, states, expected)
    assert found.keys() == wanted.keys()
    for name, gradient in wanted.items():
        torch.testing.assert_close(found[name], gradient, atol=1e-5, rtol=1e-4, msg=lambda text, n=name: f"{n}: {text}")
    assert set(found) == {"states", *(name for name, _ in head.named_parameters())}


def test_chunks_hold_every_prefix_once(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = [7, 1, 12, 3]
    monkeypatch.setattr(prefixes, "CHUNK", 20)
    chunks = list(prefixes.chunks_of_prefixes(lengths, 1))
    pairs = [pair for one in chunks for pair in zip(one.sentence.tolist(), one.last.tolist(), strict=True)]
    assert sorted(pairs) == [(row, last) for row, length in enumerate(lengths) for last in range(length)]
    assert len(chunks) > 4
    for one in chunks:
        assert one.last.tolist() == sorted(one.last.tolist(), reverse=True)
        assert one.counts == [sum(last >= k for last in one.last.tolist()) for k in range(int(one.last[0]) + 1)]
        assert sum(one.counts) <= 2 * 20


@torch.no_grad()
def decode_greedily(head: LabelAwareHead, words: list[Tensor]) -> tuple[list[int], list[float]]:
    """Word by word, from scratch for each."""
    reference, tags, sure = Reference(head), [len(head.vocabulary)], []
    for unit in range(len(words)):
        logs = reference.decoding_logs(words, unit, tags, head.allowed)
        permitted = {t: float(logs[t]) for t in range(len(logs)) if legal(head, [*tags[1:], t], last=len(words))}
        tags.append(max(permitted, key=permitted.__getitem__))
        sure.append(float(logs[tags[-1]].exp()))
    return tags[1:], sure


def legal(head: LabelAwareHead, tags: list[int], *, last: int) -> bool:
    """May a sentence of `last` words start with `tags`?"""
    known = head.vocabulary
    if not head.settings.constrained:
        return bool(head.allowed[tags].all())
    steps = all(known.may_follow()[first][second] for first, second in itertools.pairwise(tags))
    ends = len(tags) < last or known.may_end()[tags[-1]]
    return bool(known.may_start()[tags[0]]) and steps and ends and bool(head.allowed[tags].all())


@pytest.mark.parametrize(("background", "context"), PARTS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "options", [{}, {"scheme": "BIOES"}, {"constrained": False}, {"constrained_training": True}], ids=str
)
def test_greedy_decoding(seed: int, background: bool, context: bool, options: dict[str, Any]) -> None:
    head = make_head(seed, background=background, context=context, **options).eval()
    if seed == 2:
        head.restrict(vocabulary("person").labels)
    made = make_batch(head, SENTENCES[seed:], padding=seed)
    states = random_states(made, seed)
    with torch.inference_mode():
        decoded = head.decode(states, made)
    for row, words in enumerate(rows_of(states, made)):
        tags, sure = decode_greedily(head, words)
        assert decoded.tags[row].tolist() == tags + [0] * (made.mask.shape[1] - len(words))
        assert decoded.confidence[row].tolist() == pytest.approx(
            sure + [0.0] * (made.mask.shape[1] - len(words)), abs=1e-5
        )


@pytest.mark.parametrize(("background", "context"), PARTS)
@pytest.mark.parametrize("options", [{}, {"scheme": "BIOES"}, {"constrained_training": True}], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_beam_of_all_sequences_is_exhaustive(
    seed: int, background: bool, context: bool, options: dict[str, Any]
) -> None:
    sentences = (sentence("ada sang"), sentence("bob in london"), sentence("ada"))
    head = make_head(seed, labels=("person",), background=background, context=context, **options).eval()
    head = replace_beam(head, len(head.vocabulary) ** 3)
    made = make_batch(head, sentences)
    states = random_states(made, seed)
    with torch.inference_mode():
        decoded = head.decode(states, made)
    with torch.no_grad():
        check_exhaustively(head, made, states, decoded)


def check_exhaustively(head: LabelAwareHead, made: Batch, states: Tensor, decoded: Decoded) -> None:
    reference, num_tags = Reference(head), len(head.vocabulary)
    for row, words in enumerate(rows_of(states, made)):
        scores = {}
        for tags in itertools.product(range(num_tags), repeat=len(words)):
            if legal(head, list(tags), last=len(words)):
                logs = [
                    reference.decoding_logs(words, unit, [num_tags, *tags[:unit]], head.allowed)[tag]
                    for unit, tag in enumerate(tags)
                ]
                scores[tags] = (float(sum(logs)), [float(one.exp()) for one in logs])
        best = max(scores, key=lambda tags: scores[tags][0])
        assert tuple(decoded.tags[row][made.mask[row]].tolist()) == best
        assert decoded.confidence[row][made.mask[row]].tolist() == pytest.approx(scores[best][1], abs=1e-5)


def replace_beam(head: LabelAwareHead, beam: int) -> LabelAwareHead:
    settings = head.options.model_copy(update={"beam": beam})
    other = LabelAwareHead(settings, head.vocabulary, WIDTH)
    other.load_state_dict(head.state_dict())
    return other.eval()


def test_the_best_of_all_sequences_scores_no_lower_than_the_greedy_one() -> None:
    gains = []
    for seed in range(20):
        head = make_head(seed, labels=("person",), constrained=False).eval()
        made = make_batch(head, (sentence("ada wrote to bob in london"), sentence("bob sang"), sentence("ada")))
        states = random_states(made, seed)
        totals = []
        for beam in (1, 3**6):
            with torch.inference_mode():
                decoded = replace_beam(head, beam).decode(states, made)
            totals.append(decoded.confidence.masked_fill(~made.mask, 1.0).log().sum(1))
        gains.append(totals[1] - totals[0])
    assert torch.stack(gains).min() > -1e-4
    assert torch.stack(gains).max() > 0.1


def test_with_both_off_it_is_the_linear_tagger() -> None:
    head = make_head(1, background=False, context=False).eval()
    linear = LinearHead(LinearSettings(), head.vocabulary, WIDTH).eval()
    weights = head.state_dict()
    linear.load_state_dict({name.replace("plain", "output"): tensor for name, tensor in weights.items()})
    made = make_batch(head, SENTENCES)
    states = random_states(made)
    assert torch.equal(head.loss(states, made).total(), linear.loss(states, made).total())
    mine, its = head.decode(states, made), linear.decode(states, made)
    assert torch.equal(mine.tags, its.tags)
    assert torch.equal(mine.confidence, its.confidence)


def test_gold_tags_of_later_words_do_not_leak() -> None:
    head = make_head(3)
    made = make_batch(head, SENTENCES[:1])
    states = random_states(made)
    assert head.scorer is not None
    tags = made.targets["tags"]
    plain = head.scorer(states, history_before(tags, 7), made.mask, [7])
    for unit in range(7):
        other = tags.clone()
        other[0, unit:] = (other[0, unit:] + 1) % 7
        changed = head.scorer(states, history_before(other, 7), made.mask, [7])
        torch.testing.assert_close(changed[:, : unit + 1], plain[:, : unit + 1])
        if unit < 6:
            assert not torch.allclose(changed[:, unit + 1], plain[:, unit + 1])


def test_a_gold_tag_is_never_penalised_whatever_history_the_model_reads() -> None:
    """Noise and own predictions put tags before a word that its gold tag may not follow."""
    head = make_head(labels=("person", "place"))
    index = head.vocabulary.index
    gold = torch.tensor([[index["B-person"], index["I-person"], index["O"]]])
    read = torch.tensor([[index["B-place"], index["O"], UNKNOWN]])
    first, second, third = legal_penalties(head.legal.moves(), read, gold)[0]
    assert [tag for tag, number in index.items() if first[number] < 0] == ["I-person", "I-place"]
    assert second[index["I-person"]] == 0
    assert [tag for tag, number in index.items() if second[number] < 0] == []
    assert [tag for tag, number in index.items() if third[number] < 0] == ["I-person", "I-place"]


def test_noise_replaces_its_share_of_known_tags_by_others() -> None:
    torch.manual_seed(0)
    tags = torch.randint(0, 7, (100, 100))
    tags[:, 90:] = UNKNOWN
    noisy = with_noise(tags, 7, 0.3)
    assert torch.equal(noisy[:, 90:], tags[:, 90:])
    changed = noisy[:, :90] != tags[:, :90]
    assert changed.float().mean().item() == pytest.approx(0.3, abs=0.02)
    others = torch.bincount((noisy - tags)[:, :90][changed] % 7, minlength=7)
    assert others[0] == 0
    assert (others[1:].float() / others.sum() - 1 / 6).abs().max() < 0.03
    assert torch.equal(with_noise(tags, 7, 0.0), tags)
    assert (with_noise(tags, 7, 1.0) != tags)[:, :90].all()


def test_scheduled_sampling_reads_the_predictions_of_a_pass_over_gold() -> None:
    head = make_head(4, scheduled_sampling=1.0)
    made = make_batch(head, SENTENCES)
    states = random_states(made)
    assert head.scorer is not None
    lengths = [len(one) for one in SENTENCES]
    tags = made.targets["tags"]
    predicted = head.scorer(states, history_before(tags, 7), made.mask, lengths).argmax(2)
    assert torch.equal(with_own(tags, predicted, 1.0), predicted)
    scores = head.scorer(states, history_before(predicted, 7), made.mask, lengths)
    expected = torch.nn.functional.cross_entropy(scores.flatten(0, 1), tags.flatten(), ignore_index=UNKNOWN)
    torch.testing.assert_close(head.train().loss(states, made).total(), expected)
    gold = torch.nn.functional.cross_entropy(
        head.scorer(states, history_before(tags, 7), made.mask, lengths).flatten(0, 1),
        tags.flatten(),
        ignore_index=UNKNOWN,
    )
    torch.testing.assert_close(head.eval().loss(states, made).total(), gold)
    assert gold != expected


def test_scheduled_sampling_may_predict_labels_that_are_not_decoded() -> None:
    """In joint training a source has labels that the target, whose labels alone are decoded, lacks."""
    head, joint = make_head(4, scheduled_sampling=1.0), make_head(4, scheduled_sampling=1.0)
    joint.restrict(vocabulary("person").labels)
    made = make_batch(head, SENTENCES)
    states = random_states(made)
    assert torch.equal(joint.loss(states, made).total(), head.loss(states, made).total())


def test_noise_acts_in_training_only() -> None:
    head = make_head(4, label_noise=1.0)
    made = make_batch(head, SENTENCES)
    states = random_states(made)
    quiet = make_head(4)
    assert torch.equal(head.eval().loss(states, made).total(), quiet.loss(states, made).total())
    assert not torch.allclose(head.train().loss(states, made).total(), quiet.loss(states, made).total())


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.filterwarnings("ignore:Synchronization debug mode")
@pytest.mark.parametrize(("background", "context"), PARTS)
@pytest.mark.parametrize("beam", [1, 3])
def test_a_gpu_says_the_same_and_is_never_waited_for(background: bool, context: bool, beam: int) -> None:
    torch.backends.cudnn.allow_tf32 = False
    head = make_head(3, background=background, context=context, beam=beam)
    made = make_batch(head, SENTENCES, padding=2)
    states = random_states(made)
    found = {}
    for device in ("cpu", "cuda"):
        there, moved = head.to(device).train(), made.to(torch.device(device))  # cuDNN wants `train` for gradients
        leaf = states.clone().to(device).requires_grad_()  # its own: a gradient that goes back to the CPU is waited for
        there.loss(leaf, moved).total().backward()  # a first call may set up libraries
        leaf.grad = None
        torch.cuda.synchronize()
        torch.cuda.set_sync_debug_mode("error")
        try:
            loss = there.loss(leaf, moved).total()
            loss.backward()
            with torch.no_grad():
                decoded = there.eval().decode(leaf, moved)
        finally:
            torch.cuda.set_sync_debug_mode("default")
        assert leaf.grad is not None
        found[device] = [loss.detach().cpu(), leaf.grad.cpu(), decoded.tags.cpu(), decoded.confidence.cpu()]
    for mine, its in zip(found["cuda"], found["cpu"], strict=True):
        torch.testing.assert_close(mine, its, atol=1e-4, rtol=1e-4)


def test_no_chunk_goes_far_beyond_its_budget_however_long_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefixes, "CHUNK", 4 * 3000)
    head = make_head(1)
    made = make_batch(head, (sentence(" ".join(["ada"] * 300)), SENTENCES[0]))
    sizes = [sum(one.counts) for one in prefixes.chunks_of_prefixes([300, 7], 4)]
    assert max(sizes) <= 3300
    assert sum(sizes) == 300 * 301 // 2 + 7 * 8 // 2
    loss = head.loss(random_states(made).requires_grad_(), made).total()
    loss.backward()
    assert loss.isfinite()
