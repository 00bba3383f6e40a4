"""DBpedia's triples -> names, by the user's classes or those shipped."""

import bz2
from pathlib import Path

import pytest

from nerbridge.corpus.gazetteer import labels_of_bits
from nerbridge.corpus.gazetteer_classes import load_classes
from nerbridge.corpus.gazetteer_files import read_gazetteer
from nerbridge.corpus.triples import TYPE, Triple, TripleParser
from nerbridge.errors import ConfigError, DataError

RESOURCE = "http://dbpedia.org/resource/"
ONTOLOGY = "http://dbpedia.org/ontology/"
RDFS_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPES = f"""# started 2022
<{RESOURCE}Queen_(band)> <{TYPE}> <{ONTOLOGY}Band> .
<{RESOURCE}Ada_Lovelace> <{TYPE}> <{ONTOLOGY}Writer> .
<{RESOURCE}Ada_Lovelace> <{TYPE}> <http://www.w3.org/2002/07/owl#Thing> .
<{RESOURCE}Beyonc%C3%A9> <{TYPE}> <{ONTOLOGY}MusicalArtist> .
<{RESOURCE}London> <{TYPE}> <{ONTOLOGY}City> .
this is no triple
"""
LABELS = f"""<{RESOURCE}Queen_(band)> <{RDFS_LABEL}> "Queen (band)"@en .
<{RESOURCE}Queen_(band)> <{RDFS_LABEL}> "Queen (Gruppe)"@de .
<{RESOURCE}Ada_Lovelace> <{RDFS_LABEL}> "Ada \\"Countess\\" Lovelace"@en .
<{RESOURCE}Zebra> <{RDFS_LABEL}> "Zebra"@en .
"""
CLASSES = {"Band": "band", "MusicalArtist": "musicalartist", "Writer": "writer"}


def test_types_and_labels_together(tmp_path: Path) -> None:
    (tmp_path / "instance_types_en.ttl.bz2").write_bytes(bz2.compress(TYPES.encode()))
    (tmp_path / "labels_en.nt").write_text(LABELS, encoding="utf-8")
    gazetteer = read_gazetteer([tmp_path], classes=CLASSES)
    assert {name: labels_of_bits(gazetteer.labels, bits) for name, bits in gazetteer.names.items()} == {
        "Queen": ("band",),
        'Ada "Countess" Lovelace': ("writer",),
        "Beyoncé": ("musicalartist",),
    }
    assert gazetteer.counts.report() == [
        "1 lost the brackets behind them",
        "1 of DBpedia are named by their address, for want of a label",
        "2 left out: DBpedia resource of no wanted class (such as 'Thing 1 times', 'City 1 times')",
        "1 left out: not a triple on one line (such as 'instance_types_en.ttl.bz2:7: this is no triple')",
    ]


def test_types_alone_name_by_address(tmp_path: Path) -> None:
    path = tmp_path / "types.nt"
    path.write_text(TYPES, encoding="utf-8")
    assert set(read_gazetteer([path], classes=CLASSES).names) == {"Queen", "Ada Lovelace", "Beyoncé"}


def test_prefixes_of_turtle() -> None:
    parser = TripleParser()
    assert parser.is_quiet("@prefix dbo: <http://dbpedia.org/ontology/> .")
    assert parser.parse("<x> a dbo:Band .") == Triple("x", TYPE, "http://dbpedia.org/ontology/Band")
    assert parser.parse('<x> <y> "caf\\u00E9\\n\\U0001F600\\uD800" .') == Triple("x", "y", "café\n😀\ufffd", "")
    assert parser.parse('<x> <y> "3"^^<http://www.w3.org/2001/XMLSchema#int> .') == Triple("x", "y", "3", "")
    assert parser.parse('<x> <y> "open .') is None


def test_triples_need_classes(tmp_path: Path) -> None:
    path = tmp_path / "types.nt"
    path.write_text(TYPES, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_gazetteer([path])
    assert caught.value.hint == ("--classes crossner/music, or a TOML file with lines such as: Guitarist = 'person'")


@pytest.mark.parametrize("text", ["", "no triples\nat all\n"])
def test_a_file_without_triples_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "types.nt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="none of the first 1,000 lines is a triple"):
        read_gazetteer([path], classes=CLASSES)


def test_no_resource_of_the_wanted_classes(tmp_path: Path) -> None:
    path = tmp_path / "labels.nt"
    path.write_text(LABELS, encoding="utf-8")
    with pytest.raises(DataError, match="no resource has one of the wanted classes"):
        read_gazetteer([path], classes=CLASSES)


@pytest.mark.parametrize("domain", ["politics", "science", "music", "literature", "ai"])
def test_shipped_classes_mean_labels_of_the_domain(domain: str) -> None:
    from nerbridge.data.registry import find_card

    labels = find_card(f"crossner/{domain}").labels.names
    assert set(load_classes(f"crossner/{domain}").values()) <= set(labels)


def test_classes_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "classes.toml"
    path.write_text("Guitarist = 'person'\n", encoding="utf-8")
    assert load_classes(str(path)) == {"Guitarist": "person"}
    path.write_text("Guitarist = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="the class 'Guitarist' has no label"):
        load_classes(str(path))
    with pytest.raises(ConfigError, match="there is no table of classes 'crossner/sport'"):
        load_classes("crossner/sport")
