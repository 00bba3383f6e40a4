"""Files that go wrong in training, and files that only look so: a message of four parts or a right result.

Every case runs in this process, and as slow tests in one of its own.
"""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from programs import forked, message_parts

from nerbridge.cli import main
from tiny_project import MUSIC, draw, write_columns, write_project, write_recipe_file

Program = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_project(tmp_path_factory.mktemp("hostile") / "project")
    write_recipe_file(folder)
    return folder


@pytest.fixture(params=["here", pytest.param("in a process", marks=pytest.mark.slow)])
def program(
    project: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """Runs a command in the project: (exit code, stdout, stderr)."""
    monkeypatch.chdir(project)
    monkeypatch.setenv("NERBRIDGE_CACHE", str(project / "cache"))
    capsys.readouterr()

    def here(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    def in_a_process(*arguments: str) -> tuple[int, str, str]:
        done = forked(*arguments, folder=project)
        return done.returncode, done.stdout, done.stderr

    return here if request.param == "here" else in_a_process


def adapt(program: Program, output: Path, **files: str) -> tuple[int, str, str]:
    """A direct adaptation to `files` that ends after two steps."""
    given = {"train": "train.txt", "dev": "dev.txt", **files}
    splits = [part for split, name in given.items() for part in (f"--target-{split}", name)]
    settings = ["--set", "training.max_steps=2", "--set", "training.batch_sentences=8"]
    return program("adapt", *splits, "--source", "", "--encoder", "encoder", *settings, "--output", str(output))


COLUMNS = "".join(f"{word}\t{tag}\n" for rows in draw(200, MUSIC, seed=1) for word, tag in [*rows]).encode()
WHOLE = gzip.compress(COLUMNS)
# name, content of train or dev, beginnings of the four parts
HOSTILE: list[tuple[str, bytes, tuple[str, str, str, str]]] = [
    (
        "cut.txt.gz",
        WHOLE[: len(WHOLE) // 2],
        ("the gzip file is damaged: ", "cut.txt.gz", "a whole gzip file", "fetch or compress the file again"),
    ),
    (
        "latin.txt",
        COLUMNS + "Zürich\tB-location\n".encode("latin-1"),
        ("the bytes at offset ", "latin.txt:", "text encoded in utf-8", "if the file is latin-1"),
    ),
    (
        "nul.txt",
        COLUMNS + b"x\0y\tO\n",
        ("character 2 of the line is NUL", "nul.txt:", "text without NUL", "the file is binary, damaged, or UTF-16"),
    ),
    ("empty.txt", b"", ("the file is empty", "empty.txt", "one word per line", "check that the file was written")),
    (
        "tag.txt",
        COLUMNS + b"Ada\tQ-person\n",
        ("tag 'Q-person' is not a BIO tag", "tag.txt:", "BIO tags: O, B-<label>, I-<label>", "correct the tag, or"),
    ),
    (
        "torn.txt",
        COLUMNS + b"Ada\n",
        ("the line has 1 column", "torn.txt:", "2 columns", ""),
    ),
]


@pytest.mark.parametrize(("name", "content", "parts"), HOSTILE, ids=[case[0] for case in HOSTILE])
@pytest.mark.parametrize("split", ["train", "dev"])
def test_damaged_files_stop_with_four_parts(
    program: Program, project: Path, tmp_path: Path, split: str, name: str, content: bytes, parts: tuple[str, ...]
) -> None:
    (project / name).write_bytes(content)
    code, out, err = adapt(program, tmp_path / "run", **{split: name})
    assert (code, out) == (2, "")
    found = message_parts(err)
    assert list(found) == ["what", "where", "expected", "hint"]
    found["where"] = found["where"].removeprefix(f"{project}/")
    for part, beginning in zip(found.values(), parts, strict=True):
        assert part.startswith(beginning), found
    assert not (tmp_path / "run" / "model").exists()


def test_a_folder_or_nothing_in_the_place_of_a_file(program: Program, project: Path, tmp_path: Path) -> None:
    code, _, err = adapt(program, tmp_path / "run", train="encoder")
    assert (code, message_parts(err)) == (
        2,
        {
            "what": f"'{project / 'encoder'}' is a folder",
            "where": str(project / "encoder"),
            "expected": "a file",
            "hint": "name one of the files in it",
        },
    )
    code, _, err = adapt(program, tmp_path / "run2", dev="def.txt")
    assert (code, message_parts(err)) == (
        2,
        {
            "what": f"'{project / 'def.txt'}' does not exist",
            "where": str(project / "def.txt"),
            "expected": "a file",
            "hint": f"nearest is '{project / 'dev.txt'}'",
        },
    )


def test_a_training_file_without_entities(program: Program, project: Path, tmp_path: Path) -> None:
    (project / "plain.txt").write_text("ada\tO\nsang\tO\n", encoding="utf-8")
    code, _, err = adapt(program, tmp_path / "run", train="plain.txt")
    assert (code, message_parts(err)) == (
        2,
        {
            "what": "no training sentence of 'plain' has an entity",
            "where": f"{project / 'plain.txt'}:1",
            "expected": "labelled spans in the training file",
            "hint": "`nerbridge data check FILE` shows how the file was read",
        },
    )


def test_an_encoder_that_is_not_there(program: Program, project: Path, tmp_path: Path) -> None:
    (project / "hollow").mkdir(exist_ok=True)
    code, _, err = program(
        "train", "recipe.toml", "--set", "encoder.checkpoint=hollow", "--output", str(tmp_path / "run")
    )
    assert code == 2
    assert set(message_parts(err)) == {"what", "where", "expected", "hint"}
    assert "hollow" in message_parts(err)["what"]


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"name = ", "the recipe cannot be read: "), (b"name = '\xff'", "the recipe cannot be read: ")],
)
def test_a_recipe_that_cannot_be_read(program: Program, project: Path, content: bytes, what: str) -> None:
    (project / "broken.toml").write_bytes(content)
    code, _, err = program("train", "broken.toml")
    assert code == 2
    parts = message_parts(err)
    assert parts["what"].startswith("the recipe cannot be read: ")
    assert (parts["where"], parts["expected"]) == ("broken.toml", "a TOML file in UTF-8")
    assert parts["hint"] == "see docs/recipes.md for an example"


