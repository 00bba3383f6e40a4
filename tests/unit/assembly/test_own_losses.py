"""Losses that a context has of its own, and those of entity types: beside the heads', without a domain's weight."""

from dataclasses import replace

import pytest
import torch

from builders import batch, four_sentences, stream, tiny_encoder, tiny_tagger, tiny_word_char, vocabulary
from nerbridge.assembly.build import compose, rehead
from nerbridge.assembly.tagger import Tagger
from nerbridge.batching.streams import Stream
from nerbridge.batching.word_vocabulary import WordVocabulary
from nerbridge.config.combinations import NOT_CONTEXTUAL
from nerbridge.config.context import BiLstmSettings, MultiCellSettings
from nerbridge.config.tagger import CrfSettings
from nerbridge.config.words import WordsSettings
from nerbridge.encoders.concatenated import ConcatenatedEncoder
from nerbridge.encoders.language_model import LanguageModelEncoder
from nerbridge.encoders.transformer import TransformerEncoder
from nerbridge.encoders.word_char import WordCharEncoder
from nerbridge.models.context.multi_cell import MultiCellNetwork

CELLS = MultiCellSettings(hidden=8, entity_weight=0.5, attention_weight=0.25)


def multi_cell(settings: MultiCellSettings = CELLS) -> Tagger:
    return tiny_tagger(tiny_word_char(), CrfSettings(), settings).eval()


def test_the_weight_of_a_domain_is_that_of_its_heads_alone() -> None:
    """Equation 17: lambda_d L_ner + lambda_ent L_ent + lambda_atten L_atten."""
    model = multi_cell()
    one = batch(model, four_sentences())
    terms = model.loss_terms(one)
    assert list(terms.terms) == ["tags", "entity", "attention"]
    values = {name: value.item() for name, value in terms.terms.items()}
    expected = 3 * values["tags"] + 0.5 * values["entity"] + 0.25 * values["attention"]
    assert model(replace(one, weight=3.0)).item() == pytest.approx(expected)


@pytest.mark.parametrize(("entity", "attention"), [(0, 1), (1, 0), (0, 0)])
def test_a_weight_of_nothing_leaves_a_loss_out(entity: float, attention: float) -> None:
    model = multi_cell(MultiCellSettings(hidden=8, entity_weight=entity, attention_weight=attention))
    terms = model.loss_terms(batch(model, four_sentences())).terms
    assert ("entity" in terms, "attention" in terms) == (bool(entity), bool(attention))
    context = model.context
    assert isinstance(context, MultiCellNetwork)
    assert (context.entity is not None) == bool(entity)


def words_model(dictionary: bool) -> tuple[Tagger, WordVocabulary]:
    words = WordVocabulary.of(four_sentences())
    labels = {"news": vocabulary().labels.names, "raw": ("person",)}
    model = compose(
        tiny_word_char(),
        BiLstmSettings(hidden=8),
        CrfSettings(),
        {"news": vocabulary()},
        1,
        predicted=(WordsSettings(), words),
        typed=(labels, 0.5) if dictionary else None,
    )
    return model.eval(), words


def test_a_context_without_cells_learns_types_from_tags_and_from_a_dictionary() -> None:
    model, words = words_model(dictionary=True)
    terms = model.loss_terms(batch(model, four_sentences()))
    assert list(terms.terms) == ["tags", "entity"]
    assert terms.weights["entity"] == 0.5
    text = [one for one in four_sentences() if {span.label for span in one.spans} == {"person"}] or [
        four_sentences()[1]
    ]
    known = replace(text[0], spans=text[0].spans[:1])
    types = vocabulary("person").labels
    raw = Stream("raw", "raw", [known], model.encoder.vectorizer, None, 0.1, words, types=types).batch([0])
    terms = model.loss_terms(raw)
    assert list(terms.terms) == ["words", "entity"]
    assert (terms.weights["words"], terms.weights["entity"]) == (0.1, 0.5)
    terms.terms["entity"].backward()
    assert model.context.ahead[0].weight_ih_l0.grad.any()  # type: ignore[union-attr, index]


def test_without_a_dictionary_there_is_no_such_loss() -> None:
    model, _ = words_model(dictionary=False)
    assert list(model.loss_terms(batch(model, four_sentences())).terms) == ["tags"]


def test_a_new_head_brings_cells_for_its_labels() -> None:
    model = multi_cell()
    before = {label: rows.clone() for label, rows in zip(model.context.cells.labels, cell_rows(model), strict=True)}
    new = vocabulary("person", "band")
    sources = {"O": "O", "B-person": "B-person", "I-person": "I-person"}
    changed = rehead(model, "music", new, CrfSettings(), sources_from="news", tag_sources=sources, seed=3)
    assert changed.context.cells.labels == ("O", "band", "person")
    rows = dict(zip(changed.context.cells.labels, cell_rows(changed), strict=True))
    assert torch.equal(rows["person"], before["person"])
    assert torch.equal(rows["O"], before["O"])
    assert not any(torch.equal(rows["band"], old) for old in before.values())
    loss = changed(stream(changed, [replace(four_sentences()[1], spans=())], "music").batch([0]))
    assert loss.isfinite()


def cell_rows(model: Tagger) -> list[torch.Tensor]:
    context = model.context
    assert isinstance(context, MultiCellNetwork)
    return list(context.cells.by_cell()["inward"].detach().unbind(1))


def test_settings_and_encoders_agree_on_which_vectors_have_read_the_sentence() -> None:
    """Language models are refused by settings, before any encoder is there."""
    kinds = {"word_char": WordCharEncoder, "transformer": TransformerEncoder, "language_model": LanguageModelEncoder}
    assert {kind for kind, encoder in kinds.items() if not encoder.contextual} == set(NOT_CONTEXTUAL)
    assert ConcatenatedEncoder([tiny_word_char(), tiny_encoder()]).contextual
    assert not ConcatenatedEncoder([tiny_word_char(), tiny_word_char(seed=1)]).contextual
