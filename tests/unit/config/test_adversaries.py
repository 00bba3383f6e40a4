"""Settings of self-training and discriminators: what is refused, and with which words."""

from typing import Any

import pytest

from nerbridge.config.adversary import DannSettings, GradSettings
from nerbridge.config.loading import parse_experiment
from nerbridge.config.transfer import SelfTrainingSettings
from nerbridge.errors import ConfigError


def parse(**tables: Any) -> Any:
    given = {
        "name": "test",
        "source": [{"datasets": ["conll2003"]}],
        "target": {"dataset": "cbs_scitech"},
        "encoder": {"kind": "word_char"},
    }
    return parse_experiment({**given, **tables}, where="test")


def multi(*streams: str, kind: str = "multi_task", **keys: Any) -> dict[str, Any]:
    return {"kind": kind, "streams": list(streams), **keys}


DANN = {"kind": "dann"}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (
            {"transfer": multi("source/tags", "target/domain")},
            "nothing reads the stream target/domain: set transfer.adversary.kind to dann or grad",
        ),
        (
            {"transfer": multi("source/tags", adversary=DANN)},
            "a discriminator tells source from target, but no stream is of the target; add target/domain to "
            "transfer.streams, or set transfer.adversary.kind to none",
        ),
        (
            {"transfer": multi("target/tags", adversary=DANN), "source": []},
            "a discriminator tells source from target, but no stream is of the source; add source/domain to "
            "transfer.streams, or set transfer.adversary.kind to none",
        ),
        (
            {"transfer": multi("source/tags", "target/tags", adversary={"kind": "grad", "steepness": 5.0})},
            "transfer.adversary.steepness has no effect while lambda is constant; set transfer.adversary.schedule to "
            "rising",
        ),
        (
            {"transfer": multi("source/domain", "target/domain", adversary=DANN)},
            'streams: without "source/tags" and "target/tags" no tagger is learnt',
        ),
        (
            {"transfer": multi("source/tags", kind="self_training"), "context": {"kind": "parameter_generation"}},
            "a parameter_generation context reads the target otherwise than the source, so that kept sentences cannot "
            "be learnt beside those of the source; set context.kind to bilstm, or add target/tags to transfer.streams",
        ),
        (
            {"transfer": {"kind": "self_training"}, "source": [{"datasets": ["conll2003"], "training": {"epochs": 1}}]},
            "self_training transfer trains in one stage; write source.training keys into [training.joint]",
        ),
        (
            {"transfer": {"kind": "self_training"}, "corpus": {"files": ["raw.txt"]}},
            "self_training transfer learns from raw text by streams of its own: name it in transfer.target_raw and "
            "remove [corpus]",
        ),
        (
            {"transfer": multi("source/tags", adversary={"kind": "grad", "alpha": 1.0})},
            "should be less than 1, not 1.0",
        ),
        (
            {"transfer": multi("source/tags", adversary={"kind": "dann", "gamma": 1.0})},
            "transfer.adversary.gamma: kind 'dann' has no such key; it goes with transfer.adversary.kind = 'grad'",
        ),
        ({"transfer": {"kind": "self_training", "threshold": 1.5}}, "transfer.threshold: should be less than or equal"),
        ({"transfer": {"kind": "self_training", "rounds": 0}}, "transfer.rounds: should be greater than or equal to 1"),
        ({"transfer": {"kind": "multi_task", "rounds": 2}}, "transfer.rounds: kind 'multi_task' has no such key"),
    ],
)
def test_it_is_refused_with_the_way_out(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(**tables)
    assert message in str(caught.value)


def test_what_follows_from_nothing() -> None:
    strategy = parse(transfer={"kind": "self_training", "target_raw": ["a.txt"]}).transfer
    assert isinstance(strategy, SelfTrainingSettings)
    assert (strategy.streams, strategy.zero_shot, strategy.rounds) == (("source/tags",), True, 1)
    assert strategy.keeping.model_dump() == {
        "threshold": 0.9,
        "keep": "sentences",
        "confidence": "least",
        "most": None,
        "without_entity": None,
    }


def test_the_papers_values_are_the_defaults() -> None:
    dann, grad = DannSettings(), GradSettings()
    assert (dann.schedule, dann.reversal, dann.steepness) == ("rising", 1.0, 10.0)
    assert (grad.alpha, grad.gamma, grad.reversal, grad.schedule) == (0.25, 2.0, 0.7, "constant")
