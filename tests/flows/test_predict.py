"""`nerbridge predict` on a tiny model: every input and output, whole outputs compared; hostile input; broken pipes."""

import gzip
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tagged_runs import make_run

import nerbridge
from nerbridge.cli import main
from nerbridge.inference.document import Entity

pytestmark = pytest.mark.xdist_group("predict")  # one process trains the tiny model

Predict = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("predict") / "run")


@pytest.fixture
def predict(run: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Predict:
    """Calls the command in this process: (exit code, stdout, stderr)."""

    def call(*arguments: object, stdin: bytes = b"", model: Path = run) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))  # type: ignore[arg-type]
        code = main(["predict", str(model), *map(str, arguments), "--device", "cpu", "--threads", "1"])
        return code, *capsys.readouterr()

    return call


def installed(run: Path, *arguments: object, stdin: bytes = b"") -> tuple[int, str, str]:
    """Calls the installed program: (exit code, stdout, stderr)."""
    program = Path(sys.executable).with_name("nerbridge")
    command = [str(program), "predict", str(run), *map(str, arguments), "--device", "cpu", "--threads", "1"]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def without_speed(text: str) -> str:
    return re.sub(r"[\d,]+ words per second", "N words per second", text)


def records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def found(out: str) -> list[list[str]]:
    """Per record the texts of its entities; offsets are checked on the way."""
    for record in records(out):
        for entity in record["entities"]:
            if "text" in record:
                assert record["text"][entity["start"] : entity["end"]] == entity["text"]
    return [[entity["text"] for entity in record["entities"]] for record in records(out)]


def test_lines_of_standard_input(predict: Predict) -> None:
    code, out, err = predict("-", stdin="🙂  Ada Lovelace wrote to the Royal Society.\r\n\nBob sang".encode())
    scores = re.compile(r"\"score\": [01]\.\d+")
    assert scores.sub('"score": S', out) == (
        '{"text": "🙂  Ada Lovelace wrote to the Royal Society.", "entities": ['
        '{"start": 3, "end": 15, "label": "person", "text": "Ada Lovelace", "score": S}, '
        '{"start": 29, "end": 42, "label": "organisation", "text": "Royal Society", "score": S}]}\n'
        '{"text": "", "entities": []}\n'
        '{"text": "Bob sang", "entities": [{"start": 0, "end": 3, "label": "person", "text": "Bob", "score": S}]}\n'
    )
    assert without_speed(err) == (
        "3 texts, 11 words, 3 entities, N words per second, 0 words without pieces, 1 word with unknown pieces\n"
    )
    assert code == 0


def test_standard_input_is_the_default(predict: Predict) -> None:
    assert found(predict(stdin=b"bob sang in london")[1]) == [["bob", "london"]]


def test_offsets_in_utf16_units(predict: Predict) -> None:
    (record,) = records(predict("--offsets", "utf16", stdin="🙂  Bob sang".encode())[1])
    assert [(entity["start"], entity["end"]) for entity in record["entities"]] == [(4, 7)]


def test_several_files_of_several_formats(predict: Predict, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Bob sang\n")
    inputs = [{"id": 1, "text": "Bob sang in London"}, {"words": ["ada", "lovelace", "sang"]}]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, inputs)))
    (tmp_path / "c.conll").write_text("Bob\tO\nsang\tO\n\nada\tX\nlovelace\tX\n")
    code, out, _ = predict(*sorted(tmp_path.iterdir()))
    assert found(out) == [["Bob"], ["Bob", "London"], ["ada lovelace"], ["Bob"], ["ada lovelace"]]
    assert [sorted(record) for record in records(out)] == [
        ["entities", "text"], ["entities", "id", "text"], *[["entities", "words"]] * 3
    ]  # fmt: skip
    assert code == 0


