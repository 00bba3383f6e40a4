"""Bundles: whole, checked, without pickle; damaged ones are refused with what to do."""

import json
import os
import socket
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from builders import batch, four_sentences, tiny_encoder, tiny_tagger
from nerbridge.assembly import integrity
from nerbridge.assembly.bundle import load_bundle, read_metadata, save_bundle, verify_bundle
from nerbridge.assembly.metadata import ModelSettings
from nerbridge.assembly.prediction import predict
from nerbridge.assembly.tagger import Tagger
from nerbridge.config.encoder import TransformerSettings
from nerbridge.config.tagger import CrfSettings, LinearSettings
from nerbridge.data.labels import LabelSet
from nerbridge.errors import BundleError

SETTINGS = ModelSettings(encoder=TransformerSettings(), tagger=LinearSettings())
EXPECTED = "a folder with bundle.json, model.safetensors and encoder/, as `nerbridge train` writes it"
HINT = "give the folder of a finished run or bundle, or copy it again whole"


@pytest.fixture(scope="module")
def model() -> Tagger:
    return tiny_tagger(tiny_encoder(), domains=("news", "music")).eval()


@pytest.fixture
def folder(model: Tagger, tmp_path: Path) -> Path:
    save_bundle(model, tmp_path / "model", settings=SETTINGS, aliases={"PER": "person"}, metadata={"run": "first"})
    return tmp_path / "model"


def test_a_bundle_holds_exactly_what_it_says(folder: Path) -> None:
    metadata = read_metadata(folder)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {"bundle.json", *metadata.sha256}
    assert {"model.safetensors", "encoder/config.json", "encoder/tokenizer.json"} <= files
    assert not [name for name in files if name.endswith((".bin", ".pt", ".pkl", ".py"))]
    assert metadata.aliases == {"PER": "person"}
    assert metadata.details == {"run": "first"}
    assert metadata.domains["music"].labels == ("location", "organisation", "person")
    assert metadata.versions["torch"] == torch.__version__
    assert list(folder.parent.iterdir()) == [folder]  # nothing is left beside it


def test_loading_uses_no_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    bundle = load_bundle(folder)
    assert bundle.model.domains == ("news", "music")
    assert not bundle.model.training


def test_a_restriction_is_kept(model: Tagger, tmp_path: Path) -> None:
    restricted = tiny_tagger(model.encoder)
    restricted.head("news").restrict(LabelSet.of(["person"]))
    save_bundle(restricted, tmp_path / "model", settings=SETTINGS)
    loaded = load_bundle(tmp_path / "model")
    assert torch.equal(loaded.model.head("news").allowed, restricted.head("news").allowed)
    assert loaded.metadata.domains["news"].allowed == ("person",)
    assert predict(loaded.model, four_sentences(), "news") == predict(restricted.eval(), four_sentences(), "news")


def test_saving_replaces_what_was_there(folder: Path, model: Tagger) -> None:
    (folder / "stray.txt").write_text("old")
    other = tiny_tagger(model.encoder, seed=9)
    save_bundle(other, folder, settings=SETTINGS)
    assert load_bundle(folder).model.domains == ("news",)
    assert not (folder / "stray.txt").exists()
    assert list(folder.parent.iterdir()) == [folder]


