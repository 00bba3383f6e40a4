"""Downloads of the files of a card: pinned by checksum, atomic, resumed where they broke off, skipped when present."""

import logging
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import Literal

from filelock import FileLock

from nerbridge.data.fingerprint import file_sha256
from nerbridge.data.registry.card import PUBLIC_SOURCE, Card, CardFile
from nerbridge.data.registry.presence import Presence, presence
from nerbridge.errors import DownloadError
from nerbridge.wording import counted

logger = logging.getLogger(__name__)
CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Source:
    """How to download: the base of all addresses, tries per file, seconds before the second try, seconds of silence."""

    base: str = PUBLIC_SOURCE
    tries: int = 3
    wait: float = 1.0
    timeout: float = 30.0


class SourceUnreachable(DownloadError):
    """No connection to the source at all: trying its other files is of no use."""


class _BrokenOff(Exception):
    """The transfer stopped; another try may go on where it did."""


def fetch_file(
    card: Card, file: CardFile, data_root: Path, source: Source | None = None
) -> Literal["present", "fetched"]:
    """Make sure that `file` lies under `data_root` with the card's checksum; says whether it had to be fetched.

    What has come so far is kept beside the file as `NAME.part`; the file itself appears complete or not at all. One
    process at a time fetches into a data root: two would write into one piece.
    Raises SourceUnreachable without a connection, DownloadError when the source lacks the file or when what came has
    another checksum (it is removed then), OSError when the disk refuses.
    """
    source = source or Source()
    if presence(file, data_root) is Presence.PRESENT:
        return "present"
    target = data_root / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(data_root / ".fetch.lock"):
        if presence(file, data_root) is Presence.PRESENT:
            return "present"
        _fetch(card, file, target, source)
    return "fetched"


def _fetch(card: Card, file: CardFile, target: Path, source: Source) -> None:
    part = target.with_name(target.name + ".part")
    url = card.url(file, source.base)
    resumed = part.exists()
    _download(url, part, source)
    if resumed and file_sha256(part) != file.sha256:  # the old piece was no piece of this file
        part.unlink()
        _download(url, part, source)
    found = file_sha256(part)
    if found != file.sha256:
        part.unlink()
        raise DownloadError(
            f"'{file.path}' came with SHA-256 {found} and was removed",
            where=url,
            expected=f"SHA-256 {file.sha256}",
            hint="try again; if it stays so, something between here and the source alters the file",
        )
    part.replace(target)


def _download(url: str, part: Path, source: Source) -> None:
    kind: type[DownloadError] = DownloadError
    for attempt in range(1, source.tries + 1):
        try:
            return _transfer(url, part, source.timeout)
        except urllib.error.HTTPError as error:
            error.close()  # it is the response too
            if error.code == 416 and part.exists():  # nothing is left to send from there on: begin anew
                part.unlink()
            elif error.code < 500 and error.code != 429:
                raise _refused(url, part, f"the server answers {error.code} {error.reason}", DownloadError) from error
            reason, kind = f"the server answers {error.code} {error.reason}", DownloadError
        except urllib.error.URLError as error:
            reason, kind = str(error.reason), SourceUnreachable
        except (_BrokenOff, HTTPException, TimeoutError, ConnectionError) as error:
            reason, kind = str(error) or type(error).__name__, DownloadError
        except ValueError as error:  # no address at all, such as one without http://
            raise _refused(url, part, f"the address cannot be used: {error}", SourceUnreachable) from error
        logger.info("try %d of %d failed for %s: %s", attempt, source.tries, url, reason)
        if attempt < source.tries:
            time.sleep(source.wait * 2 ** (attempt - 1))
    raise _refused(url, part, f"{reason} ({counted(source.tries, 'try')})", kind)


def _transfer(url: str, part: Path, timeout: float) -> None:
    """Append what is missing to `part`; a server that cannot continue sends everything again."""
    done = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={done}-"} if done else {})
    response: HTTPResponse
    with urllib.request.urlopen(request, timeout=timeout) as response:
        continues = done > 0 and response.status == 206
        expected = response.headers.get("Content-Length")
        received = 0
        with part.open("ab" if continues else "wb") as stream:
            while chunk := response.read(CHUNK):
                stream.write(chunk)
                received += len(chunk)
    if expected is not None and received < int(expected):
        raise _BrokenOff(f"the transfer broke off after {received} of {expected} bytes")


def _refused(url: str, part: Path, reason: str, kind: type[DownloadError]) -> DownloadError:
    target = part.with_suffix("")
    return kind(
        f"'{target.name}' could not be fetched: {reason}",
        where=url,
        expected="a connection to the public source, or the file in its place already",
        hint=f"without a network, copy the file from elsewhere to {target}; `nerbridge data check` then verifies it",
    )
