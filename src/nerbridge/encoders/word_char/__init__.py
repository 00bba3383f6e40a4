"""Word vectors beside a network over each word's characters.

    w_i = W[word_i]                           row of the word, else of the lower-cased word, else of "unknown"       (1)
    c_i = max over places of conv(C[characters of word_i])                   `characters = "cnn"`                    (2)
    c_i = [last forward state ; last backward state] of a BiLSTM over them   `characters = "lstm"`                   (3)
    v_i = dropout([w_i ; c_i])

Papers: Jia et al. 2019, section 3.1 (2); Ma and Hovy 2016 (2); Lample et al. 2016 (3).

| here | what | where |
|---|---|---|
| `WordVocabulary` | words with rows that learn, and with rows that stay | `vocabulary.py` |
| `starting_rows`, `Coverage` | rows out of a vector file, and how many words it knows | `rows.py` |
| `WordTable` | W | `table.py` |
| `CharacterCnn`, `CharacterLstm` | (2), (3) | `characters.py` |
| `WordCharVectorizer` | words -> numbers | `vectorizer.py`, `inputs.py` |
| `WordCharEncoder` | v | `encoder.py` |

Decisions: only rows of words that the stage trains on learn, so the rows of the 100,000 most frequent words of the file
cost the optimiser nothing and do not decay. `word_dropout` reads some words as the unknown one, which is how its row
is learnt. A word longer than 40 characters is read by its first 40.
"""

from nerbridge.encoders.word_char.build import build_word_char
from nerbridge.encoders.word_char.encoder import WordCharEncoder
from nerbridge.encoders.word_char.vocabulary import WordVocabulary

__all__ = ["WordCharEncoder", "WordVocabulary", "build_word_char"]
