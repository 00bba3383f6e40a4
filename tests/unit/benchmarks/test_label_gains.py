"""Table 4: F1 by label, those of the source apart from new ones."""

import json
from pathlib import Path
from typing import Any

import pytest
from label_gains import gains, page


def run(folder: Path, sources: list[list[str]], labels: dict[str, tuple[int, int, int]]) -> Path:
    """A run folder with (gold, predicted, correct) of each label."""
    folder.mkdir()
    counts = {one: dict(zip(("gold", "predicted", "correct"), found, strict=True)) for one, found in labels.items()}
    domains: list[dict[str, Any]] = [{"labels": names} for names in (*sources, list(labels))]
    (folder / "scores.json").write_text(json.dumps({"test": {"conlleval": {"per_label": counts}}}))
    (folder / "data.json").write_text(json.dumps({"domains": domains}))
    return folder


def test_labels_are_grouped_by_whether_the_source_has_them(tmp_path: Path) -> None:
    direct = run(tmp_path / "direct", [], {"PER": (10, 10, 5), "ORG": (4, 0, 0), "band": (6, 6, 3)})
    ours = run(
        tmp_path / "ours", [["person", "organisation"]], {"PER": (10, 10, 8), "ORG": (4, 4, 2), "band": (6, 6, 3)}
    )
    again = run(
        tmp_path / "again", [["person", "organisation"]], {"PER": (10, 10, 6), "ORG": (4, 4, 4), "band": (6, 6, 3)}
    )
    systems = {"direct": [direct], "ours": [ours, again]}
    rows = {row["row"]: row for row in gains(systems)}
    assert list(rows) == ["ORG", "PER", "in the source", "band", "not in the source", "all"]
    assert rows["ORG"]["ours"] == pytest.approx((75.0, 75.0))
    assert rows["PER"]["ours"] == pytest.approx((70.0, 20.0))
    assert rows["band"]["ours"] == pytest.approx((50.0, 0.0))
    assert rows["in the source"]["gold"] == 14
    assert rows["in the source"]["direct"][0] == pytest.approx(100 * 2 * 5 / 24)
    assert rows["all"]["ours"][0] == pytest.approx(100 * (2 * 13 / 40 + 2 * 13 / 40) / 2)
    text = page(list(rows.values()), systems)
    assert "| **in the source** | 14 | 41.67 | 71.43 (+29.76) |" in text
