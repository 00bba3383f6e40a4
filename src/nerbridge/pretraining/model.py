"""An encoder with a masked-language-modelling head: the checkpoint's own, or a new one tied to the embeddings.

Most pieces are not masked, and the output layer is the widest of all, up to half of the work of a small encoder. So
logits are computed at masked positions only. For any model of transformers this is done from outside: a hook keeps of
the encoder's states those that the head has to see. A first look makes sure that the head gives the same logits.
"""

from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from transformers.modeling_outputs import BaseModelOutput

from nerbridge.batching.batch import UNKNOWN
from nerbridge.encoders.transformer.linear import use_one_dnn
from nerbridge.pretraining.batch import MaskedRows
from nerbridge.pretraining.objective import Objective

_REFUSALS = (RuntimeError, ValueError, TypeError, IndexError, AttributeError, AssertionError)


class TiedHead(nn.Module):
    """A head for encoders that transformers has none for: dense, GELU, normalisation, then embeddings and a bias."""

    def __init__(self, encoder: nn.Module, width: int) -> None:
        super().__init__()
        embeddings = encoder.get_input_embeddings()  # type: ignore[operator]
        self.dense = nn.Linear(width, embeddings.embedding_dim)
        self.norm = nn.LayerNorm(embeddings.embedding_dim)
        self.decoder = nn.Linear(embeddings.embedding_dim, embeddings.num_embeddings)
        self.decoder.weight = embeddings.weight
        nn.init.normal_(self.dense.weight, std=0.02)
        nn.init.zeros_(self.decoder.bias)

    def forward(self, states: Float[Tensor, "*rows width"]) -> Float[Tensor, "*rows vocab"]:
        logits: Float[Tensor, "*rows vocab"] = self.decoder(self.norm(F.gelu(self.dense(states))))
        return logits


class HeadedEncoder(nn.Module):
    """An encoder and a `TiedHead`, called like a masked language model of transformers."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.base_model = encoder
        self.head = TiedHead(encoder, int(encoder.config.hidden_size))  # type: ignore[union-attr,arg-type]

    def forward(self, **inputs: Any) -> Any:
        return (self.head(self.base_model(**inputs)[0]),)


class MaskedLanguageModel(Objective):
    """Predicts what stood at masked positions.

    model: a masked language model of transformers, or a `HeadedEncoder`. new_head: its head knows nothing yet.
    sparse: logits are computed at masked positions only.
    """

    def __init__(self, model: nn.Module, *, new_head: bool) -> None:
        super().__init__()
        use_one_dnn(model)
        self.model = model
        self.new_head = new_head
        self._wanted: Int[Tensor, " masked"] | None = None
        self.encoder.register_forward_hook(self._keep_wanted)
        self.sparse = True
        self.sparse = self._sparse_agrees()

    @property
    def encoder(self) -> nn.Module:
        """The part that taggers will use."""
        encoder: nn.Module = self.model.base_model  # type: ignore[assignment]
        return encoder

    @property
    def num_embeddings(self) -> int:
        """Ids that the encoder can read."""
        return int(self.encoder.get_input_embeddings().num_embeddings)  # type: ignore[operator]

    def forward(self, rows: MaskedRows) -> Float[Tensor, "masked vocab"]:
        """Logits over the vocabulary for every position to fill in."""
        attended = None if rows.attended is None else rows.attended.long()
        self._wanted = rows.positions if self.sparse else None
        logits: Float[Tensor, "row piece vocab"] = self.model(input_ids=rows.pieces, attention_mask=attended)[0]
        self._wanted = None
        flat = logits.flatten(0, 1)
        return flat if self.sparse else flat[rows.positions]

    def loss(self, rows: MaskedRows) -> Float[Tensor, ""]:
        """The sum over masked positions of -log p(what stood there)."""
        return masked_loss(self(rows), rows.targets)

    def freeze_encoder(self, frozen: bool) -> None:
        """Let the head learn alone, the encoder with dropout off; or both."""
        self.encoder.requires_grad_(not frozen)
        self.encoder.train(not frozen)

    def _keep_wanted(self, _module: nn.Module, _inputs: Any, output: Any) -> Any:
        if self._wanted is None:
            return output
        return BaseModelOutput(last_hidden_state=output[0].flatten(0, 1)[self._wanted].unsqueeze(0))

    def _sparse_agrees(self) -> bool:
        """Does the head give the same logits when it sees nothing but the states of some positions?"""
        training = self.training
        self.eval()
        pieces = torch.arange(2, 14).view(2, 6)
        rows = MaskedRows(pieces, None, torch.tensor([1, 4, 9]), torch.tensor([3, 6, 11]), 12)
        try:
            with torch.no_grad():
                sparse = self(rows)
                self.sparse = False
                return bool(torch.allclose(sparse, self(rows), atol=1e-4, rtol=1e-4))
        except _REFUSALS:
            self._wanted = None
            return False
        finally:
            self.train(training)


def masked_loss(logits: Float[Tensor, "masked vocab"], targets: Int[Tensor, " masked"]) -> Float[Tensor, ""]:
    """The sum over masked positions of -log p(what stood there)."""
    return F.cross_entropy(logits.float(), targets, reduction="sum", ignore_index=UNKNOWN)
