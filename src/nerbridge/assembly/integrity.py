"""Bundle folders on disk: checked before they are read, and replaced whole."""

import json
import os
import shutil
import tempfile
from pathlib import Path

from pydantic import ValidationError

from nerbridge.assembly.label_order import check_label_order
from nerbridge.assembly.metadata import ENCODER, FORMAT, METADATA, WEIGHTS, BundleMetadata
from nerbridge.data.fingerprint import file_sha256
from nerbridge.errors import BundleError


def read_metadata(folder: Path) -> BundleMetadata:
    """What bundle.json in `folder` says, without loading the model. Raises BundleError when it cannot be read."""
    path = folder / METADATA
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise bundle_fault(f"'{folder}' is no model bundle: it has no readable {METADATA}", path) from error
    except (ValueError, RecursionError) as error:
        raise bundle_fault(f"{METADATA} is damaged: {error}", path) from error
    found = content.get("format") if isinstance(content, dict) else None
    if isinstance(found, int) and found > FORMAT:
        raise BundleError(
            f"the bundle has format {found}, newer than this nerbridge reads",
            where=str(path),
            expected=f"format {FORMAT} or older",
            hint="pip install --upgrade nerbridge",
        )
    try:
        return BundleMetadata.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or METADATA
        raise bundle_fault(f"{METADATA} is damaged: {place}: {first['msg']}", path) from error


def verify_bundle(folder: Path) -> BundleMetadata:
    """What bundle.json says, after every file was found to be there and as it was written.

    Raises BundleError when one is missing or has another SHA-256, when the labels are not those of the weights, and
    where `read_metadata` does.
    """
    metadata = read_metadata(folder)
    for name, sha256 in metadata.sha256.items():
        path = folder / name
        try:
            found = file_sha256(path)
        except (OSError, ValueError) as error:  # no such file, or no name that a file could have
            raise bundle_fault(f"the bundle has no readable {name}", path) from error
        if found != sha256:
            raise BundleError(
                f"{name} has SHA-256 {found}",
                where=str(path),
                expected=f"SHA-256 {sha256}, as {METADATA} says",
                hint="copy the bundle again from where it was made, or train again",
            )
    check_label_order(folder, metadata.domains)
    return metadata


def bundle_fault(what: str, where: Path) -> BundleError:
    """The error for a folder that is not, or not wholly, a bundle."""
    return BundleError(
        what,
        where=str(where),
        expected=f"a folder with {METADATA}, {WEIGHTS} and {ENCODER}/, as `nerbridge train` writes it",
        hint="give the folder of a finished run or bundle, or copy it again whole",
    )


def checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of every file, by its path inside `folder`."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): file_sha256(path) for path in paths}


def replace_folder(aside: Path, folder: Path) -> None:
    """Gives `aside`, a neighbour, the name `folder`, with everything on the disk before anything is visible."""
    aside.chmod(0o755)
    for path in sorted(aside.rglob("*"), reverse=True):
        _to_disk(path)
    _to_disk(aside)
    if folder.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
        folder.rename(old / "bundle")
        aside.rename(folder)
        shutil.rmtree(old)
    else:
        aside.rename(folder)
    _to_disk(folder.parent)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
