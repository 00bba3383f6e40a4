"""What a tagger finds in raw text where nothing can be scored."""

from builders import sentence, tiny_tagger
from nerbridge.assembly.prediction import predict
from nerbridge.data.sentence import Annotation
from nerbridge.pipeline.unscored import LOOKED_AT, find_entities

RAW = tuple(sentence(f"ada sang in london {number}", annotation=Annotation.NONE) for number in range(LOOKED_AT + 50))


def test_entities_are_counted_by_label_with_a_few_examples() -> None:
    model = tiny_tagger()
    found = find_entities(model, RAW, "news")
    assert found is not None
    assert found == find_entities(model, RAW, "news")
    assert found.sentences == LOOKED_AT
    assert found.entities, "or the counts below say nothing"
    numbers = list(found.entities.values())
    assert numbers == sorted(numbers, reverse=True)
    assert found.entities.keys() == found.examples.keys()
    for label, examples in found.examples.items():
        assert 1 <= len(set(examples)) == len(examples) <= min(3, found.entities[label])


def test_few_sentences_are_all_looked_at() -> None:
    model = tiny_tagger()
    found = find_entities(model, RAW[:7], "news")
    assert found is not None
    spans = [span for answer in predict(model, RAW[:7], "news") for span in answer.spans]
    assert (found.sentences, sum(found.entities.values())) == (7, len(spans))
    assert find_entities(model, (), "news") is None
