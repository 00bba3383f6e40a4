"""`import nerbridge` is instant, and `__all__` is true."""

import subprocess
import sys

import pytest

import nerbridge

HEAVY = ("torch", "transformers", "pydantic", "numpy", "tokenizers", "typer", "jinja2")


@pytest.mark.parametrize("name", nerbridge.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(nerbridge, name) is not None
    assert name in dir(nerbridge)


def test_nothing_else_is_promised() -> None:
    assert nerbridge.__all__ == ["Pipeline", "Sentence", "Span", "__version__", "adapt", "load", "score"]
    with pytest.raises(AttributeError, match="module 'nerbridge' has no attribute 'sokre'"):
        nerbridge.sokre  # noqa: B018


def test_importing_it_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from nerbridge import Pipeline, Sentence, Span, load, score\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_score_counts_spans() -> None:
    gold, found = [[nerbridge.Span(0, 2, "player")]], [[nerbridge.Span(0, 2, "player"), nerbridge.Span(5, 6, "place")]]
    scores = nerbridge.score(gold=gold, predicted=found)
    assert (scores.precision, scores.recall) == (0.5, 1.0)
