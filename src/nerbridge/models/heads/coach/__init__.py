"""Coach: first where entities are, then what they are.

Paper: Liu et al. 2020, "Coach: A coarse-to-fine approach for cross-domain slot filling", sections 2.1-2.2; a baseline
of CrossNER 2021.

    p(b | x) = CRF over b_i in {O, B, I}, e_i = W dropout(h_i) + c                the same for all labels           (1)
    r_k = sum over i in span k of BiLSTM(h_start .. h_end)_i                      a new BiLSTM for every span       (2)
    s_kl = r_k . L_l,   p(label l | span k) = softmax(s_k)_l                      L_l: embedding of the label's name (3)
    loss = - log p(gold b | x) - sum over gold spans k of log p(gold label | k),  over the number of known words    (4)

Spans are the gold ones in training and those decoded by (1) in use. h is what the context gives, so the paper's model
is `context = "bilstm"` with this head.

| here | symbol | where |
|---|---|---|
| `CrfHead` over the tags of one label, "entity" | (1) | `models/heads/crf.py` |
| `Spans`, `find_spans` | k | `spans.py` |
| `SpanTyper` | (2), (3) | `span_types.py` |
| `CoachHead` | (4) | `head.py` |

Deviations, and why:

- L comes from the encoder's vectors of the label's name and description, less what all words have in common, projected
  at random to the width of r. The paper sums word vectors, which are as wide as its BiLSTM by choice.
- Both losses are sums over words known, so that the head stands beside others on one scale.
- The paper's template regularisation is left out: CrossNER's baseline names none.
- `learn_labels` and `initialise = "random"` are ours, and off unless asked for.

Confidence of a word is p(b_i | x), times p(label | span) inside a span.
"""

from nerbridge.models.heads.coach.head import CoachHead

__all__ = ["CoachHead"]