def test_an_interrupted_save_leaves_the_old_bundle(
    folder: Path, model: Tagger, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_metadata(folder)

    def interrupt(path: Path) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(integrity, "file_sha256", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save_bundle(model, folder, settings=SETTINGS)
    monkeypatch.undo()
    assert verify_bundle(folder) == before
    assert list(folder.parent.iterdir()) == [folder]


def test_a_bundle_may_be_read_by_others(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("name", ["model.safetensors", "encoder/config.json", "encoder/tokenizer.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    for check in (load_bundle, verify_bundle):
        with pytest.raises(BundleError) as caught:
            check(folder)
        assert str(caught.value) == (
            f"the bundle has no readable {name}\n  where: {folder / name}\n  expected: {EXPECTED}\n  hint: {HINT}"
        )


@pytest.mark.parametrize("name", ["model.safetensors", "encoder/config.json", "encoder/tokenizer.json"])
def test_a_changed_file_is_refused(folder: Path, name: str) -> None:
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    for check in (load_bundle, verify_bundle):
        with pytest.raises(BundleError) as caught:
            check(folder)
        error = caught.value
        assert error.what.startswith(f"{name} has SHA-256 ")
        assert error.where == str(folder / name)
        assert error.expected == f"SHA-256 {read_metadata(folder).sha256[name]}, as bundle.json says"
        assert error.hint == "copy the bundle again from where it was made, or train again"


@pytest.mark.parametrize("name", ["no-such-folder", "empty"])
def test_what_is_no_bundle_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BundleError) as caught:
        load_bundle(tmp_path / name)
    assert str(caught.value) == (
        f"'{tmp_path / name}' is no model bundle: it has no readable bundle.json\n"
        f"  where: {tmp_path / name / 'bundle.json'}\n  expected: {EXPECTED}\n  hint: {HINT}"
    )


def change(folder: Path, **entries: object) -> None:
    path = folder / "bundle.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (0, "Input should be greater than or equal to 1"),
        (-1, "Input should be "),
        (True, "Input should be a valid int"),
    ],
)
def test_a_format_that_never_was_is_damage(folder: Path, found: object, reason: str) -> None:
    change(folder, format=found)
    with pytest.raises(BundleError) as caught:
        load_bundle(folder)
    assert caught.value.what.startswith(f"bundle.json is damaged: format: {reason}")


def test_a_newer_format_is_refused(folder: Path) -> None:
    change(folder, format=99, something_new=True)
    with pytest.raises(BundleError) as caught:
        load_bundle(folder)
    assert str(caught.value) == (
        "the bundle has format 99, newer than this nerbridge reads\n"
        f"  where: {folder / 'bundle.json'}\n"
        "  expected: format 1 or older\n"
        "  hint: pip install --upgrade nerbridge"
    )


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"format": None}, "format: Input should be a valid integer"),
        ({"sha256": {}}, "sha256: Value error, it does not name model.safetensors"),
        ({"domains": 3}, "domains: Input should be a valid dictionary"),
        ({"unheard_of": 1}, "unheard_of: Extra inputs are not permitted"),
        (
            {"domains": {"news": {"labels": ["a"], "scheme": "IOB1", "allowed": ["a"]}}},
            "domains.news.scheme: Input should be 'BIO' or 'BIOES'",
        ),
        (
            {"domains": {"news": {"labels": ["a"], "scheme": "BIO", "allowed": ["b"]}}},
            "domains.news: Value error, allowed holds 'b', which is none of its labels",
        ),
    ],
)
def test_damaged_metadata_are_refused(folder: Path, entries: dict[str, object], reason: str) -> None:
    change(folder, **entries)
    with pytest.raises(BundleError) as caught:
        load_bundle(folder)
    assert caught.value.what == f"bundle.json is damaged: {reason}"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null", b"[" * 100_000])
def test_metadata_that_are_no_json_object_are_refused(folder: Path, content: bytes) -> None:
    (folder / "bundle.json").write_bytes(content)
    with pytest.raises(BundleError, match=r"bundle\.json is damaged"):
        load_bundle(folder)


def test_a_part_whose_name_is_none_is_refused(folder: Path) -> None:
    change(folder, sha256={**read_metadata(folder).sha256, "a\0b": "0" * 64})
    with pytest.raises(BundleError, match="the bundle has no readable a\0b"):
        load_bundle(folder)


def test_weights_that_do_not_fit_are_refused(folder: Path) -> None:
    weights = load_file(folder / "model.safetensors")
    weights.popitem()
    save_file(weights, folder / "model.safetensors")
    metadata = read_metadata(folder)
    change(folder, sha256={**metadata.sha256, "model.safetensors": integrity.file_sha256(folder / "model.safetensors")})
    with pytest.raises(BundleError, match=r"the weights do not fit the model that bundle\.json describes"):
        load_bundle(folder)


def test_settings_that_do_not_fit_the_weights_are_refused(folder: Path) -> None:
    metadata = json.loads((folder / "bundle.json").read_text())
    change(folder, settings={**metadata["settings"], "tagger": CrfSettings().model_dump()})
    with pytest.raises(BundleError, match=r"the weights do not fit the model that bundle\.json describes"):
        load_bundle(folder)


def with_labels(folder: Path, *labels: str) -> None:
    """Edits the labels of both domains by hand."""
    domains = json.loads((folder / "bundle.json").read_text())["domains"]
    change(folder, domains={name: {**one, "labels": labels, "allowed": labels} for name, one in domains.items()})


@pytest.mark.parametrize(
    "labels",
    [
        ("person", "location", "organisation"),  # another order
        ("location", "organisation", "artist"),  # another name, which changes the order
        ("location", "organisation", "writer"),  # another name in its place
    ],
)
def test_labels_that_are_not_those_of_the_weights_are_refused(folder: Path, labels: tuple[str, ...]) -> None:
    with_labels(folder, *labels)
    for check in (load_bundle, verify_bundle):
        with pytest.raises(BundleError) as caught:
            check(folder)
        assert str(caught.value) == (
            "bundle.json has not the labels of domain 'news' that the weights were learnt with, in their order\n"
            f"  where: {folder / 'bundle.json'}\n"
            "  expected: location, organisation, person, as model.safetensors says\n"
            "  hint: copy the bundle again from where it was made; labels are renamed in the data, before training"
        )


def test_a_bundle_whose_weights_do_not_name_labels_still_loads(folder: Path, model: Tagger) -> None:
    path = folder / "model.safetensors"
    save_file(load_file(path), path)  # as earlier versions wrote it
    change(folder, sha256={**read_metadata(folder).sha256, path.name: integrity.file_sha256(path)})
    loaded = load_bundle(folder)
    assert predict(loaded.model, four_sentences(), "news") == predict(model, four_sentences(), "news")


def test_weights_that_are_none_are_refused(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(b"no weights")
    change(folder, sha256={**read_metadata(folder).sha256, path.name: integrity.file_sha256(path)})
    with pytest.raises(BundleError, match="the bundle cannot be read"):
        load_bundle(folder)


def test_equal_models_are_equal_files(folder: Path, model: Tagger) -> None:
    save_bundle(model, folder.parent / "again", settings=SETTINGS)
    assert read_metadata(folder.parent / "again").sha256 == read_metadata(folder).sha256


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_an_unreadable_file_is_refused(folder: Path) -> None:
    (folder / "model.safetensors").chmod(0)
    with pytest.raises(BundleError, match=r"the bundle has no readable model\.safetensors"):
        load_bundle(folder)


def test_a_loaded_model_can_go_on_learning(folder: Path) -> None:
    model = load_bundle(folder).model.train()
    model(batch(model, four_sentences())).backward()
    assert any(p.grad is not None and p.grad.any() for p in model.encoder.parameters())
