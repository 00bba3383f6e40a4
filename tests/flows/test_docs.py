"""The pages say what is true: links lead somewhere, commands, options, keys, recipes and targets exist."""

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import documents
import pytest
import typer
from pydantic.fields import FieldInfo

from nerbridge.cli import app
from nerbridge.cli.app import build_app
from nerbridge.config.corpus import CorpusSettings, FilterSettings, RawTextSettings
from nerbridge.config.language_models import ElmoSettings, FlairSettings, LanguageModelTraining
from nerbridge.config.listing import known_keys
from nerbridge.config.loading import parse_experiment
from nerbridge.config.pretraining import PretrainingSettings

ROOT = documents.ROOT
APP: Any = typer.main.get_command(build_app())


@pytest.mark.parametrize("page", documents.PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for file, anchor in documents.links(page):
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), f"{page.name} links to {file}"
        if anchor:
            assert anchor in documents.anchors(target), f"{page.name} links to {file}#{anchor}"


def find_command(words: list[str]) -> tuple[Any, list[str]]:
    """The command that `words` name, and its arguments."""
    command, rest = APP, list(words)
    while rest and hasattr(command, "commands"):
        assert rest[0] in command.commands, f"there is no command '{rest[0]}'"
        command = command.commands[rest.pop(0)]
    return command, rest


@pytest.mark.parametrize(("place", "words"), [pytest.param(*one, id=one[0]) for one in documents.shell_commands()])
def test_commands_can_be_called_as_written(place: str, words: list[str]) -> None:
    command, arguments = find_command(words)
    command.make_context(command.name, arguments)  # parses, checks, and runs nothing


@pytest.mark.parametrize(("place", "words"), [pytest.param(*one, id=one[0]) for one in documents.mentioned_commands()])
def test_mentioned_commands_and_options_exist(place: str, words: list[str]) -> None:
    command, arguments = find_command(words)
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    assert {word for word in arguments if re.fullmatch(r"--?[a-z][a-z-]*", word)} <= known


def test_there_are_commands_to_look_at() -> None:
    assert len(list(documents.shell_commands())) > 15
    assert len(list(documents.mentioned_commands())) > 15


def keys_of(page: Path) -> frozenset[str]:
    """The keys that `--set` takes in the commands of a page."""
    match page.name:
        case "pretraining.md":
            return frozenset(PretrainingSettings.model_fields)
        case "corpus.md":
            return frozenset(corpus_keys())
        case "language-models.md":
            return known_keys() | frozenset(ElmoSettings.model_fields) | frozenset(FlairSettings.model_fields)
        case _:
            return known_keys()


def corpus_keys() -> dict[str, FieldInfo]:
    """The keys of `corpus build --set`, those of inner tables with the name of their table."""
    inner = {"text": RawTextSettings, "filters": FilterSettings}
    keys = {key: field for key, field in CorpusSettings.model_fields.items() if key not in inner}
    for table, settings in inner.items():
        keys |= {f"{table}.{key}": field for key, field in settings.model_fields.items()}
    return keys


@pytest.mark.parametrize("page", documents.PAGES, ids=lambda page: page.name)
def test_overridden_keys_exist(page: Path) -> None:
    for key in re.findall(r"--set '?([a-z_0-9.]+)=", page.read_text(encoding="utf-8")):
        assert re.sub(r"\.\d+", "", key) in keys_of(page) | {"key"}, f"{page.name}: --set {key}"


@pytest.mark.parametrize("page", [page for page in documents.PAGES if page.parent.name == "docs"], ids=lambda p: p.name)
def test_keys_named_in_the_text_exist(page: Path) -> None:
    text = documents.FENCE.sub("", page.read_text(encoding="utf-8"))
    for key in re.findall(r"`((?:training|transfer|tagger|encoder|target|source)\.[a-z_.]+)", text):
        assert key in known_keys(), f"{page.name}: {key}"


@pytest.mark.parametrize("page", documents.PAGES, ids=lambda page: page.name)
def test_recipes_and_make_targets_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for path in re.findall(r"recipes/[\w/.-]+\.toml", text):
        assert (ROOT / path).is_file(), f"{page.name}: {path}"
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for target in re.findall(r"(?:^|`)make ([a-z]+)", text, re.MULTILINE):
        assert target in targets, f"{page.name}: make {target}"


