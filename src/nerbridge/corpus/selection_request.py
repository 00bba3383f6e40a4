"""What a selection is made of, and what follows from it before the first sentence is looked at."""

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nerbridge.config.gazetteer import GazetteerSettings, SelectionSettings
from nerbridge.corpus.built_documents import refuse_level
from nerbridge.corpus.folder import CorpusFolder
from nerbridge.corpus.folder_writing import MANIFEST
from nerbridge.corpus.gazetteer import Gazetteer
from nerbridge.corpus.gazetteer_files import no_names
from nerbridge.corpus.matching_names import FormBuilder
from nerbridge.corpus.matching_ordinary import candidates, count_forms
from nerbridge.corpus.selection_labels import check_specialised
from nerbridge.corpus.selection_scan import ScanPlan
from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import DataError
from nerbridge.wording import counted

log = logging.getLogger(__name__)

RULES = 2  # of finding names, beyond the settings; goes up when the same names would be found in other places
EXPECTED = "a corpus that `nerbridge corpus build` has written"
BROADER_RULES = 2  # the same of `gazetteer.broader`: labels without a list are reached through


@dataclass(frozen=True, slots=True)
class SelectionRequest:
    """A built corpus, names, the labels of the task level, and the settings.

    Raises DataError for a corpus without sentences and for a level of one, ConfigError when the task level is wanted
    and no list has names of a specialised label.
    """

    corpus: CorpusFolder
    gazetteer: Gazetteer
    specialised: tuple[str, ...]
    names: GazetteerSettings = field(default_factory=GazetteerSettings)
    selection: SelectionSettings = field(default_factory=SelectionSettings)

    def __post_init__(self) -> None:
        refuse_level(self.corpus, expected=EXPECTED)
        if not self.corpus.num_sentences:
            raise DataError(
                f"the corpus '{self.corpus.path}' has no sentence",
                where=str(self.corpus.path),
                expected="a built corpus with text",
                hint="see what `nerbridge corpus build` left out, and why",
            )
        if not {"task", "integrated"}.isdisjoint(self.selection.levels):
            check_specialised(self.specialised, self.gazetteer.labels)

    def inputs(self) -> dict[str, Any]:
        """Everything that can change the result, as JSON."""
        return {
            "corpus_manifest_sha256": file_sha256(self.corpus.path / MANIFEST),
            "rules": RULES,
            **({"broader": BROADER_RULES} if self.names.broader else {}),
            "gazetteer_sha256": self.gazetteer.sha256(),
            "specialised": list(self.specialised),
            "settings": {
                "gazetteer": self.names.model_dump(mode="json"),
                "selection": self.selection.model_dump(mode="json", exclude={"levels", "general"}),
            },
        }

    def key(self, inputs: Mapping[str, Any]) -> str:
        """64 hexadecimal digits: two selections with one key have the same result."""
        return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is looked for, and the part of the record that is known before the search."""

    plan: ScanPlan
    about: dict[str, Any]


def prepare(request: SelectionRequest) -> Prepared:
    """Ask the corpus which names are ordinary words, and settle how every name is written.

    Raises DataError when no name is left; the domain level alone needs none to begin with.
    """
    gazetteer, names = request.gazetteer, request.names
    frequencies: Mapping[str, int] = {}
    words = 0
    if names.ordinary != "keep" and names.ordinary_by == "corpus":
        sentences = (sentence for document in request.corpus.documents() for sentence in document)
        frequencies, words = count_forms(sentences, candidates(gazetteer.names))
        log.info("how the corpus writes the names was looked up in %s", counted(words, "word"))
    builder = FormBuilder(gazetteer, names, frequencies)
    forms = builder.build()
    if not forms.forms and (gazetteer.names or request.selection.levels != ("domain",)):
        raise no_names(Gazetteer(gazetteer.labels, {}, forms.counts), "the gazetteer")
    about = {
        "gazetteer": {
            "names": gazetteer.names_by_label(),
            "entries": gazetteer.counts.as_json(),
            "prepared": forms.counts.as_json(),
            "written_forms": len(forms.forms),
            "labels_looked_for": list(forms.labels_with_forms()),
            "labels_of_nouns": list(builder.nouns),
            "words_asked_for_ordinary_ones": words,
        },
        "specialised": list(request.specialised),
        "specialised_without_names": [label for label in request.specialised if label not in gazetteer.labels],
    }
    plan = ScanPlan(forms, request.specialised, request.selection, sure=names.ambiguous != "any")
    return Prepared(plan, about)
