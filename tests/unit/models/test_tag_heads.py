"""What heads share: restricted and constrained decoding, carried rows, losses over known words only."""

from itertools import pairwise

import pytest
import torch
from torch import nn

from builders import batch, four_sentences, partial, sentence, tiny_encoder, tiny_tagger, vocabulary
from nerbridge.assembly.parts import build_head
from nerbridge.batching.batch import Batch
from nerbridge.config.tagger import CrfSettings, LabelAwareSettings, LinearSettings, TaggerSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import ConfigError
from nerbridge.models.heads.base import TagHead
from nerbridge.models.heads.crf import CrfHead
from nerbridge.models.heads.linear import LinearHead

KINDS: list[TaggerSettings] = [LinearSettings(dropout=0), CrfSettings(dropout=0)]
WIDTH = 8


@pytest.fixture(params=KINDS, ids=lambda settings: settings.kind)
def settings(request: pytest.FixtureRequest) -> TaggerSettings:
    chosen: TaggerSettings = request.param
    return chosen


def make(settings: TaggerSettings, *labels: str, seed: int = 0) -> TagHead:
    torch.manual_seed(seed)
    return build_head(settings, vocabulary(*labels), WIDTH)


def states_and_batch(seed: int, *, num_sentences: int = 12, num_words: int = 9) -> tuple[torch.Tensor, Batch]:
    """Wild random states, so that unconstrained decoding makes every mistake there is."""
    model = tiny_tagger(tiny_encoder())
    lengths = [1 + (number * 5) % num_words for number in range(num_sentences)]
    sentences = [sentence(" ".join(["ada"] * length)) for length in lengths]
    random = torch.Generator().manual_seed(seed)
    return 9 * torch.randn(num_sentences, max(lengths), WIDTH, generator=random), batch(model, sentences)


def count_illegal(tags: torch.Tensor, mask: torch.Tensor, space: TagVocabulary) -> int:
    follow, start, end = space.may_follow(), space.may_start(), space.may_end()
    count = 0
    for row, real in zip(tags.tolist(), mask.sum(dim=1).tolist(), strict=True):
        path = row[:real]
        count += not start[path[0]]
        count += not end[path[-1]]
        count += sum(not follow[first][second] for first, second in pairwise(path))
    return count


@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
def test_decoded_sequences_are_legal(settings: TaggerSettings, scheme: str) -> None:
    constrained = settings.model_copy(update={"scheme": scheme})
    space = vocabulary(scheme=scheme)
    head = build_head(constrained, space, WIDTH).eval()
    states, words = states_and_batch(1)
    assert count_illegal(head.decode(states, words).tags, words.mask, space) == 0
    free = build_head(constrained.model_copy(update={"constrained": False}), space, WIDTH).eval()
    free.load_state_dict(head.state_dict())
    assert count_illegal(free.decode(states, words).tags, words.mask, space) > 0


def test_restricted_decoding_uses_only_the_labels_given(settings: TaggerSettings) -> None:
    head = make(settings).eval()
    states, words = states_and_batch(2)
    person = LabelSet.of(["person"])
    before = head.decode(states, words)
    head.restrict(person)
    after = head.decode(states, words)
    used = {head.vocabulary.tags[number] for number in after.tags[words.mask].tolist()}
    assert used == {"O", "B-person", "I-person"}
    assert len(before.tags.unique()) > 3
    assert ((after.confidence > 0) & (after.confidence <= 1 + 1e-5))[words.mask].all()
    head.restrict(head.vocabulary.labels)
    assert torch.equal(head.decode(states, words).tags, before.tags)


def test_padding_is_tagged_outside_with_no_confidence(settings: TaggerSettings) -> None:
    head = make(settings).eval()
    states, words = states_and_batch(3)
    decoded = head.decode(states, words)
    assert not decoded.tags[~words.mask].any()
    assert not decoded.confidence[~words.mask].any()


