"""Language models from nothing: raw text in, a folder that `encoder.kind = "language_model"` reads out.

ELMo (Peters et al. 2018) predicts the next word and the one before, FLAIR (Akbik et al. 2018) the next character and
the one before; see `encoders/language_model` for the networks.

    loss = - sum over both directions of log p(what comes next | what was read)                                   (1)

Words are predicted by a softmax over a vocabulary, in training over samples of it with log-Q correction
(`models/layers/sampled_softmax`), or over all of it; the held-out perplexities are always those of the full softmax.

| here | what | where |
|---|---|---|
| `WordText` | corpora -> numbers of words, in memory | `text.py` |
| `cut_words`, `cut_characters` | sentences -> rows | `cutting.py` |
| `WordRows`, `CharacterRows` | rows that learn together, with targets | `word_rows.py`, `character_rows.py` |
| `WordObjective`, `CharacterObjective` | (1) | `word_objective.py`, `character_objective.py` |
| `pretrain_language_model` | the entrance | `run.py`, `attempt.py`, `material.py` |
"""

from nerbridge.pretraining.language_model.keys import language_model_key
from nerbridge.pretraining.language_model.result import LanguageModelResult
from nerbridge.pretraining.language_model.run import estimate_language_model, pretrain_language_model

__all__ = ["LanguageModelResult", "estimate_language_model", "language_model_key", "pretrain_language_model"]
