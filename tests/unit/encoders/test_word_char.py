"""Word vectors and characters: what is known, what learns, and what a further stage adds."""

import json
from collections import Counter
from pathlib import Path

import pytest
import torch

from builders import four_sentences, sentence, tiny_word_char
from nerbridge.config.encoder import WordCharSettings
from nerbridge.encoders.word_char import WordCharEncoder, WordVocabulary, build_word_char
from nerbridge.encoders.word_char.rows import Coverage
from nerbridge.errors import ConfigError

FILE = "the 1 1\nof 2 2\nlondon 3 3\nzurich 4 4\nada 5 5\nrare 6 6\n"


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text(FILE)
    return path


def settings(vectors: Path, **more: object) -> WordCharSettings:
    return WordCharSettings.model_validate({"vectors": str(vectors), "frequent": 3, "characters": "none", **more})


def build(vectors: Path, words: dict[str, int], **more: object) -> WordCharEncoder:
    return build_word_char(settings(vectors, **more), words=words, seed=1)


def row(encoder: WordCharEncoder, word: str) -> list[float]:
    """What the encoder makes of a single word."""
    encoder.eval()
    inputs = encoder.vectorizer.collate(encoder.vectorizer.vectorize([sentence(word)]))
    return encoder(inputs)[0, 0].tolist()


def test_words_are_looked_up_as_they_are_then_lower_cased_then_unknown() -> None:
    vocabulary = WordVocabulary(("London", "ada"), (2, 1), ("the", "london"))
    words = ("London", "ada", "Ada", "LONDON", "london", "The", "bob")
    assert [vocabulary.look_up(word) for word in words] == [1, 2, 2, 4, 4, 3, 0]
    assert len(vocabulary) == 5


def test_the_vocabulary_holds_the_stage_and_the_frequent_words_of_the_file(vectors: Path) -> None:
    encoder = build(vectors, {"London": 2, "ada": 5, "unheard": 1})
    assert encoder.vocabulary.learnt == ("ada", "London", "unheard")
    assert encoder.vocabulary.counts == (5, 2, 1)
    assert encoder.vocabulary.fixed == ("the", "of", "london")
    assert (row(encoder, "London"), row(encoder, "ada"), row(encoder, "of")) == ([3, 3], [5, 5], [2, 2])
    assert row(encoder, "zurich") == row(encoder, "bob")  # in the file, but neither frequent nor in the stage
    assert encoder.describe() == (
        f"3 distinct words of the stage; vectors '{vectors}' know 1 (33.3 %) as they are, 1 (33.3 %) lower-cased, "
        "and lack 1 (33.3 %)",
    )


def test_rare_words_of_a_stage_keep_the_row_of_the_file(vectors: Path) -> None:
    encoder = build(vectors, {"ada": 2, "rare": 1, "unheard": 1}, min_count=2)
    assert encoder.vocabulary.learnt == ("ada",)
    assert encoder.vocabulary.fixed == ("the", "of", "london", "rare")
    assert row(encoder, "rare") == [6, 6]


def test_only_words_of_the_stage_learn(vectors: Path) -> None:
    encoder = build(vectors, {"ada": 1, "bob": 1}, dropout=0.0, word_dropout=0.0)
    inputs = encoder.vectorizer.collate(encoder.vectorizer.vectorize([sentence("ada of nowhere")]))
    encoder(inputs).sum().backward()
    assert {name for name, _ in encoder.named_parameters()} == {"words.learnt"}
    assert encoder.words.learnt.grad is not None
    assert encoder.words.learnt.grad[:, 0].tolist() == [1, 1, 0]  # the unknown word, ada, bob
    assert not build(vectors, {"ada": 1}, fine_tune=False).words.learnt.requires_grad


def test_a_further_stage_keeps_what_was_learnt_and_adds_its_words(vectors: Path) -> None:
    encoder = build(vectors, {"ada": 2, "London": 1})
    with torch.no_grad():
        encoder.words.learnt[:] = torch.arange(3.0).unsqueeze(1) * 10
    encoder.learn_words(Counter({"ada": 1, "of": 3, "Zurich": 1, "bob": 1}), settings(vectors), seed=7)
    assert encoder.vocabulary.learnt == ("ada", "London", "of", "Zurich", "bob")
    assert encoder.vocabulary.counts == (3, 1, 3, 1, 1)
    assert encoder.vocabulary.fixed == ("the", "london")
    rows = [row(encoder, word) for word in ("nowhere", "ada", "London", "of", "Zurich", "london")]
    assert rows == [[0, 0], [10, 10], [20, 20], [2, 2], [4, 4], [3, 3]]