def test_carried_rows_score_as_in_the_head_they_came_from(settings: TaggerSettings) -> None:
    old = make(settings, "band", "person", "song", seed=1)
    new = make(settings, "person", "politician", seed=2)
    untouched = make(settings, "person", "politician", seed=2)
    sources = {"O": "O", "B-person": "B-person", "I-person": "I-person", "B-politician": "B-person", "I-x": "I-band"}
    assert new.carry(old, sources) == 4
    here = [new.vocabulary.index[tag] for tag in ("O", "B-person", "I-person", "B-politician")]
    there = [old.vocabulary.index[tag] for tag in ("O", "B-person", "I-person", "B-person")]
    fresh = new.vocabulary.index["I-politician"]
    assert isinstance(new, LinearHead | CrfHead)
    assert isinstance(old, LinearHead | CrfHead)
    assert torch.equal(new.output.weight[here], old.output.weight[there])
    assert torch.equal(new.output.bias[here], old.output.bias[there])
    assert torch.equal(new.output.weight[fresh], untouched.output.weight[fresh])  # type: ignore[union-attr,index]
    if isinstance(new, CrfHead) and isinstance(old, CrfHead):
        for first, old_first in zip(here, there, strict=True):
            assert new.starts[first] == old.starts[old_first]
            assert new.ends[first] == old.ends[old_first]
            for second, old_second in zip(here, there, strict=True):
                assert new.pairs[first, second] == old.pairs[old_first, old_second]


def test_a_head_of_another_kind_or_width_is_refused() -> None:
    linear, crf = (make(settings) for settings in KINDS)
    with pytest.raises(ConfigError) as caught:
        linear.carry(crf, {"O": "O"})
    assert str(caught.value) == (
        "a linear head cannot take rows from a crf head\n"
        "  where: tagger.kind\n"
        "  expected: the same kind of head, with states of the same width, in every stage\n"
        "  hint: train the source stage with the tagger that the target stage uses"
    )
    with pytest.raises(ConfigError):
        linear.carry(build_head(KINDS[0], vocabulary(), WIDTH + 1), {"O": "O"})


def test_the_linear_loss_is_the_mean_over_known_words() -> None:
    head = make(KINDS[0])
    words = batch(tiny_tagger(tiny_encoder()), [partial("ada sang", (0,), (0, 1, "person")), four_sentences()[1]])
    states = torch.randn(2, 4, WIDTH)
    assert isinstance(head, LinearHead)
    scores = head.output(states).log_softmax(dim=2)
    targets = words.targets["tags"]
    known = [(row, unit) for row in range(2) for unit in range(4) if targets[row, unit] >= 0]
    expected = -sum(scores[row, unit, targets[row, unit]] for row, unit in known) / len(known)
    assert len(known) == 5
    torch.testing.assert_close(head.loss(states, words).total(), expected)


def test_heads_count_in_float32_under_bf16_autocast(settings: TaggerSettings) -> None:
    head = make(settings)
    words = batch(tiny_tagger(tiny_encoder()), four_sentences())
    states = torch.randn(4, 7, WIDTH)
    expected = head.loss(states, words).total()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = head.loss(states, words).total()
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, expected, atol=0.05, rtol=0.02)


@pytest.mark.parametrize("kind", [LinearSettings, CrfSettings, LabelAwareSettings])
def test_training_drops_parts_of_the_states_that_a_head_reads(kind: type[TaggerSettings]) -> None:
    head = make(kind(dropout=0.5))
    words = batch(tiny_tagger(tiny_encoder()), four_sentences())
    states = torch.randn(4, 7, WIDTH)
    torch.manual_seed(3)
    found = head.train().loss(states, words).total()
    torch.manual_seed(3)
    dropped = nn.functional.dropout(states, 0.5)
    torch.testing.assert_close(found, head.eval().loss(dropped, words).total())
    assert not torch.allclose(found, head.loss(states, words).total())


def test_gold_with_an_illegal_pair_has_a_finite_loss(settings: TaggerSettings) -> None:
    head = make(settings)
    words = batch(tiny_tagger(tiny_encoder()), [sentence("ada sang")])
    words.targets["tags"][0] = torch.tensor([0, head.vocabulary.index["I-person"]])
    loss = head.loss(torch.randn(1, 2, WIDTH), words).total()
    loss.backward()
    assert loss.item() < 20
    assert all(torch.isfinite(p.grad).all() for p in nn.Module.parameters(head) if p.grad is not None)
