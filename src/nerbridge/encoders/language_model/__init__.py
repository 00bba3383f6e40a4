"""Contextual vectors from language models that read the sentence from both sides.

Word by word (ELMo; Peters et al. 2018, section 3):

    x_k = projection(highway(max over places of relu(conv_n(C[begin, characters of word_k, end])), n = 1..N))        (1)
    a_{k,l} = LSTM_l forward over a_{.,l-1}    b_{k,l} = LSTM_l backward over b_{.,l-1}    a_{k,0} = b_{k,0} = x_k   (2)
    h_{k,l} = [a_{k,l} ; b_{k,l}]                from the second layer on its input is added to a layer's output
    v_k = gamma x sum over l = 0..L of softmax(s)_l h_{k,l}                                     `mix = "learnt"`     (3)

Character by character (FLAIR; Akbik et al. 2018, section 2.2), over " word_1 word_2 ... word_n ":

    a_t = LSTM forward over C[c_1..c_t]          b_t = LSTM backward over C'[c_T..c_t]                               (4)
    h_k = [a at the space behind word k ; b at the space before it]                                                  (5)

| here | what | where |
|---|---|---|
| `WordModel` | (1), (2) | `word_model.py`, `spelling.py` |
| `CharacterModel` | (4), (5) | `character_model.py` |
| `Direction` | LSTM layers that read one way | `direction.py` |
| `ScalarMix` | (3) | `mix.py` |
| `LanguageModelEncoder` | v | `encoder.py` |
| sentences -> numbers | | `word_inputs.py`, `character_inputs.py`, `vectorizer.py` |
| `read_model`, `write_model` | folders | `files.py`, `sizes.py` |

Decisions: padding lies behind the words in both directions (the backward one reads each row mirrored), so whole
batches go through fused LSTMs and a sentence has the same states in any batch. Weights that do not learn run without
gradients and without dropout. gamma and s belong to the tagger, and learn with it.
"""

from nerbridge.encoders.language_model.build import build_language_model
from nerbridge.encoders.language_model.encoder import LanguageModelEncoder

__all__ = ["LanguageModelEncoder", "build_language_model"]