def test_a_further_stage_adds_characters_and_keeps_the_others() -> None:
    encoder = tiny_word_char(dropout=0.0, word_dropout=0.0)
    before = row(encoder, "ada")
    encoder.learn_words(Counter({"Zürich": 1}), encoder.settings, seed=3)
    assert row(encoder, "ada") == pytest.approx(before)
    assert row(encoder, "ü") != row(encoder, "ß")  # ü was seen, ß is the unknown character
    assert encoder.characters is not None
    assert len(encoder.characters.embeddings.weight) == len(encoder.vectorizer.alphabet)


def test_a_further_stage_with_vectors_of_another_width_is_refused(vectors: Path) -> None:
    encoder = build(vectors, {"ada": 1})
    vectors.write_text("ada 1 2 3\n")
    with pytest.raises(ConfigError) as caught:
        encoder.learn_words({"ada": 1}, settings(vectors), seed=1)
    assert str(caught.value) == (
        f"the word vectors '{vectors}' are 3 wide\n"
        "  where: encoder.vectors\n"
        "  expected: 2, as in the stage before\n"
        "  hint: name the vectors that the stage before was trained with"
    )


@pytest.mark.parametrize("characters", ["cnn", "lstm"])
def test_a_word_has_one_vector_whatever_stands_beside_it(characters: str) -> None:
    encoder = tiny_word_char(characters=characters, kernel=4)
    alone = row(encoder, "ada")
    items = encoder.vectorizer.vectorize([sentence("extraordinarily long words with ada"), sentence("ada")])
    together = encoder(encoder.vectorizer.collate(items))
    assert together[0, 4].tolist() == pytest.approx(alone, abs=1e-6)
    assert together[1, 0].tolist() == pytest.approx(alone, abs=1e-6)
    assert not together[1, 1:].any()


def test_the_cnn_takes_the_highest_value_of_every_filter() -> None:
    encoder = tiny_word_char(kernel=3, seed=5)
    reader = encoder.characters
    assert reader is not None
    ids = [encoder.vectorizer.alphabet.index[character] for character in "bob"]
    padded = torch.zeros(5, reader.embeddings.weight.shape[1])
    padded[1:4] = reader.embeddings.weight[ids]
    weight, bias = reader.convolution.weight, reader.convolution.bias
    values = torch.stack([torch.einsum("ock,kc->o", weight, padded[n : n + 3]) + bias for n in range(3)])
    assert row(encoder, "bob")[12:] == pytest.approx(values.amax(dim=0).tolist(), abs=1e-5)


def test_some_words_are_read_as_unknown_in_training_only() -> None:
    encoder = tiny_word_char(characters="none", dropout=0.0, word_dropout=0.5)
    items = encoder.vectorizer.vectorize([sentence(" ".join(["ada"] * 200))])
    inputs = encoder.vectorizer.collate(items)
    unknown = encoder.words.learnt[0]
    encoder.train()
    torch.manual_seed(1)
    share = (encoder(inputs)[0] == unknown).all(dim=1).float().mean().item()
    assert 0.35 < share < 0.65
    encoder.eval()
    assert not (encoder(inputs)[0] == unknown).all(dim=1).any()


def test_the_report_counts_words_without_a_vector_and_long_ones() -> None:
    encoder = tiny_word_char()
    encoder.vectorizer.vectorize([*four_sentences(), sentence("nobody " + "x" * 41)])
    report = encoder.vectorizer.report()
    assert (report.sentences, report.words_without_vector, report.shortened_words) == (5, 2, 1)


def test_no_file_says_so() -> None:
    assert tiny_word_char().describe() == ("14 distinct words of the stage, no vector file: all vectors start random",)


@pytest.mark.parametrize(
    ("file", "change", "what"),
    [
        ("config.json", {"word_width": -1}, "vectors of -1 numbers"),
        ("config.json", {"word_width": 10**9}, "vectors of 1000000000 numbers"),
        ("vocabulary.json", {"characters": "aa"}, "a character stands twice"),
        ("vocabulary.json", {"counts": []}, "0 counts for 2 words"),
        ("vocabulary.json", {"fixed": ["ada"]}, "a word stands twice, or is no text"),
    ],
)
def test_files_that_no_encoder_has_are_refused(
    vectors: Path, tmp_path: Path, file: str, change: dict[str, object], what: str
) -> None:
    folder = tmp_path / "encoder"
    build(vectors, {"ada": 2, "bob": 1}).save_architecture(folder)
    content = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps({**content, **change}))
    with pytest.raises(ConfigError) as caught:
        build_word_char(settings(vectors), folder=folder)
    assert str(caught.value) == (
        f"no word_char encoder can be read from folder '{folder}': {what}\n"
        f"  where: {folder}\n"
        "  expected: config.json and vocabulary.json, as a bundle has them\n"
        "  hint: copy the bundle again whole"
    )


def test_rows_that_stand_twice_are_counted_in_the_coverage() -> None:
    assert Coverage(1, 0, 0, 2).describe("own.txt").endswith("; 2 rows of words that stand there before left out")
    assert Coverage(1, 0, 0, 0).describe("own.txt").endswith("and lack 0 (0.0 %)")
