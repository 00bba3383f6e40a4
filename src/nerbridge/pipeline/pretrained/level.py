"""The corpus level of an experiment: the sentences of its built corpus that the encoder learns from."""

from collections.abc import Mapping
from typing import Any

from nerbridge.config.gazetteer import LEVELS
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.gazetteer import Gazetteer, such_as
from nerbridge.corpus.selection import finished, select_levels
from nerbridge.corpus.selection_record import unfound
from nerbridge.corpus.selection_request import SelectionRequest
from nerbridge.pipeline.pretrained.names import check_names, describe_names, remarks, specialised_of
from nerbridge.pipeline.pretrained.work import RawWork, drop_damaged
from nerbridge.pipeline.processes import held, is_main, wait_for_all
from nerbridge.wording import counted

EXAMPLES = 1  # sentences of a level that are shown
LONGEST_EXAMPLE = 300  # characters


def level_request(work: RawWork, corpus: CorpusFolder, gazetteer: Gazetteer) -> SelectionRequest:
    """What is chosen, from what, by which names. Raises ConfigError when the level cannot be made of these names."""
    choice, specialised = work.experiment.selection, specialised_of(work.experiment, work.data)
    check_names(gazetteer, specialised, work)
    return SelectionRequest(corpus, gazetteer, specialised, work.experiment.gazetteer.cleaning, choice.selection)


def finished_level(work: RawWork, request: SelectionRequest) -> CorpusFolder | None:
    """The level as an earlier run has left it; None where there is none."""
    key = request.key(request.inputs())
    folder = work.folder("levels", key) / work.experiment.selection.level
    return CorpusFolder(folder) if finished(folder, key) is not None else None


def make_level(work: RawWork, request: SelectionRequest) -> CorpusFolder:
    """The level, from the cache or chosen now. Raises what `select_levels` raises."""
    level = work.experiment.selection.level
    key = request.key(request.inputs())
    folder = work.folder("levels", key)
    with held(folder, work.say, work="choosing these sentences"):
        if is_main():
            for name in LEVELS:
                drop_damaged(folder / name, work.say)
            there = finished_level(work, request) is not None
            named = work.experiment.selection.needs_names
            if named:
                work.say(f"names    {describe_names(request.gazetteer)}")
            for line in remarks(work, request.gazetteer) if named and not there else ():
                work.say(f"names    {line}")
            record = finished(folder / level, key) or select_levels(request, folder)
            for line in unused(record) if named and not there else ():
                work.say(f"names    {line}")
            work.say(f"level    {'already chosen, ' if there else ''}{describe_level(record, level)}")
            for line in () if there else examples(record, level):
                work.say(f"level    for example: {line}")
        wait_for_all()
    return CorpusFolder(folder / level)


def unused(record: Mapping[str, Any]) -> list[str]:
    """The names that are not looked for, by reason, specialised labels without names, and labels without a match."""
    prepared = record["gazetteer"]["prepared"]
    lines = [
        f"{count:,} not looked for: {reason}{such_as(prepared['examples'].get(reason, ()))}"
        for reason, count in prepared["left_out"].items()
    ]
    if nameless := record["specialised_without_names"]:
        lines.append(f"specialised labels without names: {', '.join(nameless)}")
    return lines + unfound(record)


def describe_level(record: Mapping[str, Any], level: str) -> str:
    """'integrated: 1,200 sentences, 24,000 words, 0.61 times the corpus; task level by names of band, song'."""
    size = record["levels"][level]
    text = f"{level}: {counted(size['sentences'], 'sentence')}, {counted(size['words'], 'word')}, "
    text += f"{size['ratio']:.2f} times the corpus"
    if level in ("task", "integrated"):
        text += f"; specialised labels: {', '.join(record['specialised'])}"
    return text


def examples(record: Mapping[str, Any], level: str) -> list[str]:
    """A sentence of the level to look at, its names marked."""
    kinds = {"entity": ("entity", "entity and task"), "task": ("task", "entity and task")}
    wanted = kinds.get(level, ("entity and task", "task", "entity"))
    texts = [text for kind in wanted for text in record["examples"][kind]][:EXAMPLES]
    return [text if len(text) <= LONGEST_EXAMPLE else f"{text[:LONGEST_EXAMPLE]} ..." for text in texts]
