"""Every error that the product raises for its users has its four parts, wherever it is raised."""

import ast
from pathlib import Path

import nerbridge
from nerbridge import errors

ROOT = Path(nerbridge.__file__).parent
KINDS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
WITH_PARTS = KINDS - {"FileFaults", "MissingExtraError"}  # these two make their own


def test_every_error_has_four_parts() -> None:
    lacking = []
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WITH_PARTS:
                given = {keyword.arg for keyword in node.keywords}
                empty = {k.arg for k in node.keywords if isinstance(k.value, ast.Constant) and not k.value.value}
                missing = {"where", "expected", "hint"} - (given - empty)
                if missing and path.name != "errors.py":
                    lacking.append(f"{path.relative_to(ROOT)}:{node.lineno}: {', '.join(sorted(missing))}")
    assert lacking == []


def test_a_missing_part_has_four_parts_too() -> None:
    assert str(errors.MissingExtraError("matplotlib", "plot")) == (
        "matplotlib is not installed\n"
        "  where: the Python environment of nerbridge\n"
        "  expected: the optional part 'plot' of nerbridge\n"
        "  hint: pip install 'nerbridge[plot]'"
    )
