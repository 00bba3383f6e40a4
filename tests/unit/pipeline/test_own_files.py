"""What a user's own files are read as."""

from nerbridge.data.labels import LabelSet
from nerbridge.data.registry import DataSet
from nerbridge.data.sentence import Sentence, Span
from nerbridge.pipeline.data_checks import clean_domain


def one(label: str) -> Sentence:
    return Sentence(("Ada", "sang"), (Span(0, 1, label),))


def test_dev_and_test_are_spelled_as_train_spells() -> None:
    splits = {"train": [one("PER")], "dev": [one("person")], "test": [one("Person"), one("PER"), one("city")]}
    domain, notes = clean_domain(DataSet("mine", "mine", splits, LabelSet.of(["PER", "person", "Person", "city"]), ()))
    assert domain.labels.names == ("PER",)
    assert [s.spans[0].label for s in (*domain.dev, *domain.test)] == ["PER", "PER", "PER", "city"]
    assert notes == ["mine dev: label 'person' is read as 'PER'", "mine test: label 'Person' is read as 'PER'"]