def read_lines(path: Path) -> list[dict[str, list[object]]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_labels_that_only_dev_has_are_said_and_can_only_be_missed(
    program: Program, project: Path, tmp_path: Path
) -> None:
    write_columns(project / "new.txt", [*draw(6, MUSIC, seed=8), [("grammy", "B-award"), ("night", "O")]])
    code, out, err = adapt(program, tmp_path / "run", dev="new.txt")
    assert code == 0
    note = "note     train: label 'award' has no training sentence; its entities can only be missed: 1 in dev"
    assert note.replace("train", project.name, 1) in err
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())["dev"]["conlleval"]
    assert scores["per_label"]["award"]["gold"] == 1
    assert scores["micro"]["gold"] == 13
    assert out.startswith("split ")


def test_tags_without_a_label_are_one_label(program: Program, project: Path, tmp_path: Path) -> None:
    for split in ("train", "dev"):
        rows = [[(word, tag[0]) for word, tag in sentence] for sentence in draw(8, MUSIC, seed=len(split))]
        write_columns(project / f"bare-{split}.txt", rows)
    code, _, err = adapt(program, tmp_path / "run", train="bare-train.txt", dev="bare-dev.txt")
    assert code == 0
    assert "data     bare-train: 8 training, 8 dev sentences; 1 label: entity\n" in err


