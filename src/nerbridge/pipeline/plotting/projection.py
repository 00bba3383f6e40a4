"""Many dimensions to two, by t-SNE.

t-SNE (van der Maaten and Hinton 2008): points that are near each other stay near each other; how far apart groups lie,
and how large they are, means little. Wide vectors are brought to 50 dimensions by their principal components first.
"""

from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from nerbridge.errors import ConfigError, MissingExtraError, TrainingError
from nerbridge.pipeline.plotting.states import Vectors
from nerbridge.wording import counted

COMPONENTS = 50  # of wider vectors, before t-SNE, as its authors do


def check_projection() -> None:
    """Raises MissingExtraError without scikit-learn."""
    if find_spec("sklearn") is None:
        raise MissingExtraError("scikit-learn", "plot")


def fitting_perplexity(number: int) -> int:
    """About the highest perplexity that makes sense of so many points."""
    return max((number - 1) // 3, 1)


def place_vectors(vectors: Vectors, *, perplexity: float, seed: int) -> NDArray[np.float32]:
    """Two numbers for each row of `vectors`; the same ones for the same vectors, perplexity and seed.

    perplexity: about how many neighbours a point has. Raises ConfigError when there are not more points than that,
    TrainingError for vectors that are not finite or all the same, MissingExtraError without scikit-learn.
    """
    check_projection()
    if len(vectors) < 2:
        raise ConfigError(
            f"{counted(len(vectors), 'point')} cannot be placed beside others",
            where="the words that are shown",
            expected="at least 2 points",
            hint="more --sentences and --words, or other --data; --outside shows words outside entities too",
        )
    if not perplexity < len(vectors):
        raise ConfigError(
            f"perplexity {perplexity:g} is too much for {counted(len(vectors), 'point')}",
            where="--perplexity",
            expected="fewer neighbours than points",
            hint=f"--perplexity {fitting_perplexity(len(vectors))}, or more --sentences and --words",
        )
    if not np.isfinite(vectors).all():
        raise TrainingError(
            f"the states of {counted(int((~np.isfinite(vectors).all(axis=1)).sum()), 'word')} hold no finite numbers",
            where="the weights of the tagger",
            expected="a tagger whose training went well",
            hint="look into its report and journal; train it again",
        )
    if (vectors == vectors[0]).all():  # t-SNE crashes
        raise TrainingError(
            f"the states of all {counted(len(vectors), 'point')} are the same",
            where="the weights of the tagger, or the words that are shown",
            expected="words that the tagger tells apart",
            hint="show other words (--data, --outside), or look into the tagger's report: it may have learnt nothing",
        )
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE

    vectors = np.asarray(vectors, dtype=np.float64)
    if vectors.shape[1] > COMPONENTS < len(vectors):
        vectors = PCA(COMPONENTS, random_state=seed).fit_transform(vectors)
    many = TSNE(2, perplexity=perplexity, init="pca", random_state=seed, learning_rate="auto")
    placed: NDArray[np.float32] = many.fit_transform(vectors)
    return placed
