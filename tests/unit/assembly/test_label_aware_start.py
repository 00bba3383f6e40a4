"""Tag embeddings of the label-aware head: from the encoder's view of label names, and from the stage before."""

from typing import Any

import pytest
import torch
from torch import Tensor

from builders import tiny_encoder, tiny_tagger, tiny_word_char, vocabulary
from nerbridge.assembly.build import compose, rehead
from nerbridge.assembly.label_names import label_vectors, label_words
from nerbridge.assembly.tagger import Tagger
from nerbridge.config.context import NoContext
from nerbridge.config.tagger import LabelAwareSettings
from nerbridge.data.labels import LabelSet
from nerbridge.data.tags import TagVocabulary
from nerbridge.errors import ConfigError
from nerbridge.models.heads.label_aware import LabelAwareHead

WIDTH = 12


def make(labels: LabelSet, seed: int = 1, **options: Any) -> Tagger:
    settings = LabelAwareSettings(label_width=WIDTH, **options)
    return compose(tiny_encoder(), NoContext(), settings, {"news": TagVocabulary(labels)}, seed)


def rows(model: Tagger, domain: str = "news") -> dict[str, Tensor]:
    head = model.head(domain)
    assert isinstance(head, LabelAwareHead)
    assert head.scorer is not None
    return dict(zip(head.vocabulary.tags, head.scorer.labels.tags.weight, strict=True))


def test_words_of_a_label() -> None:
    labels = LabelSet.of(["music_genre", "song"], {"song": "a song's title."})
    assert label_words(labels, "music_genre") == ("music", "genre")
    assert label_words(labels, "song") == ("song", "a", "song", "'s", "title", ".")
    assert label_words(labels, "song", content_only=True) == ("song", "song", "title")


def test_rows_of_names_do_not_depend_on_seed_or_on_other_labels() -> None:
    one, other = LabelSet.of(["band", "person"]), LabelSet.of(["location", "person", "song"])
    first, second = rows(make(one, 1, initialise="names")), rows(make(other, 2, initialise="names"))
    for tag in ("B-person", "I-person"):
        torch.testing.assert_close(first[tag], second[tag])
    assert not torch.allclose(first["B-person"], first["I-person"])
    assert not torch.allclose(first["B-person"], first["B-band"])
    assert not torch.allclose(first["O"], second["O"])
    random = rows(make(one, 1))
    assert torch.equal(random["O"], first["O"])
    assert not torch.allclose(random["B-person"], first["B-person"])


def test_rows_of_names_have_the_size_of_random_ones_and_keep_distances() -> None:
    encoder = tiny_encoder()
    labels = LabelSet.of(["ada", "bob", "band"], {"ada": "sang with the band", "bob": "sang with the band"})
    vectors = label_vectors(labels, encoder, 200)
    torch.testing.assert_close(vectors.mean(1), torch.zeros(3), atol=1e-5, rtol=0)
    torch.testing.assert_close(vectors.var(1, correction=0), torch.ones(3))
    ada, band, bob = vectors  # sorted by name
    assert (ada - bob).norm() < (ada - band).norm()
    assert encoder.training


def test_a_new_head_takes_rows_by_name_and_everything_else_whole() -> None:
    model = tiny_tagger(tagger=LabelAwareSettings(label_width=WIDTH))
    old = model.head("news")
    new_vocabulary = vocabulary("person", "song", "organisation")
    sources = {"O": "O", "B-person": "B-person", "I-person": "I-person", "B-song": "B-location"}
    changed = rehead(model, "music", new_vocabulary, old.settings, "news", sources, 7)  # type: ignore[arg-type]
    fresh = compose(model.encoder, NoContext(), old.settings, {"music": new_vocabulary}, 7)  # type: ignore[arg-type]
    before, after, untouched = rows(model), rows(changed, "music"), rows(fresh, "music")
    for tag in new_vocabulary.tags:
        expected = before[sources[tag]] if tag in sources else untouched[tag]
        assert torch.equal(after[tag], expected), tag
    mine, its = dict(changed.head("music").named_parameters()), dict(old.named_parameters())
    number, source = new_vocabulary.index["B-song"], old.vocabulary.index["B-location"]
    assert torch.equal(mine["scorer.output.weight"][number], its["scorer.output.weight"][source])
    assert torch.equal(mine["scorer.output.bias"][number], its["scorer.output.bias"][source])
    for name in mine.keys() - {"scorer.labels.tags.weight", "scorer.output.weight", "scorer.output.bias"}:
        assert torch.equal(mine[name], its[name]), name


def test_rows_that_are_carried_win_over_names() -> None:
    settings = LabelAwareSettings(label_width=WIDTH, initialise="names")
    model = tiny_tagger(tagger=settings)
    with torch.no_grad():
        for row in rows(model).values():
            row.add_(1.0)  # as if learnt
    space = vocabulary("person", "song")
    changed = rehead(model, "music", space, settings, "news", {"B-person": "B-person", "I-person": "I-person"}, 7)
    named = rows(compose(model.encoder, NoContext(), settings, {"music": space}, 7), "music")
    before, after = rows(model), rows(changed, "music")
    for tag in space.tags:
        assert torch.equal(after[tag], before[tag] if "person" in tag else named[tag]), tag


@pytest.mark.parametrize("options", [{"label_width": 5}, {"context": False}, {"background": False}], ids=str)
def test_heads_of_another_shape_are_refused(options: dict[str, Any]) -> None:
    model = tiny_tagger(tagger=LabelAwareSettings(label_width=WIDTH))
    settings = LabelAwareSettings(**{"label_width": WIDTH, **options})
    with pytest.raises(ConfigError) as caught:
        rehead(model, "music", vocabulary("person"), settings, "news", {"O": "O"}, 1)
    assert "a label_aware head cannot take rows from a label_aware head" in str(caught.value)


def test_labels_that_the_encoder_cannot_tell_apart_start_apart() -> None:
    encoder = tiny_word_char(characters="none")
    labels = LabelSet.of(["band", "guild", "society", "troupe"])  # "society" is a word that it knows
    rows = label_vectors(labels, encoder, 40)
    again = label_vectors(LabelSet.of(["guild", "troupe"]), encoder, 40)
    assert torch.equal(rows[[1, 3]], again)
    distances = torch.cdist(rows, rows)[~torch.eye(4, dtype=torch.bool)]
    assert distances.min() > 1


def test_rows_of_coach_lack_what_all_words_have_in_common() -> None:
    encoder = tiny_word_char(characters="none", fine_tune=False)
    labels = LabelSet.of(["person", "location"])
    with torch.no_grad():
        encoder.words.learnt += 50.0
    likeness = [
        torch.corrcoef(label_vectors(labels, encoder, 200, apart=apart))[0, 1].item() for apart in (False, True)
    ]
    assert likeness[0] > 0.99
    assert likeness[1] < 0.9