def test_sentences_of_3000_words_lose_nothing(program: Program, project: Path, tmp_path: Path) -> None:
    """Windows read every word; the entity at the very end is trained on, predicted and counted."""
    long = [*[("sang", "O")] * 2998, ("ada", "B-person"), ("lovelace", "I-person")]
    for split in ("train", "dev"):
        write_columns(project / f"long-{split}.txt", [*draw(3, MUSIC, seed=len(split)), long])
    code, _, _ = adapt(program, tmp_path / "run", train="long-train.txt", dev="long-dev.txt")
    assert code == 0
    splits = json.loads((tmp_path / "run" / "data.json").read_text())["domains"][0]["splits"]
    assert splits["train"]["words"] > 3000
    longest = max(read_lines(tmp_path / "run" / "predictions" / "dev.jsonl"), key=lambda line: len(line["words"]))
    assert len(longest["words"]) == len(longest["predicted_tags"]) == 3000
    assert longest["gold"] == [[2998, 3000, "person"]]


def test_words_that_the_encoder_cannot_see_keep_their_row(program: Program, project: Path, tmp_path: Path) -> None:
    odd = [("\u200b", "B-person"), ("\x07", "I-person"), ("sang", "O"), ("x" * 100_000, "O"), ("👩\u200d🚀", "B-band")]
    for split in ("train", "dev"):
        write_columns(project / f"odd-{split}.txt", [odd, *draw(3, MUSIC, seed=len(split))])
    code, _, err = adapt(program, tmp_path / "run", train="odd-train.txt", dev="odd-dev.txt")
    assert code == 0
    assert "\x07" not in err
    first = read_lines(tmp_path / "run" / "predictions" / "dev.jsonl")[0]
    assert first["words"] == [word for word, _ in odd]
    assert len(first["predicted_tags"]) == 5
    assert first["gold"] == [[0, 2, "person"], [4, 5, "band"]]


def test_byte_order_mark_crlf_and_a_missing_last_line_end_are_read(
    program: Program, project: Path, tmp_path: Path
) -> None:
    content = (project / "train.txt").read_text(encoding="utf-8").rstrip("\n").replace("\n", "\r\n")
    (project / "windows.txt").write_bytes(b"\xef\xbb\xbf" + content.encode())
    code, _, err = adapt(program, tmp_path / "run", train="windows.txt")
    assert code == 0
    assert "data     windows: 16 training, 8 dev sentences; 3 labels: band, location, person\n" in err


@pytest.fixture(scope="module")
def finished(project: Path) -> Path:
    """A run whose folder the tests below take apart."""
    arguments = ["adapt", "--target-train", str(project / "train.txt"), "--target-dev", str(project / "dev.txt")]
    arguments += ["--source", "", "--encoder", str(project / "encoder"), "--set", "training.max_steps=2"]
    assert main([*arguments, "--output", str(project / "finished")]) == 0
    return project / "finished"


@pytest.mark.parametrize(
    ("file", "content", "what"),
    [
        ("model.safetensors", None, "the bundle has no readable model.safetensors"),
        ("model.safetensors", b"", "model.safetensors has SHA-256 "),
        ("bundle.json", None, "'finished/model' is no model bundle: it has no readable bundle.json"),
        ("bundle.json", b"{", "bundle.json is damaged: "),
        ("encoder/config.json", b"{}", "encoder/config.json has SHA-256 "),
    ],
)
def test_evaluate_refuses_a_damaged_run(
    program: Program, finished: Path, file: str, content: bytes | None, what: str
) -> None:
    path = finished / "model" / file
    before = path.read_bytes()
    try:
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        code, out, err = program("evaluate", "finished", "dev.txt")
        assert (code, out) == (2, "")
        parts = message_parts(err)
        assert set(parts) == {"what", "where", "expected", "hint"}
        assert parts["what"].startswith(what)
        assert parts["where"] == f"finished/model/{file}"
    finally:
        path.write_bytes(before)


def test_evaluate_refuses_what_is_no_run(program: Program, project: Path) -> None:
    code, out, err = program("evaluate", "nowhere", "dev.txt")
    assert (code, out) == (2, "")
    assert message_parts(err) == {
        "what": "there is no run folder 'nowhere'",
        "where": "nowhere",
        "expected": "a folder that `nerbridge train` or `nerbridge adapt` wrote",
        "hint": "name the folder that the training run printed at its end",
    }
    code, _, err = program("evaluate", str(project), "dev.txt")
    assert code == 2
    assert set(message_parts(err)) == {"what", "where", "expected", "hint"}