def test_every_recipe_is_named_in_its_page() -> None:
    text = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    names = [path.relative_to(ROOT / "recipes") for path in (ROOT / "recipes").rglob("*.toml")]
    assert [str(name) for name in names if f"{name.name}" not in text and f"{name.parent}/*.toml" not in text] == []


@pytest.mark.parametrize("block", documents.blocks("toml"), ids=str)
def test_recipes_in_the_text_are_valid(block: documents.Block) -> None:
    tables = tomllib.loads(block.text)
    defaults = {"name": "x", "target": {"dataset": "crossner/ai"}, "source": [{"datasets": ["conll2003"]}]}
    parse_experiment({**defaults, **tables}, where=str(block))


@pytest.mark.parametrize("block", documents.blocks("json"), ids=str)
def test_json_lines_in_the_text_can_be_read(block: documents.Block, tmp_path: Path) -> None:
    from nerbridge.data.reading import read_sentences

    path = tmp_path / "example.jsonl"
    path.write_text(block.text, encoding="utf-8")
    sentences = read_sentences(path).sentences
    assert len(sentences) == len([json.loads(line) for line in block.text.splitlines()])
    assert {(sentence.mention(span), span.label) for sentence in sentences for span in sentence.spans} == {
        ("Ada", "person")
    }


def test_the_column_files_in_the_text_can_be_read(tmp_path: Path) -> None:
    from nerbridge.data.reading import read_sentences

    found = []
    for block in (block for block in documents.blocks("text") if block.page.name == "data.md"):
        path = tmp_path / "example.txt"
        path.write_text(block.text, encoding="utf-8")
        sentences = read_sentences(path).sentences
        found.append([[(one.mention(span), span.label) for span in one.spans] for one in sentences])
    assert found == [[[("Ada Lovelace", "person")]], [[("Ada", "person")], [("Oslo", "city")]]]


def test_the_table_of_keys_is_fresh() -> None:
    path = ROOT / "docs" / "write_settings.py"
    spec = importlib.util.spec_from_file_location("write_settings", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = module.PAGE.read_text(encoding="utf-8")
    assert page == module.refreshed(page), "run `make docs`"


def test_every_key_has_a_description() -> None:
    from nerbridge.config.listing import list_tables

    assert [f"{table.name}.{row.key}" for table in list_tables() for row in table.rows if not row.description] == []
    assert [table.name for table in list_tables() if not table.about] == []


@pytest.mark.parametrize(
    ("page", "keys"), [("pretraining.md", PretrainingSettings.model_fields), ("corpus.md", corpus_keys())]
)
def test_the_keys_of_a_page_are_all_there(page: str, keys: dict[str, FieldInfo]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in text.splitlines() if re.match(r"\| `[^|]*\|[^|]*\| `", line)}
    assert list(rows) == list(keys)
    for key, field in keys.items():
        value = field.default
        default = json.dumps(value) if isinstance(value, bool | str) else "none" if value is None else str(value)
        assert rows[key].endswith(f"| `{default}` | {field.description} |"), key


def test_the_keys_of_language_models_are_all_there() -> None:
    text = (ROOT / "docs" / "language-models.md").read_text(encoding="utf-8").partition("## Every key")[2]
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    shared = LanguageModelTraining.model_fields
    own = [{k: f for k, f in one.model_fields.items() if k not in shared} for one in (ElmoSettings, FlairSettings)]
    keys = [(key, field) for table in (shared, *own) for key, field in table.items() if key != "model"]
    assert [row.split("`")[1] for row in rows] == [key for key, _ in keys]
    for row, (_, field) in zip(rows, keys, strict=True):
        value = field.default
        default = json.dumps(value) if isinstance(value, bool | str) else "none" if value is None else str(value)
        assert row.endswith(f"| `{default}` | {field.description} |"), row


def test_the_readme_has_every_command_and_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table, read_on = readme.partition("## Commands")[2].partition("## Read on")[::2]
    rows = [line for line in table.partition("\n## ")[0].splitlines() if line.startswith("| `nerbridge")]
    words = {word for row in rows for word in re.findall(r"[a-z]+", row.split("|")[1])}
    named = {*app.COMMANDS, *app.GROUPS, *(name for group in app.GROUPS.values() for name in group.COMMANDS)}
    assert named - words == set()
    pages = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    assert pages - set(re.findall(r"\]\(([^)]+)\)", read_on)) == set()