def test_a_whole_file_is_one_text(predict: Predict, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Bob sang.\n\nAda Lovelace wrote.\n")
    assert found(predict(path, "--whole-file")[1]) == [["Bob", "Ada Lovelace"]]


def test_columns_out(predict: Predict) -> None:
    _, out, err = predict("--format", "conll", "--scheme", "BILOU", stdin=b"Ada Lovelace wrote. Bob sang.")
    assert out == "Ada\tB-person\nLovelace\tL-person\nwrote\tO\n.\tO\n\nBob\tU-person\nsang\tO\n.\tO\n\n"
    assert err.startswith("1 text, 7 words, 2 entities, ")


def test_html_out(predict: Predict) -> None:
    _, out, _ = predict("--format", "html", stdin=b"<b>\nBob sang")
    assert out.startswith("<!doctype html>")
    mark = r'<mark class="label-2" title="person, score [01]\.\d\d">Bob<small>person</small></mark>'
    assert re.search(f"<article>{mark} sang</article>", out)
    assert "<b>" not in out
    assert [f">{label}</mark>" in out for label in ("location", "organisation", "person")] == [True] * 3


def test_min_score_leaves_out(predict: Predict) -> None:
    assert found(predict("--min-score", "1", stdin=b"bob sang")[1]) == [[]]


def test_output_goes_to_a_file_whole(predict: Predict, tmp_path: Path) -> None:
    code, out, _ = predict("--output", tmp_path / "out" / "a.jsonl", stdin=b"bob sang")
    assert (code, out) == (0, "")
    assert found((tmp_path / "out" / "a.jsonl").read_text()) == [["bob"]]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.jsonl"]


def test_an_earlier_output_survives_when_nothing_could_be_tagged(predict: Predict, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("earlier")
    code, _, _ = predict(tmp_path / "missing.txt", "--output", tmp_path / "out")
    assert (code, (tmp_path / "out").read_text()) == (2, "earlier")


def test_python_says_the_same(run: Path, predict: Predict) -> None:
    text = "Ada Lovelace wrote to the Royal Society. Bob sang in London."
    pipeline = nerbridge.load(run, device="cpu")
    document = pipeline(text)
    (record,) = records(predict(stdin=text.encode())[1])
    assert [{**entity, "score": None} for entity in record["entities"]] == [
        {"start": one.start, "end": one.end, "label": one.label, "text": one.text, "score": None}
        for one in document.entities
    ]
    assert [entity["score"] for entity in record["entities"]] == pytest.approx(
        [entity.score for entity in document.entities], abs=1e-4
    )
    assert pipeline.labels == ("location", "organisation", "person")
    assert pipeline.source == run / "stage" / "model"
    (sentence,) = pipeline.tag_words([["ada", "lovelace", "sang"]])
    assert sentence.mentions() == ("ada lovelace",)


def test_what_is_said_does_not_depend_on_what_is_tagged_with_it(run: Path) -> None:
    texts = ["bob sang", "Ada Lovelace wrote to the Royal Society in London. " * 20, "", "the royal society"] * 5
    pipeline = nerbridge.load(run, device="cpu")
    together = pipeline(texts)
    alone = [pipeline(text) for text in texts]
    assert [list(map(_place, document.entities)) for document in together] == [
        list(map(_place, document.entities)) for document in alone
    ]


def _place(entity: Entity) -> tuple[int, int, str]:
    return entity.start, entity.end, entity.label


# --- hostile input: a right result, or one message of four parts and exit code 2; what is sound is tagged all the same


def lines_of(*lines: bytes) -> bytes:
    return b"\n".join(lines) + b"\n"


GOOD = b"Bob sang"
HOSTILE_TEXT: dict[str, tuple[str, bytes, list[list[str]], str]] = {
    "latin-1": (
        "a.txt",
        lines_of(GOOD, b"Beyonc\xe9 sang", b"Ada Lovelace wrote"),
        [["Bob"], ["Ada Lovelace"]],
        "error: 1 input was left out, 2 tagged\n"
        "  the bytes at offset 15 are not utf-8\n"
        "    at {path}:2\n"
        "  where: {path}:2\n"
        "  expected: text encoded in utf-8\n"
        "  hint: if the file is latin-1, read it with `--encoding latin-1` or convert it with iconv\n",
    ),
    "nul": (
        "a.txt",
        lines_of(b"b\0b", GOOD, b"b\0b"),
        [["Bob"]],
        "error: 2 inputs were left out, 1 tagged\n"
        "  character 2 of the line is NUL\n"
        "    at {path}:1\n"
        "  character 2 of the line is NUL\n"
        "    at {path}:3\n"
        "  where: {path}:1\n"
        "  expected: text without NUL characters\n"
        "  hint: the file is binary, damaged, or UTF-16; the last reads with `--encoding utf-16`\n",
    ),
    "truncated gzip": (
        "a.txt.gz",
        gzip.compress(lines_of(GOOD, GOOD))[:-4],
        [["Bob"], ["Bob"]],
        "error: 1 input was left out, 2 tagged\n"
        "  the gzip file is damaged: Compressed file ended before the end-of-stream marker was reached\n"
        "    at {path}\n"
        "  where: {path}\n"
        "  expected: a whole gzip file\n"
        "  hint: fetch or compress the file again; `gzip -t` checks it\n",
    ),
    "broken json": (
        "a.jsonl",
        lines_of(b'{"text": "Bob sang"}', b'{"text": "Bob'),
        [["Bob"]],
        "error: 1 input was left out, 1 tagged\n"
        "  the line is not JSON: Unterminated string starting at\n"
        "    at {path}:2\n"
        "  where: {path}:2\n"
        '  expected: an object with a string "text" or a list "words"\n'
        '  hint: a line looks like {{"text": "Ada Lovelace wrote."}} or '
        '{{"words": ["Ada", "Lovelace", "wrote", "."]}}\n',
    ),
    "3,000 words": ("a.txt", b"Bob sang " * 1500, [["Bob"] * 1500], ""),
    "100,000 characters": ("a.txt", b"x" * 100_000 + b" and Bob sang", [["Bob"]], ""),
    "invisible words": ("a.txt", "\u200b \u2060 \ufeff\x07 Bob sang".encode(), [["Bob"]], ""),
    "emoji and accents": ("a.txt", "🙂👩‍👧 Bo\u0301b sang".encode(), [["Bo\u0301b"]], ""),
    "empty": ("a.txt", b"", [], ""),
    "empty whole": ("a.jsonl", b"\n \n", [], ""),
}


def check_hostile_text(call: Callable[..., tuple[int, str, str]], folder: Path, name: str) -> None:
    file, content, entities, message = HOSTILE_TEXT[name]
    path = folder / file
    path.write_bytes(content)
    code, out, err = call(path)
    summary, _, said = err.partition("\n")
    assert re.match(r"\d+ texts?, [\d,]+ words?, [\d,]+ entit(y|ies), [\d,]+ words per second, \d+ words? ", summary)
    assert said == message.format(path=path)
    assert code == (2 if message else 0)
    if name == "3,000 words":  # the last entity of a sentence of many windows is there
        assert records(out)[0]["entities"][-1]["start"] > 13_000
    elif name in ("latin-1", "nul", "truncated gzip", "broken json", "empty", "empty whole"):
        assert found(out) == entities
    else:
        assert "Traceback" not in err
        assert [record["text"] for record in records(out)] == [content.decode()]
        found(out)


@pytest.mark.parametrize("name", HOSTILE_TEXT)
def test_hostile_text(predict: Predict, tmp_path: Path, name: str) -> None:
    check_hostile_text(predict, tmp_path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_TEXT)
def test_hostile_text_through_the_installed_command(run: Path, tmp_path: Path, name: str) -> None:
    check_hostile_text(lambda path: installed(run, path), tmp_path, name)


@pytest.mark.parametrize("through", ["process", pytest.param("installed", marks=pytest.mark.slow)])
def test_a_folder_and_a_missing_file(run: Path, predict: Predict, tmp_path: Path, through: str) -> None:
    call = predict if through == "process" else lambda *arguments: installed(run, *arguments)
    assert call(tmp_path) == (
        2,
        "",
        f"error: '{tmp_path}' is a folder\n"
        f"  where: {tmp_path}\n  expected: a file\n  hint: name one of the files in it\n",
    )
    (tmp_path / "text.txt").write_bytes(GOOD)
    code, out, err = call(tmp_path / "test.txt", tmp_path / "text.txt")
    assert (code, found(out)) == (2, [["Bob"]])
    assert err.partition("\n")[2] == (
        "error: 1 input was left out, 1 tagged\n"
        f"  '{tmp_path}/test.txt' does not exist\n    at {tmp_path}/test.txt\n"
        f"  where: {tmp_path}/test.txt\n  expected: a file\n  hint: nearest is '{tmp_path}/text.txt'\n"
    )


DAMAGE: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no bundle.json": (lambda model: (model / "bundle.json").unlink(), "there is no model in '{run}'", "{model}"),
    "no weights": (
        lambda model: (model / "model.safetensors").unlink(),
        "the bundle has no readable model.safetensors",
        "{model}/model.safetensors",
    ),
    "short weights": (
        lambda model: (model / "model.safetensors").write_bytes((model / "model.safetensors").read_bytes()[:-9]),
        "",
        "{model}/model.safetensors",
    ),
    "half bundle.json": (
        lambda model: (model / "bundle.json").write_text((model / "bundle.json").read_text()[:99]),
        "bundle.json is damaged: ",
        "{model}/bundle.json",
    ),
    "no encoder": (lambda model: shutil.rmtree(model / "encoder"), "the bundle has no ", "{model}/encoder"),
    "no tokenizer": (lambda model: (model / "encoder" / "tokenizer.json").unlink(), "", "{model}/encoder"),
    "half tokenizer": (
        lambda model: (model / "encoder" / "tokenizer.json").write_text("{"),
        "",
        "{model}/encoder",
    ),
    "half encoder": (lambda model: (model / "encoder" / "config.json").write_text("{"), "", "{model}/encoder"),
    "no encoder config": (lambda model: (model / "encoder" / "config.json").unlink(), "", "{model}/encoder"),
}


def check_damage(call: Callable[..., tuple[int, str, str]], run: Path, folder: Path, name: str) -> None:
    damage, what, where = DAMAGE[name]
    damaged = Path(shutil.copytree(run, folder / "run"))
    model = damaged / "stage" / "model"
    damage(model)
    code, out, err = call(damaged)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert lines[0].startswith("error: " + what.format(run=damaged))
    for part, start in (("where", where.format(model=model)), ("expected", ""), ("hint", "")):
        (line,) = [line for line in lines if line.startswith(f"  {part}: ")]
        assert re.match(rf"  {part}: {re.escape(start)}", line)
        assert len(line) > len(f"  {part}: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_run_is_named(run: Path, predict: Predict, tmp_path: Path, name: str) -> None:
    check_damage(lambda folder: predict(model=folder, stdin=GOOD), run, tmp_path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_run_is_named_by_the_installed_command(run: Path, tmp_path: Path, name: str) -> None:
    check_damage(lambda folder: installed(folder, stdin=GOOD), run, tmp_path, name)


def test_an_encoding_that_is_none(predict: Predict) -> None:
    assert predict("--encoding", "utf-9") == (
        2,
        "",
        "error: 'utf-9' is not an encoding\n  where: --encoding\n"
        "  expected: a name such as utf-8, latin-1, cp1252 or utf-16\n"
        "  hint: leave `--encoding` out if the files are UTF-8\n",
    )


def test_a_device_that_is_not_there(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(run), "--device", "cuda:99"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(
        r"error: device 'cuda:99' cannot be used: .+\n"
        r"  where: device\n"
        r"  expected: cpu.*\n"
        r"  hint: leave the device out: the GPU is taken where there is one\n",
        err,
    )


def test_a_reader_that_has_seen_enough_ends_it_quietly(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"Bob sang\n" * 5_000)
    program = Path(sys.executable).with_name("nerbridge")
    shell = f"{program} predict {run} {path} --device cpu --threads 1 | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (len(done.stdout.splitlines()), done.stderr, done.returncode) == (1, "", 141)
