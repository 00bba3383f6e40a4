"""Parts of a recipe that do not go together are refused with the way out."""

from typing import Any

import pytest

from nerbridge.config.loading import parse_experiment
from nerbridge.errors import ConfigError

SOURCE = [{"datasets": ["conll2003"]}]


def parse(**tables: Any) -> None:
    given = {"name": "test", "target": {"dataset": "bionlp13pc"}, "source": SOURCE, "encoder": {"kind": "word_char"}}
    parse_experiment({**given, **tables}, where="test")


def multi(**keys: Any) -> dict[str, Any]:
    return {"kind": "multi_task", **keys}


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (
            {"transfer": multi(), "source": []},
            "the stream source/tags needs at least one [[source]]; add one or leave the stream out of transfer.streams",
        ),
        (
            {"transfer": multi(streams=["target/tags"])},
            "no stream learns from [[source]]; remove it (--set source=[]) or add source/tags to transfer.streams",
        ),
        (
            {"transfer": multi(source_raw=["a.txt"]), "source": SOURCE * 2},
            "transfer.source_raw is the text of one source, but there are several [[source]]; unite their data sets",
        ),
        (
            {"transfer": multi(streams=["source/tags", "target/words"]), "source": SOURCE * 2},
            "zero-shot transfer tags with the head of one source, but there are several [[source]]; unite them",
        ),
        (
            {"transfer": multi(streams=["source/tags", "target/tags"], target_raw=["a.txt"])},
            "transfer.target_raw has no effect without the stream target/words; add it to transfer.streams",
        ),
        (
            {"transfer": multi(target_sentences=10)},
            "transfer.target_sentences draws from transfer.target_raw, which is not given",
        ),
        (
            {"transfer": multi(streams=["source/tags", "target/tags"], mix_raw=True)},
            "transfer.mix_raw has no effect without a stream of words; add source/words and target/words",
        ),
        (
            {"transfer": multi(adversary={"kind": "dann"}, mix_raw=True)},
            "transfer.mix_raw gives both sides the same text, of which a discriminator cannot tell the domain; set "
            "transfer.mix_raw to false, or transfer.adversary.kind to none",
        ),
        (
            {
                "transfer": multi(
                    streams=["source/tags", "target/words", "target/domain"], adversary={"kind": "dann"}, mix_raw=True
                )
            },
            "transfer.mix_raw gives both sides the same text, of which the stream target/domain cannot tell the domain",
        ),
        (
            {"transfer": {"kind": "self_training", "streams": ["source/tags", "target/words"], "mix_raw": True}},
            "transfer.mix_raw would have text of the source labelled as the target's; set it to false",
        ),
        *(
            (
                {"transfer": multi(streams=["source/tags", "target/tags"], **given)},
                f"transfer.{key} has no effect without a stream of words; add source/words or target/words",
            )
            for key, given in (("words_weight", {"words_weight": 0.1}), ("words", {"words": {"log_q": True}}))
        ),
        (
            {"transfer": multi(), "context": {"kind": "bilstm", "layers": 2}},
            "from its second layer on a bilstm has read the words that a language model is to predict; set "
            "context.apart to true, context.layers to 1, or leave the words streams out of transfer.streams",
        ),
        (
            {"context": {"kind": "parameter_generation"}},
            "a parameter_generation context learns all its domains at once: "
            "set transfer.kind to multi_task, or context.kind to bilstm",
        ),
        (
            {"transfer": multi(), "context": {"kind": "parameter_generation", "tasks": ["tags"]}},
            "context.domains and context.tasks are those of the streams; leave them out",
        ),
        *(
            (
                {"transfer": multi(streams=streams), "context": {"kind": "parameter_generation"}},
                "no stream is of the target, so that a parameter_generation context has no embedding of it to tag its "
                "text with; add target/words to transfer.streams, or set context.kind to bilstm",
            )
            for streams in (["source/tags"], ["source/tags", "source/words"])
        ),
        (
            {"transfer": multi(), "source": [{"datasets": ["conll2003"], "training": {"epochs": 1}}]},
            "multi_task transfer trains in one stage; write source.training keys into [training.joint]",
        ),
        (
            {"transfer": multi(), "encoder": {"kind": "transformer"}},
            "vectors of a transformer encoder have read the whole sentence, the word to be predicted too, so that "
            "nothing is to be learnt from the stream source/words; set encoder.kind to word_char, or transfer.streams "
            'to ["source/tags", "target/tags"]',
        ),
        (
            {
                "transfer": multi(target_raw=["a.txt"], dictionary={"files": ["names"]}),
                "encoder": {"kind": "transformer"},
            },
            "vectors of a transformer encoder have read the whole sentence, the word to be predicted too, so that "
            "nothing is to be learnt from the stream source/words; raw text and names (transfer.target_raw, "
            "transfer.dictionary) need encoder.kind = word_char; without them another encoder learns from "
            'transfer.streams = ["source/tags", "target/tags"]',
        ),
        (
            {"context": {"kind": "multi_cell", "labels": {"news": ["PER"]}}},
            "context.labels and context.read_as are those of the data; leave them out",
        ),
        (
            {"transfer": multi(streams=["source/tags"], dictionary={"files": ["names"]})},
            "transfer.dictionary marks names in the text of the stream target/words; add it to transfer.streams, or "
            "leave the dictionary out",
        ),
        (
            {
                "transfer": multi(dictionary={"files": ["names"]}),
                "context": {"kind": "multi_cell", "entity_weight": 0, "attention_weight": 0},
            },
            "transfer.dictionary teaches cells or their attention, but neither learns: set context.one_cell to false "
            "and context.entity_weight or context.attention_weight above 0, or leave the dictionary out (the row of "
            "SciTech without both losses is recipes/multicell/scitech-multi-cell-lm.toml with both 0)",
        ),
        (
            {"transfer": multi(dictionary={"files": ["names"], "weight": 0.1}), "context": {"kind": "multi_cell"}},
            "transfer.dictionary.weight has no effect on cells, which have context.entity_weight and "
            "context.attention_weight; leave it out",
        ),
        ({"transfer": multi(streams=["target/words"])}, 'without "source/tags" and "target/tags" no tagger is learnt'),
        ({"transfer": multi(streams=["source/tags"] * 2)}, "streams: each may stand once"),
        *(
            (
                {"tagger": {"kind": kind, "constrained": False, "constrained_training": True}},
                "constrained_training = true has no effect with constrained = false: all sequences are legal",
            )
            for kind in ("crf", "label_aware")
        ),
    ],
)
def test_what_does_not_go_together_is_refused(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(**tables)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "tables",
    [
        {"transfer": multi()},
        {"transfer": multi(), "context": {"kind": "parameter_generation"}},
        {"transfer": multi(streams=["source/tags", "target/words"]), "context": {"kind": "parameter_generation"}},
        {"transfer": multi(streams=["source/tags"]), "context": {"kind": "bilstm"}},
        {"transfer": multi(mix_raw=True, words_weight=0.1)},
        {"transfer": multi(streams=["target/tags", "target/words"]), "source": []},
        {"transfer": {"kind": "direct"}, "source": [], "context": {"kind": "parameter_generation"}},
        {"transfer": {"kind": "direct"}, "source": [], "context": {"kind": "multi_cell"}},
        {"context": {"kind": "multi_cell"}},
        {"transfer": multi(), "context": {"kind": "bilstm", "layers": 2, "apart": True}},
        {"transfer": multi(dictionary={"files": ["names"]}), "context": {"kind": "multi_cell", "entity_weight": 0}},
        {"transfer": multi(streams=["source/tags", "target/tags"]), "encoder": {"kind": "transformer"}},
    ],
)
def test_what_goes_together_is_accepted(tables: dict[str, Any]) -> None:
    parse(**tables)
