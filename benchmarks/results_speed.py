"""How fast a row's tagger tags, as the files of the speed benchmarks say."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple


class Measured(NamedTuple):
    """Where a number stands: a file of benchmarks/results, and the keys that lead to it. about: what it holds for."""

    file: str
    keys: tuple[str, ...]
    about: str = ""


LABEL_AWARE = {
    "linear": ("results", "decoding", "linear"),
    "crf": ("results", "decoding", "crf"),
    "label-aware": ("results", "decoding", "label_aware"),
}
LIGHT = {
    "bilstm 200, crf": "BiLSTM-CRF, 200 wide",
    "parameter generation 200, crf": "parameter generation, CRF, 200 wide",
    "bilstm 2 x 512, crf": "BiLSTM-CRF, 2 layers, 512 wide",
    "bilstm 2 x 512, coach": "Coach, 2 layers, 512 wide",
}
WORDS_ALONE = "BiLSTM-CRF, words alone, 200 wide"
CELLS = "multi-cell, CRF, 200 wide"
SPEEDS: Mapping[tuple[str, str], Measured] = {
    **{("mpnet", tagger): Measured("label-aware-mpnet-h100.json", keys) for tagger, keys in LABEL_AWARE.items()},
    **{("minilm", tagger): Measured("label-aware-minilm-cpu.json", keys) for tagger, keys in LABEL_AWARE.items()},
    **{("GloVe", tagger): Measured("light-cpu.json", ("contestants", name)) for tagger, name in LIGHT.items()},
    ("GloVe, words alone", "bilstm 200, crf"): Measured("light-cpu.json", ("contestants", WORDS_ALONE)),
    ("GloVe", "multi cell 200, crf"): Measured("light-cpu.json", ("contestants", CELLS), "ten cells"),
}


def speed_of(row: Mapping[str, Any], folder: Path) -> str:
    """'111,468 (H100)' or '8,568 (CPU, 2 threads)'; empty where nothing of this kind was measured.

    A pre-trained encoder is as fast as the one it started from.
    """
    base = row["encoder"].removesuffix(f" + {row['pre_trained']}")
    first, comma, rest = base.partition(",")
    name = f"GloVe{comma}{rest}" if first.startswith("GloVe") and " + " not in first else base
    measured = SPEEDS.get((name, row["tagger"]))
    if measured is None or not (folder / measured.file).is_file():
        return ""
    content = _content(folder / measured.file)
    found = content
    for key in measured.keys:
        found = found.get(key, {})
    if "words_per_second" not in found:
        return ""
    machine = content["machine"]
    threads = machine["threads"]
    where = short_device(machine["device"])
    where += f", {threads} thread{'s' if threads > 1 else ''}" if where == "CPU" else ""
    where = f"{measured.about}, {where}" if measured.about else where
    return f"{found['words_per_second']:,.0f} ({where})"


def short_device(name: str) -> str:
    """'NVIDIA H100 80GB HBM3' -> 'H100', 'cpu' -> 'CPU'; several are joined by 'and'."""
    return " and ".join(
        "CPU" if one == "cpu" else one.removeprefix("NVIDIA ").partition(" ")[0] for one in name.split(", ")
    )


@cache
def _content(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
