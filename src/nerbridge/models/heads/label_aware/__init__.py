"""The label-aware autoregressive tagger: each word is labelled with an eye on the tags of all words before it.

Paper: "Label-aware autoregressive framework for cross-domain named entity recognition" (LANER), 2022, section 2.

    p(y_1 .. y_N | x) = prod_i p(y_i | y_1 .. y_{i-1}, x)                                            (1)
    h_1 .. h_N = encoder(x)                                     states, after dropout                (2)
    e_0 .. e_{i-1} = BiLSTM(U[BOS], U[y_1] .. U[y_{i-1}])       one run for each prefix              (3)
    e'   = W2 e_{i-1} + b2                                                                           (4)
    a_b  = softmax(e' h^T)                                      over all words of the sentence       (5)
    hb_i = sum_k a_b[k] h_k                                     label background                     (6)
    h'_i = W3 [h_i ; hb_i] + b3                                                                      (7)
    ec_i = sum_k a_c[k] e_k,  a_c = softmax(h'_i e^T)           label context, BOS included          (8)
    z_i  = [hb_i ; ec_i]                                                                             (9)
    u_i  = [h_i ; z_i]                                                                               (10)
    o_i  = Wo u_i + bo,  p(y_i | ..) = softmax(o_i)                         output, without a number there
    loss = - mean over known words of log p(gold tag | gold tags before it, x)

| here | symbol | where |
|---|---|---|
| history | BOS, y_1 .. y_{N-1}: what stands before each word; position k belongs to word k + 1 | `history.py` |
| `LabelEncoder` | U and the two directions of (3) | `label_encoder.py` |
| `Prefixes`, `prefix_states` | the backward direction of (3), all prefixes at once | `prefixes.py`, `prefix_runs.py` |
| `LabelBackground`, `LabelContext` | (4)-(6) and (7)-(8) | `attention.py` |
| `LabelAwareScorer` | (9), (10) and the output, all words of a batch at once | `scorer.py` |
| `Search` | word by word: greedy (beam 1) or beam | `search.py` |

The forward direction of (3) reads from the left, so one run gives every prefix its states. The backward direction
starts at the *last* tag of a prefix: a single run over the sentence would carry gold tags of later words into earlier
states, so it runs anew for each prefix. Without label context only e_{i-1} is read, which is one backward step.

Deviations, and why:

- Units are words. The public code feeds gold tags at first pieces in training and its own at every piece in decoding.
- The history starts with BOS, so it is never empty and the first word needs no layer of its own.
- Padding is masked in (5): the sum runs over the words of the sentence.
- Dropout stands on the states that the head reads (`dropout`); the paper names none.
- Decoding takes legal tags only (`constrained`); the paper says nothing of it.
- A word whose tag is not known (partly labelled sentences) stands in the history as a row UNKNOWN of its own.
- Without background, (7) is W3 h_i + b3; without both, o_i is Wo h_i + bo, the linear tagger in training and decoding.
- `label_noise`, `scheduled_sampling`, `constrained_training`, `output_rate`, `beam` and `initialise = "names"` are
  ours, and off unless asked for.

Confidence is p(y_i | decoded tags before it, x): it does not know what comes later.
"""

from nerbridge.models.heads.label_aware.head import LabelAwareHead

__all__ = ["LabelAwareHead"]
