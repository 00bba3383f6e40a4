"""Lines of a journal that no training has written are damaged, like torn ones."""

import json

import pytest

from nerbridge.evaluation.journal_lines import impossible, read_line


@pytest.mark.parametrize(
    ("numbers", "what"),
    [
        ('"step": 4, "f1": 7.5', "f1 7.5"),
        ('"step": 4, "f1": -0.1', "f1 -0.1"),
        ('"step": 4, "f1": NaN', "f1 nan"),
        ('"step": 4, "f1": "x"', "f1 x"),
        ('"step": 4, "f1": true', "f1 True"),
        ('"step": 4, "f1": 0.5, "f1 news": Infinity', "f1 news inf"),
        ('"step": 4, "attention_f1": 2', "attention_f1 2"),
        ('"step": 4, "type_accuracy_on_gold_spans": 50.0', "type_accuracy_on_gold_spans 50.0"),
        ('"step": 4, "discriminator_accuracy": []', "discriminator_accuracy []"),
        ('"step": 4, "perplexity news": 0.0', "perplexity news 0.0"),
        ('"step": 4, "perplexity news": Infinity', "perplexity news inf"),
        ('"step": 4, "loss": NaN', "loss nan"),
        ('"step": 4, "entropy": -Infinity', "entropy -inf"),
        (f'"step": 4, "perplexity b": {"9" * 400}', f"perplexity b {'9' * 400}"),
        ('"step": -7, "f1": 0.5', "step -7"),
        ('"step": 0.5', "step 0.5"),
        ('"step": "4"', "step 4"),
        ('"step": null', "step None"),
    ],
)
def test_what_cannot_be_is_damage(numbers: str, what: str) -> None:
    line = f'{{"stage": "target", "event": "evaluation", {numbers}}}\n'
    assert read_line(line) is None
    assert impossible(json.loads(line)) == what


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "evaluation", "step": 0, "f1": null, "loss": 13.2, "epoch": 2.5, "seconds": 70.1, "improved": true}',
        '{"event": "evaluation", "step": 9, "f1": 1, "f1 ai": 0.0, "perplexity ai": 1133.9, "perplexity b": null}',
        '{"event": "evaluation", "step": 9, "token": 12.5, "precision": 1.0, "share_of_most_common_tag": 0.64}',
        '{"event": "warning", "step": 9, "text": "f1"}',
        '{"event": "started", "precision": "bf16"}',
    ],
)
def test_what_training_writes_is_sound(line: str) -> None:
    assert read_line(line.encode()) == json.loads(line)


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"3", b"[" * 100_000, b'{"step": 1, "text": "\xff"}'])
def test_what_is_no_object_is_damage(line: bytes) -> None:
    assert read_line(line) is None
