"""What a journal says of stages beside scores."""

from typing import Any

import pytest

from nerbridge.evaluation.stage_facts import stage_facts, stage_rows

PARAMETERS = {"all": 10, "trainable": 8, "encoder": 6, "context": 0, "heads": 4}
COUNTS = {
    "read": 30,
    "kept": 5,
    "dropped": 25,
    "kept_without_entity": 2,
    "sure_without_entity": 9,
    "labels": {"person": {"kept": 4, "dropped": 1}},
}


def event(name: str, stage: str = "round-1", **values: Any) -> dict[str, Any]:
    return {"stage": stage, "event": name, "step": 0, **values}


def told(accuracies: list[float], **finished: Any) -> list[dict[str, Any]]:
    rows = [
        event("evaluation", step=step, f1=0.5, discriminator_accuracy=accuracy)
        for step, accuracy in enumerate(accuracies, start=1)
    ]
    return [*rows, event("finished", step=9, **finished)]


def test_sizes_and_kept_answers_of_each_stage() -> None:
    journal = [
        event("started", "round-0", parameters=PARAMETERS),
        event("finished", "round-0", f1=None, best_f1=None, best_step=None),
        event("own_labels", **COUNTS),
        event("started", parameters=PARAMETERS),
        event("resumed", parameters={**PARAMETERS, "all": 11}),
    ]
    facts = stage_facts(journal)
    assert facts == {
        "round-0": {"parameters": PARAMETERS},
        "round-1": {"own_labels": COUNTS, "parameters": {**PARAMETERS, "all": 11}},
    }
    first, second = stage_rows(facts)
    assert first == {"stage": "round-0", **{f"{name} parameters": number for name, number in PARAMETERS.items()}}
    assert second | {"all parameters": 10} == {
        **first,
        "stage": "round-1",
        "sentences kept": 5,
        "sentences dropped": 25,
        "sentences kept without entity": 2,
        "person kept / dropped": "4 / 1",
    }


@pytest.mark.parametrize(
    ("finished", "expected"),
    [
        ({"f1": 0.8, "best_f1": 0.8, "best_step": 2}, 0.6),  # the best weights were kept
        ({"f1": 0.7, "best_f1": 0.8, "best_step": 2}, 0.9),  # the last ones
    ],
)
def test_the_discriminator_is_that_of_the_weights_that_were_kept(finished: dict[str, Any], expected: float) -> None:
    facts = stage_facts(told([0.7, 0.6, 0.9], **finished))
    assert facts == {"round-1": {"discriminator_accuracy": expected}}
    assert stage_rows(facts) == [{"stage": "round-1", "discriminator accuracy (%)": 100 * expected}]


@pytest.mark.parametrize(
    ("finished", "expected"),
    [
        ({"f1": 0.0, "best_f1": 0.0, "best_step": 1, "kept_step": 2}, (80.44, 0.25)),  # the last weights, no better
        ({"f1": 0.0, "best_f1": 0.0, "best_step": 1, "kept_step": 1}, (90.44, 0.125)),
        ({"f1": 0.0, "best_f1": 0.0, "best_step": 1}, (90.44, 0.125)),  # a journal of an earlier version
    ],
)
def test_watched_streams_are_those_of_the_weights_that_were_kept(
    finished: dict[str, Any], expected: tuple[float, float]
) -> None:
    watched = [{"perplexity news": 90.44, "f1 tech": 0.125}, {"perplexity news": 80.44, "f1 tech": 0.25}]
    evaluated = [event("evaluation", **{**one, "step": step, "f1": 0.0}) for step, one in enumerate(watched, start=1)]
    facts = stage_facts([*evaluated, event("finished", **finished)])
    perplexity, score = expected
    assert facts == {"round-1": {"perplexity news": perplexity, "f1 tech": score}}
    shown = {"perplexity of news": round(perplexity, 1), "dev F1 of tech (%)": round(100 * score, 1)}
    assert stage_rows(facts) == [{"stage": "round-1", **shown}]


def test_journals_of_other_times_have_no_facts() -> None:
    assert stage_facts([]) == {}
    assert stage_facts([event("started"), event("evaluation", f1=0.5), event("finished", f1=0.5, best_f1=0.5)]) == {}
    assert stage_facts([event("finished", f1=0.5, best_f1=0.5, best_step=3)]) == {}
    assert stage_rows({}) == []
