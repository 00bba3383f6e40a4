"""Coach: spans are found as conlleval reads them, typed as the equations say, and carried by name."""

from collections.abc import Sequence

import pytest
import torch

from builders import batch, four_sentences, partial, sentence, tiny_tagger, tiny_word_char, vocabulary
from nerbridge.assembly.gold_spans import type_accuracy
from nerbridge.assembly.prediction import predict
from nerbridge.config.context import BiLstmSettings
from nerbridge.config.tagger import CoachSettings, LinearSettings
from nerbridge.data.labels import LabelSet
from nerbridge.models.heads.coach import CoachHead
from nerbridge.models.heads.coach.spans import find_spans

BIO = {"O": 0, "B": 1, "I": 2}
BIOES = {"O": 0, "B": 1, "I": 2, "E": 3, "S": 4}


@pytest.mark.parametrize(
    ("tags", "scheme", "expected"),
    [
        ("OBIBO", "BIO", [(1, 2), (3, 1)]),
        ("IIOIB", "BIO", [(0, 2), (3, 1), (4, 1)]),
        ("OOOOO", "BIO", []),
        ("SBIES", "BIOES", [(0, 1), (1, 3), (4, 1)]),
        ("EIEOB", "BIOES", [(0, 1), (1, 2), (4, 1)]),
    ],
)
def test_spans_are_found_as_conlleval_reads_them(tags: str, scheme: str, expected: Sequence[tuple[int, int]]) -> None:
    ids = BIO if scheme == "BIO" else BIOES
    found = find_spans(torch.tensor([[ids[tag] for tag in tags]]), torch.ones(1, 5, dtype=torch.bool), scheme)
    assert list(zip(found.starts.tolist(), found.lengths.tolist(), strict=True)) == expected
    entity = vocabulary("entity", scheme=scheme)
    spans = entity.decode([ids[tag] for tag in tags])
    assert [(span.start, span.end - span.start) for span in spans] == expected


def test_spans_end_with_their_sentence() -> None:
    tags = torch.tensor([[0, 1, 2], [2, 0, 1]])
    mask = torch.tensor([[True, True, True], [True, True, False]])
    found = find_spans(tags, mask, "BIO")
    assert (found.starts.tolist(), found.lengths.tolist()) == ([1, 3], [2, 1])
    assert found.inside.tolist() == [[False, True, True], [True, False, False]]


def test_types_follow_the_equations() -> None:
    head = CoachHead(CoachSettings(label_width=6, initialise="random"), vocabulary(), 4).eval()
    states = torch.randn(2, 4, 4)
    spans = find_spans(torch.tensor([[1, 2, 2, 0], [0, 1, 0, 0]]), torch.ones(2, 4, dtype=torch.bool), "BIO")
    scores = head.types(states, spans)
    for number, words in enumerate((states[0, :3], states[1, 1:2])):
        ahead, _ = head.types.reader.ahead[0](words.unsqueeze(0))
        back, _ = head.types.reader.back[0](words.flip(0).unsqueeze(0))
        read = torch.cat([ahead.sum(dim=1), back.sum(dim=1)], dim=1)
        assert torch.allclose(scores[number], (read @ head.types.labels.T)[0], atol=1e-6)


def coach(**settings: object) -> CoachSettings:
    return CoachSettings.model_validate({"label_width": 12, **settings})


def test_the_loss_is_that_of_boundaries_and_of_gold_spans() -> None:
    model = tiny_tagger(tiny_word_char(), coach(), BiLstmSettings(hidden=8)).eval()
    whole = batch(model, four_sentences())
    assert set(model.loss_terms(whole).terms) == {"tags", "types"}
    outside = batch(model, [sentence("ada sang")])
    assert model.loss_terms(outside).terms["types"].item() == 0
    unknown = batch(model, [partial("ada sang london", (0, 1), (0, 1, "person"))])
    known = batch(model, [sentence("ada sang", (0, 1, "person"))])
    terms = [model.loss_terms(one).terms["types"].item() for one in (unknown, known)]
    assert all(term > 0 for term in terms)


def test_only_allowed_labels_are_said() -> None:
    model = tiny_tagger(tiny_word_char(), coach(), BiLstmSettings(hidden=8))
    head = model.head("news")
    head.restrict(LabelSet.of(["location"]))
    with torch.no_grad():
        head.boundaries.output.bias[:] = torch.tensor([-9.0, 9.0, 0.0])
    spans = [span for answer in predict(model, four_sentences(), "news") for span in answer.spans]
    assert spans
    assert {span.label for span in spans} == {"location"}


def test_carrying_takes_boundaries_whole_and_labels_by_name() -> None:
    old = CoachHead(coach(), vocabulary("person", "band"), 8)
    new = CoachHead(coach(), vocabulary("song", "person", "star"), 8)
    before = new.types.labels.clone()
    sources = {"O": "O"} | {f"{prefix}-{one}": f"{prefix}-person" for prefix in "BI" for one in ("person", "star")}
    assert new.carry(old, sources) == 5
    assert torch.equal(new.boundaries.output.weight, old.boundaries.output.weight)
    assert torch.equal(new.types.reader.ahead[0].weight_ih_l0, old.types.reader.ahead[0].weight_ih_l0)
    person = old.types.labels[old.vocabulary.labels.names.index("person")]
    assert new.vocabulary.labels.names == ("person", "song", "star")
    assert torch.equal(new.types.labels[0], person)
    assert torch.equal(new.types.labels[1], before[1])
    assert torch.equal(new.types.labels[2], person)


def test_names_are_fixed_and_random_embeddings_learn() -> None:
    kinds = {
        name: {parameter for parameter, _ in CoachHead(settings, vocabulary(), 4).named_parameters()}
        for name, settings in {
            "names": coach(),
            "learnt": coach(learn_labels=True),
            "random": coach(initialise="random"),
        }.items()
    }
    assert {name: "types.labels" in found for name, found in kinds.items()} == {
        "names": False,
        "learnt": True,
        "random": True,
    }


def test_type_accuracy_looks_at_gold_spans_alone() -> None:
    model = tiny_tagger(tiny_word_char(), coach(), BiLstmSettings(hidden=8))
    head = model.head("news")
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    whole = batch(model.eval(), four_sentences())
    for _ in range(60):
        optimizer.zero_grad()
        model(whole).backward()
        optimizer.step()
    assert type_accuracy(model, four_sentences(), "news") == 1
    with torch.no_grad():
        head.boundaries.output.bias[:] = torch.tensor([99.0, 0.0, 0.0])  # finds nothing any more
    assert not any(answer.spans for answer in predict(model, four_sentences(), "news"))
    assert type_accuracy(model, four_sentences(), "news") == 1
    foreign = [*four_sentences(), sentence("ada sang", (0, 1, "singer"))]
    assert type_accuracy(model, foreign, "news") == pytest.approx(7 / 8)
    assert type_accuracy(model, [sentence("ada sang")], "news") is None
    assert type_accuracy(tiny_tagger(tiny_word_char(), LinearSettings()), four_sentences(), "news") is None
