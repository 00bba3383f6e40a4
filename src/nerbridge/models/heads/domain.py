"""The domain discriminator, opposed by what it reads: DANN (Ganin et al. 2016) and GRAD (Zhou et al. 2019).

    o     = mean of the words' features, or sum_i a_i h_i with a = softmax_i(v . tanh(M h_i)), or each word's own
    r     = sigmoid(w . f(R(o)) + b)       the probability of the source; f: a hidden layer with ReLU, or nothing
    DANN: l = - [source] log r - [target] log(1 - r)                                     (Ganin et al., eq. 18)
    GRAD: l = - [source] alpha (1 - r)^gamma log r - [target] (1 - alpha) r^gamma log(1 - r)     (Zhou et al.)

R reverses gradients (`nerbridge.models.layers.reversal`): the discriminator minimises l, the encoder and the context
maximise lambda l. With alpha = 1/2 and gamma = 0, GRAD is half of DANN. (1 - r)^gamma makes sentences count less that
are told apart with ease, alpha balances a large source with a small target.

Deviations: the sum of l over the sentences of a batch is divided by its words, as the losses of other heads are, so
that a sentence's l stands beside a sentence's tags as in the papers; and by the streams of a side, so that both sides
count the same however many streams they have. What streams weigh does not touch it. Several sources are one side.
GRAD's paper pools by self-attention, DANN's leaves it to the features; both are `pooling` here.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from nerbridge.batching.batch import UNKNOWN, Batch
from nerbridge.config.adversary import DannSettings, GradSettings
from nerbridge.models.layers.reversal import reverse_gradient, rising_scale
from nerbridge.models.losses import LossTerms


class DomainHead(nn.Module):
    """Says of features whether they are of a source. width: of the features. streams: so many of target and source.

    done: share (0 to 1) of the training that is behind; lambda follows from it.
    """

    shares: Float[Tensor, " side"]

    def __init__(self, settings: DannSettings | GradSettings, width: int, streams: tuple[int, int]) -> None:
        super().__init__()
        self.settings = settings
        self.done = 0.0
        self.register_buffer("shares", 1 / torch.tensor(streams, dtype=torch.float32), persistent=False)
        if settings.pooling == "attention":
            self.project = nn.Linear(width, width, bias=False)
            self.attend = nn.Linear(width, 1, bias=False)
        self.hidden = nn.Linear(width, settings.hidden) if settings.hidden else None
        self.output = nn.Linear(settings.hidden or width, 1)

    @property
    def scale(self) -> float:
        """lambda now."""
        options = self.settings
        if options.schedule == "constant":
            return options.reversal
        return rising_scale(self.done, end=options.reversal, steepness=options.steepness)

    def loss(self, features: Float[Tensor, "batch unit width"], batch: Batch) -> LossTerms:
        """The loss of a batch, all of one side, per word; see the equations."""
        scores, sides = self._judge(reverse_gradient(features, self.scale), batch)
        known = sides != UNKNOWN
        losses = domain_losses(scores, sides, self.settings) * self.shares[sides.clamp(min=0)] * known
        return LossTerms({"domain": losses.sum() / batch.mask.sum()}, {"domain": self.settings.weight})

    @torch.no_grad()
    def accuracy(self, features: Float[Tensor, "batch unit width"], batch: Batch) -> tuple[int, int]:
        """How many sentences, or words, of a batch are told right, and of how many."""
        scores, sides = self._judge(features, batch)
        known = sides != UNKNOWN
        return int((((scores > 0) == (sides == 1)) & known).sum()), int(known.sum())

    def _judge(
        self, features: Float[Tensor, "batch unit width"], batch: Batch
    ) -> tuple[Float[Tensor, " row"], Int[Tensor, " row"]]:
        """log(r / (1 - r)) of each sentence, or word, and what is right: 1 for a source, UNKNOWN for padding."""
        pooled, sides = self._pool(features, batch.mask, batch.targets["domain"])
        if self.hidden is not None:
            pooled = F.relu(self.hidden(pooled))
        return self.output(pooled)[:, 0].float(), sides

    def _pool(
        self,
        features: Float[Tensor, "batch unit width"],
        mask: Bool[Tensor, "batch unit"],
        sides: Int[Tensor, "batch unit"],
    ) -> tuple[Float[Tensor, "row width"], Int[Tensor, " row"]]:
        match self.settings.pooling:
            case "words":
                return features.flatten(0, 1), sides.flatten()
            case "mean":
                shares = mask.float() / mask.sum(dim=1, keepdim=True)
            case "attention":
                scores = self.attend(torch.tanh(self.project(features)))[:, :, 0].float()
                shares = scores.masked_fill(~mask, -torch.inf).softmax(dim=1)
        return (shares.to(features.dtype).unsqueeze(1) @ features)[:, 0], sides[:, 0]


def domain_losses(
    scores: Float[Tensor, " row"], sides: Int[Tensor, " row"], settings: DannSettings | GradSettings
) -> Float[Tensor, " row"]:
    """l of each row; scores: log(r / (1 - r)); sides: 1 for a source, 0 for the target."""
    right = F.logsigmoid(torch.where(sides == 1, scores, -scores))  # log r of a source, log(1 - r) of the target
    if isinstance(settings, DannSettings):
        return -right
    wrong = F.logsigmoid(torch.where(sides == 1, -scores, scores))
    balance = torch.where(sides == 1, settings.alpha, 1 - settings.alpha)
    return -balance * torch.exp(settings.gamma * wrong) * right
